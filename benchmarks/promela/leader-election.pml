/* Leader election in a unidirectional ring (Chang and Roberts), four nodes.
 * Shows: an array of channels, identities given as parameters, `run` from `init`.
 * verdict: complete
 */
#define N 4
mtype = { candidate, elected };
chan ring[N] = [N] of { mtype, byte };
byte leaders;
byte known;

proctype node(byte at; byte me) {
    byte who;
    bool passive;
    ring[(at + 1) % N]!candidate, me;
    do
    :: ring[at]?candidate, who ->
       if
       :: who > me -> passive = true; ring[(at + 1) % N]!candidate, who
       :: who == me ->
          leaders++;
          assert(leaders == 1 && !passive);
          ring[(at + 1) % N]!elected, me
       :: who < me -> skip
       fi
    :: ring[at]?elected, who ->
       known++;
       if
       :: who != me -> ring[(at + 1) % N]!elected, who
       :: else
       fi;
       break
    od
}

init {
    atomic {
        run node(0, 3);
        run node(1, 7);
        run node(2, 2);
        run node(3, 5)
    }
}
