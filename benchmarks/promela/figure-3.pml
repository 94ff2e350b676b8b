/* A choice between two writes (Abdulla et al., Comparing Source Sets and Persistent Sets, Fig. 3).
 * Shows: {t2, t3} is a source set at the start and not a persistent set; every persistent set has all three.
 * verdict: complete
 */
byte x, y;

active proctype p() {
    if
    :: x = 1 /* t1 */
    :: y = 1 /* t2 */
    fi
}

active proctype q() {
    y = 2 /* t3 */
}
