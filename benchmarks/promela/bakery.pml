/* Lamport's bakery with bounded tickets: three customers, one purchase each.
 * Shows: a maximum over an array, ties broken by process number.
 * verdict: complete
 */
#define N 3
bool choosing[N];
byte ticket[N];
byte serving;

active [N] proctype customer() {
    byte k, highest;
    choosing[_pid] = true;
    for (k : 0 .. N - 1) {
        if
        :: ticket[k] > highest -> highest = ticket[k]
        :: else
        fi
    }
    ticket[_pid] = highest + 1;
    choosing[_pid] = false;
    for (k : 0 .. N - 1) {
        (!choosing[k]);
        (ticket[k] == 0 || ticket[k] > ticket[_pid] || (ticket[k] == ticket[_pid] && k >= _pid))
    }
    serving++;
    assert(serving == 1);
    serving--;
    ticket[_pid] = 0
}
