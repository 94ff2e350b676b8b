/* Clients that take one of two printers, or print to a file of their own.
 * Shows: guarded alternatives on different locks, where source sets beat persistent sets.
 * verdict: complete
 */
bool busy[2];
byte file[3];
byte pages;

active [3] proctype client() {
    if
    :: atomic { !busy[0] -> busy[0] = true }; pages++; busy[0] = false
    :: atomic { !busy[1] -> busy[1] = true }; pages++; busy[1] = false
    :: file[_pid] = 1
    fi;
    assert(pages <= 3)
}
