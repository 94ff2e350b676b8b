/* Two processes add one to a shared counter three times each, reading and writing in two steps.
 * Shows: the counter can end as low as two.
 * verdict: assertion
 */
#define TIMES 3
byte n;
byte finished;

active [2] proctype adder() {
    byte i, t;
    for (i : 1 .. TIMES) {
        t = n;
        n = t + 1
    }
    finished++
}

active proctype judge() {
    (finished == 2);
    assert(n > 2)
}
