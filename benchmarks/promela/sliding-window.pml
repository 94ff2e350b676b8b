/* Go-back-N with a window of two over a lossy forward channel.
 * Shows: sequence numbers modulo four, retransmission by `timeout`.
 * verdict: complete
 */
#define W 2
#define SEQ 4
#define TOTAL 4
chan data = [2] of { byte, byte };
chan acks = [2] of { byte };
byte delivered;

active proctype sender() {
    byte base, next, a;
    do
    :: base == TOTAL -> break
    :: next < TOTAL && next < base + W ->
       if
       :: data!(next % SEQ), next
       :: skip /* lost */
       fi;
       next++
    :: acks?a ->
       do
       :: base < next && base % SEQ != a -> base++
       :: else -> break
       od
    :: timeout -> next = base
    od
}

active proctype receiver() {
    byte seq, body, expected;
end:
    do
    :: data?seq, body ->
       if
       :: seq == expected % SEQ ->
          assert(body == expected);
          expected++;
          delivered = expected
       :: else
       fi;
       acks!(expected % SEQ)
    od
}
