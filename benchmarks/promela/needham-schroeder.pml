/* The Needham-Schroeder public key protocol with an intruder who is also an honest partner.
 * Shows: Lowe's attack as a violated assertion.
 * Runs in which the intruder keeps a message to himself stall: --deadlock ignore leaves them out.
 * verdict: assertion
 */
mtype = { A, B, I, nonceA, nonceB, nonceI, keyA, keyB, keyI, none };
chan net = [0] of { mtype, mtype, mtype, mtype };
mtype partnerA = none, partnerB = none;
bool doneA, doneB;

active proctype alice() {
    mtype peer, key, nonce;
    if
    :: peer = B; key = keyB
    :: peer = I; key = keyI
    fi;
    net!peer, key, nonceA, A;
    net?A, keyA, nonceA, nonce;
    partnerA = peer;
    net!peer, key, nonce, none;
    doneA = true
}

active proctype bob() {
    mtype nonce, peer;
    net?B, keyB, nonce, peer;
    net!peer, (peer == A -> keyA : keyI), nonce, nonceB;
    net?B, keyB, nonceB, none;
    partnerB = peer;
    doneB = true;
    assert(!(doneA && partnerB == A && partnerA != B))
}

active proctype intruder() {
    mtype k, x, y, hk, hx, hy;
    bool knowsA, knowsB;
    do
    :: net?_, k, x, y ->
       if
       :: k == keyI ->
          if
          :: x == nonceA || y == nonceA -> knowsA = true
          :: else
          fi;
          if
          :: x == nonceB || y == nonceB -> knowsB = true
          :: else
          fi
       :: else -> hk = k; hx = x; hy = y
       fi;
       k = 0; x = 0; y = 0
    :: knowsA -> net!B, keyB, nonceA, A
    :: knowsB -> net!B, keyB, nonceB, none
    :: hk == keyA -> net!A, hk, hx, hy
    :: hk == keyB -> net!B, hk, hx, hy
    od
}
