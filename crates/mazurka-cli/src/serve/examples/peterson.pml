/* Peterson's algorithm for two processes, for ever.
 * Shows: a cyclic state space in which mutual exclusion is proved.
 * verdict: complete
 */
bool want[2];
byte turn;
byte inside;

active [2] proctype user() {
    byte other = 1 - _pid;
    do
    :: want[_pid] = true;
       turn = other;
       (want[other] == false || turn == _pid);
       inside++;
       assert(inside == 1);
       inside--;
       want[_pid] = false
    od
}
