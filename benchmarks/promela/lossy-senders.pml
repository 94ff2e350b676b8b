/* Senders that either post a message or give up and count the loss; a receiver takes what comes.
 * Shows: a choice between a channel and a private counter.
 * verdict: complete
 */
chan wire = [1] of { byte };
byte lost[2];
byte received;

active [2] proctype sender() {
    byte n;
    do
    :: n < 2 ->
       if
       :: wire!n
       :: lost[_pid]++
       fi;
       n++
    :: n == 2 -> break
    od
}

active proctype receiver() {
    byte m;
end:
    do
    :: wire?m -> received++; assert(received <= 4)
    od
}
