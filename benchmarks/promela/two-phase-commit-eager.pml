/* Two-phase commit whose coordinator decides at the first yes.
 * Shows: a participant that voted no sees a commit.
 * verdict: assertion
 */
#define N 2
mtype = { prepare, yes, no, commit, abort };
chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype };

active proctype coordinator() {
    byte i;
    mtype v;
    for (i : 0 .. N - 1) {
        to[i]!prepare
    }
    votes?v;
    for (i : 0 .. N - 1) {
        if
        :: v == yes -> to[i]!commit
        :: v == no -> to[i]!abort
        fi
    }
}

active [N] proctype participant() {
    byte me = _pid - 1;
    mtype mine, v;
    to[me]?prepare;
    if
    :: mine = yes
    :: mine = no
    fi;
    votes!mine;
    to[me]?v;
    assert(!(mine == no && v == commit))
}
