/* Three dining philosophers, each taking the left fork first.
 * Shows: a deadlock of everybody.
 * verdict: deadlock
 */
#define N 3
bool taken[N];
byte eaten;

active [N] proctype philosopher() {
    do
    :: atomic { !taken[_pid] -> taken[_pid] = true };
       atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true };
       eaten = (eaten + 1) % 2;
       taken[(_pid + 1) % N] = false;
       taken[_pid] = false
    od
}
