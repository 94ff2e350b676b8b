/* A counting semaphore with two permits as a process, asked over rendezvous channels.
 * Shows: several `end` labels: a server may wait at them for ever.
 * verdict: complete
 */
mtype = { acquire, release };
chan door = [0] of { mtype };
byte inside;

active proctype keeper() {
    byte permits = 2;
    do
    :: permits == 2 ->
end_idle:
       door?acquire;
       permits--
    :: permits == 1 ->
       if
       :: door?acquire -> permits--
       :: door?release -> permits++
       fi
    :: permits == 0 ->
       door?release;
       permits++
    od
}

active [3] proctype visitor() {
    door!acquire;
    inside++;
    assert(inside <= 2);
    inside--;
    door!release
}
