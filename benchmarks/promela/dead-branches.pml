/* Choices, loops, blocks and escapes behind a guard that never holds.
 * Shows: statements that no process comes to, which are listed as SPIN lists them.
 * verdict: complete
 */
byte x;
chan c = [1] of { byte };
active proctype p() {
    byte l;
    if
    :: x == 1 ->
       if
       :: l == 1 -> l = 2
       :: l == 2 ->
          l = 3
       :: else ->
          skip
       fi;
       do
       :: l == 5 -> break
       :: c!3
       od;
       { l = 1; l = 2 };
       { if :: l == 8 -> l = 9
            :: l == 7
         fi };
       atomic {
          if :: l == 11 -> l = 12 :: else fi;
          l = 13 };
       l = 4 unless l == 5;
       { l = 6; l = 7 } unless {
           if :: l == 20 -> skip
              :: l == 21 -> l = 22
           fi }
       for (l : 1 .. 3) {
           l = 30;
           skip
       }
       select (l : 1 .. 2);
lab:   skip;
       skip;
       goto lab
    :: else -> skip
    fi
    goto out;
    x = 99;
    if :: x == 3 -> skip :: x == 4 -> goto out fi;
    assert(x == 0);
out:
    skip
}
