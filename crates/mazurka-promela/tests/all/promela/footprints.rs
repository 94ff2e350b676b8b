//! What steps say beforehand that they touch: everything they may touch, and no more than the text makes necessary.

use crate::promela::support::program;
use mazurka_core::{Describe, Effects, Footprint, Mode, Pending, Program};
use mazurka_promela::{Promela, Run};

/// The state after the steps with these labels.
pub fn after(program: &Promela, labels: &[&str]) -> Run {
    let mut run = program.start();
    for label in labels {
        let pending = pending(program, &run);
        let next = pending
            .iter()
            .find(|p| p.enabled && program.describe(&run, p.transition).label == *label)
            .unwrap_or_else(|| panic!("no step `{label}`"));
        program.step(&mut run, next.transition, &mut Effects::default());
    }
    run
}

fn pending(program: &Promela, run: &Run) -> Vec<Pending> {
    let mut pending = Vec::new();
    program.pending(run, &mut pending);
    pending
}

/// The footprint of the step with this label, sorted by the names of the locations. `*` marks what decides whether it can be taken, `=` a
/// value that is replaced for certain.
pub fn touched_at(program: &Promela, run: &Run, label: &str) -> Vec<String> {
    let pending = pending(program, run);
    let step = pending
        .iter()
        .find(|p| program.describe(run, p.transition).label == label)
        .unwrap_or_else(|| {
            let labels: Vec<String> = pending.iter().map(|p| program.describe(run, p.transition).label).collect();
            panic!("no step `{label}` among {labels:?}")
        });
    let mut footprint = Footprint::new();
    program.footprint(run, step.transition, &mut footprint);
    let mut lines: Vec<String> = footprint
        .accesses()
        .iter()
        .map(|a| {
            let mode = match a.mode {
                Mode::Read => "read",
                Mode::Write if a.maybe => "write",
                Mode::Write => "=",
                Mode::Accumulate => "add",
            };
            let guard = if a.guard { "*" } else { "" };
            format!("{}: {mode}{guard}", program.location_name(a.location))
        })
        .collect();
    lines.sort();
    lines
}

/// The same at the start of a model.
pub fn touched(text: &str, label: &str) -> Vec<String> {
    let program = program(text);
    touched_at(&program, &program.start(), label)
}

/// Checks the footprint of a statement, the first one of a process with a few locals.
#[track_caller]
fn check(declarations: &str, statement: &str, expected: &[&str]) {
    let text = format!("{declarations} active proctype p() {{ byte i, j = 1; byte k = 7; {statement} }}");
    assert_eq!(touched(&text, statement), expected, "{statement}");
}

const GLOBALS: &str = "byte x, y, z, a[2]; chan q = [1] of { byte }; chan r = [1] of { byte, byte };";

#[test]
fn a_condition_waits_for_all_that_it_reads() {
    let condition = |text: &str, expected: &[&str]| check(GLOBALS, text, expected);
    condition("x == y", &["x: read*", "y: read*"]);
    condition("(x -> y : z)", &["x: read*", "y: read*", "z: read*"]);
    condition("!x", &["x: read*"]);
    condition("len(q) == x", &["channel q: read*", "x: read*"]);
    condition("q?[eval(x)]", &["channel q: read*", "x: read*"]);
    condition("r?[eval(x), 2]", &["channel r: read*", "x: read*"]);
    condition("_nr_pr == x", &["the set of processes: read*", "x: read*"]);
}

#[test]
fn an_assignment_waits_for_nobody() {
    check(GLOBALS, "x = y", &["x: =", "y: read"]);
    check(GLOBALS, "x = x + 1", &["x: write"]);
    check(GLOBALS, "x = (y -> z : a[1])", &["a[1]: read", "x: =", "y: read", "z: read"]);
    check(GLOBALS, "assert(x == y)", &["x: read", "y: read"]);
    check(GLOBALS, "printf(\"%d\", x)", &["x: read"]);
}

#[test]
fn messages_are_waited_for_but_not_the_variables_they_are_stored_in() {
    check(GLOBALS, "q!x", &["channel q: write*", "x: read"]);
    check(GLOBALS, "q?x", &["channel q: write*", "x: ="]);
    check(GLOBALS, "r?eval(y),x", &["channel r: write*", "x: =", "y: read*"]);
    check(GLOBALS, "q?<x>", &["channel q: read*", "x: ="]);
}

#[test]
fn a_value_is_certainly_replaced_only_if_nothing_can_go_wrong() {
    for value in ["!y", "-y", "~y", "y + 1", "y / 2", "(y -> 1 : 2)", "_pid", "_nr_pr"] {
        let lines = touched(
            &format!("byte x, y, a[2]; active proctype p() {{ x = {value} }}"),
            &format!("x = {value}"),
        );
        assert!(lines.contains(&"x: =".to_owned()), "{value}: {lines:?}");
    }
    for value in [
        "a[y]",
        "a[y] + 1",
        "1 + a[y]",
        "!a[y]",
        "1 / y",
        "y % 0 + y",
        "(a[y] -> 1 : 2)",
        "(y -> a[y] : 2)",
        "(y -> 1 : a[y])",
        "len(c)",
        "get_priority(a[y])",
    ] {
        let text = format!("byte x, y, a[2]; chan c; active proctype p() {{ c = 0; x = {value} }}");
        let parsed = mazurka_promela::parse_text("model.pml", &text, &[]);
        let Some(machine) = parsed.machine else { continue };
        let program = Promela::new(machine, parsed.sources);
        let lines = touched_at(&program, &after(&program, &["c = 0"]), &format!("x = {value}"));
        assert!(lines.contains(&"x: write".to_owned()), "{value}: {lines:?}");
    }
}

#[test]
fn what_goes_wrong_replaces_nothing() {
    // Any element, since the index is out of range.
    check(GLOBALS, "a[k] = 1", &["a[0]: write", "a[1]: write"]);
    // An array of one element can have a wrong index as well.
    check("byte x = 3; byte a[1];", "a[x] = 1", &["a[0]: write", "x: read"]);
    // A message may be for an element that is not there.
    check(GLOBALS, "r?1,a[i]", &["a[0]: write", "channel r: write*"]);
    // A value that is compared may have none, a variable may name no channel, and nobody can look into a rendezvous.
    check(
        GLOBALS,
        "r?eval(a[x]),y",
        &["a[0]: read*", "a[1]: read*", "channel r: write*", "x: read*", "y: write"],
    );
    check(
        "byte x; chan c; active proctype other() { c = 1 }",
        "c?x",
        &["all channels: write", "all channels: write*", "c: read*", "x: write"],
    );
    check("byte x; chan h = [0] of { byte };", "h?<x>", &["channel h: read*", "x: write"]);
}

#[test]
fn an_index_over_locals_names_one_element() {
    for index in ["j", "1", "!i", "-(-j)", "~(-2)", "i + 1", "(i -> 0 : j)", "_pid + 1"] {
        check(GLOBALS, &format!("a[{index}] = 5"), &["a[1]: ="]);
    }
}

#[test]
fn an_index_over_anything_else_may_name_any_element() {
    let any = |index: &str, reads: &[&str]| {
        let mut expected = vec!["a[0]: write", "a[1]: write"];
        expected.extend(reads);
        check(GLOBALS, &format!("a[{index}] = 5"), &expected);
    };
    any("x", &["x: read"]);
    any("!x", &["x: read"]);
    any("i + x", &["x: read"]);
    any("x + i", &["x: read"]);
    any("(x -> i : j)", &["x: read"]);
    any("(i -> x : j)", &["x: read"]);
    any("(i -> j : x)", &["x: read"]);
    any("len(q)", &["channel q: read"]);
    any("_nr_pr", &["the set of processes: read"]);
}

#[test]
fn every_index_of_a_place_counts() {
    let records = "typedef R { byte f[2] } R r[2]; byte x;";
    check(records, "r[j].f[j] = 1", &["r[1].f[1]: ="]);
    let all = [
        "r[0].f[0]: write",
        "r[0].f[1]: write",
        "r[1].f[0]: write",
        "r[1].f[1]: write",
        "x: read",
    ];
    check(records, "r[i].f[x] = 1", &all);
    check(records, "r[x].f[i] = 1", &all);
    check(records, "r[x].f[x] = 1", &all);
}

#[test]
fn two_elements_of_one_array_are_two() {
    check(GLOBALS, "x = a[i] + a[j]", &["a[0]: read", "a[1]: read", "x: write"]);
    check(GLOBALS, "a[j] == a[i]", &["a[0]: read*", "a[1]: read*"]);
}

#[test]
fn an_index_that_changes_meanwhile_may_name_any_element() {
    check(GLOBALS, "d_step { i = 1; a[i] = 1 }", &["a[0]: write", "a[1]: write"]);
    let started = "byte a[3]; proctype c() { skip } active proctype p() { byte i; atomic { i = run c(); a[i] = 1 } }";
    let expected = [
        "a[0]: write",
        "a[1]: write",
        "a[2]: write",
        "the births of processes: write",
        "the set of processes: write",
    ];
    assert_eq!(touched(started, "i = run c(); a[i] = 1"), expected);
}

#[test]
fn a_birth_reads_arguments_and_first_values_and_stores_the_pid() {
    let text = |start: &str| {
        format!("byte x, y, z; chan u; proctype c(byte v) {{ byte l = y; chan own = [1] of {{ byte }}; u = own }} init {{ {start} }}")
    };
    let expected = [
        "the births of processes: write",
        "the set of processes: write",
        "x: read",
        "y: read",
        "z: write",
    ];
    assert_eq!(touched(&text("z = run c(x)"), "z = run c(x)"), expected);
    let without = [
        "the births of processes: write",
        "the set of processes: write",
        "x: read",
        "y: read",
    ];
    assert_eq!(touched(&text("run c(x)"), "run c(x)"), without);
    // Where a channel is used by number, it matters which there are.
    let mut with_unknown = without.to_vec();
    with_unknown.insert(0, "all channels: add");
    assert_eq!(touched(&text("run c(x); u!1"), "run c(x)"), with_unknown);
}

#[test]
fn an_end_waits_for_younger_processes_and_takes_its_channels_along() {
    let own = "chan one = [1] of { byte }; chan two = [1] of { byte };";
    let text = format!("byte x; active proctype p() {{ {own} x = 1 }}");
    let model = program(&text);
    let expected = [
        "channel one of p (0): write",
        "channel two of p (0): write",
        "the set of processes: write*",
    ];
    assert_eq!(touched_at(&model, &after(&model, &["x = 1"]), "ends"), expected);
    let text = format!("chan u; active proctype p() {{ {own} u = one; u!1 }}");
    let model = program(&text);
    let expected = [
        "all channels: add",
        "all channels: read",
        "channel one of p (0): write",
        "channel two of p (0): write",
        "the set of processes: write*",
    ];
    assert_eq!(touched_at(&model, &after(&model, &["u = one", "u!1"]), "ends"), expected);
}

#[test]
fn the_channels_of_processes_are_all_different() {
    let model = program(
        "active proctype none() { skip }
         active [2] proctype two() { chan a = [1] of { byte }; chan b = [1] of { byte }; if :: a!1 :: b!1 fi }",
    );
    let run = model.start();
    let mut names: Vec<(String, u32)> = Vec::new();
    for p in pending(&model, &run) {
        let mut footprint = Footprint::new();
        model.footprint(&run, p.transition, &mut footprint);
        names.extend(footprint.accesses().iter().map(|a| (model.location_name(a.location), a.location.0)));
    }
    names.retain(|(name, _)| name.starts_with("channel "));
    names.sort();
    names.dedup();
    let texts: Vec<&str> = names.iter().map(|(name, _)| &**name).collect();
    let expected = [
        "channel a of two (1)",
        "channel a of two (2)",
        "channel b of two (1)",
        "channel b of two (2)",
    ];
    assert_eq!(texts, expected);
    names.dedup_by_key(|n| n.1);
    assert_eq!(names.len(), 4);
}

#[test]
fn a_channel_variable_that_is_assigned_to_may_name_any_channel() {
    let text = |other: &str| {
        format!("chan q = [1] of {{ byte }}; chan r = [1] of {{ byte }}; active proctype p() {{ q!1 }} active proctype o() {{ {other} }}")
    };
    assert_eq!(touched(&text("skip"), "q!1"), ["channel q: write*"]);
    assert_eq!(
        touched(&text("q = r"), "q!1"),
        ["all channels: write", "all channels: write*", "q: read*"]
    );
}

#[test]
fn a_large_array_is_one_location_if_some_index_is_not_known() {
    let text = |length: u32, index: &str| {
        format!("byte x, big[{length}]; active proctype p() {{ big[{index}] = 1 }} active proctype q() {{ big[3] = 1 }}")
    };
    // Replacing one element of it keeps the others.
    assert_eq!(touched(&text(17, "x"), "big[3] = 1"), ["big: write"]);
    assert_eq!(touched(&text(17, "x"), "big[x] = 1"), ["big: write", "x: read"]);
    assert_eq!(touched(&text(17, "2"), "big[3] = 1"), ["big[3]: ="]);
    assert_eq!(touched(&text(16, "x"), "big[3] = 1"), ["big[3]: ="]);
    assert_eq!(touched(&text(16, "x"), "big[x] = 1").len(), 17);
}

#[test]
fn looking_at_another_process_names_its_type_and_reads_the_pid() {
    let model = |condition: &str| {
        format!(
            "byte x, y; active proctype other() {{ skip }}
             active proctype seen() {{ byte v[2]; here: v[0] = 1; v[1] = 2 }}
             active proctype p() {{ {condition} }}"
        )
    };
    let label = "seen[x]@here";
    let expected = ["the processes of type seen: read*", "the set of processes: read*", "x: read*"];
    assert_eq!(touched(&model(label), label), expected);
    let label = "seen[x]:v[y] == 1";
    let expected = [
        "the processes of type seen: read*",
        "the set of processes: read*",
        "x: read*",
        "y: read*",
    ];
    assert_eq!(touched(&model(label), label), expected);
    assert_eq!(touched(&model(label), "v[0] = 1"), ["the processes of type seen: add"]);
}

#[test]
fn priorities_are_shared() {
    // Rendezvous channels make priorities a number among others.
    let model = |statement: &str| format!("byte x, y, a[9]; chan h = [0] of {{ byte }}; active proctype p() {{ {statement} }}");
    let check = |statement: &str, expected: &[&str]| assert_eq!(touched(&model(statement), statement), expected);
    let (priorities, processes) = ("the priorities of processes", "the set of processes");
    check(
        "set_priority(x, y)",
        &[&format!("{priorities}: write"), &format!("{processes}: read"), "x: read", "y: read"],
    );
    check(
        "get_priority(x) == y",
        &[
            &format!("{priorities}: read*"),
            &format!("{processes}: read*"),
            "x: read*",
            "y: read*",
        ],
    );
    check("_priority == 1", &[&format!("{priorities}: read*")]);
    let mut elements: Vec<String> = (0..9).map(|i| format!("a[{i}]: write")).collect();
    elements.push(format!("{priorities}: read"));
    let elements: Vec<&str> = elements.iter().map(|e| &**e).collect();
    check("a[_priority] = 1", &elements);
}

#[test]
fn who_has_a_lower_priority_waits_for_everything() {
    let text = "byte x; active proctype p() { x = 1 } active proctype q() priority 2 { x = 2 }";
    assert_eq!(touched(text, "x = 1"), ["everything: write*", "x: ="]);
}

#[test]
fn asking_whether_another_can_move_reads_everything_and_the_pid() {
    let text = "byte x; active proctype p() { enabled(x) } active proctype q() { x = 2 }";
    let expected = ["everything: write*", "the set of processes: read*", "x: read*"];
    assert_eq!(touched(text, "enabled(x)"), expected);
    assert_eq!(touched(text, "x = 2"), ["everything: add", "x: ="]);
}

#[test]
fn a_step_at_a_timeout_has_looked_at_all_alternatives() {
    let model = program("byte x; active proctype p() { if :: timeout -> skip :: timeout && x -> skip fi }");
    let mut run = model.start();
    let first = pending(&model, &run)[0];
    assert!(first.enabled);
    let mut effects = Effects {
        report_touched: true,
        ..Effects::default()
    };
    model.step(&mut run, first.transition, &mut effects);
    let names: Vec<String> = effects.touched.accesses().iter().map(|a| model.location_name(a.location)).collect();
    assert_eq!(names, ["everything", "x"]);
}
