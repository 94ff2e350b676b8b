/* A double collect: read twice until nothing changed.
 * Shows: a read-only process against two writers; much of it commutes.
 * verdict: complete
 */
byte x, y;

active proctype left() {
    x = 1;
    x = 2
}

active proctype right() {
    y = 1;
    y = 2
}

active proctype scanner() {
    byte x1, y1, x2, y2;
    do
    :: x1 = x;
       y1 = y;
       x2 = x;
       y2 = y;
       if
       :: x1 == x2 && y1 == y2 -> break
       :: else
       fi
    od;
    assert(x1 <= x && y1 <= y)
}
