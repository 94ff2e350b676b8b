/* A mutex between a high and a low priority task, as on Mars in 1997, with a medium task that keeps the low one waiting.
 * Shows: `priority`, `_priority`, `get_priority`, `set_priority`.
 * verdict: complete
 */
mtype = { idle, waiting, running };

bit mutex = 1;
mtype high_is = idle, low_is = idle;
byte computed, late;

active proctype high() priority 10 {
    high_is = waiting;
    atomic { mutex == 1 -> mutex = 0 };
    high_is = running;
    assert(low_is != running || get_priority(_pid) > _priority - 1);
    late = computed;
    atomic { high_is = idle; mutex = 1 }
}

active proctype medium() priority 5 {
    do
    :: computed < 3 -> computed++
    :: computed == 3 -> break
    od
}

active proctype low() priority 1 {
    low_is = waiting;
    atomic { mutex == 1 -> mutex = 0; set_priority(0, 2) };
    low_is = running;
    assert(high_is != running);
    atomic { low_is = idle; mutex = 1 };
    _priority = 6;
    assert(get_priority(_pid) == 6 && get_priority(9) == 0)
}

init priority 3 {
    run helper() priority 2;
    run helper()
}

proctype helper() {
    assert(_priority <= 2 && computed == 3)
}
