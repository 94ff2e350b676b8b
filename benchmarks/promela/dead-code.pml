/* Code behind guards that never hold, behind a rendezvous without a partner, and a process type that is never started.
 * Shows: statements that no process comes to, which are listed as SPIN lists them.
 * verdict: complete
 */
byte x;
chan c = [1] of { byte };
chan r = [0] of { byte };
inline dead(v) {
    v = 3;
    v = 4
}
active proctype p() {
    byte l;
    if
    :: x == 7 -> l = 1; l = 2
    :: x == 0 -> skip
    :: else -> l = 5
    fi;
    do
    :: x == 9 ->
       l = 3;
       printf("never\n")
    :: c?8 -> assert(false)
    :: x == 0 -> break
    od;
    if
    :: false ->
       dead(l);
       atomic { l = 1; l = 2 };
       d_step { l = 3; l = 4 };
       goto over
    :: true
    fi;
    { x == 0 -> skip; l = 0 } unless { x == 5; l = 9 };
    for (l : 1 .. 2) {
        skip
    }
    end: r!1;
    l = 7;
over:
    x = 0;
    l = 3
}
active proctype q() {
    byte m;
    end: do
    :: r?2 -> m = 1
    od;
    m = 2
}
proctype never_run() { x = 1; x = 2 }
