/* Readers and writers with reader preference.
 * Shows: compound guards inside `atomic`, `if` with overlapping guards.
 * verdict: complete
 */
byte readers;
bool writing;
byte version;

active [3] proctype reader() {
    byte seen;
    do
    :: atomic { !writing -> readers++ };
       seen = version;
       assert(!writing && seen == version);
       readers--
    od
}

active [2] proctype writer() {
    do
    :: atomic { !writing && readers == 0 -> writing = true };
       version = 1 - version;
       assert(readers == 0);
       writing = false
    od
}
