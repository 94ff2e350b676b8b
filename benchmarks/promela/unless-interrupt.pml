/* A worker that an interrupt throws out of its loop.
 * Shows: `unless`, whose escape is tried before every step of the main part.
 * verdict: complete
 */
bool stop;
byte done;

active proctype worker() {
    byte n;
    {
        do
        :: n < 3 -> n++; done = n
        :: n == 3 -> n = 0
        od
    } unless {
        stop -> done = 9
    };
    assert(stop && done == 9)
}

active proctype operator() {
    done < 9;
    stop = true
}
