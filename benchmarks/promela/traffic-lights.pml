/* Two traffic lights at a crossing.
 * Shows: a `provided` clause: a lamp acts only when it is its turn.
 * verdict: complete
 */
mtype = { red, green };
mtype light[2] = red;
byte turn;

active [2] proctype lamp() provided (turn == _pid) {
    do
    :: light[_pid] = green;
       assert(light[1 - _pid] == red);
       light[_pid] = red;
       turn = 1 - _pid
    od
}
