//! The state space of any program.

use super::states::{States, Successor};
use crate::effects::Effects;
use crate::outcome::Failure;
use crate::program::{Fingerprint, Program};
use crate::running::caught;

/// The states of a program, told apart by [`Program::fingerprint`]. Nothing is known of its text, so it can be searched without reduction
/// only.
#[derive(Clone, Copy, Debug)]
pub struct ProgramStates<'p, P>(pub &'p P);

impl<P: Program<State: Clone>> States for ProgramStates<'_, P> {
    type State = P::State;

    fn start(&self) -> (P::State, Option<Failure>) {
        (self.0.start(), None)
    }

    fn successors(&self, state: &P::State, mut visit: impl FnMut(Successor<'_, P::State>)) {
        let (mut pending, mut effects) = (Vec::new(), Effects::default());
        self.0.pending(state, &mut pending);
        let mut enabled = pending.iter().filter(|p| p.enabled).peekable();
        let Some(mut after) = enabled.peek().map(|_| state.clone()) else {
            return;
        };
        for p in enabled {
            after.clone_from(state);
            if !caught(&mut effects, |effects| self.0.step(&mut after, p.transition, effects)) {
                // Nothing is known of the state after a panic. The state before it was stored: nothing is explored from there again.
                after = state.clone();
            }
            visit(Successor {
                transition: p.transition,
                alternative: p.transition.choice,
                after: &mut after,
                failure: effects.failure.take(),
                statements: &[],
            });
        }
    }

    fn fingerprint(&self, state: &P::State) -> Fingerprint {
        self.0.fingerprint(state)
    }

    fn failures_at_end(&self, state: &P::State, out: &mut Vec<Failure>) {
        self.0.failures_at_end(state, out);
    }
}
