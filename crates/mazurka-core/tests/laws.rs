//! Each law is found broken in a program that breaks it, and none in the same program when it tells the truth.

use mazurka_core::laws::{Broken, Effort, Law, Walked, check};
use mazurka_core::*;
use std::cell::Cell;

/// Six processes over x, y and z, which lie to the engine about one thing, if at all:
/// 0 writes x; 1 waits for x and writes y; 2 writes z, or, if x is still 0, writes z as well; 3 starts 4, which asserts y == 1; 5 writes y.
struct Liar {
    lie: Option<Law>,
    steps: Cell<u32>,
}

#[derive(Clone)]
struct Run {
    values: [u32; 3],
    counters: [u32; 6],
    born: bool,
}

const X: Location = Location(0);
const Y: Location = Location(1);
const Z: Location = Location(2);

impl Liar {
    fn lies(&self, law: Law) -> bool {
        self.lie == Some(law)
    }
}

fn transition(process: u32, choice: u32) -> Transition {
    Transition {
        process: Process(process),
        choice,
    }
}

impl Program for Liar {
    type Run = Run;

    fn start(&self) -> Run {
        Run {
            values: [0; 3],
            counters: [0; 6],
            born: false,
        }
    }

    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        for process in (0..6).filter(|&p| run.counters[p as usize] == 0 && (p != 4 || run.born)) {
            let x = run.values[0];
            let mut list = |choice, enabled| {
                out.push(Pending {
                    transition: transition(process, choice),
                    enabled,
                });
            };
            match process {
                1 => list(0, x == 1),
                2 => {
                    list(0, true);
                    let hidden = match self.lie {
                        Some(Law::Listing) => run.values[1] > 0,
                        Some(Law::StaticAlternatives) => x > 0,
                        _ => false,
                    };
                    if !hidden {
                        list(1, x == 0);
                    }
                }
                _ => list(0, true),
            }
            if self.lies(Law::Pending) {
                list(0, true);
            }
        }
    }

    fn footprint(&self, run: &Run, t: Transition, out: &mut Footprint) {
        match (t.process.0, t.choice) {
            (0, _) if self.lies(Law::StaticFootprints) && run.values[1] > 0 => out.may_write(X),
            (0, _) => out.write(X),
            (1, _) => {
                if self.lies(Law::Enabledness) {
                    out.read(X);
                } else {
                    out.guard(X);
                }
                out.write(Y);
            }
            (2, choice) => {
                if choice == 1 || !self.lies(Law::Alternatives) {
                    out.guard(X);
                }
                out.write(Z);
                if choice == 1 && self.lies(Law::StaticAlternatives) {
                    out.may_write(Y);
                }
                out.monotone_guard = self.lies(Law::MonotoneGuard);
            }
            (4, _) => out.read(Y),
            (5, _) => out.write(Y),
            _ => {}
        }
    }

    fn step(&self, run: &mut Run, t: Transition, effects: &mut Effects) {
        self.steps.set(self.steps.get() + 1);
        let p = t.process.index();
        run.counters[p] = u32::from(!self.lies(Law::Termination) || p != 3 || run.born);
        match p {
            0 if self.lies(Law::Perturbation) => run.values[0] = 1 + run.values[2] / 8,
            0 => run.values[0] = 1,
            1 => run.values[1] = 1,
            2 => run.values[2] = 5 + t.choice,
            3 if !self.lies(Law::Termination) => {
                run.born = true;
                if self.lies(Law::Independence) {
                    run.values[2] = 1;
                }
                if !self.lies(Law::Births) {
                    effects.births.push(Process(4));
                }
            }
            4 if run.values[1] != 1 => {
                effects.failure = Some(Failure {
                    kind: FailureKind::Assertion,
                    message: "y is not 1".to_owned(),
                    at: None,
                });
            }
            5 => run.values[1] = 2,
            _ => {}
        }
        if self.lies(Law::Determinism) && p == 5 {
            run.values[1] = self.steps.get();
        }
        if self.lies(Law::Touched) && p == 5 {
            effects.touched.read(Z);
        }
    }

    fn fingerprint(&self, run: &Run) -> u128 {
        let hidden = |at: usize| at == 1 && self.lies(Law::EqualStates);
        let cells = (0..3).map(|at| if hidden(at) { 0 } else { run.values[at] }).chain(run.counters);
        cells.fold(u128::from(run.born), |sum, cell| sum * 16 + u128::from(cell))
    }

    fn live_fingerprint(&self, run: &Run) -> u128 {
        let mut live = run.clone();
        if self.lies(Law::EqualLiveStates) {
            live.values[1] = 0;
        }
        !self.fingerprint(&live)
    }

    fn future(&self, _: &Run, process: Process, out: &mut Footprint) -> bool {
        match process.0 {
            3 if self.lies(Law::Future) => {}
            3 => out.read(Y),
            _ => return false,
        }
        true
    }

    fn may_guard(&self, location: Location) -> bool {
        location == X && !self.lies(Law::MayGuard)
    }

    fn guard_reads(&self, _: &Run, t: Transition, out: &mut Footprint) -> bool {
        if t.process.0 == 1 {
            out.read(if self.lies(Law::GuardReads) { Y } else { X });
        }
        // Who hides a guard does not show what it reads.
        !self.lies(Law::Enabledness)
    }

    fn perturb(&self, run: &mut Run, location: Location, _: u64) -> bool {
        let can = location == Z && !self.lies(Law::Independence);
        if can {
            run.values[2] += 8;
        }
        can
    }

    fn features(&self) -> Features {
        Features {
            one_location_per_step: self.lies(Law::OneLocation),
            actors: self.lies(Law::Actors),
            ..Features::default()
        }
    }
}

fn checked(lie: Option<Law>) -> Result<Walked, Broken> {
    let steps = Cell::new(0);
    check(&Liar { lie, steps }, &Effort::default())
}

#[test]
fn who_tells_the_truth_is_believed() {
    let walked = checked(None).unwrap_or_else(|broken| panic!("{broken}"));
    assert!(walked.states > 50, "{walked:?}");
}

#[test]
fn each_broken_law_is_found() {
    for law in Law::ALL {
        match checked(Some(law)) {
            Ok(walked) => panic!("not found: {law} ({walked:?})"),
            Err(broken) => assert_eq!(broken.law, law, "{broken}"),
        }
    }
}
