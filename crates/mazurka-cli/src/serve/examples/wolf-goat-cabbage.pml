/* The ferryman's puzzle; the assertion denies that everybody can cross.
 * Shows: the shortest counterexample is the solution.
 * verdict: assertion
 */
bit man, wolf, goat, cabbage;

#define eaten ((wolf == goat && man != goat) || (goat == cabbage && man != goat))

active proctype river() {
    do
    :: eaten -> break
    :: else ->
       assert(!(man == 1 && wolf == 1 && goat == 1 && cabbage == 1));
       if
       :: man = 1 - man
       :: man == wolf -> atomic { man = 1 - man; wolf = 1 - wolf }
       :: man == goat -> atomic { man = 1 - man; goat = 1 - goat }
       :: man == cabbage -> atomic { man = 1 - man; cabbage = 1 - cabbage }
       fi
    od
}
