/* Readers that look into their own cache or into the memory that a writer changes.
 * Shows: loops around choices between something private and something shared.
 * verdict: complete
 */
byte memory, left, right, log;

active proctype reader_left() {
    byte v, n;
    do
    :: n < 2 ->
       if
       :: v = left
       :: v = memory; left = v
       fi;
       n++
    :: n == 2 -> break
    od
}

active proctype reader_right() {
    byte v, n;
    do
    :: n < 2 ->
       if
       :: v = right
       :: v = memory; right = v
       fi;
       n++
    :: n == 2 -> break
    od
}

active proctype writer() {
    log = 1;
    memory = 1;
    log = 2;
    memory = 2
}
