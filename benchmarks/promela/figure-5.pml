/* Two processes that may claim a flag or do something else (after Abdulla et al., Comparing Source Sets and
 * Persistent Sets, Fig. 5).
 * Shows: {p2, q2} is a source set at the start that holds only some of the enabled transitions of its processes.
 * verdict: complete
 */
bit flg;
byte x, y;

active proctype p() {
    if
    :: d_step { flg == 0 -> flg = 1 } /* p1 */
    :: x = 1 /* p2 */
    fi
}

active proctype q() {
    if
    :: d_step { flg == 0 -> flg = 1 } /* q1 */
    :: y = 1 /* q2 */
    fi
}
