//! A macro-step once more, statement by statement: what it accesses on its way, and nothing of the ways that were not taken.

use super::execute::Readiness;
use super::{Machine, Micro, Partner, State};

impl Machine {
    /// Goes the way of a macro-step that is possible at `state`, asking at each statement what can be executed, as the machine does when
    /// it looks for the way.
    pub(crate) fn replay(&self, state: &mut State, path: &[Micro], timeout: bool) {
        let mut owner = None;
        for (nth, micro) in path.iter().enumerate() {
            self.look_around(state, micro.slot, timeout && nth == 0);
            owner = self.replay_statement(state, micro, timeout && nth == 0);
        }
        if let Some(owner) = owner {
            self.look_around(state, owner, false);
        }
    }

    /// Finds out which edges can be taken.
    pub(crate) fn look_around(&self, state: &State, slot: usize, timeout: bool) {
        self.ready_edges(state, slot, timeout, |_, edge, readiness| match readiness {
            Readiness::Offers(_) => self.recorder.deciding(|| self.has_partner(state, slot, edge)),
            _ => true,
        });
    }

    /// Executes a statement; returns who goes on alone from there.
    fn replay_statement(&self, state: &mut State, micro: &Micro, timeout: bool) -> Option<usize> {
        let edges = |state: &State, slot| {
            let proctype = &self.model().proctypes[state.proctype(slot)];
            &proctype.locations[state.location(slot) as usize].edges
        };
        let edge = edges(state, micro.slot).get(micro.edge as usize)?;
        match micro.partner {
            None if matches!(self.readiness(state, micro.slot, &edge.op, timeout, false), Readiness::Offers(_)) => {
                // An offer that goes wrong.
                let kind = self.offer(state, micro.slot, edge).err()?;
                self.arrive(state, micro.slot, edge.target, Some(kind.into()), edge.span);
                None
            }
            None => {
                self.execute(state, micro.slot, edge, timeout);
                edge.atomic.then_some(micro.slot)
            }
            Some(Partner { slot, edge: theirs, .. }) => {
                let offer = self.offer(state, micro.slot, edge).ok()?;
                self.arrive(state, micro.slot, edge.target, None, edge.span);
                let accepting = edges(state, slot).get(theirs as usize)?;
                let alternative = self.accepts(state, slot, accepting, &offer)?;
                self.accept(state, slot, accepting, alternative, &offer);
                accepting.atomic.then_some(slot)
            }
        }
    }
}
