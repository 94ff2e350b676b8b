//! Schedules are recorded, replayed and made shorter; the race that decides a failure is found.

use mazurka_core::schedule::{Budget, Planned, RaceEnd, Reason, Schedule, minimise, minimise_until, plan, record, replay, switches};
use mazurka_core::{
    Describe, Effects, Failure, FailureKind, Features, Footprint, Location, Pending, Process, Program, StepText, Transition, Wait,
};

/// What a thread of the test program does in one step.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A step of its own.
    Local,
    Write(u32, i32),
    /// Adds one, in one step.
    Increment(u32),
    Lock(u32),
    Unlock(u32),
    /// The variable must have this value.
    Assert(u32, i32),
}

/// Threads that run lists of steps over variables that start at 0; a lock is a variable that holds its owner plus one.
pub struct Threads(pub Vec<Vec<Op>>);

#[derive(Clone)]
pub struct State {
    counters: Vec<usize>,
    variables: [i32; 4],
}

impl Threads {
    fn op(&self, state: &State, process: Process) -> Option<Op> {
        self.0[process.index()].get(state.counters[process.index()]).copied()
    }
}

impl Program for Threads {
    type State = State;

    fn start(&self) -> State {
        State {
            counters: vec![0; self.0.len()],
            variables: [0; 4],
        }
    }

    fn pending(&self, state: &State, out: &mut Vec<Pending>) {
        for p in 0..self.0.len() as u32 {
            if let Some(op) = self.op(state, Process(p)) {
                let enabled = !matches!(op, Op::Lock(l) if state.variables[l as usize] != 0);
                out.push(Pending {
                    transition: Transition::of(Process(p)),
                    enabled,
                });
            }
        }
    }

    fn footprint(&self, state: &State, t: Transition, out: &mut Footprint) {
        match self.op(state, t.process) {
            None | Some(Op::Local) => {}
            Some(Op::Write(x, _) | Op::Unlock(x)) => out.overwrite(Location(x)),
            Some(Op::Increment(x)) => out.update(Location(x)),
            Some(Op::Assert(x, _)) => out.read(Location(x)),
            Some(Op::Lock(x)) => {
                out.guard(Location(x));
                out.overwrite(Location(x));
            }
        }
    }

    fn step(&self, state: &mut State, t: Transition, effects: &mut Effects) {
        let op = self.op(state, t.process);
        state.counters[t.process.index()] += 1;
        match op {
            None | Some(Op::Local) => {}
            Some(Op::Write(x, v)) => state.variables[x as usize] = v,
            Some(Op::Increment(x)) => state.variables[x as usize] += 1,
            Some(Op::Unlock(x)) => state.variables[x as usize] = 0,
            Some(Op::Lock(x)) => state.variables[x as usize] = t.process.0 as i32 + 1,
            Some(Op::Assert(x, v)) => {
                let found = state.variables[x as usize];
                if found != v {
                    effects.failure = Some(Failure {
                        kind: FailureKind::Assertion,
                        message: format!("v{x} is {found}, not {v}"),
                        at: None,
                    });
                }
            }
        }
    }

    fn fingerprint(&self, state: &State) -> u128 {
        let parts = state
            .counters
            .iter()
            .map(|&c| c as u128)
            .chain(state.variables.iter().map(|&v| v as u128));
        parts.fold(7, |hash, part| {
            hash.wrapping_mul(0x1_0000_01b3_0000_0000_0000_0000_0193).wrapping_add(part)
        })
    }

    fn features(&self) -> Features {
        Features {
            terminating: true,
            ..Features::STATIC
        }
    }
}

impl Describe for Threads {
    fn process_key(&self, process: Process) -> String {
        format!("t{}", process.0)
    }

    fn process_name(&self, _: &State, process: Process) -> String {
        format!("thread {}", process.0)
    }

    fn describe(&self, state: &State, t: Transition) -> StepText {
        let label = match self.op(state, t.process) {
            None => "ends".to_owned(),
            Some(Op::Local) => "thinks".to_owned(),
            Some(Op::Write(x, v)) => format!("v{x} = {v}"),
            Some(Op::Increment(x)) => format!("v{x} += 1"),
            Some(Op::Lock(x)) => format!("lock v{x}"),
            Some(Op::Unlock(x)) => format!("unlock v{x}"),
            Some(Op::Assert(x, v)) => format!("assert v{x} == {v}"),
        };
        StepText {
            label,
            ..StepText::default()
        }
    }

    fn location_name(&self, location: Location) -> String {
        format!("v{}", location.0)
    }

    fn waits(&self, state: &State) -> Vec<Wait> {
        let mut waits = Vec::new();
        for p in 0..self.0.len() as u32 {
            if let Some(Op::Lock(l)) = self.op(state, Process(p)) {
                let owner = state.variables[l as usize] - 1;
                waits.push(Wait {
                    process: Process(p),
                    agent: None,
                    what: format!("v{l}"),
                    on: u32::try_from(owner).ok().map(Process),
                    at: None,
                });
            }
        }
        waits
    }

    fn values(&self, state: &State) -> Vec<(String, String)> {
        state
            .variables
            .iter()
            .enumerate()
            .map(|(i, v)| (format!("v{i}"), v.to_string()))
            .collect()
    }
}

pub fn schedule(processes: &[u32]) -> Vec<Transition> {
    processes.iter().map(|&p| Transition::of(Process(p))).collect()
}

/// Two threads that take two locks in opposite orders.
fn crossed() -> Threads {
    let thread = |a, b| vec![Op::Lock(a), Op::Lock(b), Op::Unlock(b), Op::Unlock(a)];
    Threads(vec![thread(0, 1), thread(1, 0)])
}

#[test]
fn a_recording_says_what_changed_and_who_waits_for_whom() {
    let recording = record(&crossed(), &schedule(&[0, 1]), None);
    assert_eq!(recording.steps[0].text.label, "lock v0");
    assert_eq!(recording.steps[0].changes[0].after.as_deref(), Some("1"));
    assert_eq!(
        recording.state_after(2)[..2],
        [("v0".to_owned(), "1".to_owned()), ("v1".to_owned(), "2".to_owned())]
    );
    assert_eq!(recording.cycle, [0, 1]);
    let failure = recording.failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Deadlock);
    assert_eq!(failure.message, "thread 0 waits for v1, thread 1 waits for v0");
}

#[test]
fn the_race_of_a_deadlock_is_a_lock_taken_too_early_for_another() {
    let race = record(&crossed(), &schedule(&[0, 1]), None).race.unwrap();
    assert!(race.decisive);
    assert_eq!((race.first, race.second), (1, RaceEnd::Wait(0)));
    assert_eq!(race.locations, ["v1"]);
}

#[test]
fn the_race_of_an_assertion_is_the_pair_whose_swap_makes_it_hold() {
    // Thread 1 resets the variable between the write and the assertion of thread 0; thread 2 races too, but on something else. The two
    // writes say more than the write and the assertion, which would help too.
    let program = Threads(vec![
        vec![Op::Write(0, 5), Op::Increment(1), Op::Assert(0, 5)],
        vec![Op::Write(0, 0)],
        vec![Op::Increment(1)],
    ]);
    let recording = record(&program, &schedule(&[0, 2, 1, 0, 0]), None);
    let race = recording.race.unwrap();
    assert!(race.decisive);
    assert_eq!((race.first, race.second), (0, RaceEnd::Step(2)));
    assert_eq!(race.locations, ["v0"]);
}

fn written(steps: Vec<Planned>) -> Schedule {
    Schedule {
        repeats: None,
        steps,
        ..Schedule::default()
    }
}

#[test]
fn a_schedule_written_down_replays_exactly() {
    let program = crossed();
    let recording = record(&program, &schedule(&[0, 1]), None);
    let again = replay(&program, &written(plan(&recording)));
    assert!(again.divergences.is_empty());
    assert_eq!(again.recording.failure, recording.failure);
    assert_eq!(again.recording.race, recording.race);
}

#[test]
fn a_replay_of_a_changed_program_says_where_it_diverges_and_goes_on() {
    let steps = plan(&record(&crossed(), &schedule(&[0, 1]), None));
    // The second thread was repaired: it takes the locks in the same order, so it cannot take one here.
    let repaired = Threads(vec![crossed().0[0].clone(), crossed().0[0].clone()]);
    let again = replay(&repaired, &written(steps));
    assert_eq!(again.divergences.len(), 1);
    let divergence = &again.divergences[0];
    assert_eq!((divergence.planned, divergence.after), (1, 1));
    assert_eq!(divergence.reason, Reason::Disabled);
    let offered: Vec<_> = divergence.instead.iter().map(|a| (a.label.as_str(), a.enabled)).collect();
    assert_eq!(offered, [("lock v1", true), ("lock v0", false)]);
    assert_eq!(again.recording.steps.len(), 1);
    assert!(again.recording.failure.is_none());
}

#[test]
fn a_replay_tells_unknown_processes_choices_and_other_labels_apart() {
    let step = |process: &str, choice, label: &str| Planned {
        process: process.to_owned(),
        choice,
        label: label.to_owned(),
    };
    let again = replay(
        &crossed(),
        &written(vec![
            step("t7", 0, ""),
            step("t0", 3, ""),
            step("t0", 0, "lock v9"),
            step("t0", 0, ""),
        ]),
    );
    let reasons: Vec<_> = again.divergences.iter().map(|d| &d.reason).collect();
    assert_eq!(
        reasons,
        [&Reason::NoProcess, &Reason::NoChoice, &Reason::OtherLabel("lock v0".to_owned())]
    );
    assert_eq!(
        again.recording.steps.len(),
        2,
        "the step with the other label was taken, and so was the next"
    );
}

#[test]
fn minimising_drops_what_the_failure_does_not_depend_on() {
    let program = Threads(vec![
        vec![Op::Local, Op::Local, Op::Write(0, 1), Op::Local],
        vec![Op::Local, Op::Increment(1), Op::Increment(1)],
        vec![Op::Increment(1), Op::Assert(0, 0)],
    ]);
    let found = schedule(&[1, 0, 2, 1, 0, 1, 0, 0, 2]);
    let failure = record(&program, &found, None).failure.unwrap();
    let small = minimise(&program, &found, &failure, Budget::default());
    assert_eq!(small.schedule, schedule(&[0, 0, 0, 2, 2]));
    assert_eq!((small.from_steps, small.from_switches), (9, 7));
    assert!(small.best);
    let stopped = minimise_until(&program, &found, &failure, Budget::default(), &|| true);
    assert_eq!(
        (stopped.schedule, stopped.best),
        (found, false),
        "nothing is tried when it is to stop at once"
    );
}

#[test]
fn minimising_without_a_budget_keeps_a_failing_schedule() {
    let program = crossed();
    let found = schedule(&[0, 1]);
    let failure = record(&program, &found, None).failure.unwrap();
    let small = minimise(&program, &found, &failure, Budget::default().steps(0));
    assert_eq!(
        record(&program, &small.schedule, None).failure.map(|f| f.kind),
        Some(FailureKind::Deadlock)
    );
    assert!(!small.best);
}

/// Six threads of 16 steps each: far too many interleavings to search in the budget. The failure needs ten steps of one thread, ten of
/// another and an assertion in a third.
#[test]
fn a_long_schedule_in_a_large_program_comes_close_to_the_shortest() {
    let mut threads: Vec<Vec<Op>> = (0..6)
        .map(|t| {
            (0..16)
                .map(|i| if i % 3 == 0 { Op::Increment(2 + t % 2) } else { Op::Local })
                .collect()
        })
        .collect();
    threads[3][9] = Op::Write(0, 1);
    threads[4][9] = Op::Write(1, 1);
    threads[5][15] = Op::Assert(0, 0);
    let program = Threads(threads);
    let round_robin: Vec<u32> = (0..16).flat_map(|_| 0..6).collect();
    let found = schedule(&round_robin);
    let failure = record(&program, &found, None).failure.unwrap();
    let small = minimise(&program, &found, &failure, Budget::default());
    let shortest = 10 + 16;
    assert!(
        small.schedule.len() * 5 <= shortest * 6,
        "{} steps, at best {shortest}",
        small.schedule.len()
    );
    assert!(switches(&small.schedule) <= 2, "{} switches", switches(&small.schedule));
}

/// Two assertions fail on one schedule, and a thread that waits for a lock is left over.
#[test]
fn of_several_failures_on_one_schedule_the_wanted_one_is_told() {
    let program = Threads(vec![
        vec![Op::Lock(1), Op::Write(0, 1), Op::Assert(0, 0)],
        vec![Op::Local, Op::Assert(0, 7)],
        vec![Op::Local, Op::Lock(1)],
    ]);
    let steps = schedule(&[0, 0, 0, 1, 1, 2]);
    let told = |wanted: Option<&Failure>| {
        let recording = record(&program, &steps, wanted);
        (recording.failing_step(), recording.failure.unwrap())
    };
    let (last, second) = told(None);
    assert_eq!(
        (last, second.kind),
        (Some(4), FailureKind::Assertion),
        "the last of several, if none is wanted"
    );
    let first = record(&program, &steps[..3], None).failure.unwrap();
    assert_ne!(first, second);
    for (wanted, at) in [(&first, Some(2)), (&second, Some(4))] {
        assert_eq!(told(Some(wanted)), (at, wanted.clone()));
    }
    let deadlock = Failure {
        kind: FailureKind::Deadlock,
        message: String::new(),
        at: None,
    };
    let (at, told) = told(Some(&deadlock));
    assert_eq!((at, told.kind), (None, FailureKind::Deadlock));
}
