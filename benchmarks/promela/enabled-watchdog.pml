/* A watchdog that wakes up a worker who cannot go on.
 * Shows: `enabled`.
 * verdict: complete
 */
byte work = 2, woken;
bool asleep;

active proctype worker() {
    do
    :: atomic { asleep == false && work > 0 -> work--; asleep = true }
    :: asleep == false && work == 0 -> break
    od
}

active proctype watchdog() {
    do
    :: !enabled(0) && asleep -> atomic { asleep = false; woken++ }
    :: work == 0 && !asleep -> break
    od;
    assert(woken == 2)
}
