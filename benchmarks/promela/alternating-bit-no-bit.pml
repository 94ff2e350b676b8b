/* A retransmission protocol without the alternating bit.
 * Shows: a duplicate is taken for new data.
 * verdict: assertion
 */
#define M 4
chan data = [1] of { byte };
chan acks = [1] of { bool };

active proctype sender() {
    byte n;
    do
    :: n < M ->
       data!n;
       if
       :: acks?_ -> n++
       :: timeout -> skip
       fi
    :: else -> break
    od
}

active proctype receiver() {
    byte n, expected;
end:
    do
    :: data?n ->
       assert(n == expected);
       expected++;
       if
       :: acks!true
       :: skip /* the acknowledgement is lost */
       fi
    od
}
