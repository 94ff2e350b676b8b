/* A spin lock whose test and set are two steps.
 * Shows: the race that `atomic` prevents.
 * verdict: assertion
 */
bool locked;
byte inside;

active [3] proctype user() {
    (!locked);
    locked = true;
    inside++;
    assert(inside == 1);
    inside--;
    locked = false
}
