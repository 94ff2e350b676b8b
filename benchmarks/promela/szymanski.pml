/* Szymanski's algorithm: a waiting room with two doors, two processes for ever.
 * Shows: guards over several values of one flag.
 * verdict: complete
 */
byte flag[2];
byte inside;

#define other (1 - _pid)

active [2] proctype guest() {
    do
    :: flag[_pid] = 1;
       (flag[other] < 3);
       flag[_pid] = 3;
       if
       :: flag[other] == 1 ->
          flag[_pid] = 2;
          (flag[other] == 4)
       :: else
       fi;
       flag[_pid] = 4;
       (_pid == 0 || flag[0] < 2);
       inside++;
       assert(inside == 1);
       inside--;
       (_pid == 1 || flag[1] < 2 || flag[1] > 3);
       flag[_pid] = 0
    od
}
