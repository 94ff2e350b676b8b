//! Who may move: `provided` clauses, priorities, and the question whether a process could.
//!
//! As in SPIN a process with a lower priority waits as long as one with a higher priority can move. That holds inside of `atomic` too.

use super::execute::Readiness;
use super::state::State;
use super::{Eval, FaultKind, Machine, Touched};

impl Machine {
    /// Whether the process may move at all: its `provided` clause holds.
    pub(crate) fn is_provided(&self, state: &State, slot: usize, timeout: bool) -> bool {
        match &self.model().proctypes[state.proctype(slot)].provided {
            None => true,
            Some(condition) => Eval::new(self, state, slot, timeout).value(condition) != 0,
        }
    }

    /// Whether some statement of the process can be executed, priorities and `provided` aside.
    pub(super) fn is_enabled(&self, state: &State, slot: usize, timeout: bool) -> bool {
        let ready = |op| self.readiness(state, slot, op, timeout, false) != Readiness::Blocked;
        self.edges(state, slot).iter().any(|edge| ready(&edge.op))
    }

    /// Whether a process that can move has a higher priority than this one.
    pub(super) fn is_outranked(&self, state: &State, slot: usize, timeout: bool) -> bool {
        let own = state.priority(slot);
        let outranks = |other: usize| {
            other != slot
                && state.priority(other) > own
                && self.is_provided(state, other, timeout)
                && self.is_enabled(state, other, timeout)
        };
        self.recorder.read(Touched::Everything);
        self.recorder.paused(|| (0..state.processes()).any(outranks))
    }

    /// Gives a process another priority; one that does not exist is passed over, as in SPIN.
    pub(super) fn set_priority(&self, state: &mut State, pid: i32, priority: i32) -> Result<(), FaultKind> {
        self.recorder.read(Touched::Population);
        let Some(slot) = usize::try_from(pid).ok().filter(|&slot| slot < state.processes()) else {
            return Ok(());
        };
        match u8::try_from(priority) {
            Ok(priority @ 1..) => {
                self.recorder.write(Touched::Priorities);
                state.set_priority(slot, priority);
            }
            _ => return Err(FaultKind::Priority(priority)),
        }
        Ok(())
    }
}
