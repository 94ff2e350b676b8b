/* An `atomic` that blocks in the middle gives the others a turn.
 * Shows: loss of atomicity; the other process sees the half-done work, but never the inside of a `d_step`.
 * verdict: complete
 */
byte a, b, c;

active proctype first() {
    atomic {
        a = 1;
        (b == 1);
        c = a;
        a = 0
    }
    assert(c == 2 || c == 1)
}

active proctype second() {
    byte t;
    d_step {
        t = a;
        a = 7;
        a = t + 1;
        b = 1;
        t = 0
    };
    assert(a != 7);
    (c > 0);
    b = 0
}
