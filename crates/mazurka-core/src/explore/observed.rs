//! Happens-before with observers (Aronis, Jonsson, Lång, Sagonas; TACAS'18), with guards.
//!
//! Two writes of one location are ordered only if the later one is *observed*: some step reads the location before it is written again.
//! What is observed is known when the execution is complete, so this order is computed then. A waiting step may observe any
//! value between reaching its guard and being taken: writes of locations that some guard reads are always ordered.

use super::exploration::Sleeper;
use crate::footprint::{Access, Mode};
use crate::footprints::{FootprintId, Footprints};
use crate::program::{Location, Transition};
use crate::sequence::{First, Sequence};
use crate::trace::{At, Causality, NOWHERE, Trace};

/// The order on the current execution: for each event the set of events that happen before it, itself included.
#[derive(Default)]
pub(crate) struct Observed {
    past: Vec<u64>,
    words: usize,
}

impl Causality for Observed {
    fn happens_before(&self, a: At, b: At) -> bool {
        self.past[b as usize * self.words + a as usize / 64] >> (a % 64) & 1 == 1
    }
}

/// Whether what a touch does depends on the value: a read, a write that may leave or use the old value, or an addition to it.
fn reads(access: &Access) -> bool {
    access.mode != Mode::Write || access.maybe
}

fn writes(access: &Access) -> bool {
    access.mode != Mode::Read
}

/// A write that neither looks at the value nor accumulates.
pub(crate) fn overwrites(access: &Access) -> bool {
    access.mode == Mode::Write && !access.maybe
}

/// Says which locations some guard may read.
pub(crate) type MayGuard<'a> = &'a dyn Fn(Location) -> bool;

/// How an earlier touch of a location bears on a later one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bearing {
    /// They commute.
    None,
    /// They are ordered whatever happens.
    Always,
    /// They are ordered if the later one is observed.
    IfObserved,
}

fn bearing(earlier: &Access, later: &Access, may_guard: MayGuard<'_>) -> Bearing {
    if earlier.location != later.location || !earlier.mode.conflicts(later.mode) {
        Bearing::None
    } else if overwrites(earlier) && overwrites(later) && !may_guard(later.location) {
        Bearing::IfObserved
    } else {
        Bearing::Always
    }
}

/// Whether what was written to `location` is read by one of the footprints that follow, before it is written again.
fn is_observed(location: Location, mut following: impl Iterator<Item = FootprintId>, footprints: &Footprints) -> bool {
    following
        .find_map(|f| footprints.accesses(f).iter().find(|a| a.location == location).map(reads))
        .unwrap_or(false)
}

impl Observed {
    /// Computes the order on a complete execution.
    pub fn compute(&mut self, trace: &Trace, footprints: &Footprints, may_guard: MayGuard<'_>) {
        let len = trace.len();
        self.words = (len as usize).div_ceil(64).max(1);
        self.past.clear();
        self.past.resize(len as usize * self.words, 0);
        for at in 0..len {
            let before = trace.event(at).before;
            if before != NOWHERE {
                self.join(at, before);
            }
            for &earlier in trace.afters(at) {
                self.join(at, earlier);
            }
            for earlier in (0..at).rev() {
                if !self.happens_before(earlier, at) && is_dependent(trace, footprints, may_guard, earlier, at) {
                    self.join(at, earlier);
                }
            }
            self.past[at as usize * self.words + at as usize / 64] |= 1 << (at % 64);
        }
    }

    fn join(&mut self, at: At, earlier: At) {
        let (low, high) = self.past.split_at_mut(at as usize * self.words);
        let from = &low[earlier as usize * self.words..][..self.words];
        for (mine, theirs) in high.iter_mut().zip(from) {
            *mine |= *theirs;
        }
    }

    /// The events of other processes that happen immediately before the one at `second` and are not inseparable from it.
    pub fn races(&self, trace: &Trace, second: At, out: &mut Vec<At>) {
        out.clear();
        let event = trace.event(second);
        for e in (0..second).rev() {
            let candidate = self.happens_before(e, second)
                && e != event.before
                && trace.event(e).transition.process != event.transition.process
                && !trace.afters(second).contains(&e);
            if candidate && !(e + 1..second).any(|f| self.happens_before(e, f) && self.happens_before(f, second)) {
                out.push(e);
            }
        }
    }
}

/// Whether an event depends on an earlier one of another process.
fn is_dependent(trace: &Trace, footprints: &Footprints, may_guard: MayGuard<'_>, earlier: At, later: At) -> bool {
    let (first, second) = (trace.event(earlier), trace.event(later));
    let following = || (later + 1..trace.len()).map(|at| trace.event(at).footprint);
    let same = |a: &Access, b: &Access| match bearing(a, b, may_guard) {
        Bearing::None => false,
        Bearing::Always => true,
        Bearing::IfObserved => is_observed(b.location, following(), footprints),
    };
    footprints
        .accesses(first.footprint)
        .iter()
        .any(|a| footprints.accesses(second.footprint).iter().any(|b| same(a, b)))
}

/// The observers of a race between two writes: the first readers of what the later one wrote, or `None` if the race does not
/// depend on observers.
pub(crate) fn observers(trace: &Trace, footprints: &Footprints, may_guard: MayGuard<'_>, e: At, second: At, out: &mut Vec<At>) -> bool {
    out.clear();
    let (first, later) = (trace.event(e).footprint, trace.event(second).footprint);
    for a in footprints.accesses(first) {
        for b in footprints.accesses(later) {
            match bearing(a, b, may_guard) {
                Bearing::None => {}
                Bearing::Always => return false,
                Bearing::IfObserved => {
                    for k in second + 1..trace.len() {
                        let touch = footprints
                            .accesses(trace.event(k).footprint)
                            .iter()
                            .find(|t| t.location == b.location);
                        if touch.is_some_and(reads) && !out.contains(&k) {
                            out.push(k);
                        }
                        if touch.is_some_and(writes) {
                            break;
                        }
                    }
                }
            }
        }
    }
    true
}

/// Whether a step that is done at the node before the event at `e`, or at an earlier one, could come first in what leads from there to the
/// end of `v`. `path` is a buffer.
pub(crate) fn done_covers<'d>(
    trace: &Trace,
    footprints: &Footprints,
    may_guard: MayGuard<'_>,
    path: &mut Sequence,
    e: At,
    v: &Sequence,
    done: impl Fn(At) -> &'d [Sleeper],
) -> bool {
    (0..=e).any(|k| {
        if done(k).is_empty() {
            return false;
        }
        path.clear();
        (k..e).for_each(|at| path.push_event(trace, at));
        path.items.extend_from_slice(&v.items);
        path.edges.extend_from_slice(&v.edges);
        done(k)
            .iter()
            .any(|s| first(path, s.transition, s.footprint, footprints, may_guard) != First::No)
    })
}

/// Whether a step could come first in a sequence, under the order with observers: nothing in the sequence that it would overtake
/// or that would overtake it is ordered with it.
pub(crate) fn first(
    v: &Sequence,
    transition: Transition,
    footprint: FootprintId,
    footprints: &Footprints,
    may_guard: MayGuard<'_>,
) -> First {
    let own = footprints.accesses(footprint);
    let Some(index) = v.items.iter().position(|i| i.transition.process == transition.process) else {
        // If a write in the sequence is observed there, the observer is ordered with this step, too.
        let ordered = |a: &Access, b: &Access| bearing(a, b, may_guard) == Bearing::Always;
        let overtakes = v.items.iter().any(|item| {
            let accesses = footprints.accesses(item.footprint);
            own.iter().any(|a| accesses.iter().any(|b| ordered(a, b)))
        });
        return if overtakes { First::No } else { First::Independent };
    };
    let item = v.items[index];
    if item.transition != transition {
        return First::No;
    }
    let following = || v.items[index + 1..].iter().map(|i| i.footprint);
    let held_back = v.items[..index].iter().any(|earlier| {
        (item.before != NOWHERE && earlier.at == item.before)
            || v.waits_for(item, earlier)
            || footprints.accesses(earlier.footprint).iter().any(|a| {
                own.iter().any(|b| match bearing(a, b, may_guard) {
                    Bearing::None => false,
                    Bearing::Always => true,
                    Bearing::IfObserved => is_observed(b.location, following(), footprints),
                })
            })
    });
    if held_back { First::No } else { First::Initial(index) }
}
