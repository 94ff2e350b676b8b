//! Each law is found broken in a program that breaks it, and none in the same program when it tells the truth.

use mazurka_core::laws::{Broken, Effort, Law, Walked, check, check_replayed, check_states};
use mazurka_core::*;
use std::cell::Cell;

/// Six processes over x, y and z, which lie to the engine about one thing, if at all:
/// 0 writes x; 1 waits for x and writes y; 2 writes z, or, if x is still 0, writes z as well; 3 starts 4, which asserts y == 1; 5 writes y.
struct Liar {
    lie: Option<Law>,
    steps: Cell<u32>,
}

#[derive(Clone)]
struct State {
    values: [u32; 3],
    counters: [u32; 6],
    born: bool,
    /// Who has moved, in order.
    moved: Vec<u32>,
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
    type State = State;

    fn start(&self) -> State {
        State {
            values: [0; 3],
            counters: [0; 6],
            born: false,
            moved: Vec::new(),
        }
    }

    fn pending(&self, state: &State, out: &mut Vec<Pending>) {
        for process in (0..6).filter(|&p| state.counters[p as usize] == 0 && (p != 4 || state.born)) {
            let x = state.values[0];
            let mut list = |choice, enabled| {
                out.push(Pending {
                    transition: transition(process, choice),
                    enabled,
                });
            };
            match process {
                1 => list(0, x == 1),
                2 if x > 0 && self.lies(Law::Waiting) => {}
                2 => {
                    list(0, true);
                    let hidden = match self.lie {
                        Some(Law::Listing) => state.values[1] > 0,
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

    fn footprint(&self, state: &State, t: Transition, out: &mut Footprint) {
        match (t.process.0, t.choice) {
            (0, _) if self.lies(Law::StaticFootprints) && state.values[1] > 0 => out.update(X),
            (0, _) => out.overwrite(X),
            (1, _) => {
                if self.lies(Law::Enabledness) {
                    out.read(X);
                } else {
                    out.guard(X);
                }
                out.overwrite(Y);
            }
            (2, choice) => {
                if choice == 1 || !self.lies(Law::Alternatives) {
                    out.guard(X);
                }
                out.overwrite(Z);
                if choice == 1 && self.lies(Law::StaticAlternatives) {
                    out.update(Y);
                }
                out.monotone_guard = self.lies(Law::MonotoneGuard);
            }
            (4, _) => out.read(Y),
            (5, _) => out.overwrite(Y),
            _ => {}
        }
    }

    fn step(&self, state: &mut State, t: Transition, effects: &mut Effects) {
        self.steps.set(self.steps.get() + 1);
        let p = t.process.index();
        state.moved.push(t.process.0);
        state.counters[p] = u32::from(!self.lies(Law::Termination) || p != 3 || state.born);
        match p {
            0 if self.lies(Law::Perturbation) => state.values[0] = 1 + state.values[2] / 8,
            0 => state.values[0] = 1,
            1 => state.values[1] = 1,
            2 if self.lies(Law::Overwriting) => state.values[2] = 5 + t.choice + state.values[2] / 8,
            2 => state.values[2] = 5 + t.choice,
            3 if !self.lies(Law::Termination) => {
                state.born = true;
                if self.lies(Law::Independence) {
                    state.values[2] = 1;
                }
                if !self.lies(Law::Births) {
                    effects.births.push(Process(4));
                }
            }
            4 if state.values[1] != 1 => {
                effects.failure = Some(Failure {
                    kind: FailureKind::Assertion,
                    message: "y is not 1".to_owned(),
                    at: None,
                });
            }
            5 => state.values[1] = 2,
            _ => {}
        }
        if self.lies(Law::Determinism) && p == 5 {
            state.values[1] = self.steps.get();
        }
        if self.lies(Law::Touched) && p == 5 {
            effects.touched.read(Z);
        }
    }

    fn fingerprint(&self, state: &State) -> u128 {
        let hidden = |at: usize| at == 1 && self.lies(Law::EqualStates);
        let cells = (0..3).map(|at| if hidden(at) { 0 } else { state.values[at] }).chain(state.counters);
        cells.fold(u128::from(state.born), |sum, cell| sum * 16 + u128::from(cell))
    }

    fn features(&self) -> Features {
        Features {
            one_location_per_step: self.lies(Law::OneLocation),
            actors: self.lies(Law::Actors),
            terminating: true,
            ..Features::STATIC
        }
    }

    fn insights(&self) -> Insights<'_, State> {
        Insights {
            futures: Some(self),
            guard_locations: Some(self),
            liveness: Some(self),
            instruments: Some(self),
            enabling: (self.lie.is_none() || self.lies(Law::Enabling)).then_some(self as _),
            ..Insights::default()
        }
    }
}

impl Liveness<State> for Liar {
    fn live_fingerprint(&self, state: &State) -> u128 {
        let mut live = state.clone();
        if self.lies(Law::EqualLiveStates) {
            live.values[1] = 0;
        }
        !self.fingerprint(&live)
    }
}

impl Futures<State> for Liar {
    fn future(&self, _: &State, process: Process, out: &mut Footprint) -> bool {
        match process.0 {
            3 if self.lies(Law::Future) => {}
            3 => out.read(Y),
            _ => return false,
        }
        true
    }
}

impl GuardLocations for Liar {
    fn may_guard(&self, location: Location) -> bool {
        location == X && !self.lies(Law::MayGuard)
    }
}

impl Enabling<State> for Liar {
    fn enabled_after(&self, state: &State, kept: &[u32], t: Transition) -> bool {
        let x = kept.iter().any(|at| state.moved[*at as usize] == 0);
        match (t.process.0, t.choice) {
            (1, _) => x || self.lies(Law::Enabling),
            (2, 1) => !x,
            _ => true,
        }
    }
}

impl Instruments<State> for Liar {
    fn guard_reads(&self, _: &State, t: Transition, out: &mut Footprint) -> bool {
        if t.process.0 == 1 {
            out.read(if self.lies(Law::GuardReads) { Y } else { X });
        }
        // Who hides a guard does not show what it reads.
        !self.lies(Law::Enabledness)
    }

    fn perturb(&self, state: &mut State, location: Location, _: u64) -> bool {
        let can = location == Z && !self.lies(Law::Independence);
        if can {
            state.values[2] += 8;
        }
        can
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

fn checked_by_running_again(lie: Option<Law>) -> Result<Walked, Broken> {
    let steps = Cell::new(0);
    let liar = Liar { lie, steps };
    check_replayed(&liar, &Effort::default(), &|state| liar.fingerprint(state) as u64)
}

#[test]
fn who_tells_the_truth_is_believed_without_copies_too() {
    let walked = checked_by_running_again(None).unwrap_or_else(|broken| panic!("{broken}"));
    assert!(walked.states > 50, "{walked:?}");
}

#[test]
fn each_broken_law_is_found() {
    for law in Law::ALL.into_iter().filter(|law| *law != Law::Enabling) {
        match checked(Some(law)) {
            Ok(walked) => panic!("not found: {law} ({walked:?})"),
            Err(broken) => assert_eq!(broken.law, law, "{broken}"),
        }
    }
}

#[test]
fn broken_laws_are_found_by_running_again() {
    for law in [
        Law::Determinism,
        Law::Enabledness,
        Law::Alternatives,
        Law::Listing,
        Law::Waiting,
        Law::Pending,
        Law::StaticFootprints,
        Law::StaticAlternatives,
        Law::Independence,
        Law::Births,
        Law::MonotoneGuard,
        Law::MayGuard,
        Law::OneLocation,
        Law::Enabling,
    ] {
        match checked_by_running_again(Some(law)) {
            Ok(walked) => panic!("not found: {law} ({walked:?})"),
            Err(broken) => assert_eq!(broken.law, law, "{broken}"),
        }
    }
}

/// One process that turns a switch on and off for ever, and says that it ends.
struct Switch;

impl Program for Switch {
    type State = bool;

    fn start(&self) -> bool {
        false
    }

    fn pending(&self, _: &bool, out: &mut Vec<Pending>) {
        out.push(Pending {
            transition: transition(0, 0),
            enabled: true,
        });
    }

    fn footprint(&self, _: &bool, _: Transition, out: &mut Footprint) {
        out.update(X);
    }

    fn step(&self, state: &mut bool, _: Transition, _: &mut Effects) {
        *state = !*state;
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
fn a_cycle_of_states_is_found_where_every_state_is_visited_once() {
    let law = |found: Result<Walked, Broken>| found.err().map(|broken| broken.law);
    assert_eq!(law(check_states(&Switch, 100, &|| false)), Some(Law::Termination));
    assert_eq!(law(check(&Switch, &Effort::default())), Some(Law::Termination));
    let steps = Cell::new(0);
    assert_eq!(law(check_states(&Liar { lie: None, steps }, 1_000, &|| false)), None);
}
