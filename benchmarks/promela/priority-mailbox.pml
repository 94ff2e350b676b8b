/* A process that serves urgent messages first and idles on `timeout`.
 * Shows: polling one channel as a guard, nested `if` with `else`, `printf`.
 * verdict: complete
 */
mtype = { low, high };
chan urgent = [1] of { mtype };
chan normal = [1] of { mtype };
byte served;

active proctype server() {
    mtype m;
end:
    do
    :: nempty(urgent) -> urgent?m; assert(m == high); served++
    :: empty(urgent) && nempty(normal) -> normal?m; assert(m == low); served++
    :: timeout -> printf("idle after %d\n", served); break
    od
}

active proctype slow() {
    normal!low;
    normal!low
}

active proctype fast() {
    urgent!high;
    urgent!high
}
