//! What is not seen when a step is skipped because its state was reached before, and what must be tried to make up for it.
//!
//! The states below the step are known, but not the races of the events below it with those of the current execution. They are bounded from
//! above by what the processes may still touch ([`crate::Futures::future`]): an event conflicting with the future of a process that it is not in the
//! past of may race with some event of it. `docs/src/soundness.md`, "Context sensitivity", has the proof that this is enough.

use super::exploration::Exploration;
use crate::footprints::FootprintId;
use crate::program::{Process, Transition};
use crate::sequence::Sequence;
use crate::trace::{At, Causality, NOWHERE};

/// What the reversals of an event with unseen ones may start with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Start {
    /// There are none.
    Never,
    /// With the first of what was executed and does not depend on the event, if there is such a thing.
    Executed,
    /// With anything, because a part of what was executed may have to be left out for a guard to hold.
    Anything,
}

/// What an unseen process may do.
struct Future {
    process: Process,
    /// The event that it cannot be separated from.
    before: At,
    /// `None` if it may do anything.
    touches: Option<FootprintId>,
}

/// Finds the events that unseen ones may race with, with its buffers.
#[derive(Default)]
pub(crate) struct Skipped {
    futures: Vec<Future>,
    starts: Vec<Start>,
    v: Sequence,
}

impl Skipped {
    /// Calls `found(exploration, e, v)` such that every reversal that the exploration of `step` from the top node could have asked for, but for
    /// the races of the step itself, is covered if the node before `e` tries one of the initials of each such `v`. Returns whether the step is
    /// independent of all that can still happen.
    pub fn for_each(
        &mut self,
        exploration: &mut Exploration<'_>,
        step: Transition,
        mut found: impl FnMut(&mut Exploration<'_>, At, &mut Sequence),
    ) -> bool {
        let mut alone = !has_alternatives(exploration, step);
        exploration.look_ahead(step, |exploration| {
            self.compute(exploration);
            alone &= self.starts.last() == Some(&Start::Never);
            for e in 0..exploration.trace.len() {
                let start = self.starts[e as usize];
                if start == Start::Never {
                    continue;
                }
                self.v.set_notdep(&exploration.trace, &exploration.trace, e);
                if start == Start::Executed && !self.v.items.is_empty() {
                    found(exploration, e, &mut self.v);
                    continue;
                }
                for index in 0..exploration.frame(e).pending.len() {
                    let next = exploration.frame(e).pending[index];
                    if next.enabled && may_start(exploration, e, next.transition) {
                        self.v.clear();
                        self.v.push_step(next.transition, next.footprint, NOWHERE);
                        found(exploration, e, &mut self.v);
                    }
                }
            }
        });
        alone
    }

    /// Fills `starts`. The step was taken and is the last event.
    fn compute(&mut self, exploration: &mut Exploration<'_>) {
        let len = exploration.trace.len();
        self.starts.clear();
        self.starts.resize(len as usize, Start::Never);
        self.futures.clear();
        for index in 0..exploration.top().pending.len() {
            let process = exploration.top().pending[index].transition.process;
            if self.futures.last().is_some_and(|f| f.process == process) {
                continue;
            }
            self.futures.push(Future {
                process,
                before: exploration.trace.before_next(process),
                touches: exploration.future(process),
            });
        }
        for e in 0..len {
            let footprint = exploration.trace.event(e).footprint;
            for future in &self.futures {
                if !exploration.trace.in_past(e, future.before) {
                    let start = start(exploration, footprint, future.touches);
                    self.starts[e as usize] = self.starts[e as usize].max(start);
                }
            }
        }
        if exploration.choices {
            (0..len).for_each(|e| self.choices(exploration, e));
        }
    }

    /// The alternatives of the event at `chosen`: those that wait for a guard can be reversed with who wrote it, and each of them can come
    /// after something unseen, or after the step.
    fn choices(&mut self, exploration: &Exploration<'_>, chosen: At) {
        let last = exploration.trace.len() - 1;
        let event = exploration.trace.event(chosen);
        let alternatives = exploration.frame(chosen).pending.iter().filter(|n| {
            let Transition { process, choice } = n.transition;
            process == event.transition.process && choice != event.transition.choice
        });
        for alternative in alternatives {
            for e in 0..chosen {
                let writes = exploration
                    .footprints
                    .writes_guard(exploration.trace.event(e).footprint, alternative.footprint);
                if writes && !exploration.trace.in_past(e, event.before) {
                    self.starts[e as usize] = Start::Anything;
                }
            }
            let unseen = self.futures.iter().any(|future| {
                !exploration.trace.in_past(chosen, future.before)
                    && start(exploration, alternative.footprint, future.touches) != Start::Never
            });
            let skipped = !exploration.trace.happens_before(chosen, last)
                && exploration
                    .footprints
                    .conflict(alternative.footprint, exploration.trace.event(last).footprint);
            if alternative.enabled && (unseen || skipped) {
                self.starts[chosen as usize] = self.starts[chosen as usize].max(Start::Executed);
            }
        }
    }
}

/// Whether the process of a step that is pending at the top node has others there.
fn has_alternatives(exploration: &Exploration<'_>, step: Transition) -> bool {
    let mut pending = exploration.top().pending.iter();
    pending.any(|n| n.transition.process == step.process && n.transition != step)
}

/// What the reversals of a step with this footprint and what `touches` stands for may start with.
fn start(exploration: &Exploration<'_>, footprint: FootprintId, touches: Option<FootprintId>) -> Start {
    let footprints = &exploration.footprints;
    match touches {
        None if footprints.accesses(footprint).is_empty() => Start::Never,
        None => Start::Anything,
        Some(touches) if footprints.writes_guard(footprint, touches) => Start::Anything,
        Some(touches) if footprints.conflict(footprint, touches) => Start::Executed,
        Some(_) => Start::Never,
    }
}

/// Whether a reversal of the event at `e` can start with a step that was enabled before it: not if its process was seen to depend on `e`.
fn may_start(exploration: &Exploration<'_>, e: At, step: Transition) -> bool {
    let trace = &exploration.trace;
    let chosen = trace.event(e).transition;
    if step.process == chosen.process {
        return step != chosen;
    }
    let first = (e..trace.len()).find(|at| trace.event(*at).transition.process == step.process);
    first.is_none_or(|at| !trace.happens_before(e, at))
}
