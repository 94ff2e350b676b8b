/* Peterson's filter lock for three processes.
 * Shows: arrays indexed by variables, a waiting condition over a whole array.
 * verdict: complete
 */
#define N 3
byte level[N];
byte last[N];
byte inside;

active [N] proctype user() {
    byte l, k;
    do
    :: l = 1;
       do
       :: l < N ->
          level[_pid] = l;
          last[l] = _pid;
          k = 0;
          do
          :: k < N && k != _pid ->
             (level[k] < l || last[l] != _pid);
             k++
          :: k == _pid -> k++
          :: k == N -> break
          od;
          l++
       :: else -> break
       od;
       inside++;
       assert(inside == 1);
       inside--;
       level[_pid] = 0
    od
}
