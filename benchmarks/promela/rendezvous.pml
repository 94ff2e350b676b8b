/* A client, a cache and a server that hand requests on over rendezvous channels.
 * Shows: a synchronous send inside `atomic` passes control to the receiver.
 * verdict: complete
 */
mtype = { ask, answer };
chan front = [0] of { mtype, byte };
chan back = [0] of { mtype, byte };
byte hits, misses;

active [2] proctype client() {
    byte v;
    atomic {
        front!ask, _pid;
        front?answer, v
    };
    assert(v == 10 + _pid)
}

active proctype cache() {
    byte k, v;
    bool warm;
end:
    do
    :: front?ask, k ->
       if
       :: warm && v == 10 + k -> hits++
       :: else ->
          atomic { back!ask, k; back?answer, v };
          warm = true;
          misses++
       fi;
       front!answer, v
    od
}

active proctype server() {
    byte k;
end:
    do
    :: back?ask, k -> back!answer, 10 + k
    od
}
