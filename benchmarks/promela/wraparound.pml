/* Counters that run over: what each type does at its end.
 * Shows: `bit`, `bool`, `byte`, `short`, `int` ranges, shifts, conditional expressions.
 * verdict: complete
 */
byte b = 255;
short s = 32767;
int i = 2147483647;
bit t = 1;

active proctype up() {
    b++;
    s++;
    i++;
    t = t + 1
}

active proctype check() {
    (b == 0);
    (s < 0);
    (i < 0);
    (t == 0);
    assert(s == -32768);
    assert(i + 1 == -2147483647);
    assert((b -> 1 : 2) == 2);
    assert((1 << 4) == 16 && (255 >> 3) == 31 && (6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 3) == 5 && ~0 == -1);
    assert(7 % 3 == 1 && -7 / 2 == -3)
}
