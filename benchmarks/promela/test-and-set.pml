/* A spin lock on an atomic test-and-set.
 * Shows: `atomic` with a guard in front: it can be entered only when the lock is free.
 * verdict: complete
 */
bool locked;
byte inside, rounds;

active [3] proctype user() {
    do
    :: atomic { !locked -> locked = true };
       inside++;
       assert(inside == 1);
       inside--;
       locked = false
    :: break
    od;
    rounds++
}
