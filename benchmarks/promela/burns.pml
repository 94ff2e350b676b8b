/* Burns and Lynch: one bit per process is enough, three processes for ever.
 * Shows: backward jumps to two labels.
 * verdict: complete
 */
#define N 3
bit flag[N];
byte inside;

active [N] proctype user() {
    byte k;
start:
    flag[_pid] = 0;
    k = 0;
    do
    :: k < _pid ->
       if
       :: flag[k] == 1 -> goto start
       :: else -> k++
       fi
    :: else -> break
    od;
    flag[_pid] = 1;
    k = 0;
    do
    :: k < _pid ->
       if
       :: flag[k] == 1 -> goto start
       :: else -> k++
       fi
    :: else -> break
    od;
    k = _pid + 1;
    do
    :: k < N -> (flag[k] == 0); k++
    :: else -> break
    od;
    inside++;
    assert(inside == 1);
    inside--;
    goto start
}
