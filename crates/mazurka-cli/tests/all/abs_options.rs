//! The options of ABS models, as a user gives them.

use crate::support::Desk;

/// Two objects call each other and block; a third task waits for something that never comes.
const CROSS: &str = "module Cross;
interface Partner { Unit call(Partner other); Unit answer(); Unit dream(); }
class Partner implements Partner {
  Bool done = False;
  Int calls = 0;
  Unit call(Partner other) { calls = calls + 1; Fut<Unit> f = other!answer(); f.get; }
  Unit answer() { skip; }
  Unit dream() { await done; }
}
{
  Partner a = new Partner();
  Partner b = new Partner();
  a!call(b);
  b!call(a);
  a!dream();
  Int asked = 2;
}
";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("cross.abs", CROSS);
    desk
}

#[test]
fn deadlocks_are_failures_of_two_kinds() {
    let desk = desk();
    let code = |options: &str| desk.run(&format!("check cross.abs --quiet {options}")).code;
    assert_eq!((code(""), code("--deadlock error")), (1, 1));
    assert_eq!(code("--deadlock blocked-only"), 1);
    assert_eq!(code("--deadlock ignore"), 0);
    desk.write("dream.abs", &CROSS.replace("b!call(a);", "skip;"));
    let code = |options: &str| desk.run(&format!("check dream.abs --quiet {options}")).code;
    assert_eq!((code(""), code("--deadlock blocked-only")), (1, 0), "nobody blocks, one task waits");
}

#[test]
fn final_states_tell_objects_and_who_still_waits() {
    let line = "check cross.abs --deadlock ignore --final-states --algorithm optimal";
    insta::assert_snapshot!(desk().run(line).seen());
}

#[test]
fn properties_speak_of_the_main_block() {
    let desk = desk();
    let code = |property: &str| {
        desk.run_words(&["check", "cross.abs", "--quiet", "--deadlock", "ignore", "--property", property])
            .code
    };
    assert_eq!((code("asked == 2"), code("asked == 3"), code("asekd == 2")), (0, 1, 2));
    assert_eq!(code("a != b && asked < 3"), 0);
}

#[test]
fn an_await_that_holds_lets_others_run_only_with_release() {
    let desk = Desk::new();
    let model = "module M; interface I { Unit set(); Unit look(); } \
                 class I implements I { Int n = 0; Unit set() { n = 1; } Unit look() { n = 2; await n > 0; assert n == 2; } } \
                 { I i = new I(); i!set(); i!look(); }";
    desk.write("model.abs", model);
    assert_eq!(desk.run("check model.abs --quiet --await formal").code, 0);
    assert_eq!(desk.run("check model.abs --quiet --await release").code, 1);
    assert_eq!(desk.run("check model.abs --quiet").code, 1, "as the manual says");
    desk.write("old.abs", &model.replace("I i = new I()", "I i = new cog I()"));
    assert_eq!(desk.run("check old.abs --quiet").code, 0, "as the tools of the old dialect do");
    assert_eq!(desk.run("check old.abs --quiet --await release").code, 1);
    let said = desk.run("check old.abs").out;
    assert!(
        said.contains("note: `await` goes on at once if its condition holds (--await formal)"),
        "{said}"
    );
}

#[test]
fn a_run_that_prints_nothing_shows_what_it_computed() {
    let desk = Desk::new();
    desk.write(
        "sum.abs",
        "module Sum; interface I { Int add(Int n); } class I implements I { Int sum = 0; Int add(Int n) { sum = sum + n; return sum; } } \
         { I i = new I(); Int first = await i!add(3); Int last = await i!add(4); List<Int> both = list[first, last]; }",
    );
    insta::assert_snapshot!(desk.run("run sum.abs").seen());
}

#[test]
fn models_have_several_main_blocks_and_files() {
    let desk = Desk::new();
    desk.write(
        "library.abs",
        "module Library; export *; def String greeting() = \"hello\"; { println(\"library\"); }",
    );
    desk.write(
        "main.abs",
        "module Greeter; import * from Library; { println(greeting()); } module Other; { println(\"other\"); }",
    );
    assert!(
        desk.run("run main.abs --with library.abs --main Greeter")
            .out
            .starts_with("hello\n")
    );
    assert!(desk.run("run main.abs --with library.abs").out.starts_with("other\n"));
    assert!(
        desk.run("run main.abs --with library.abs --main Library")
            .out
            .starts_with("library\n")
    );
    insta::assert_snapshot!(desk.run("run main.abs --with library.abs --main Gretter").seen());
    insta::assert_snapshot!(desk.run("check main.abs").seen());
    insta::assert_snapshot!(desk.run("check litmus:sb --main Greeter").seen());
}

#[test]
fn final_states_that_differ_only_in_what_failed_are_told_apart() {
    let desk = Desk::new();
    desk.write(
        "fails.abs",
        "module Fails;
interface A { Unit t(); Unit s(); }
class A implements A {
  Int x = 0;
  Unit t() { if (x == 0) { assert False; } else { Int first = head(Nil); } }
  Unit s() { x = 1; }
}
{ A a = new A(); a!t(); a!s(); }
",
    );
    let said = desk.run("check fails.abs --keep-going --final-states --algorithm naive").out;
    let list = &said[said.find("2 final states").expect("a list")..];
    assert!(list.contains("(failed: assertion failed"), "{list}");
    assert!(list.contains("(failed: uncaught PatternMatchFailException in Fails.A.t)"), "{list}");
}

#[test]
fn all_products_of_a_line_are_checked_in_one_run() {
    let desk = Desk::new();
    desk.write(
        "line.abs",
        "module M; { Int n = 1; assert n > 0; } delta D; uses M; adds class M.C { Int x = y; } productline L; features F; delta D when F; \
         product Good(); product Bad(F);",
    );
    let run = desk.run("check line.abs --product all");
    assert_eq!(run.code, 2, "one of the products is no program");
    assert!(
        run.out.ends_with("products of line.abs\n   Good  complete\n   Bad   refused\n"),
        "{}",
        run.out
    );
    assert_eq!(desk.run("check line.abs --product Good --quiet").code, 0);
    assert_eq!(desk.run("check line.abs --product Bod --quiet").code, 2);
    assert_eq!(desk.run("check line.abs --product all --json").code, 2);
}

#[test]
fn time_passes_and_deadlines_may_be_missed() {
    let desk = Desk::new();
    desk.write(
        "late.abs",
        "module M; interface I { Unit m(); } class C implements I { Unit m() { await duration(2, 3); } } \
         { I i = new C(); [Deadline: Duration(1)] i!m(); }",
    );
    assert_eq!(desk.run("check late.abs --quiet").code, 0);
    let run = desk.run("check late.abs --deadlines error --width 120");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("deadline missed: C 0.m() has not ended"), "{}", run.out);
    assert!(run.out.contains("time 0 → 3"), "{}", run.out);
}

/// What failed is a part of the state, the clock is not if nobody asks for it: so a missed deadline does not say what the clock showed.
#[test]
fn all_algorithms_agree_on_missed_deadlines() {
    let desk = Desk::new();
    desk.write(
        "late.abs",
        "module M; interface A { Unit slow(); } class C implements A { Unit slow() { duration(5, 5); } } \
         { A a = new C(); if (random(2) == 0) { duration(1, 1); } else { duration(2, 2); } [Deadline: Duration(1)] a!slow(); }",
    );
    let run = desk.run("compare late.abs --deadlines error --algorithms naive,optimal,source+merge,stateful");
    assert_ne!(run.code, 2, "{}{}", run.out, run.err);
    assert!(!run.out.contains("disagree"), "{}", run.out);
}

#[test]
fn a_final_state_knows_what_fails_only_at_the_end() {
    let desk = Desk::new();
    desk.write(
        "unread.abs",
        "module M; interface A { Int m(); } class C implements A { Int m() { throw DivisionByZeroException; } } { A a = new C(); Fut<Int> f = a!m(); }",
    );
    let json = desk.run("check unread.abs --keep-going --final-states --json").json();
    assert_eq!(json["final_states"][0]["failed"], true, "{json}");
}
