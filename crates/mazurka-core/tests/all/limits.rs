//! Limits end a search early, say which one it was, and never turn into a wrong verdict. A paused search goes on where it was.

use crate::support::{Collect, Rng, Script, Seen, Step, explore, random_script};
use mazurka_core::*;
use std::time::Duration;

fn writers(n: usize) -> Script {
    let write = |v| Step {
        writes: vec![(0, v)],
        ..Step::default()
    };
    Script {
        processes: (0..n).map(|i| vec![write(i as i64)]).collect(),
    }
}

fn limited(limits: Limits) -> Outcome {
    let script = writers(6);
    let options = Options::new(Algorithm::parse("optimal").unwrap()).limits(limits);
    let mut search = search(&script, &options, Unobserved).unwrap();
    while search.advance(1000) == Status::Running {}
    search.outcome()
}

#[test]
fn no_limit_is_complete() {
    let outcome = limited(Limits::default());
    assert_eq!(
        (outcome.verdict, outcome.limit, outcome.counts.executions),
        (Verdict::Complete, None, 720)
    );
}

#[test]
fn each_limit_names_itself() {
    let executions = limited(Limits::default().executions(17));
    assert_eq!(
        (executions.verdict, executions.limit, executions.counts.executions),
        (Verdict::Incomplete, Some(Limit::Executions), 17)
    );
    let depth = limited(Limits::default().depth(3));
    assert_eq!(
        (depth.verdict, depth.limit, depth.counts.executions),
        (Verdict::Incomplete, Some(Limit::Depth), 0)
    );
    let time = limited(Limits::default().time(Duration::ZERO));
    assert_eq!((time.verdict, time.limit), (Verdict::Incomplete, Some(Limit::Time)));
    let memory = limited(Limits::default().memory(1));
    assert_eq!((memory.verdict, memory.limit), (Verdict::Incomplete, Some(Limit::Memory)));
}

#[test]
fn a_limit_that_is_just_enough_is_no_limit() {
    let outcome = limited(Limits::default().executions(720).depth(6));
    assert_eq!(
        (outcome.verdict, outcome.limit, outcome.counts.executions),
        (Verdict::Complete, None, 720)
    );
}

#[test]
fn an_observer_is_told_every_step() {
    struct Steps(u64);
    impl Observer<<Script as Program>::State> for &mut Steps {
        fn step(&mut self, _: usize, _: Transition) {
            self.0 += 1;
        }
    }
    for algorithm in ["naive", "dpor", "source", "optimal", "source+context", "source+merge"] {
        let (script, mut steps) = (writers(3), Steps(0));
        let mut search = search(&script, &Options::new(Algorithm::parse(algorithm).unwrap()), &mut steps).unwrap();
        while search.advance(1000) == Status::Running {}
        let taken = search.outcome().counts.steps;
        drop(search);
        assert_eq!(steps.0, taken, "{algorithm}");
    }
}

#[test]
fn no_execution_is_longer_than_the_depth_limit() {
    struct Longest(u64);
    impl Observer<<Script as Program>::State> for &mut Longest {
        fn step(&mut self, depth: usize, _: Transition) {
            self.0 = self.0.max(depth as u64 + 1);
        }
    }
    let mut rng = Rng(3);
    for _ in 0..200 {
        let script = random_script(&mut rng, true, true);
        for algorithm in ["source", "optimal", "optimal+observers", "optimal+context"] {
            let mut longest = Longest(0);
            let limits = Limits::default().depth(4);
            let options = Options::new(Algorithm::parse(algorithm).unwrap()).limits(limits).keep_going(true);
            let mut search = search(&script, &options, &mut longest).unwrap();
            while search.advance(1000) == Status::Running {}
            drop(search);
            assert!(longest.0 <= 4, "{algorithm} {script:?}");
        }
    }
}

/// Three processes; the last one is gone once the middle one has moved twice in the course of the search.
#[derive(Default)]
struct Fickle(std::cell::Cell<u32>);

impl Program for Fickle {
    type State = [bool; 3];

    fn start(&self) -> [bool; 3] {
        [false; 3]
    }

    fn pending(&self, state: &[bool; 3], out: &mut Vec<Pending>) {
        let there = |p: u32| !state[p as usize] && (p < 2 || self.0.get() < 2);
        out.extend((0..3).filter(|p| there(*p)).map(|p| Pending {
            transition: Transition::of(Process(p)),
            enabled: true,
        }));
    }

    fn footprint(&self, _: &[bool; 3], t: Transition, out: &mut Footprint) {
        out.overwrite(Location(t.process.0 % 2));
    }

    fn step(&self, state: &mut [bool; 3], t: Transition, _: &mut Effects) {
        self.0.set(self.0.get() + u32::from(t.process.0 == 1));
        state[t.process.index()] = true;
    }

    fn fingerprint(&self, state: &[bool; 3]) -> u128 {
        state.iter().fold(0, |f, done| f << 1 | u128::from(*done))
    }

    fn features(&self) -> Features {
        Features {
            terminating: true,
            ..Features::STATIC
        }
    }
}

#[test]
fn a_program_that_does_not_always_do_the_same_is_reported() {
    let program = Fickle::default();
    let mut search = search(&program, &Options::new(Algorithm::parse("optimal").unwrap()), Unobserved).unwrap();
    while search.advance(10) == Status::Running {}
    let outcome = search.outcome();
    assert_eq!(outcome.verdict, Verdict::Violation);
    assert_eq!(outcome.failures[0].failure.kind, FailureKind::Nondeterminism);
    assert_eq!(
        outcome.failures[0].schedule,
        [Transition::of(Process(1))],
        "the step after this one was planned"
    );
}

#[test]
fn an_interrupted_search_is_incomplete() {
    let script = writers(5);
    let mut search = search(&script, &Options::new(Algorithm::parse("source").unwrap()), Unobserved).unwrap();
    assert_eq!(search.advance(10), Status::Running);
    search.interrupt();
    assert_eq!(search.advance(10), Status::Done);
    let outcome = search.outcome();
    assert_eq!((outcome.verdict, outcome.limit), (Verdict::Incomplete, Some(Limit::Interrupt)));
}

#[test]
fn a_search_paused_after_every_step_finds_the_same() {
    let mut rng = Rng(5);
    for algorithm in ["naive", "dpor", "source", "optimal", "optimal+observers"] {
        for _ in 0..20 {
            let script = random_script(&mut rng, true, true);
            let (whole, outcome) = explore(&script, algorithm, Order::Fifo, false);
            let mut seen = Seen::default();
            let options = Options::new(Algorithm::parse(algorithm).unwrap())
                .keep_going(true)
                .deadlock_is_error(false);
            let mut search = search(&script, &options, Collect(&script, &mut seen)).unwrap();
            while search.advance(1) == Status::Running {
                assert!(search.progress().counts.states >= 1);
            }
            assert_eq!(search.outcome(), outcome, "{algorithm} {script:?}");
            drop(search);
            assert_eq!(seen, whole, "{algorithm} {script:?}");
        }
    }
}

#[test]
fn replay_and_snapshots_find_the_same() {
    let mut rng = Rng(9);
    for algorithm in ["naive", "dpor", "source", "optimal", "optimal+observers"] {
        for _ in 0..20 {
            let script = random_script(&mut rng, true, true);
            let (kept, by_snapshots) = explore(&script, algorithm, Order::Fifo, false);
            let (rebuilt, mut by_replay) = explore(&script, algorithm, Order::Fifo, true);
            assert_eq!(kept, rebuilt, "{algorithm} {script:?}");
            assert!(by_replay.counts.extra_steps >= by_snapshots.counts.extra_steps);
            by_replay.counts.extra_steps = by_snapshots.counts.extra_steps;
            assert_eq!(by_replay, by_snapshots, "{algorithm} {script:?}");
        }
    }
}

/// A program whose only step panics.
struct Panics;

impl Program for Panics {
    type State = bool;

    fn start(&self) -> bool {
        false
    }

    fn pending(&self, state: &bool, out: &mut Vec<Pending>) {
        if !state {
            out.push(Pending {
                transition: Transition::of(Process(0)),
                enabled: true,
            });
        }
    }

    fn footprint(&self, _: &bool, _: Transition, out: &mut Footprint) {
        out.overwrite(Location(0));
    }

    fn step(&self, _: &mut bool, _: Transition, _: &mut Effects) {
        panic!("out of cheese");
    }

    fn fingerprint(&self, state: &bool) -> u128 {
        u128::from(*state)
    }

    fn features(&self) -> Features {
        Features {
            terminating: true,
            ..Features::STATIC
        }
    }
}

#[test]
fn a_panic_in_user_code_is_a_failure_of_the_program_under_test() {
    for replay in [false, true] {
        let options = Options::new(Algorithm::parse("optimal").unwrap()).replay(replay).keep_going(true);
        let mut search = search(&Panics, &options, Unobserved).unwrap();
        while search.advance(10) == Status::Running {}
        let outcome = search.outcome();
        assert_eq!(outcome.verdict, Verdict::Violation);
        assert_eq!(outcome.failures[0].failure.kind, FailureKind::Panic);
        assert_eq!(outcome.failures[0].failure.message, "out of cheese");
        assert_eq!(outcome.failures[0].schedule, [Transition::of(Process(0))]);
    }
}

impl StateSpace for Panics {}

#[test]
fn a_panic_is_a_failure_in_a_stateful_search_too() {
    for shortest in [false, true] {
        let options = Options::new(Algorithm::parse("stateful").unwrap()).keep_going(true);
        let stateful = StatefulOptions::default().shortest(shortest);
        let mut search = stateful_search(&Panics, &options, stateful).unwrap();
        while search.advance(10) == Status::Running {}
        let outcome = search.outcome();
        assert_eq!((outcome.verdict, outcome.counts.states), (Verdict::Violation, 1));
        assert_eq!(outcome.failures[0].failure.message, "out of cheese");
        assert_eq!(outcome.failures[0].schedule, [Transition::of(Process(0))]);
    }
}
