//! Every part of a state, changed alone: each fingerprint notices it, or the test says why it cannot matter.

use super::code::Fault;
use super::compile::{ENDED, FAILED};
use super::{Machine, Run};
use mazurka_core::{Comparable, Effects, Fingerprint, Knowledge, Liveness, Pending, Process, Program, Transition};

/// The comparisons of states: by the fingerprint, up to dead variables, and the three of merging, with the names of tasks and without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Fingerprint,
    Live,
    Control(Knowledge, bool),
}

const ALL: [By; 8] = [
    By::Fingerprint,
    By::Live,
    By::Control(Knowledge::Everything, false),
    By::Control(Knowledge::Everything, true),
    By::Control(Knowledge::Locals, false),
    By::Control(Knowledge::Locals, true),
    By::Control(Knowledge::Positions, false),
    By::Control(Knowledge::Positions, true),
];

fn of(machine: &Machine, run: &Run, by: By) -> Fingerprint {
    match by {
        By::Fingerprint => machine.fingerprint(run),
        By::Live => machine.live_fingerprint(run),
        By::Control(knowledge, nameless) => {
            let mut tasks = Vec::new();
            machine.control(run, knowledge, nameless.then_some(&mut tasks))
        }
    }
}

/// Which comparisons tell two states apart.
fn told_apart(machine: &Machine, a: &Run, b: &Run) -> Vec<By> {
    ALL.into_iter().filter(|by| of(machine, a, *by) != of(machine, b, *by)).collect()
}

fn without(these: &[By]) -> Vec<By> {
    ALL.into_iter().filter(|by| !these.contains(by)).collect()
}

fn machine(text: &str) -> Machine {
    Machine::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn after(machine: &Machine, steps: &[(u32, u32)]) -> Run {
    let mut run = machine.start();
    for &(process, choice) in steps {
        let process = Process(process);
        machine.step(&mut run, Transition { process, choice }, &mut Effects::default());
    }
    run
}

/// The state with one cell of a process changed.
fn with_own(machine: &Machine, run: &Run, process: u32, offset: usize, value: i32) -> Run {
    let mut changed = run.clone();
    Machine::set_own(&mut changed, machine.slot(Process(process)), offset, value);
    changed
}

#[test]
fn a_shared_value_is_seen_where_values_count() {
    let m = machine("p0:[l=x] p1:[y=1]");
    let start = m.start();
    let (mut x, mut y) = (start.clone(), start.clone());
    m.set_shared(&mut x, 0, 5);
    m.set_shared(&mut y, 1, 5);
    // What merging knows of shared values beside `Everything` is in its notes, which compare them one by one.
    let by_value = [
        By::Fingerprint,
        By::Control(Knowledge::Everything, false),
        By::Control(Knowledge::Everything, true),
    ];
    let live = [
        By::Fingerprint,
        By::Live,
        By::Control(Knowledge::Everything, false),
        By::Control(Knowledge::Everything, true),
    ];
    assert_eq!(told_apart(&m, &start, &x), live);
    // Nobody reads y.
    assert_eq!(told_apart(&m, &start, &y), by_value);
}

#[test]
fn where_a_process_is_is_seen_by_all() {
    let m = machine("p0:[l=x][x=1][l=x]");
    let start = m.start();
    assert_eq!(told_apart(&m, &start, &with_own(&m, &start, 0, 0, 1)), ALL);
    assert_eq!(told_apart(&m, &start, &with_own(&m, &start, 0, 0, ENDED)), ALL);
}

#[test]
fn locals_are_seen_unless_they_are_private_locations() {
    let m = machine("p0:[l=x][spawn k][x=l] k(n):[x=n]");
    let start = m.start();
    // By positions, what a process of the start knows is a matter of locations: notes compare it.
    let positions = [By::Control(Knowledge::Positions, false), By::Control(Knowledge::Positions, true)];
    assert_eq!(told_apart(&m, &start, &with_own(&m, &start, 0, 1, 9)), without(&positions));
    let spawned = after(&m, &[(0, 0), (0, 0)]);
    assert_eq!(told_apart(&m, &spawned, &with_own(&m, &spawned, 1, 1, 9)), ALL);
}

#[test]
fn how_many_tasks_were_started_is_seen_where_names_count() {
    let m = machine("p0:[spawn k][spawn k] k:[spawn e][spawn e] e:[x=1]");
    let run = after(&m, &[(0, 0)]);
    let of_root = with_own(&m, &run, 0, 1, 7);
    assert_eq!(told_apart(&m, &run, &of_root), ALL);
    let nameless = [
        By::Control(Knowledge::Everything, true),
        By::Control(Knowledge::Locals, true),
        By::Control(Knowledge::Positions, true),
    ];
    // Tasks of tasks can be exchanged whatever they are called.
    assert_eq!(told_apart(&m, &run, &with_own(&m, &run, 1, 1, 7)), without(&nameless));
}

#[test]
fn how_a_process_failed_is_seen_where_more_than_positions_count() {
    let positions = [By::Control(Knowledge::Positions, false), By::Control(Knowledge::Positions, true)];
    let outcomes = |text: &str, ways: &[&[(u32, u32)]]| {
        let m = machine(text);
        let runs: Vec<Run> = ways.iter().map(|way| after(&m, way)).collect();
        for (i, a) in runs.iter().enumerate() {
            for b in &runs[i + 1..] {
                assert!(a.cells[m.roots[0].base as usize] < ENDED && b.cells[m.roots[0].base as usize] < ENDED);
                assert_eq!(told_apart(&m, a, b), without(&positions), "{text}");
            }
        }
    };
    // An assertion, another one, a division, an array, another one. That a process failed counts as its end where only failures are asked for.
    let text = "init a[2], b[2]; p0:[choose l 5; x=l; l=0; assert x!=0; assert x!=1; if (x==2) l=1/(x-2); if (x==3) a[x]=1; b[x]=1]";
    let m = machine(text);
    let mut fates: Vec<i32> = (0..5).map(|c| after(&m, &[(0, c)]).cells[m.roots[0].base as usize]).collect();
    assert!(fates.iter().all(|pc| *pc < ENDED), "{fates:?}");
    fates.sort_unstable();
    fates.dedup();
    assert_eq!(fates.len(), 5);
    // The index alone.
    outcomes(
        "init a[2]; p0(l=0):[l=x; if (x==7) l=0; if (x==1031) l=0; a[x]=1] p1:[x=7][x=1031][x=0]",
        &[&[(1, 0), (0, 0), (1, 0), (1, 0)], &[(1, 0), (1, 0), (0, 0), (1, 0)]],
    );
}

#[test]
fn which_tasks_there_are_is_seen_and_the_order_of_their_birth_is_not() {
    let m = machine("p0:[spawn k(1)] p1:[spawn k(2)] k(n):[x @+ n]");
    let (a, b) = (after(&m, &[(0, 0), (1, 0)]), after(&m, &[(1, 0), (0, 0)]));
    // It decides in which order steps are listed, hence in which they are tried, but not what can happen.
    assert_ne!((&a.spawned, &a.live), (&b.spawned, &b.live));
    assert_eq!(told_apart(&m, &a, &b), []);
    let pending = |run: &Run| {
        let mut out: Vec<Pending> = Vec::new();
        m.pending(run, &mut out);
        out.sort_by_key(|p| p.transition);
        out
    };
    assert_eq!(pending(&a), pending(&b));
}

#[test]
fn tasks_can_be_exchanged_unless_one_of_them_takes_a_lock() {
    let exchanged = |k: &str| {
        let m = machine(&format!("p0:[spawn k(1); spawn k(2)] {k}"));
        let run = after(&m, &[(0, 0)]);
        let other = with_own(&m, &with_own(&m, &run, 1, 1, 2), 2, 1, 1);
        told_apart(&m, &run, &other)
    };
    let nameless = ALL.map(|by| if let By::Control(_, true) = by { Some(by) } else { None });
    let nameless: Vec<By> = nameless.into_iter().flatten().collect();
    assert_eq!(exchanged("k(n):[await x==0; x=1][x=n]"), without(&nameless));
    // The lock holds the name of its owner.
    assert_eq!(exchanged("k(n):[lock x][x=n]"), ALL);
    assert_eq!(exchanged("k(n):[y=n][lock x]"), ALL);
}

#[test]
fn what_a_finished_task_knew_is_seen_unless_only_positions_count() {
    let m = machine("p0:[spawn k] p1:[x=1] k:[l=x]");
    let (early, late) = (after(&m, &[(0, 0), (2, 0), (1, 0)]), after(&m, &[(0, 0), (1, 0), (2, 0)]));
    let positions = [By::Control(Knowledge::Positions, false), By::Control(Knowledge::Positions, true)];
    assert_eq!(told_apart(&m, &early, &late), without(&positions));
}

/// The parts of the fingerprint that are kept while steps are taken are what the cells say.
#[test]
fn the_parts_that_are_kept_are_those_that_could_be_computed() {
    let m = machine(
        "init a[2]; p0:[spawn k(1); x @+ 1][choose l 3; a[l]=1][spawn k(2)] p1:[await x>0; x=7][l=1/(x-7)] k(n):[l=x; a[0]=n][spawn e] e:[]",
    );
    let mut random = 1u64;
    for _ in 0..500 {
        let (mut run, mut pending) = (m.start(), Vec::new());
        loop {
            let own = |p: Process| m.own_cells(&run, m.slot(p));
            let shared = (0..m.shared).fold(0, |f, i| f ^ m.shared_key.cell(i).hash(run.cells[i]));
            let tasks = run.spawned.iter().fold(0, |f, p| f ^ own(Process(*p)));
            let all = m.processes(&run).fold(shared, |f, p| f ^ own(p));
            assert_eq!((run.fingerprint, run.shared, run.tasks), (all, shared, tasks));
            let ended = |p: &&u32| run.cells[m.slot(Process(**p)).base as usize] < 0;
            let finished = run.spawned.iter().filter(ended).fold(0u128, |sum, p| {
                sum.wrapping_add(super::comparable::scatter(m.nameless_cells(&run, m.slot(Process(*p)))))
            });
            assert_eq!(run.finished, finished);
            let live: Vec<u32> = run.spawned.iter().filter(|p| !ended(p)).copied().collect();
            assert_eq!(run.live, live);
            pending.clear();
            m.pending(&run, &mut pending);
            pending.retain(|p| p.enabled);
            if pending.is_empty() {
                break;
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let next = pending[(random >> 33) as usize % pending.len()].transition;
            m.step(&mut run, next, &mut Effects::default());
        }
    }
}

/// A copy into an old run is the run.
#[test]
fn copies_have_every_part() {
    let m = machine("p0:[spawn k][x=1] k:[l=x]");
    let (old, new) = (after(&m, &[(0, 0), (1, 0)]), after(&m, &[(0, 0), (0, 0)]));
    for (from, to) in [(&m.start(), &old), (&new, &m.start()), (&new, &old), (&old, &new)] {
        let mut copy = to.clone();
        assert_eq!(copy, *to);
        copy.clone_from(from);
        assert_eq!(copy, *from);
    }
}

#[test]
fn every_way_to_fail_has_a_position_of_its_own() {
    let machine = Machine::parse("init x, a[2], b[2]; p(l):[assert x][assert x; assert l][l=a[x]+b[x]][l=1/x][assert l]").unwrap();
    let mut positions: Vec<i32> = Vec::new();
    for step in &machine.bodies[0].steps {
        let assertions = (0..step.asserts.len()).map(|id| Fault::Assertion(id as u32));
        let outside = step.arrays.iter().map(|base| Fault::OutOfBounds { base: *base, index: 2 });
        let ways = assertions.chain(outside).chain([Fault::DivisionByZero]);
        positions.extend(ways.map(|fault| step.failed_at(fault)));
    }
    let all = positions.len();
    positions.sort_unstable();
    positions.dedup();
    assert_eq!((all, positions.len()), (11, 11));
    assert!(positions.iter().all(|position| *position <= FAILED));
}
