//! Everything else that could have happened in an execution: its races, those of waiting steps, and the choices made otherwise.

use super::cuts::Cuts;
use super::exploration::{Exploration, Next};
use crate::sequence::Sequence;
use crate::trace::{At, NOWHERE};

/// Enumerates the reversals of the current execution, with its buffers.
#[derive(Default)]
pub(crate) struct Reversals {
    cuts: Cuts,
    v: Sequence,
    races: Vec<At>,
}

impl Reversals {
    /// Calls `found(exploration, e, v, second)` for every reversal: instead of the event at `e`, `v` could have been run. If it comes from a
    /// race of two executed steps, `second` is the later one.
    pub fn for_each(
        &mut self,
        exploration: &mut Exploration<'_>,
        mut found: impl FnMut(&mut Exploration<'_>, At, &mut Sequence, Option<At>),
    ) {
        let len = exploration.trace.len();
        for second in 0..len {
            self.ending_in(exploration, second, &mut found);
        }
        self.but_for_races(exploration, |exploration, e, v| found(exploration, e, v, None));
    }

    /// Those of [`Reversals::for_each`] that are no races between executed steps: waiting steps, and choices made otherwise.
    pub fn but_for_races(&mut self, exploration: &mut Exploration<'_>, mut found: impl FnMut(&mut Exploration<'_>, At, &mut Sequence)) {
        for until in 0..=exploration.trace.len() {
            let covered = |exploration: &Exploration<'_>, e, v: &Sequence| exploration.sleep_starts(e, v);
            self.guards(exploration, until, covered, &mut found);
        }
        self.choices(exploration, found);
    }

    /// The races of a step that is pending at the top node, as if it were taken there, but for those on its guard.
    pub fn of_next(
        &mut self,
        exploration: &mut Exploration<'_>,
        next: Next,
        mut found: impl FnMut(&mut Exploration<'_>, At, &mut Sequence, Option<At>),
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

    /// The races of the event at `second` with earlier ones, but for those on its guard.
    #[inline]
    pub fn ending_in(
        &mut self,
        exploration: &mut Exploration<'_>,
        second: At,
        found: &mut impl FnMut(&mut Exploration<'_>, At, &mut Sequence, Option<At>),
    ) {
        self.races_with(exploration, second);
        for &e in &self.races {
            self.v.set_notdep(&exploration.trace, &exploration.trace, e);
            self.v.push_event(&exploration.trace, second);
            found(exploration, e, &mut self.v, Some(second));
        }
    }

    /// The events that the one at `second` races with, but for those on its guard.
    #[inline]
    pub fn races_with(&mut self, exploration: &Exploration<'_>, second: At) -> &[At] {
        let Exploration { trace, footprints, .. } = exploration;
        let footprint = trace.event(second).footprint;
        self.races.clear();
        let on_guard = |e: &At| footprints.writes_guard(trace.event(*e).footprint, footprint);
        self.races.extend(trace.races(second).filter(|e| !on_guard(e)));
        &self.races
    }

    /// Races of the guarded step at `until`, or at the end of the execution those of the steps that wait there. What is `covered` anyway
    /// may be left out. Returns whether every execution that begins like this one up to `until` has the same of them, each executable in all
    /// or in none.
    #[inline]
    pub fn guards(
        &mut self,
        exploration: &mut Exploration<'_>,
        until: At,
        covered: impl Fn(&Exploration<'_>, At, &Sequence) -> bool,
        mut found: impl FnMut(&mut Exploration<'_>, At, &mut Sequence),
    ) -> bool {
        let mut same_in_all = true;
        if !exploration.frame(until).guarded {
            return same_in_all;
        }
        let taken = (until < exploration.trace.len()).then(|| *exploration.trace.event(until));
        for index in 0..exploration.frame(until).pending.len() {
            let q = exploration.frame(until).pending[index];
            let (at, before) = match taken {
                None => (NOWHERE, exploration.trace.before_next(q.transition.process)),
                // Not the step alone: an alternative that was disabled then may have been enabled earlier.
                Some(event) if event.transition == q.transition => (until, event.before),
                Some(event) if event.transition.process == q.transition.process => (NOWHERE, event.before),
                Some(_) => continue,
            };
            let q = q.item(at, before);
            let trace = &exploration.trace;
            trace.guard_writers(trace, q, until, &exploration.footprints, &mut self.races);
            for i in 0..self.races.len() {
                let e = self.races[i];
                same_in_all &= exploration
                    .footprints
                    .overwrites_guard(exploration.trace.event(e).footprint, q.footprint);
                let cuts = self.cuts.prepare(exploration, &exploration.trace, e, q);
                let covered = |exploration: &Exploration<'_>, v: &Sequence| covered(exploration, e, v);
                cuts.for_each(exploration, e, q, covered, |exploration, v| found(exploration, e, v));
            }
        }
        same_in_all
    }

    /// A process that chose could have chosen otherwise: its alternatives are reversals of the choice with itself.
    pub fn choices(&mut self, exploration: &mut Exploration<'_>, mut found: impl FnMut(&mut Exploration<'_>, At, &mut Sequence)) {
        if !exploration.choices {
            return;
        }
        for e in 0..exploration.trace.len() {
            let event = *exploration.trace.event(e);
            for index in 0..exploration.frame(e).pending.len() {
                let other = exploration.frame(e).pending[index];
                let alternative = other.enabled
                    && other.transition.process == event.transition.process
                    && other.transition.choice != event.transition.choice;
                if alternative {
                    self.v.set_notdep(&exploration.trace, &exploration.trace, e);
                    self.v.push_step(other.transition, other.footprint, event.before);
                    found(exploration, e, &mut self.v);
                }
            }
        }
    }
}
