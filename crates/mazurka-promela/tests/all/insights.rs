//! What a model knows about the future of its processes, and about variables that nobody reads any more.

use crate::support::read;
use mazurka_core::{Effects, Footprint, Location, Mode, Pending, Process, Program};
use mazurka_promela::{Promela, Run};

/// Takes the first step of each of these processes that can be taken.
fn after(model: &Promela, processes: &[u32]) -> Run {
    let mut run = model.start();
    for &process in processes {
        let mut pending: Vec<Pending> = Vec::new();
        model.pending(&run, &mut pending);
        let next = pending
            .iter()
            .find(|p| p.enabled && p.transition.process == Process(process))
            .expect("it can move");
        model.step(&mut run, next.transition, &mut Effects::default());
    }
    run
}

fn future(model: &Promela, run: &Run, process: u32) -> Footprint {
    let mut future = Footprint::new();
    let told = model.insights().futures.expect("models tell");
    assert!(told.future(run, Process(process), &mut future));
    future
}

/// The locations that a process may write from here on.
fn written(model: &Promela, processes: &[u32], process: u32) -> Vec<Location> {
    let future = future(model, &after(model, processes), process);
    let writes = future.accesses().iter().filter(|a| a.mode == Mode::Write);
    let mut locations: Vec<Location> = writes.map(|a| a.location).collect();
    locations.sort_unstable();
    locations
}

fn live(model: &Promela, processes: &[u32]) -> u128 {
    let told = model.insights().liveness.expect("models tell");
    told.live_fingerprint(&after(model, processes))
}

#[test]
fn what_lies_behind_a_process_is_no_part_of_its_future() {
    let model = read("byte x, y; active proctype P() { x = 1; y = 1 }");
    let (before, then) = (written(&model, &[], 0), written(&model, &[0], 0));
    assert_eq!((before.len(), then.len()), (3, 2), "x, y and who is alive; then y and who is alive");
    assert!(then.iter().all(|l| before.contains(l)));
}

#[test]
fn what_a_started_process_does_is_part_of_the_future_of_who_starts_it() {
    let child = "byte x; proctype C() { x = 1 }";
    let starts = read(&format!("{child} active proctype P() {{ run C() }}"));
    let alone = read(&format!(
        "{child} active proctype P() {{ skip; if :: false -> run C() :: else fi }}"
    ));
    assert_eq!(written(&starts, &[], 0).len(), 3, "x, who is alive, who is born");
    assert_eq!(written(&alone, &[0, 0], 0).len(), 1, "there is no way back to the `run`");
}

#[test]
fn a_process_to_come_is_seen_by_those_that_look_where_it_is() {
    let model = |watched: &str| {
        read(&format!(
            "byte x; proctype C() {{ here: x = 1 }} active proctype P() {{ run C() }} active proctype W() {{ ({watched}) }}"
        ))
    };
    let (unseen, seen) = (model("x == 0"), model("C[2]@here"));
    let touched = |model: &Promela| future(model, &model.start(), 0).accesses().len();
    assert_eq!(touched(&seen), touched(&unseen) + 1, "where the processes of this type are");
}

#[test]
fn all_members_of_a_group_are_seen_by_those_that_look_where_one_of_them_is() {
    let model = |watched: &str| {
        read(&format!(
            "chan c = [0] of {{ byte }};
             active proctype A() {{ c!1; c!2 }}
             active proctype B() {{ byte x; c?x; here: c?x }}
             active proctype W() {{ ({watched}) }}"
        ))
    };
    let (unseen, seen) = (model("true"), model("B[1]@here"));
    let group = |model: &Promela| {
        let mut pending: Vec<Pending> = Vec::new();
        model.pending(&model.start(), &mut pending);
        let processes = pending.iter().map(|p| p.transition.process);
        processes.filter(|p| *p != Process(2)).map(|p| p.0).max().expect("it can move")
    };
    let touched = |model: &Promela| future(model, &model.start(), group(model)).accesses().len();
    assert_eq!(touched(&seen), touched(&unseen) + 1, "where the second member is");
}

#[test]
fn an_index_that_stays_names_one_element_and_one_that_changes_all() {
    let stays = read("byte a[3]; active proctype P() { byte i; do :: a[_pid] = 1 :: a[i] = 2 od }");
    let changes = read("byte a[3]; active proctype P() { byte i; do :: a[i] = 1 :: i = 1 od }");
    assert_eq!(written(&stays, &[], 0).len(), 1);
    assert_eq!(written(&changes, &[], 0).len(), 3);
}

#[test]
fn a_channel_that_a_started_process_is_given_may_be_any() {
    let model = read(
        "chan p = [1] of { byte }; chan q = [1] of { byte };
         proctype C(chan c) { c!1 }
         active proctype P() { run C(q) }
         active proctype Q() { p!1 }",
    );
    let mine = future(&model, &model.start(), 0);
    assert!(mine.conflicts(&future(&model, &model.start(), 1)));
}

#[test]
fn a_value_that_nobody_reads_any_more_does_not_tell_states_apart() {
    let writers = "byte x; active proctype P() { x = 1 } active proctype Q() { x = 2 }";
    let (unread, read_later) = (read(writers), read(&format!("{writers} active proctype R() {{ assert(x < 3) }}")));
    let differ = |model: &Promela| model.fingerprint(&after(model, &[0, 1])) != model.fingerprint(&after(model, &[1, 0]));
    assert!(differ(&unread) && differ(&read_later));
    assert_eq!(live(&unread, &[0, 1]), live(&unread, &[1, 0]));
    assert_ne!(live(&read_later, &[0, 1]), live(&read_later, &[1, 0]));
    assert_eq!(live(&read_later, &[0, 1, 2]), live(&read_later, &[1, 0, 2]), "it was read before");
}

#[test]
fn what_a_process_to_come_may_read_is_alive() {
    let model = read(
        "byte x; proctype C() { assert(x < 3) }
         active proctype P() { x = 1 } active proctype Q() { x = 2 } active proctype R() { run C() }",
    );
    assert_ne!(live(&model, &[0, 1]), live(&model, &[1, 0]));
    assert_ne!(live(&model, &[0, 1, 2]), live(&model, &[1, 0, 2]));
}
