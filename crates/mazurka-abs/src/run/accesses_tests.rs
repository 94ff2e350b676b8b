//! What steps and guards of small models are told to touch: that, and nothing less.

use super::Machine;
use super::identity::Place;
use super::state::Run;
use crate::model::{Options, open_text};
use mazurka_core::{Effects, Footprint, Location, Mode, Process, Program, Transition};

fn machine(text: &str) -> Machine {
    match open_text("model.abs", text, &Options::default()) {
        Ok(opened) => opened.machine,
        Err((sources, diagnostics)) => panic!("{}", diagnostics.render(&sources, false)),
    }
}

/// Accesses as `Write Field(0, 1)`, sorted.
fn shown(machine: &Machine, footprint: &Footprint) -> Vec<String> {
    let accesses = footprint.accesses().iter();
    let mut shown: Vec<String> = accesses
        .map(|access| match machine.ids.place(access.location) {
            Some(place) => format!("{:?} {place:?}", access.mode),
            None => panic!("{access:?}"),
        })
        .collect();
    shown.sort();
    shown
}

/// Moves a task; what it touched.
fn step(machine: &Machine, run: &mut Run, process: u32) -> Vec<String> {
    let mut effects = Effects {
        report_touched: true,
        ..Effects::default()
    };
    machine.step(run, process, 0, &mut effects);
    shown(machine, &effects.touched)
}

/// What decides whether a task can move.
fn guard(machine: &Machine, run: &Run, process: u32) -> Vec<String> {
    let transition = Transition {
        process: Process(process),
        choice: 0,
    };
    let mut reads = Footprint::new();
    let told = machine
        .insights()
        .instruments
        .is_some_and(|instruments| instruments.guard_reads(run, transition, &mut reads));
    assert!(told, "the machine observes its guards");
    assert!(reads.accesses().iter().all(|access| access.guard && access.mode == Mode::Read));
    shown(machine, &reads)
}

#[test]
fn a_task_that_starts_reads_whether_its_object_lives() {
    let mortal = "module M;
        exception E;
        interface I { Unit set(); Unit end(); }
        class C implements I { Int x = 0; Unit set() { x = 1; } Unit end() { die E; } }
        { I a = new C(); a!set(); a!end(); }";
    let m = machine(mortal);
    let mut run = m.start();
    assert!(step(&m, &mut run, 0).is_empty(), "what the step made is its own");
    assert_eq!(step(&m, &mut run, 1), ["Read Field(0, 1)", "Write Field(0, 0)"]);
    assert_eq!(step(&m, &mut run, 2), ["Write Field(0, 1)"]);

    let immortal = mortal.replace("die E;", "skip;");
    let m = machine(&immortal);
    let mut run = m.start();
    step(&m, &mut run, 0);
    assert_eq!(
        step(&m, &mut run, 1),
        ["Write Field(0, 0)"],
        "without `die` there is nothing to see"
    );
}

#[test]
fn a_task_takes_and_gives_back_the_control_of_its_cog() {
    let m = machine(
        "module M;
        interface I { Unit ask(I o); Unit idle(); Int number(); }
        class C implements I {
            Unit ask(I o) { Fut<Int> f = o!number(); Int n = f.get; }
            Unit idle() { skip; }
            Int number() { return 1; }
        }
        { I a = new C(); I b = new C(); a!ask(b); a!idle(); }",
    );
    let mut run = m.start();
    assert!(step(&m, &mut run, 0).is_empty());
    assert_eq!(step(&m, &mut run.clone(), 2), ["Read Control(Some(0))"]);
    assert_eq!(
        step(&m, &mut run, 1),
        ["Write Control(Some(0))"],
        "it stops in the middle of its work"
    );
    assert_eq!(guard(&m, &run, 1), ["Read Future(3)"]);
    assert_eq!(guard(&m, &run, 2), ["Read Control(Some(0))"]);
    assert_eq!(step(&m, &mut run, 3), ["Read Control(Some(1))", "Write Future(3)"]);
    assert_eq!(step(&m, &mut run, 1), ["Read Future(3)", "Write Control(Some(0))"]);
}

/// Two objects in the main block's cog. The tasks: 1 asks b, 2 changes a and asks b, 3 changes b, 4 waits in b on behalf of a.
const SHARED: &str = "module M;
    interface I { Int look(); Unit ask(I o); Unit both(I o); Unit set(); Unit wait(); Unit call(I o); }
    class C implements I {
        Int x = 0;
        Int look() { return x; }
        Unit ask(I o) { Int n = o.look(); }
        Unit both(I o) { x = x + 1; Int n = o.look(); }
        Unit set() { x = 5; }
        Unit wait() { await x == 1; }
        Unit call(I o) { o.wait(); }
    }
    { I a = new local C(); I b = new local C(); a!ask(b); a!both(b); b!set(); a!call(b); }";

#[test]
fn calls_between_objects_of_a_cog_touch_its_inside() {
    let m = machine(SHARED);
    let mut run = m.start();
    step(&m, &mut run, 0);
    assert_eq!(step(&m, &mut run.clone(), 1), ["Read Control(None)", "Write Inside(None)"]);
    assert_eq!(
        step(&m, &mut run.clone(), 2),
        ["Read Control(None)", "Write Field(0, 0)", "Write Inside(None)"],
        "its own field is told by itself"
    );
    assert_eq!(
        step(&m, &mut run, 3),
        ["Read Control(None)", "Read Inside(None)", "Write Field(1, 0)"]
    );
}

#[test]
fn what_nobody_declared_is_told_as_what_it_is() {
    let m = machine(SHARED);
    let mut run = m.start();
    step(&m, &mut run, 0);
    let mut declared = Footprint::new();
    declared.read(run.cogs.get(0).inside);
    let mut told = Footprint::new();
    m.tell_field(&run, (1, 0), false, &declared, &mut |location: Location, mode: Mode| {
        assert_eq!(mode, Mode::Read);
        told.read(location);
    });
    assert_eq!(shown(&m, &told), ["Read Field(1, 0)", "Read Inside(None)"]);
}

#[test]
fn a_guard_is_evaluated_in_the_innermost_object() {
    let m = machine(SHARED);
    let mut run = m.start();
    step(&m, &mut run, 0);
    step(&m, &mut run, 4);
    assert_eq!(guard(&m, &run, 4), ["Read Control(None)", "Read Field(1, 0)", "Read Inside(None)"]);
}

const WAITING: &str = "module M;
    exception E;
    interface I { Unit wait(I o); Unit set(); Int number(); Unit end(); }
    class C implements I {
        Int x = 0;
        Int y = 0;
        Unit wait(I o) { Fut<Int> f = o!number(); await f? & x == 1; }
        Unit set() { x = 1; y = 1; }
        Int number() { return 1; }
        Unit end() { die E; }
    }
    { I a = new C(); I b = new C(); a!wait(b); a!set(); }";

#[test]
fn a_guard_reads_its_future_and_its_field() {
    let m = machine(WAITING);
    let mut run = m.start();
    step(&m, &mut run, 0);
    assert!(guard(&m, &run, 1).is_empty(), "a task that has not started waits for nothing");
    step(&m, &mut run, 1);
    assert_eq!(guard(&m, &run, 1), ["Read Field(0, 0)", "Read Future(3)"]);
    assert!(guard(&m, &run, 77).is_empty(), "there is no such task");
}

#[test]
fn only_what_guards_read_may_guard() {
    let m = machine(WAITING);
    let mut run = m.start();
    step(&m, &mut run, 0);
    let guards = |place: Place| {
        let location = m.ids.location(place);
        m.insights().guard_locations.is_none_or(|it| it.may_guard(location))
    };
    assert!(guards(Place::Field(0, 0)) && guards(Place::Future(3)) && guards(Place::Control(Some(0))));
    assert!(!guards(Place::Field(0, 1)), "no guard reads y");
    assert!(!guards(Place::Field(0, 2)), "nobody waits for the end of an object");
}
