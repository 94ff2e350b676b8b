/* Lamport's bakery without its `choosing` flags.
 * Shows: the classical mistake; two customers draw the same ticket and both are served.
 * verdict: assertion
 */
#define N 2
byte ticket[N];
byte serving;

active [N] proctype customer() {
    byte k, highest;
    for (k : 0 .. N - 1) {
        if
        :: ticket[k] > highest -> highest = ticket[k]
        :: else
        fi
    }
    ticket[_pid] = highest + 1;
    for (k : 0 .. N - 1) {
        (ticket[k] == 0 || ticket[k] > ticket[_pid] || (ticket[k] == ticket[_pid] && k >= _pid))
    }
    serving++;
    assert(serving == 1);
    serving--;
    ticket[_pid] = 0
}
