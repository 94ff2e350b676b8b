/* Two workers with private jobs and one shared pool, and a branch that decides where to look.
 * Shows: nondeterministic alternatives that touch different things.
 * verdict: complete
 */
byte pool = 2;
byte mine[2];
byte results;

active [2] proctype worker() {
    byte n;
    do
    :: n < 2 ->
       if
       :: mine[_pid]++
       :: atomic { pool > 0 -> pool-- }
       fi;
       n++
    :: else -> break
    od;
    results = results + 1
}
