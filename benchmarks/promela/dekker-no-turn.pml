/* Dekker's algorithm without its turn variable: both step back, or both wait.
 * Shows: two processes that can wait for each other for ever.
 * verdict: deadlock
 */
bit flag[2];
byte inside;

active [2] proctype side() {
    do
    :: flag[_pid] = 1;
       (flag[1 - _pid] == 0);
       inside++;
       assert(inside == 1);
       inside--;
       flag[_pid] = 0
    od
}
