//! Which reversals of the common prefix must be looked at again (`docs/src/soundness.md`, "Races of the common prefix").
//!
//! What was found to cover a reversal mostly covers it in the next executions too, although it is another sequence there. Only what has happened
//! since can change that, and nearly always a glance at it is enough.

use super::exploration::Exploration;
use crate::cover::Cover;
use crate::footprints::FootprintId;
use crate::involved::Involved;
use crate::program::Transition;
use crate::trace::{At, Causality};

/// A reversal of two events of the current execution that is covered in this one, and perhaps not in all that begin like it.
#[derive(Clone)]
pub(super) struct Open {
    pub e: At,
    pub second: At,
    pub cover: Cover,
}

impl Open {
    /// Unless every execution that begins like this one up to `second` has the reversal covered.
    pub fn unless_settled(e: At, second: At, cover: Cover) -> Option<Self> {
        let settled = cover.latest <= second && cover.strangers.is_empty() && !cover.used_up;
        (!settled).then_some(Open { e, second, cover })
    }
}

/// The events that have not been part of an execution whose reversals were looked at.
#[derive(Default)]
pub(super) struct News {
    from: At,
    involved: Involved,
}

impl News {
    /// Those of the current execution.
    pub fn of(&mut self, exploration: &Exploration<'_>) {
        let Exploration { trace, footprints, .. } = exploration;
        self.from = exploration.fresh_from;
        self.involved.clear(footprints);
        for at in self.from..trace.len() {
            let event = trace.event(at);
            self.involved.add(event.transition.process, event.footprint, footprints);
        }
    }

    /// Whether what covers a reversal still does: all of its events are there, and what has come to the reversal is independent of its other steps.
    pub fn leave(&self, open: &Open, exploration: &Exploration<'_>) -> bool {
        let Exploration { trace, footprints, .. } = exploration;
        let Cover {
            latest,
            strangers,
            used_up,
        } = &open.cover;
        if *latest >= self.from {
            return false;
        }
        let perhaps =
            |(t, footprint): &(Transition, FootprintId)| self.involved.may_move(t.process) || self.involved.may_conflict(*footprint);
        if !used_up && !strangers.iter().any(perhaps) {
            return true;
        }
        (self.from..trace.len()).all(|at| {
            let event = trace.event(at);
            let in_the_way = |(t, footprint): &(Transition, FootprintId)| {
                t.process == event.transition.process || footprints.conflict(*footprint, event.footprint)
            };
            let matters = *used_up || strangers.iter().any(in_the_way);
            !matters || trace.happens_before(open.e, at)
        })
    }
}
