/* Dining philosophers whose forks are channels with one token each; a waiter lets two of three sit down.
 * Shows: tokens in channels, filled by `init`.
 * verdict: complete
 */
#define N 3
chan fork[N] = [1] of { bit };
chan seats = [2] of { bit };

proctype philosopher(byte i) {
    byte meals;
    do
    :: meals < 2 ->
       seats?_;
       fork[i]?_;
       fork[(i + 1) % N]?_;
       meals++;
       fork[i]!1;
       fork[(i + 1) % N]!1;
       seats!1
    :: else -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            fork[i]!1
        }
        seats!1;
        seats!1;
        for (i : 0 .. N - 1) {
            run philosopher(i)
        }
    }
}
