/* A lift with three floors, a controller and buttons.
 * Shows: `select`, the door is never open while the cabin moves.
 * verdict: complete
 */
#define FLOORS 3
bit called[FLOORS];
byte floor;
bool open, moving;

active proctype passenger() {
    byte f;
    do
    :: select (f : 0 .. FLOORS - 1); called[f] = 1; f = 0
    od
}

active proctype cabin() {
    do
    :: called[floor] == 1 -> open = true; assert(!moving); called[floor] = 0; open = false
    :: floor < FLOORS - 1 && called[floor] == 0 -> moving = true; assert(!open); floor++; moving = false
    :: floor > 0 && called[floor] == 0 -> moving = true; assert(!open); floor--; moving = false
    od
}
