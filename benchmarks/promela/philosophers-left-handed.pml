/* Four dining philosophers, the last of them left-handed.
 * Shows: breaking the symmetry breaks the deadlock.
 * verdict: complete
 */
#define N 4
bool taken[N];

proctype philosopher(byte first; byte second) {
    do
    :: atomic { !taken[first] -> taken[first] = true };
       atomic { !taken[second] -> taken[second] = true };
       taken[second] = false;
       taken[first] = false
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 2) {
            run philosopher(i, i + 1)
        }
        run philosopher(0, N - 1)
    }
}
