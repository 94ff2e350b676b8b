/* A ring buffer whose producer checks for room with a stale counter.
 * Shows: an item overwritten before it is read.
 * verdict: assertion
 */
#define SIZE 2
#define ITEMS 4
byte ring[SIZE];
byte count;

active proctype producer() {
    byte n, at;
    for (n : 1 .. ITEMS) {
        (count <= SIZE);
        ring[at] = n;
        at = (at + 1) % SIZE;
        count++
    }
}

active proctype consumer() {
    byte n, at, item;
    for (n : 1 .. ITEMS) {
        (count > 0);
        item = ring[at];
        at = (at + 1) % SIZE;
        count--;
        assert(item == n)
    }
}
