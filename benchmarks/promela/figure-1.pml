/* A writer and two readers (Abdulla et al., Comparing Source Sets and Persistent Sets, Fig. 1).
 * Shows: {q} is a persistent set at the start, {p, q} is not, both are source sets.
 * verdict: complete
 */
byte x, y, z;

active proctype p() {
    x = 1
}

active proctype q() {
    byte v;
    v = y;
    v = x
}

active proctype r() {
    byte v;
    v = z;
    v = x
}
