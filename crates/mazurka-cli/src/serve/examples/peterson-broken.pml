/* Peterson's algorithm with the two entry assignments swapped.
 * Shows: a violated invariant; breadth-first search finds a shortest counterexample.
 * verdict: assertion
 */
bool want[2];
byte turn;
byte inside;

active [2] proctype user() {
    byte other = 1 - _pid;
    do
    :: turn = other;
       want[_pid] = true;
       (want[other] == false || turn == _pid);
       inside++;
       assert(inside == 1);
       inside--;
       want[_pid] = false
    od
}
