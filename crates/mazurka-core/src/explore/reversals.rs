//! Everything else that could have happened in an execution: its races, those of waiting steps, and the choices made otherwise.

use super::cuts::Cuts;
use super::exploration::{Exploration, Next};
use crate::mutation::Mutation;
use crate::program::Program;
use crate::sequence::Sequence;
use crate::store::Store;
use crate::trace::{At, Causality};

/// Enumerates the reversals of the current execution, with its buffers.
#[derive(Default)]
pub(crate) struct Reversals {
    cuts: Cuts,
    v: Sequence,
    races: Vec<At>,
}

impl Reversals {
    /// Calls `found(exploration, e, v, second)` for every reversal: instead of the event at `e`, `v` could have been run. If it comes from a
    /// race of two executed steps, `second` is the later one. Only reversals that a new event takes part in are reported.
    pub fn for_each<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        mut found: impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        self.races(exploration, &mut found);
        self.but_for_races(exploration, found);
    }

    /// Those of [`Reversals::for_each`] that are no races between executed steps: waiting steps, and choices made otherwise.
    pub fn but_for_races<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        mut found: impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        if exploration.guards && exploration.mutation != Mutation::IgnoreBlocked {
            self.guards(exploration, &mut found);
        }
        if exploration.choices {
            self.choices(exploration, &mut found);
        }
    }

    /// The races of a step that is pending at the top node, as if it were taken there, but for those on its guard.
    pub fn of_next<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        next: Next,
        mut found: impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        let process = next.transition.process;
        exploration
            .trace
            .races_of_next(process, next.footprint, &exploration.footprints, &mut self.races);
        let before = exploration.trace.before_next(process);
        for i in 0..self.races.len() {
            let e = self.races[i];
            if exploration
                .footprints
                .writes_guard(exploration.trace.event(e).footprint, next.footprint)
            {
                continue;
            }
            self.v.set_notdep(&exploration.trace, &exploration.trace, e);
            self.v.push_step(next.transition, next.footprint, before);
            found(exploration, e, &mut self.v, None);
        }
    }

    /// Races between executed steps.
    fn races<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        found: &mut impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        for second in exploration.fresh_from..exploration.trace.len() {
            self.ending_in(exploration, second, found);
        }
    }

    /// The races of the event at `second` with earlier ones, but for those on its guard.
    pub fn ending_in<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        second: At,
        found: &mut impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        let footprint = exploration.trace.event(second).footprint;
        self.races.clear();
        self.races.extend(exploration.trace.races(second));
        for &e in &self.races {
            let by_guard = exploration.footprints.writes_guard(exploration.trace.event(e).footprint, footprint);
            if by_guard && exploration.mutation != Mutation::IgnoreBlocked {
                continue;
            }
            self.v.set_notdep(&exploration.trace, &exploration.trace, e);
            if exploration.mutation == Mutation::PrefixOnly {
                self.v.items.retain(|item| item.at < second);
            }
            self.v.push_event(&exploration.trace, second);
            found(exploration, e, &mut self.v, Some(second));
        }
    }

    /// Races of guarded steps: those in the execution, and those that wait at its end.
    fn guards<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        found: &mut impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        let len = exploration.trace.len();
        for at in exploration.fresh_from..len {
            let event = *exploration.trace.event(at);
            if !exploration.footprints.is_guarded(event.footprint) {
                continue;
            }
            // Not the step alone: an alternative that was disabled then may have been enabled earlier.
            for index in 0..exploration.frame(at).pending.len() {
                let q = exploration.frame(at).pending[index];
                if q.transition.process == event.transition.process {
                    self.guard(exploration, at, q, event.before, found);
                }
            }
        }
        if exploration.top().guarded {
            for index in 0..exploration.top().pending.len() {
                let q = exploration.top().pending[index];
                if exploration.footprints.is_guarded(q.footprint) {
                    let before = exploration.trace.before_next(q.transition.process);
                    self.guard(exploration, len, q, before, found);
                }
            }
        }
    }

    fn guard<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        until: At,
        q: Next,
        before: At,
        found: &mut impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        for e in 0..until {
            let writes = exploration
                .footprints
                .writes_guard(exploration.trace.event(e).footprint, q.footprint);
            if writes && !exploration.trace.in_past(e, before) {
                let cuts = self.cuts.prepare(exploration, &exploration.trace, e, q, before);
                let covered = |exploration: &Exploration<'_, P, S>, v: &Sequence| exploration.sleep_covers(e, v);
                cuts.for_each(exploration, e, q, before, covered, |exploration, v| found(exploration, e, v, None));
            }
        }
    }

    /// A process that chose could have chosen otherwise: its alternatives are reversals of the choice with itself.
    fn choices<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        found: &mut impl FnMut(&mut Exploration<'_, P, S>, At, &mut Sequence, Option<At>),
    ) {
        for e in exploration.fresh_from..exploration.trace.len() {
            let event = *exploration.trace.event(e);
            for index in 0..exploration.frame(e).pending.len() {
                let other = exploration.frame(e).pending[index];
                let alternative = other.enabled
                    && other.transition.process == event.transition.process
                    && other.transition.choice != event.transition.choice;
                if alternative {
                    self.v.set_notdep(&exploration.trace, &exploration.trace, e);
                    self.v.push_step(other.transition, other.footprint, event.before);
                    found(exploration, e, &mut self.v, None);
                }
            }
        }
    }
}
