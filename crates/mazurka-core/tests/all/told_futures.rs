//! What is said of the future of a process holds for all of it: what comes much later, and guards as guards.

use mazurka_core::laws::{Effort, Law, check};
use mazurka_core::*;

const Y: Location = Location(0);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    TheTruth,
    /// At first, nothing of what it does in the end.
    TooLittleAtFirst,
    /// That it reads what it waits for.
    NoGuard,
    /// At first nothing; but what it touches is not there before.
    NothingOfWhatIsToCome,
}

/// Process 0 takes two steps that touch nothing, and then waits for y. Process 1 sets y; if it is there only later, process 0 starts it.
struct Waiter(Says);

#[derive(Clone)]
struct State {
    steps: [u32; 2],
    born: bool,
    y: bool,
}

impl Program for Waiter {
    type State = State;

    fn start(&self) -> State {
        State {
            steps: [0; 2],
            born: self.0 != Says::NothingOfWhatIsToCome,
            y: false,
        }
    }

    fn pending(&self, state: &State, out: &mut Vec<Pending>) {
        for (process, steps) in [(0, 3), (1, 1)] {
            if state.steps[process as usize] < steps && (process == 0 || state.born) {
                out.push(Pending {
                    transition: Transition::of(Process(process)),
                    enabled: process == 1 || state.steps[0] < 2 || state.y,
                });
            }
        }
    }

    fn footprint(&self, state: &State, t: Transition, out: &mut Footprint) {
        match t.process.0 {
            0 if state.steps[0] == 2 => out.guard(Y),
            1 => out.update(Y),
            _ => {}
        }
    }

    fn step(&self, state: &mut State, t: Transition, effects: &mut Effects) {
        state.steps[t.process.index()] += 1;
        if t.process.0 == 1 {
            state.y = true;
        } else if !state.born {
            state.born = true;
            effects.births.push(Process(1));
        }
    }

    fn fingerprint(&self, state: &State) -> u128 {
        u128::from(state.steps[0] << 4 | state.steps[1] << 2 | u32::from(state.born) << 1 | u32::from(state.y))
    }

    fn features(&self) -> Features {
        Features::STATIC
    }

    fn insights(&self) -> Insights<'_, State> {
        Insights {
            futures: Some(self),
            ..Insights::default()
        }
    }
}

impl Futures<State> for Waiter {
    fn future(&self, state: &State, process: Process, out: &mut Footprint) -> bool {
        match (process.0, self.0) {
            (0, Says::TooLittleAtFirst | Says::NothingOfWhatIsToCome) if state.steps[0] == 0 => {}
            (0, Says::NoGuard) => out.read(Y),
            (0, _) => {
                out.guard(Y);
                out.update(Y);
            }
            _ => out.update(Y),
        }
        true
    }
}

fn broken(says: Says) -> Option<Law> {
    check(&Waiter(says), &Effort::default()).err().map(|broken| broken.law)
}

#[test]
fn what_is_said_of_a_future_holds_for_all_that_comes_later() {
    assert_eq!(broken(Says::TheTruth), None);
    assert_eq!(broken(Says::TooLittleAtFirst), Some(Law::Future));
}

#[test]
fn what_will_be_waited_for_is_said_to_be_a_guard() {
    assert_eq!(broken(Says::NoGuard), Some(Law::Future));
}

#[test]
fn what_nobody_could_touch_so_far_need_not_be_said() {
    assert_eq!(broken(Says::NothingOfWhatIsToCome), None);
}
