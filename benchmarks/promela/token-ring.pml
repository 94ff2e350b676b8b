/* A token travels round a ring of four stations, for ever.
 * Shows: only the holder of the token may enter.
 * verdict: complete
 */
#define N 4
chan hop[N] = [1] of { bit };
byte inside;

proctype station(byte i) {
end:
    do
    :: hop[i]?1 ->
       if
       :: inside++; assert(inside == 1); inside--
       :: skip
       fi;
       hop[(i + 1) % N]!1
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            run station(i)
        }
        hop[0]!1
    }
}
