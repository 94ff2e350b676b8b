//! What is said about those who wait, and the values that explain it.

use crate::support::Desk;

#[test]
fn who_made_an_object_does_not_hold_up_those_who_wait_for_a_change() {
    let desk = Desk::new();
    desk.write(
        "first.abs",
        "module M; interface I { Unit a(); Unit b(); }\nclass C implements I { Int s = 0; Unit a() { await s == 1; } Unit b() { s = 1; s = 0; } }\n{ I i = new C(); Fut<Unit> f = i!a(); i!b(); await f?; }\n",
    );
    let said = desk.run("check first.abs --width 120").out;
    assert!(said.contains("C 0.s is 0 since step 1 of main"), "{said}");
    assert!(!said.contains("cycle"), "{said}");
}

#[test]
fn values_are_said_once() {
    let desk = Desk::new();
    desk.write(
        "twice.abs",
        "module M; interface I { Unit a(); }\nclass C implements I { Int s = 4; Unit a() { s = s + 0; assert s == 3; } }\n{ I i = new C(); i!a(); }\n",
    );
    let said = desk.run("check twice.abs --width 200").out;
    assert!(said.contains("assert s == 3, where s is 4\n"), "{said}");
}
