/* The sieve of Eratosthenes as a growing pipeline of filters.
 * Shows: processes that create their successor, `run` inside a loop, end states in the middle of a pipeline.
 * verdict: complete
 */
#define MAX 7
byte primes;

proctype filter(byte prime; chan in) {
    chan out = [0] of { byte };
    bool has_next;
    byte n;
end:
    do
    :: in?n ->
       if
       :: n % prime == 0
       :: n % prime != 0 && has_next -> out!n
       :: n % prime != 0 && !has_next ->
          primes++;
          has_next = true;
          run filter(n, out)
       fi
    od
}

init {
    chan first = [0] of { byte };
    byte i;
    primes = 1;
    run filter(2, first);
    for (i : 3 .. MAX) {
        first!i
    }
    assert(primes <= 4)
}
