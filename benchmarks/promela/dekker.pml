/* Dekker's algorithm, the first software solution of mutual exclusion.
 * Shows: nested loops with gotos out of them.
 * verdict: complete
 */
bit flag[2];
bit turn;
byte inside;

active [2] proctype side() {
    bit me = _pid;
again:
    flag[me] = 1;
    do
    :: flag[1 - me] == 1 ->
       if
       :: turn != me ->
          flag[me] = 0;
          (turn == me);
          flag[me] = 1
       :: else
       fi
    :: flag[1 - me] == 0 -> break
    od;
    inside++;
    assert(inside == 1);
    inside--;
    turn = 1 - me;
    flag[me] = 0;
    goto again
}
