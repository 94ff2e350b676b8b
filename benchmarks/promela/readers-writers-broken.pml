/* Readers and writers in which the writer looks at the reader count before closing the door.
 * Shows: check-then-act.
 * verdict: assertion
 */
byte readers;
bool writing;

active [2] proctype reader() {
    atomic { !writing -> readers++ };
    assert(!writing);
    readers--
}

active proctype writer() {
    (readers == 0);
    writing = true;
    writing = false
}
