/* Processes that start processes and wait for their answers.
 * Shows: `run` as an expression, recursive process creation, dying in the reverse order of birth.
 * verdict: complete
 */
proctype fib(byte n; chan answer) {
    chan mine = [2] of { byte };
    byte a, b;
    if
    :: n <= 1 -> answer!n
    :: else ->
       run fib(n - 1, mine);
       run fib(n - 2, mine);
       mine?a;
       mine?b;
       answer!(a + b)
    fi
}

init {
    chan mine = [1] of { byte };
    byte v;
    run fib(3, mine);
    mine?v;
    assert(v == 2)
}
