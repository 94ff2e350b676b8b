/* A watchdog that resets a device when nothing else can happen.
 * Shows: `timeout` as a guard among others.
 * verdict: complete
 */
byte power = 1;
byte resets;

active proctype device() {
end:
    do
    :: power > 0 ->
       if
       :: power = 0
       :: skip
       fi
    :: power == 0 -> (power > 0)
    od
}

active proctype watchdog() {
end:
    do
    :: timeout -> power = 1; resets = 1
    od
}
