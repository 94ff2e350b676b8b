/* Odd-even transposition sort by workers that each own one pair of neighbours.
 * Shows: an `inline` with `d_step`; the order of swaps does not matter.
 * verdict: complete
 */
#define N 4
byte a[N];
byte unsorted = 1;

inline swap(x, y) {
    d_step { tmp = x; x = y; y = tmp; tmp = 0 }
}

proctype worker(byte i) {
    byte tmp;
    do
    :: atomic { a[i] > a[i + 1] -> swap(a[i], a[i + 1]) }
    :: a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3] -> break
    od
}

init {
    atomic {
        a[0] = 4; a[1] = 2; a[2] = 3; a[3] = 1;
        run worker(0);
        run worker(1);
        run worker(2)
    }
    (_nr_pr == 1);
    assert(a[0] == 1 && a[1] == 2 && a[2] == 3 && a[3] == 4)
}
