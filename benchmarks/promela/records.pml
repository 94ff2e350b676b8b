/* A bank with accounts in an array of records, two clerks moving money.
 * Shows: `typedef` with nested arrays, `short` and `int` arithmetic, a total that never changes.
 * verdict: complete
 */
#define N 3
typedef Account {
    short balance;
    byte log[2];
    byte at
};
typedef Bank {
    Account account[N];
    bit locked
};
Bank bank;

inline move(from, to, amount) {
    bank.account[from].balance = bank.account[from].balance - amount;
    bank.account[to].balance = bank.account[to].balance + amount;
    bank.account[from].log[bank.account[from].at] = to;
    bank.account[from].at = 1 - bank.account[from].at
}

proctype clerk(byte from; byte to) {
    byte times;
    do
    :: times < 2 ->
       atomic { bank.locked == 0 -> bank.locked = 1 };
       move(from, to, 5);
       bank.locked = 0;
       times++
    :: else -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            bank.account[i].balance = 10
        }
        run clerk(0, 1);
        run clerk(1, 2)
    }
    (_nr_pr == 1);
    assert(bank.account[0].balance == 0 && bank.account[1].balance == 10 && bank.account[2].balance == 20)
}
