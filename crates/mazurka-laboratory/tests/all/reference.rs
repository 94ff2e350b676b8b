//! The reference interpreter on programs whose behaviour was worked out by hand from the definition of the language.

use mazurka_laboratory::litmus::reference::{Answer, answer};
use mazurka_litmus::text;

fn ask(program: &str) -> Answer {
    let model = text::parse("program", program).unwrap_or_else(|e| panic!("{e}"));
    answer(&model, 10_000).unwrap_or_else(|| panic!("too large: {program}"))
}

/// The final states, each as `name=value` in the order of names.
fn finals(program: &str) -> Vec<String> {
    let line = |state: &Vec<(String, String)>| {
        let values: Vec<String> = state.iter().map(|(n, v)| format!("{n}={v}")).collect();
        values.join(" ")
    };
    ask(program).finals.iter().map(line).collect()
}

/// The failures, each as `kind at body.step: message`.
fn failures(program: &str) -> Vec<String> {
    let place = |place: Option<(usize, usize)>| place.map_or(String::new(), |(b, s)| format!(" at {b}.{s}"));
    let line = |f: &mazurka_laboratory::litmus::reference::Failed| format!("{}{}: {}", f.kind, place(f.place), f.message);
    ask(program).failures.iter().map(line).collect()
}

#[test]
fn two_writers_leave_two_final_states_and_two_independent_ones_leave_one() {
    assert_eq!(finals("p0:[x=1] p1:[x=2]"), ["x=1", "x=2"]);
    assert_eq!(finals("p0:[x=1] p1:[y=2]"), ["x=1 y=2"]);
    assert_eq!(ask("p0:[x=1] p1:[y=2]").states, 4);
}

#[test]
fn step_by_step_two_processes_cannot_both_read_nothing() {
    let program = "p0:[x=1][l=y] p1:[y=1][l=x]";
    assert_eq!(
        finals(program),
        ["p0.l=0 p1.l=1 x=1 y=1", "p0.l=1 p1.l=0 x=1 y=1", "p0.l=1 p1.l=1 x=1 y=1"]
    );
}

#[test]
fn a_choice_offers_each_of_its_values() {
    assert_eq!(finals("p0:[choose l 3; x=l]"), ["p0.l=0 x=0", "p0.l=1 x=1", "p0.l=2 x=2"]);
    assert_eq!(finals("init x=1; p0:[choose l 2; await x==l; y=1]"), ["p0.l=1 x=1 y=1"]);
}

#[test]
fn who_waits_for_what_never_comes_is_deadlocked() {
    let answer = ask("p0:[await x==1; y=1] p1:[y=2] p2:[await y==3]");
    assert_eq!(answer.finals, answer.deadlocks);
    assert_eq!(answer.finals.len(), 1);
    assert_eq!(
        failures("p0:[await x==1; y=1] p1:[y=2] p2:[await y==3]"),
        ["deadlock: p0 in its step 1 and p2 in its step 1 wait for ever"]
    );
    assert_eq!(failures("p0:[lock m][lock m]"), ["deadlock: p0 in its step 2 waits for ever"]);
}

#[test]
fn locks_exclude_and_hold_a_token() {
    assert_eq!(
        finals("p0:[lock m][l=x][x=l+1; unlock m] p1:[lock m][l=x][x=l+1; unlock m]"),
        ["m=0 p0.l=0 p1.l=1 x=2", "m=0 p0.l=1 p1.l=0 x=2"]
    );
    assert_eq!(finals("p0:[x=1] p1:[lock m]"), ["m=2 x=1"]);
    assert_eq!(finals("p0:[spawn k] k:[lock m]"), ["m=a task's token"]);
}

#[test]
fn a_failed_process_has_ended_and_what_it_did_before_stays_done() {
    let program = "p0:[x=1; assert y==0 \"quiet\"; x=2][z=1] p1:[y=1]";
    assert_eq!(finals(program), ["x=1 y=1 z=0", "x=2 y=1 z=1"]);
    assert_eq!(failures(program), ["assertion at 0.0: quiet: p0 asserts y==0, but y is 1"]);
}

#[test]
fn an_assertion_fails_once_for_all_values_it_fails_with() {
    assert_eq!(
        failures("p0:[x=1][x=2] p1:[assert x==0]"),
        [
            "assertion at 1.0: p1 asserts x==0, but x is 1",
            "assertion at 1.0: p1 asserts x==0, but x is 2"
        ]
    );
    assert_eq!(failures("p0:[assert 0]"), ["assertion at 0.0: p0 asserts 0, but it is constant"]);
}

#[test]
fn a_guard_that_fails_is_a_failure_of_its_process() {
    assert_eq!(failures("p0(l=0):[await 1/l==0; x=2]"), ["exception at 0.0: p0 divides by zero"]);
    assert_eq!(finals("p0(l=0):[await 1/l==0; x=2]"), ["p0.l=0 x=0"]);
    let waits_or_fails = "p0:[await 1/x; y=1] p1:[x=2]";
    assert_eq!(
        failures(waits_or_fails),
        ["deadlock: p0 in its step 1 waits for ever", "exception at 0.0: p0 divides by zero"]
    );
    assert_eq!(
        failures("init b[2]; p0(i=2):[choose l 2; await l==0 && b[i]!=1]"),
        ["exception at 0.0: p0 uses b[2], which is outside the array"]
    );
}

#[test]
fn connectives_leave_out_what_does_not_matter() {
    assert_eq!(
        failures("init a[2]; p0(i=2):[await i<2 && a[i]==0] p1:[]"),
        ["deadlock: p0 in its step 1 waits for ever"]
    );
    assert_eq!(failures("init a[2]; p0(i=2):[assert i==2 || a[i]==0]"), [""; 0]);
    assert_eq!(
        failures("init a[2]; p0(i=2):[assert a[i]==0 || i==2]"),
        ["exception at 0.0: p0 uses a[2], which is outside the array"]
    );
}

#[test]
fn the_index_comes_first_then_the_value_then_the_store() {
    let index_first = "init a[2], b[2]; p0(l=0):[a[b[7-l]]=1/l]";
    assert_eq!(
        failures(index_first),
        ["exception at 0.0: p0 uses b[7], which is outside the array"]
    );
    let value_before_store = "init a[2]; p0(l=0):[a[7-l]=1/l]";
    assert_eq!(failures(value_before_store), ["exception at 0.0: p0 divides by zero"]);
    let element_before_value = "init a[2]; p0(l=0):[a[7-l] += 1/l]";
    assert_eq!(
        failures(element_before_value),
        ["exception at 0.0: p0 uses a[7], which is outside the array"]
    );
    assert_eq!(
        failures("init a[2]; p0(l=0):[l=a[5-l]+1/l]"),
        ["exception at 0.0: p0 uses a[5], which is outside the array"]
    );
}

#[test]
fn arithmetic_wraps() {
    assert_eq!(finals("init x=2147483647; p0:[x += 1]"), ["x=-2147483648"]);
    assert_eq!(finals("init x=-2147483648; p0:[x=x/-1; y=x%-1]"), ["x=-2147483648 y=0"]);
    assert_eq!(finals("p0:[x=-7/2; y=-7%2]"), ["x=-3 y=-1"]);
}

#[test]
fn loops_end_by_their_data() {
    assert_eq!(finals("p0(i=3): #top[x @+ i; i=i-1; if (i) goto top; end][x=0]"), ["p0.i=0 x=6"]);
    assert_eq!(finals("p0:#top[if (x==0) goto out][y=1]#out p1:[x=1]"), ["x=1 y=0", "x=1 y=1"]);
}

#[test]
fn spawned_processes_are_named_by_their_place_of_birth() {
    assert_eq!(finals("p0:[spawn k(5); spawn k] k(n=1):[x @+ n]"), ["p0/k#1.n=1 p0/k.n=5 x=6"]);
    assert_eq!(
        finals("p0:[if (x==1) spawn e][spawn k] p1:[x=1] e(n=2):[] k(n=3):[]"),
        ["p0/e.n=2 p0/k#1.n=3 x=1", "p0/k.n=3 x=1"]
    );
    assert_eq!(finals("p0:[spawn a] a:[spawn b(7)] b(n):[]"), ["p0/a/b.n=7"]);
}

#[test]
fn a_program_that_is_too_large_has_no_answer() {
    let model = text::parse("program", "p0:#top[x @+ 1; goto top]").unwrap();
    assert_eq!(answer(&model, 1_000), None);
}
