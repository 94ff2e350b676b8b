//! What a compiled program does: values, blocking, births, footprints, fingerprints.

use mazurka_core::{Describe, Effects, FailureKind, Footprint, Location, Mode, Pending, Process, Program, Transition};
use mazurka_litmus::{Footprints, Machine, Run};

fn machine(text: &str) -> Machine {
    Machine::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs processes by name of the id, one step each, and returns the state with the failures on the way.
fn run(machine: &Machine, processes: &[u32]) -> (Run, Vec<mazurka_core::Failure>) {
    let mut run = machine.start();
    let mut failures = Vec::new();
    for p in processes {
        let mut effects = Effects::default();
        machine.step(&mut run, Transition::of(Process(*p)), &mut effects);
        failures.extend(effects.failure);
    }
    (run, failures)
}

fn pending(machine: &Machine, run: &Run) -> Vec<Pending> {
    let mut out = Vec::new();
    machine.pending(run, &mut out);
    out
}

fn enabled(machine: &Machine, run: &Run) -> Vec<(u32, u32)> {
    pending(machine, run)
        .iter()
        .filter(|p| p.enabled)
        .map(|p| (p.transition.process.0, p.transition.choice))
        .collect()
}

/// A footprint as text: `r`ead, `w`rite, `W` write that may leave the value or reads it, `a`ccumulate, with `!` for guards.
fn footprint(machine: &Machine, run: &Run, process: u32, choice: u32) -> String {
    let mut f = Footprint::new();
    machine.footprint(
        run,
        Transition {
            process: Process(process),
            choice,
        },
        &mut f,
    );
    let mut parts: Vec<String> = f
        .accesses()
        .iter()
        .map(|a| {
            let mode = match (a.mode, a.maybe) {
                (Mode::Read, _) => "r",
                (Mode::Write, false) => "w",
                (Mode::Write, true) => "W",
                (Mode::Accumulate, _) => "a",
            };
            format!("{mode}{}{}", if a.guard { "!" } else { "" }, machine.location_name(a.location))
        })
        .collect();
    parts.sort();
    parts.join(" ")
}

#[test]
fn steps_are_atomic_and_locals_stay_with_their_process() {
    let m = machine("p0:[x=1; l=x+2][y=l*3] p1:[x=7]");
    let (end, _) = run(&m, &[0, 1, 0]);
    assert_eq!((m.value(&end, "x"), m.value(&end, "y")), (Some(7), Some(9)));
    assert_eq!(m.locals(&end, Process(0)), [3]);
    assert!(pending(&m, &end).is_empty());
}

#[test]
fn an_await_blocks_until_its_condition_holds() {
    let m = machine("p0:[await x>=2; y=1] p1:[x += 1][x += 1]");
    let start = m.start();
    assert_eq!(enabled(&m, &start), [(1, 0)]);
    assert_eq!(pending(&m, &start).len(), 2);
    assert_eq!(enabled(&m, &run(&m, &[1, 1]).0), [(0, 0)]);
    let wait = &m.waits(&start)[0];
    assert_eq!((wait.process, wait.what.as_str(), wait.on), (Process(0), "x>=2", None));
}

#[test]
fn a_lock_excludes_the_others_and_names_its_holder() {
    let m = machine("p0:[lock m][unlock m] p1:[lock m][unlock m]");
    let (held, _) = run(&m, &[1]);
    assert_eq!(enabled(&m, &held), [(1, 0)]);
    let wait = &m.waits(&held)[0];
    assert_eq!((wait.process, wait.what.as_str(), wait.on), (Process(0), "m", Some(Process(1))));
}

#[test]
fn choices_are_transitions_of_their_own_and_may_have_their_own_guards() {
    let m = machine("init a[2]={0,1}; p0:[choose l 2; await a[l]==0; a[l]=5]");
    let start = m.start();
    assert_eq!(pending(&m, &start).len(), 2);
    assert_eq!(enabled(&m, &start), [(0, 0)]);
    assert_eq!(footprint(&m, &start, 0, 0), "W!a[0] r!a[1]");
    assert_eq!(footprint(&m, &start, 0, 1), "W!a[1] r!a[0]");
}

#[test]
fn the_same_birth_has_the_same_id_and_fingerprint_in_every_schedule() {
    let m = machine("p0:[spawn k(1)][spawn k(2)] p1:[spawn k(3)] k(n):[x=n]");
    let (a, _) = run(&m, &[0, 0, 1]);
    let (b, _) = run(&m, &[1, 0, 0]);
    assert_eq!(m.fingerprint(&a), m.fingerprint(&b));
    let keys = |r: &Run| {
        let mut keys: Vec<String> = m.processes(r).map(|p| m.process_key(p)).collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(&a), ["p0", "p0/k", "p0/k#1", "p1", "p1/k"]);
    assert_eq!(keys(&a), keys(&b));
    let other = machine("p0:[spawn k(1)][spawn k(2)] p1:[spawn k(3)] k(n):[x=n]");
    let (c, _) = run(&other, &[1, 0, 0]);
    assert_eq!(
        m.fingerprint(&a),
        other.fingerprint(&c),
        "also when another machine saw the births in another order"
    );
}

#[test]
fn a_failed_assertion_ends_its_process_and_says_why() {
    let m = machine("p0:[assert x!=2 \"x stays small\"][y=1] p1:[x=2]");
    let (end, failures) = run(&m, &[1, 0]);
    assert_eq!(failures[0].message, "x stays small: p0 asserts x!=2, but x is 2");
    assert_eq!(failures[0].kind, FailureKind::Assertion);
    assert!(pending(&m, &end).is_empty());
}

#[test]
fn bad_arithmetic_is_a_failure_of_the_program_not_a_panic() {
    let m = machine("init a[2]; p0:[l=1/x] p1(i=5):[a[i]=1] p2:[y=2147483647; y += 1]");
    let (end, failures) = run(&m, &[0, 1, 2]);
    let messages: Vec<&str> = failures.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(messages, ["p0 divides by zero", "p1 uses a[5], which is outside the array"]);
    assert_eq!(m.value(&end, "y"), Some(i32::MIN));
}

#[test]
fn static_footprints_take_every_branch_and_dynamic_ones_the_real_one() {
    let text = "p0:[if (z==1) y=0 else l=x] p1:[z=1]";
    let m = machine(text);
    assert_eq!(footprint(&m, &m.start(), 0, 0), "Wy rx rz");
    let m = machine(text).with_footprints(Footprints::Dynamic);
    assert_eq!(footprint(&m, &m.start(), 0, 0), "rx rz");
    assert_eq!(footprint(&m, &run(&m, &[1]).0, 0, 0), "rz wy");
    assert!(!m.features().static_footprints);
}

#[test]
fn footprints_tell_blind_writes_from_those_that_read_or_may_not_happen() {
    let cases = [
        ("x=1", "wx"),
        ("x += 1", "Wx"),
        ("x=1; x += 1", "wx"),
        ("x=1; l=x", "wx"),
        ("l=x; x=1", "Wx"),
        ("x @+ 1", "ax"),
        ("x @+ 1; l=x", "Wx"),
        ("x=0; x @+ 1", "wx"),
        ("if (y==0) x=1 else x=2", "ry wx"),
        ("if (y==0) x=1", "Wx ry"),
        ("if (l==0) x=1 else y=1", "wx"),
        ("assert y==0; x=1", "Wx ry"),
        ("if (y==0) end; x=1", "Wx ry"),
        ("await y==0; y=1", "W!y"),
        ("await x==0; l=y", "r!x ry"),
        ("lock y", "W!y"),
        ("l=a[1]; a[l]=2", "Wa[0] Wa[1] Wa[2]"),
        ("l=2; a[l]=2", "wa[2]"),
        ("l=1; l @+ 1; a[l]=2", "wa[2]"),
        ("lock a[1]", "W!a[1]"),
        ("unlock a[1]", "wa[1]"),
        ("x @+ 1; x @+ 2", "ax"),
        ("x @+ 1; x @+ 2; x @+ 3", "ax"),
        ("x=1; x @+ 1; l=x; a[l]=0", "wa[2] wx"),
        ("x=y; x @+ 1; l=x; a[l]=0", "Wa[0] Wa[1] Wa[2] ry wx"),
    ];
    for (step, expected) in cases {
        let m = machine(&format!("init a[3]; p0:[{step}]"));
        assert_eq!(footprint(&m, &m.start(), 0, 0), expected, "{step}");
    }
}

#[test]
fn what_follows_a_branch_knows_what_both_ways_have_in_common() {
    let cases = [
        // Locals.
        ("if (x==0) l=1 else l=2; a[l]=0", "Wa[0] Wa[1] Wa[2] rx"),
        ("if (x==0) l=1 else l=1; a[l]=0", "rx wa[1]"),
        // One way ends, so the other one decides.
        ("if (x==0) {l=1; end} else l=2; a[l]=0", "Wa[2] rx"),
        ("if (x==0) l=2 else {l=1; end}; a[l]=0", "Wa[2] rx"),
        ("if (x==0) {l=1; end} else {l=2; end}; a[l]=0", "rx"),
        ("if (x==0) {y=1; end} else y=2; l=y; a[l]=0", "Wa[2] rx wy"),
        ("if (x==0) y=2 else {y=1; end}; l=y; a[l]=0", "Wa[2] rx wy"),
        ("if (x==0) end else y=2; l=y; a[l]=0", "Wa[2] Wy rx"),
        ("if (x==0) y=2 else end; l=y; a[l]=0", "Wa[2] Wy rx"),
        ("if (x==0) {y=2; end}; l=y; a[l]=0", "Wa[0] Wa[1] Wa[2] Wy rx"),
        ("if (x!=0) l=0 else {y=2; end}; l=y; a[l]=0", "Wa[0] Wa[1] Wa[2] Wy rx"),
        // Shared values that the step itself has left.
        ("if (x==0) y=1 else y=2; l=y; a[l]=1", "Wa[0] Wa[1] Wa[2] rx wy"),
        ("if (x==0) y=1 else y=1; l=y; a[l]=1", "rx wa[1] wy"),
        ("if (x==0) l=0 else y=2; l=y; a[l]=1", "Wa[0] Wa[1] Wa[2] Wy rx"),
        ("if (x==0) y=2; l=y; a[l]=1", "Wa[0] Wa[1] Wa[2] Wy rx"),
        // What one of them reads or adds to.
        ("if (x==0) {l=y; y=1} else y=1", "Wy rx"),
        ("if (x==0) y=1 else {l=y; y=1}", "Wy rx"),
        ("if (x==0) y @+ 1 else y=1", "Wy rx"),
        ("if (x==0) y=1 else y @+ 1", "Wy rx"),
        ("if (x==0) y @+ 1 else y @+ 2", "ay rx"),
        ("if (x==0) y @+ 1 else l=y", "Wy rx"),
    ];
    for (step, expected) in cases {
        let m = machine(&format!("init a[3]; p0:[{step}]"));
        assert_eq!(footprint(&m, &m.start(), 0, 0), expected, "{step}");
    }
}

#[test]
fn an_addition_to_one_of_several_elements_leaves_none_of_them_known() {
    let m = machine("init x=1, a[2], b[2]; p0:[a[0]=0; a[x] @+ 1; l=a[0]; b[l]=1]");
    assert_eq!(footprint(&m, &m.start(), 0, 0), "Wb[0] Wb[1] aa[1] rx wa[0]");
    let (end, _) = run(&m, &[0]);
    assert_eq!((m.value(&end, "b[0]"), m.value(&end, "b[1]")), (Some(1), Some(0)));
}

#[test]
fn what_follows_a_fault_is_not_touched() {
    let cases = [
        ("x @+ 1/0", ""),
        ("a[1] @+ 1/0", ""),
        ("x=1/0", ""),
        ("l=a[1/0]", ""),
        ("l=1/0+x", ""),
        ("l=x/0; y=1", "rx"),
        ("l=x%0; y=1", "rx"),
        ("l=x/2; y=1", "rx wy"),
        ("l=2/x; y=1", "Wy rx"),
        ("l=x+1/0; y=1", "rx"),
        ("l=3; a[l]=x; y=1", "rx"),
        ("l=3; l=a[l]+x", ""),
        ("l=3; a[l] @+ x", ""),
        ("if (1/0) x=1 else y=1", ""),
        ("assert 0; x=1", ""),
        ("l=0 && x; y=1", "wy"),
        ("l=1 || 1/0; y=1", "wy"),
        ("l=x || 1/0; y=1", "Wy rx"),
    ];
    for (step, expected) in cases {
        let m = machine(&format!("init a[3]; p0:[{step}]"));
        assert_eq!(footprint(&m, &m.start(), 0, 0), expected, "{step}");
    }
}

#[test]
fn a_local_that_decides_a_connective_decides_what_is_touched() {
    let step = "m=x; if (l && x) y=1";
    for (l, expected) in [(0, "rx"), (1, "Wy rx")] {
        let m = machine(&format!("p0(l={l}, m):[{step}]"));
        assert_eq!(footprint(&m, &m.start(), 0, 0), expected, "{l}");
    }
}

#[test]
fn a_local_that_is_the_same_both_ways_picks_one_element() {
    for (l, expected) in [(1, "rx wa[1]"), (2, "Wa[0] Wa[1] Wa[2] rx")] {
        let m = machine(&format!("init a[3]; p0(l={l}):[if (x==0) l=1; a[l]=5]"));
        assert_eq!(footprint(&m, &m.start(), 0, 0), expected, "{l}");
    }
}

#[test]
fn every_operator_computes_what_it_says() {
    let cases = [
        ("x+y", 1),
        ("x-y", 5),
        ("x*y", -6),
        ("x/y", -1),
        ("x%y", 1),
        ("-x", -3),
        ("-(x+y)", -1),
        ("!x", 0),
        ("!z", 1),
        ("x==y", 0),
        ("x==x", 1),
        ("x!=y", 1),
        ("x!=x", 0),
        ("y<x", 1),
        ("x<x", 0),
        ("x<=x", 1),
        ("x<=y", 0),
        ("x>y", 1),
        ("x>x", 0),
        ("x>=x", 1),
        ("y>=x", 0),
        ("x && y", 1),
        ("x && z", 0),
        ("z && x", 0),
        ("w && x", 1),
        ("x && w", 1),
        ("w && w", 1),
        ("z && 1/z", 0),
        ("x || 1/z", 1),
        ("w || 1/z", 1),
        ("z || y", 1),
        ("z || w", 1),
        ("z || z", 0),
        ("(x==3) && (y==-2)", 1),
        ("x && 0", 0),
        ("z || 2", 1),
        ("1+(1+(1+(1+(1+(1+(1+(1+(1+(1+x)))))))))", 13),
    ];
    for (expression, expected) in cases {
        // As a value, as a condition, as a guard.
        let m = machine(&format!(
            "init x=3, y=-2, z=0, w=1, r=7, t=7; p0:[r={expression}] p1:[if ({expression}) t=1 else t=0] p2:[await {expression}]"
        ));
        let (end, failures) = run(&m, &[0, 1]);
        assert_eq!(failures, [], "{expression}");
        assert_eq!(m.value(&end, "r"), Some(expected), "{expression}");
        assert_eq!(m.value(&end, "t"), Some(i32::from(expected != 0)), "{expression}");
        assert_eq!(enabled(&m, &end).contains(&(2, 0)), expected != 0, "{expression}");
    }
}

#[test]
fn guards_over_flags_that_are_only_set_are_monotone() {
    let monotone = |text: &str| {
        let m = machine(text);
        let mut f = Footprint::new();
        m.footprint(&m.start(), Transition::of(Process(0)), &mut f);
        f.monotone_guard
    };
    assert!(monotone("p0:[await x==1 && y==1] p1:[x=1] p2:[y=1]"));
    assert!(!monotone("p0:[await x==1 && y==1] p1:[x=1] p2:[y=1][y=0]"));
    assert!(!monotone("p0:[lock x] p1:[lock x]"));
}

#[test]
fn what_a_branching_step_really_touched_is_reported_to_who_asks() {
    let m = machine("p0:[if (x==0) y=1 else z=1]");
    let mut effects = Effects::default();
    m.step(&mut m.start(), Transition::of(Process(0)), &mut effects);
    assert!(effects.touched.accesses().is_empty());
    effects.report_touched = true;
    m.step(&mut m.start(), Transition::of(Process(0)), &mut effects);
    assert_eq!(effects.touched.accesses().len(), 2);
    assert!(effects.touched.accesses().iter().all(|a| a.location != Location(2)));
}

#[test]
fn loops_and_recursion_are_not_known_to_end_unless_promised() {
    assert!(machine("p0: [if (x==0) goto done][y=1] #done[z=1]").features().terminating);
    assert!(!machine("p0: #top[if (x==0) goto top]").features().terminating);
    assert!(!machine("p0:[spawn k(3)] k(n):[if (n>0) spawn k(n-1)]").features().terminating);
    assert!(
        machine("bounded; p0:[spawn k(3)] k(n):[if (n>0) spawn k(n-1)]")
            .features()
            .terminating
    );
}
