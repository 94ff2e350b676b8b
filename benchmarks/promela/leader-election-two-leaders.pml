/* A ring election in which two nodes were given the same identity.
 * Shows: two leaders.
 * verdict: assertion
 */
#define N 3
chan ring[N] = [N] of { byte };
byte leaders;

proctype node(byte at; byte me) {
    byte who;
    ring[(at + 1) % N]!me;
end:
    do
    :: ring[at]?who ->
       if
       :: who > me -> ring[(at + 1) % N]!who
       :: who == me -> leaders++; assert(leaders == 1)
       :: else
       fi
    od
}

init {
    atomic {
        run node(0, 2);
        run node(1, 5);
        run node(2, 5)
    }
}
