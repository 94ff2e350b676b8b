/* Three workers fill the rows of a matrix, each its own.
 * Shows: work that commutes: a reduced search sees little more than one order.
 * verdict: complete
 */
#define N 3
typedef Row {
    byte cell[N]
};
Row row[N];
byte ready;

active [N] proctype worker() {
    byte j;
    do
    :: j < N -> row[_pid].cell[j] = _pid + j; j++
    :: j == N -> break
    od;
    ready++
}

active proctype reader() {
    (ready == N);
    assert(row[2].cell[2] == 4 && row[0].cell[1] == 1)
}
