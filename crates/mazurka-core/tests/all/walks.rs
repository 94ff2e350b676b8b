//! Walking by hand: what is seen at each place, and that ways are found exactly where there are any, against all executions.

use crate::schedules::{Op, Threads, schedule};
use mazurka_core::schedule::{CannotBeTaken, Goal, Walk, Way};
use mazurka_core::{Effects, FailureKind, Pending, Process, Program, Transition};
use std::collections::BTreeMap;

/// Two threads that take two locks in opposite orders.
fn crossed() -> Threads {
    let thread = |a, b| vec![Op::Lock(a), Op::Lock(b), Op::Unlock(b), Op::Unlock(a)];
    Threads(vec![thread(0, 1), thread(1, 0)])
}

fn never() -> bool {
    false
}

#[test]
fn at_a_deadlock_everything_says_why_it_cannot_be_taken_and_another_way_ends_well() {
    let program = crossed();
    let mut walk = Walk::new(&program);
    let Way::Found(way) = walk.way_to(Goal::Failure { deadlock: true }, 1000, &never) else {
        panic!("there is a deadlock")
    };
    walk.follow(&way);
    let here = walk.here();
    assert_eq!(here.recording.failure.as_ref().map(|f| f.kind), Some(FailureKind::Deadlock));
    assert_eq!(here.recording.waits.len(), 2);
    let blocked: Vec<_> = here
        .moves
        .iter()
        .map(|m| (m.text.label.as_str(), m.enabled, m.reads.clone()))
        .collect();
    let because = |name: &str, value: &str| vec![(name.to_owned(), Some(value.to_owned()))];
    assert_eq!(
        blocked,
        [("lock v1", false, because("v1", "2")), ("lock v0", false, because("v0", "1"))]
    );
    assert_eq!(walk.take(here.moves[0].transition), Err(CannotBeTaken(here.moves[0].transition)));
    assert_eq!(walk.way_to(Goal::GoodEnd, 1000, &never), Way::None, "from here nothing ends well");

    walk.back_to(1);
    let moves = walk.here().moves;
    assert_eq!(moves.iter().filter(|m| m.enabled).count(), 2);
    walk.take(moves[0].transition).expect("the first thread goes on");
    assert_eq!(walk.way_to(Goal::Failure { deadlock: true }, 1000, &never), Way::None);
    let Way::Found(way) = walk.way_to(Goal::GoodEnd, 1000, &never) else {
        panic!("there is a good end")
    };
    walk.follow(&way);
    let here = walk.here();
    assert!(here.moves.is_empty() && here.recording.failure.is_none());
    assert_eq!(walk.taken().len(), 8);
}

#[test]
fn the_same_end_is_reached_from_elsewhere_and_running_on_stops_at_ends() {
    let program = Threads(vec![vec![Op::Write(0, 1)], vec![Op::Write(0, 2), Op::Local]]);
    let mut walk = Walk::along(&program, &schedule(&[1, 1, 0])).expect("a schedule");
    let end = walk.fingerprint();
    walk.back_to(0);
    assert_eq!(walk.way_to(Goal::End(end), 1000, &never), Way::Found(schedule(&[1, 0, 1])));
    assert_eq!(walk.way_to(Goal::End(end), 1, &never), Way::GivenUp(2));
    assert_eq!(walk.way_to(Goal::End(end), 1000, &|| true), Way::GivenUp(1));
    assert_eq!(walk.run_on(2), 2);
    assert_eq!((walk.run_on(100), walk.run_on(100)), (1, 0));
    assert!(Walk::along(&program, &schedule(&[0, 0])).is_err());
}

/// The lengths of the shortest executions to each kind of goal, by brute force: every schedule is followed.
#[derive(Default)]
struct Shortest {
    failure: Option<usize>,
    good_end: Option<usize>,
    ends: BTreeMap<u128, usize>,
}

impl Shortest {
    fn of(program: &Threads) -> Self {
        let mut found = Shortest::default();
        found.follow(program, &program.start(), 0, true);
        found
    }

    fn follow(&mut self, program: &Threads, state: &<Threads as Program>::State, depth: usize, good: bool) {
        let shorter = |old: &mut Option<usize>| *old = Some(old.map_or(depth, |o| o.min(depth)));
        let mut pending: Vec<Pending> = Vec::new();
        program.pending(state, &mut pending);
        if !pending.iter().any(|p| p.enabled) {
            let mut failures = Vec::new();
            program.failures_at_end(state, &mut failures);
            if !failures.is_empty() {
                shorter(&mut self.failure);
            } else if good {
                shorter(&mut self.good_end);
            }
            let best = self.ends.entry(program.fingerprint(state)).or_insert(depth);
            *best = depth.min(*best);
        }
        for p in pending.iter().filter(|p| p.enabled) {
            let (mut after, mut effects) = (state.clone(), Effects::default());
            program.step(&mut after, p.transition, &mut effects);
            let fails = effects.failure.is_some();
            if fails {
                self.failure = Some(self.failure.map_or(depth + 1, |old| old.min(depth + 1)));
            }
            self.follow(program, &after, depth + 1, good && !fails);
        }
    }
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn program(&mut self) -> Threads {
        let op = |dice: &mut Dice| {
            let variable = dice.roll(2) as u32;
            let value = dice.roll(2) as i32;
            match dice.roll(7) {
                0 => Op::Local,
                1 | 2 => Op::Write(variable, value),
                3 => Op::Increment(variable),
                4 => Op::Assert(variable, value),
                5 => Op::Lock(2 + variable),
                _ => Op::Unlock(2 + variable),
            }
        };
        let threads = 2 + self.roll(2);
        Threads((0..threads).map(|_| (0..1 + self.roll(3)).map(|_| op(self)).collect()).collect())
    }
}

#[test]
fn ways_are_found_where_there_are_any_and_are_shortest() {
    let mut dice = Dice(2026);
    let mut counts = [0; 3];
    let programs = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    for _ in 0..programs {
        let program = dice.program();
        let expected = Shortest::of(&program);
        let walk = Walk::new(&program);
        let length = |goal| match walk.way_to(goal, usize::MAX, &never) {
            Way::Found(way) => {
                let mut there = Walk::along(&program, &way).expect("a way can be gone");
                match goal {
                    Goal::Failure { .. } => assert!(there.here().recording.failure.is_some()),
                    Goal::GoodEnd => assert!(there.here().recording.failure.is_none() && there.here().moves.is_empty()),
                    Goal::End(end) => assert_eq!(there.fingerprint(), end),
                }
                assert_eq!(there.run_on(0), 0);
                Some(way.len())
            }
            Way::None => None,
            Way::GivenUp(_) => unreachable!("there is no limit"),
        };
        assert_eq!(length(Goal::Failure { deadlock: true }), expected.failure, "{:?}", program.0);
        assert_eq!(length(Goal::GoodEnd), expected.good_end, "{:?}", program.0);
        for (&end, &steps) in &expected.ends {
            assert_eq!(length(Goal::End(end)), Some(steps), "{:?}", program.0);
        }
        counts[0] += usize::from(expected.failure.is_some());
        counts[1] += usize::from(expected.good_end.is_none());
        counts[2] += expected.ends.len();
    }
    assert!(
        counts[0] > programs / 4 && counts[1] > programs / 20 && counts[2] > programs,
        "all cases occur: {counts:?}"
    );
}

#[test]
fn what_is_not_pending_cannot_be_taken() {
    let program = crossed();
    let mut walk = Walk::new(&program);
    let nobody = Transition::of(Process(7));
    assert_eq!(walk.take(nobody), Err(CannotBeTaken(nobody)));
    assert!(walk.taken().is_empty());
}
