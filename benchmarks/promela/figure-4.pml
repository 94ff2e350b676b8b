/* Three conditional writes in a ring (after Abdulla et al., Comparing Source Sets and Persistent Sets, Fig. 4).
 * Shows: any two of the first steps are a source set, only all three together are a persistent set.
 * verdict: complete
 */
bit x, y, z;

active proctype p() {
    if
    :: x == 0 -> z = 1 /* p1, p2 */
    :: x == 1
    fi
}

active proctype q() {
    if
    :: y == 0 -> x = 1 /* q1, q2 */
    :: y == 1
    fi
}

active proctype r() {
    if
    :: z == 0 -> y = 1 /* r1, r2 */
    :: z == 1
    fi
}
