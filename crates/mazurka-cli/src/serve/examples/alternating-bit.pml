/* The alternating bit protocol over channels that lose messages, for ever.
 * Shows: `timeout`, which fires only when nothing else can move.
 * verdict: complete
 */
#define M 3
chan data = [1] of { byte, bit };
chan acks = [1] of { bit };

active proctype sender() {
    byte n;
    bit b, a;
    data!n, b;
end:
    do
    :: acks?a ->
       if
       :: a == b -> b = 1 - b; n = (n + 1) % M
       :: else
       fi;
       data!n, b
    :: timeout -> data!n, b
    od
}

active proctype receiver() {
    byte n, expected;
    bit b, want;
end:
    do
    :: data?n, b ->
       if
       :: b == want ->
          assert(n == expected);
          expected = (expected + 1) % M;
          want = 1 - want
       :: else
       fi;
       acks!b
    od
}

active proctype thief() {
    byte n;
    bit b;
end:
    do
    :: data?n, b
    :: acks?b
    od
}
