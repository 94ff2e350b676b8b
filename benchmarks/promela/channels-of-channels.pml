/* Clients send the channel on which they want to be answered.
 * Shows: channels in messages, `eval` in a receive, `len` and polling.
 * verdict: complete
 */
mtype = { request, reply };
chan server = [1] of { mtype, chan, byte };

active proctype oracle() {
    chan who;
    byte q;
end:
    do
    :: server?request, who, q -> who!reply, q + 1
    od
}

active [3] proctype client() {
    chan mine = [1] of { mtype, byte };
    byte a;
    server!request, mine, _pid;
    (mine?[reply, a] || len(mine) == 1);
    mine?reply, eval(_pid + 1);
    assert(empty(mine))
}
