//! Looking at labels and variables of other processes.

use crate::promela::support::{holds, sizes};

#[test]
fn labels_of_other_processes_can_be_asked_for() {
    assert!(holds(
        "byte x; active proctype p() { x = 1; here: x = 2; x = 3 } active proctype q() { assert(!p[0]@here || x == 1) }"
    ));
    assert!(holds(
        "byte x; active proctype p() { x = 1; here: x = 2; x = 3 } active proctype q() { assert(!p@here || x == 1) }"
    ));
}

#[test]
fn locals_of_other_processes_can_be_read() {
    assert!(holds(
        "active proctype p() { byte n, a[2]; n = 4; a[1] = 6 } active proctype q() { p[0]:a[1] == 6; assert(p[0]:n == 4) }"
    ));
}

#[test]
fn a_jump_that_is_looked_at_becomes_a_point_of_its_own() {
    let plain = sizes("byte x; active proctype p() { l: goto m; m: x = 1 }");
    let watched = sizes("byte x; active proctype p() { l: goto m; m: x = 1 } active proctype q() { assert(!p[0]@l || x == 0) }");
    assert!(plain.0 == 3 && watched.0 > 2 * plain.0);
}

#[test]
fn nobody_is_at_the_label_of_a_process_that_does_not_exist() {
    assert!(holds("proctype p() { l: skip } init { assert(!p[5]@l) }"));
}
