/* A bulletin board that readers look at without taking the notice down.
 * Shows: `<` `>` receives, a constant match, `full` and `nfull`.
 * verdict: complete
 */
chan board = [2] of { byte, byte };
byte seen;

active proctype editor() {
    board!1, 10;
    board!2, 20;
    (full(board));
    (seen == 2);
    board?1, _;
    assert(nfull(board))
}

active [2] proctype reader() {
    byte v;
    board?<1, v>;
    assert(v == 10);
    board??<2, v>;
    assert(v == 20);
    seen++
}
