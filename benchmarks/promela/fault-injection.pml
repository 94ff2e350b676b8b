/* Sensors that report to one of two boards, or fail without a word.
 * Shows: a choice at every step whose alternatives touch different things, where source sets beat persistent sets.
 * verdict: complete
 */
byte board[2];
byte failed[3];

active [3] proctype sensor() {
    if
    :: board[0]++
    :: board[1]++
    :: failed[_pid] = 1
    fi;
    if
    :: board[0]++
    :: failed[_pid] = 2
    fi;
    assert(board[0] <= 6 && board[1] <= 3)
}
