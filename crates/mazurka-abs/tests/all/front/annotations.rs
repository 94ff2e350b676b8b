//! Annotations are parsed everywhere and have no effect, except those that would change the meaning.

use super::{accept_all, refuse, remarks};

#[test]
fn annotations_may_stand_everywhere() {
    accept_all(&[
        "[COG] class C([Far] Object o) { [Near] Object p; [Final] Int n = 1; [Atomic] Unit m([Somewhere] Object q) { [Atomic] Int x = 1; [Far] Object r; } } { skip; }",
        "[Test: 5] data Foo; [Test: Nil] def A constant<A>(A a) = a; interface A { [Pre: x > 5] [Post: x > 0] Int method(Int x); }",
        "[Test : \"value\", Test: Nil] class FooClass {} [\"value\"] class BarClass {}",
        "{ List<[Far] Object> l = Nil; Int x = 1; [Stmt: \"c\"] if (x == 1) [Branch: Then] x = 5; else [Branch: Else] x = -1; }",
    ]);
}

#[test]
fn one_note_per_kind_tells_what_is_ignored() {
    let program = "interface I { Unit m(); } class C implements I { Unit m() {} } { I i = new C(); [Deadline: Duration(5)] i!m(); [Deadline: Duration(6)] i!m(); [Cost: 3] skip; }";
    assert_eq!(remarks(program), ["ignored-annotation"]);
    assert_eq!(remarks("{ [Deadline: Duration(5)] skip; }"), ["ignored-annotation"]);
    assert!(remarks("class C { [Atomic] Unit m() { skip; } }").is_empty());
}

#[test]
fn old_annotations_are_any_expressions() {
    let program = "class C(Int nodes) { [nodes <= max(nodes)] [old(x) == x] Unit m() { [this.y + nosuch >= 0] skip; } }";
    assert!(remarks(program).iter().all(|code| *code == "ignored-annotation"));
    assert!(!remarks("class C { [for all x: x # y] Unit m() { skip; } }").is_empty());
}

#[test]
fn promises_are_checked() {
    super::refuse_all(
        "not-allowed-here",
        &[
            "class C { [Atomic] Unit m() { await True; } }",
            "class C { [Atomic] Unit m() { suspend; } }",
            "class C { [Atomic] Unit m() { Fut<Unit> f; f.get; } }",
            "class C { [Atomic] Unit m() { this.n(); } Unit n() { suspend; } }",
            "class C { [Atomic] Unit m() { this.n(); } Unit n() { this.o(); } Unit o() { suspend; } }",
            "class C { { this.n(); } Unit n() { this.o(); } Unit o() { this.n(); await True; } }",
            "class C { Unit m() { try skip; catch { _ => skip; } finally { this.n(); } } Unit n() { this.o(); } Unit o() { suspend; } }",
            "class C { Bool b = False; [Readonly] Unit m() { b = True; } }",
            "class C { Bool b = False; [Readonly] Unit m() { this.n(); } Unit n() { b = True; } }",
            "class C { Bool b = False; [Readonly] Unit m() { this.n(); } Unit n() { if (b) this.o(); } Unit o() { b = True; } }",
        ],
    );
    accept_all(&[
        "class C { Bool b = False; [Atomic] Unit m() { this!n(); } Unit n() { await b; } [Readonly] Unit o() { this!p(); } Unit p() { b = True; } }",
        "class C { Bool b = False; [Atomic] Unit m() { this.n(); b = True; } [Atomic, Readonly] Unit n() { Bool c = b; c = True; } }",
    ]);
}

#[test]
fn classes_and_variables_are_used_as_they_promise() {
    super::refuse_all(
        "not-allowed-here",
        &[
            "[COG] class C {} { new local C(); }",
            "[Plain] class C {} { new C(); }",
            "{ [Final] Int x = 1; x = 2; }",
            "class C { Unit m([Final] Int x) { x = 2; } }",
            "class C([Final] Int x) { Unit m() { x = 2; } }",
            "class C { [Final] Int x = 1; Unit m() { this.x = 2; } }",
        ],
    );
    accept_all(&[
        "[COG] class C {} [Plain] class D {} { new C(); new local D(); }",
        "[COG] class C {} [Plain] class D {} { new cog C(); new D(); }",
        "class C([Final] Int x) { Unit m(Int x) { x = 2; [Final] Int y = x; Int z = y; z = 3; } }",
    ]);
}

#[test]
fn old_programs_may_create_objects_in_the_other_way() {
    assert_eq!(remarks("[Plain] class C {} { new cog C(); }"), ["not-allowed-here"]);
    assert_eq!(
        remarks("[COG] class C {} class D {} { new cog D(); new C(); }"),
        ["not-allowed-here"]
    );
}

#[test]
fn values_of_timed_annotations_have_types() {
    super::refuse_all(
        "type-mismatch",
        &[
            "def Rat f(Rat x) = x; { [Cost: f(False)] skip; }",
            "{ [Deadline: 5] skip; }",
            "{ [Critical: 1] skip; }",
            "import DataSize from ABS.DC; { [DataSize: \"a\"] skip; }",
        ],
    );
    accept_all(&[
        "{ [Cost: 5] skip; [Deadline: Duration(5)] skip; [DataSize: 3/2] skip; [Critical: True] skip; }",
        "class C {} { new cog C(); [Cost: size(m)] skip; }",
        "data Deadline = Soon; { [Deadline: Soon] skip; }",
        "class C {} { new [Near] C(); new [Far] cog C(); }",
    ]);
}

#[test]
fn annotations_that_change_the_meaning_are_refused() {
    refuse("[Scheduler: f(queue)] class C {}", "unsupported");
    refuse("class C {} { [DC: x] new C(); }", "unsupported");
    refuse("[Foreign] class C {}", "unsupported");
    refuse("class C {} { new [Scheduler: f(queue)] cog C(); }", "unsupported");
    refuse("class C {} { new [DC: x] cog C(); }", "unsupported");
}
