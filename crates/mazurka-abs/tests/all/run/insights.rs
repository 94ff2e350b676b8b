//! What a model knows about the future of its tasks, and about fields that nobody reads any more.

use crate::run::common::{dependency, explore, model, with_main};
use mazurka_abs::run::Machine;
use mazurka_abs::run::state::Run;
use mazurka_core::{Dependency, Describe, Effects, Footprint, Mode, Pending, Process, Program};

/// Lets these tasks, by their names in schedule files, take a step each.
fn after(machine: &Machine, tasks: &[&str]) -> Run {
    let mut run = machine.start();
    for task in tasks {
        let mut pending: Vec<Pending> = Vec::new();
        machine.pending(&run, &mut pending);
        let next = pending
            .iter()
            .find(|p| p.enabled && machine.process_key(p.transition.process) == *task)
            .unwrap_or_else(|| panic!("{task} cannot move"));
        Program::step(machine, &mut run, next.transition, &mut Effects::default());
    }
    run
}

/// What a task may touch from there on.
fn footprint(machine: &Machine, run: &Run, task: &str) -> Footprint {
    let mut pending: Vec<Pending> = Vec::new();
    machine.pending(run, &mut pending);
    let process: Process = pending
        .iter()
        .map(|p| p.transition.process)
        .find(|p| machine.process_key(*p) == task)
        .expect("it is alive");
    let mut future = Footprint::new();
    let told = machine.insights().futures.expect("models tell");
    assert!(told.future(run, process, &mut future));
    future
}

/// How many locations a task may touch from there on, and how many of them it may write.
fn future(machine: &Machine, run: &Run, task: &str) -> (usize, usize) {
    let future = footprint(machine, run, task);
    let writes = future.accesses().iter().filter(|a| a.mode == Mode::Write).count();
    (future.accesses().len(), writes)
}

fn by_field(declarations: &str, main: &str) -> Machine {
    model(&with_main(declarations, main), &dependency(Dependency::Field))
}

const CELLS: &str = "interface Cell { Unit set(Int v); Unit nothing(); }
    class Cell() implements Cell { Int x = 0; Unit set(Int v) { x = v; } Unit nothing() { skip; } }
    interface User { Unit use(); Unit take(Cell c); Unit own(); }";

#[test]
fn a_receiver_in_a_field_that_never_changes_is_one_object() {
    let users = |field: &str, more: &str| {
        let class = format!(
            "{CELLS} class User({field}) implements User {{ {more} Unit use() {{ c!set(1); }} Unit take(Cell d) {{ d!set(1); }} Unit own() {{ skip; }} }}"
        );
        by_field(&class, "Cell a = new Cell(); Cell b = new Cell(); User u = new User(a); u!use();")
    };
    let constant = users("Cell c", "");
    assert_eq!(future(&constant, &after(&constant, &["0"]), "0.0").1, 1, "the cell in the field");
    let changing = users("Cell first", "Cell c = first; Unit change(Cell d) { c = d; }");
    assert_eq!(future(&changing, &after(&changing, &["0"]), "0.0").1, 2, "either cell");
}

#[test]
fn a_receiver_that_a_task_was_given_is_one_object() {
    let class = format!(
        "{CELLS} class User() implements User {{ Unit use() {{ skip; }} Unit take(Cell d) {{ d!set(1); }} Unit own() {{ skip; }} }}"
    );
    let machine = by_field(&class, "Cell a = new Cell(); Cell b = new Cell(); User u = new User(); u!take(b);");
    let run = after(&machine, &["0"]);
    assert_eq!(future(&machine, &run, "0.0").1, 1);
}

#[test]
fn who_has_sent_all_its_messages_has_no_part_in_what_they_do() {
    let machine = by_field(CELLS, "Cell a = new Cell(); a!set(1); suspend; a!nothing(); suspend; skip;");
    assert_eq!(
        future(&machine, &after(&machine, &["0"]), "0").1,
        0,
        "what it still calls writes nothing"
    );
    assert_eq!(
        future(&machine, &after(&machine, &["0", "0"]), "0").0,
        0,
        "it calls nothing any more"
    );
    assert_eq!(future(&machine, &after(&machine, &["0", "0"]), "0.0").1, 1);
}

#[test]
fn tasks_on_a_field_that_nobody_reads_any_more_are_not_told_apart() {
    let machine = by_field(
        "interface Cell { Unit set(Int v); Int look(); } class Cell() implements Cell { Int x = 0; Unit set(Int v) { x = v; } Int look() { return x; } }",
        "Cell a = new Cell(); a!set(1); a!set(2); suspend; Fut<Int> f = a!look(); Int v = f.get; assert v < 3;",
    );
    let told = machine.insights().liveness.expect("models tell");
    let live = |tasks: &[&str]| told.live_fingerprint(&after(&machine, tasks));
    assert_ne!(live(&["0", "0.0", "0.1"]), live(&["0", "0.1", "0.0"]), "main will look at it");
    let seen = |first, second| live(&["0", first, second, "0", "0.2"]);
    assert_ne!(seen("0.0", "0.1"), seen("0.1", "0.0"), "what was seen is known");
    let unread = by_field(CELLS, "Cell a = new Cell(); a!set(1); a!set(2);");
    let told = unread.insights().liveness.expect("models tell");
    let live = |tasks: &[&str]| told.live_fingerprint(&after(&unread, tasks));
    assert_eq!(live(&["0", "0.0", "0.1"]), live(&["0", "0.1", "0.0"]));
    assert!(explore(&unread, "optimal+context+observers").counts.executions < explore(&unread, "optimal").counts.executions);
}

#[test]
fn a_field_that_the_message_of_a_failed_assertion_may_tell_is_not_dead() {
    let machine = by_field(
        "interface Cell { Unit set(Int v); Unit look(); } class Cell() implements Cell { Int x = 0; Unit set(Int v) { x = v; }
         Unit look() { assert truncate(x / 2) == random(2) + 5; } }",
        "Cell a = new Cell(); a!set(2); a!set(3); a!look();",
    );
    let told = machine.insights().liveness.expect("models tell");
    let choosing = |first, second| told.live_fingerprint(&after(&machine, &["0", first, second, "0.2"]));
    assert_ne!(
        choosing("0.0", "0.1"),
        choosing("0.1", "0.0"),
        "2 / 2 and 3 / 2 are on the stack, x itself is not"
    );
}

#[test]
fn a_future_that_is_known_only_from_the_value_of_another_may_be_waited_for() {
    let machine = by_field(
        "interface W { Fut<Int> give(); Int work(); Unit use(Fut<Fut<Int>> f); }
        class W() implements W {
            Fut<Int> give() { Fut<Int> g = this!work(); return g; }
            Int work() { return 1; }
            Unit use(Fut<Fut<Int>> f) { Fut<Int> g = f.get; Int r = g.get; }
        }",
        "W w = new W(); W v = new W(); Fut<Fut<Int>> f = w!give(); v!use(f);",
    );
    let run = after(&machine, &["0", "0.0"]);
    let (working, using) = (footprint(&machine, &run, "0.0.0"), footprint(&machine, &run, "0.1"));
    let resolved = working.accesses().iter().filter(|a| a.mode == Mode::Write);
    let waited_for: Vec<_> = resolved
        .filter(|w| using.accesses().iter().any(|u| u.guard && u.location == w.location))
        .collect();
    assert_eq!(waited_for.len(), 1, "{working:?}\n{using:?}");
}
