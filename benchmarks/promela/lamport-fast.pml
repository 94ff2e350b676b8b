/* Lamport's fast mutual exclusion for two processes, for ever.
 * Shows: a fast path that reads and writes two shared words when nobody competes.
 * verdict: complete
 */
#define NONE 2
byte x = NONE, y = NONE;
bool b[2];
byte inside;

active [2] proctype user() {
start:
    b[_pid] = true;
    x = _pid;
    if
    :: y != NONE ->
       b[_pid] = false;
       (y == NONE);
       goto start
    :: else
    fi;
    y = _pid;
    if
    :: x != _pid ->
       b[_pid] = false;
       (!b[0]);
       (!b[1]);
       if
       :: y != _pid -> (y == NONE); goto start
       :: else
       fi
    :: else
    fi;
    inside++;
    assert(inside == 1);
    inside--;
    y = NONE;
    b[_pid] = false;
    goto start
}
