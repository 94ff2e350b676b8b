//! What happened: the events of the current execution and the happens-before order among them.
//!
//! Events are numbered by their position. Each knows its causal past as a *clock over chains*: the events are covered by few chains of
//! the happens-before order (a process usually is one, and a child goes on where its finished parent stopped), and a clock says
//! how much of each chain lies in the past. Pushing an event costs the number of its conflicts times the number of chains; popping undoes it.

use crate::footprints::{FootprintId, Footprints};
use crate::program::{Process, Transition};
use crate::sequence::Item;
use crate::touches::Touches;

/// The position of an event in the current execution.
pub type At = u32;

/// No event.
pub(crate) const NOWHERE: At = u32::MAX;

/// The i-th step of a process in the current execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub transition: Transition,
    pub footprint: FootprintId,
    /// The event that this one cannot be separated from: the previous of its process, or its birth.
    pub before: At,
    chain: u32,
    /// Its place in the chain, from 1.
    in_chain: u32,
    /// What was the end of the chain before.
    chain_end_before: At,
    clock_start: u32,
    predecessors_start: u32,
    births_start: u32,
    afters_start: u32,
}

/// What a process has done.
struct Life {
    steps: Vec<At>,
    birth: At,
}

impl Life {
    fn unborn() -> Self {
        Life {
            steps: Vec::new(),
            birth: NOWHERE,
        }
    }
}

/// A happens-before order on the events of the current execution.
pub(crate) trait Causality {
    /// Whether `a` happens before `b`, or is `b`.
    fn happens_before(&self, a: At, b: At) -> bool;

    /// Calls `each` with the events after `e`, before `until`, that `e` does not happen before, earliest first.
    #[inline]
    fn not_after(&self, e: At, until: At, mut each: impl FnMut(At)) {
        for at in e + 1..until {
            if !self.happens_before(e, at) {
                each(at);
            }
        }
    }

    /// Whether an event lies in the past of whatever comes after `before` (see [`Trace::before_next`]).
    fn in_past(&self, at: At, before: At) -> bool {
        before != NOWHERE && self.happens_before(at, before)
    }
}

impl Causality for Trace {
    #[inline]
    fn happens_before(&self, a: At, b: At) -> bool {
        // Chains are only added along an execution: the clock of a later event has all that there were.
        let event = self.event(a);
        a <= b && self.clocks[(self.event(b).clock_start + event.chain) as usize] >= event.in_chain
    }

    #[inline]
    fn not_after(&self, e: At, until: At, mut each: impl FnMut(At)) {
        let Event { chain, in_chain, .. } = *self.event(e);
        for (at, event) in (e + 1..until).zip(&self.events[e as usize + 1..]) {
            if self.clocks[(event.clock_start + chain) as usize] < in_chain {
                each(at);
            }
        }
    }
}

/// The current execution.
#[derive(Default)]
pub(crate) struct Trace {
    events: Vec<Event>,
    clocks: Vec<u32>,
    /// For each event the maximal elements of its past.
    predecessors: Vec<At>,
    births: Vec<Process>,
    /// For each event those that it had to wait for; see [`Effects::after`](crate::Effects::after).
    afters: Vec<At>,
    touches: Touches,
    lives: Vec<Life>,
    /// The last event of each chain.
    chain_ends: Vec<At>,
    scratch: Vec<At>,
    scratch_clock: Vec<u32>,
}

impl Trace {
    /// How many events there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.events.len() as u32
    }

    /// The event at a position.
    #[inline]
    pub fn event(&self, at: At) -> &Event {
        &self.events[at as usize]
    }

    /// The event at a position as a step of a sequence.
    #[inline]
    pub fn item(&self, at: At) -> Item {
        let event = self.event(at);
        Item {
            transition: event.transition,
            footprint: event.footprint,
            at,
            before: event.before,
        }
    }

    /// The steps of a process, in order.
    #[inline]
    pub fn steps(&self, process: Process) -> &[At] {
        self.lives.get(process.index()).map_or(&[], |life| &life.steps)
    }

    /// Whether some event after `e` that conflicts with a footprint is one of those meant.
    #[inline]
    pub fn conflicts_after(&self, e: At, footprint: FootprintId, footprints: &Footprints, meant: impl Fn(At) -> bool) -> bool {
        let mut accesses = footprints.accesses(footprint).iter();
        accesses.any(|access| self.touches.conflict_after(e, access, &meant))
    }

    /// The maximal elements of the past of an event.
    #[inline]
    pub fn predecessors(&self, at: At) -> &[At] {
        let start = self.event(at).predecessors_start as usize;
        let end = self
            .events
            .get(at as usize + 1)
            .map_or(self.predecessors.len(), |e| e.predecessors_start as usize);
        &self.predecessors[start..end]
    }

    /// The events that race with the one at `at` and come before it: they happen before it with nothing between (JACM'17, Def. 3.3).
    /// Whether the race can be reversed is another question when the later step is guarded.
    pub fn races(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let event = self.event(at);
        let (before, process) = (event.before, event.transition.process);
        self.predecessors(at)
            .iter()
            .copied()
            .filter(move |&e| e != before && self.event(e).transition.process != process && !self.afters(at).contains(&e))
    }

    /// The events that the one at `at` had to wait for, though it does not conflict with them.
    #[inline]
    pub fn afters(&self, at: At) -> &[At] {
        // Most programs have none.
        if self.afters.is_empty() {
            return &[];
        }
        let start = self.event(at).afters_start as usize;
        let end = self
            .events
            .get(at as usize + 1)
            .map_or(self.afters.len(), |e| e.afters_start as usize);
        &self.afters[start..end]
    }

    /// The processes that an event brought to life, in the order in which it did.
    pub fn births(&self, at: At) -> &[Process] {
        let start = self.event(at).births_start as usize;
        let end = self
            .events
            .get(at as usize + 1)
            .map_or(self.births.len(), |e| e.births_start as usize);
        &self.births[start..end]
    }

    /// The event that the next step of a process cannot be separated from: its last one, or its birth.
    #[inline]
    pub fn before_next(&self, process: Process) -> At {
        match self.lives.get(process.index()) {
            None => NOWHERE,
            Some(life) => life.steps.last().copied().unwrap_or(life.birth),
        }
    }

    /// The events that would race with the next step of a process if it were taken now.
    pub fn races_of_next(&mut self, process: Process, footprint: FootprintId, footprints: &Footprints, out: &mut Vec<At>) {
        let before = self.before_next(process);
        self.maximal_past(before, footprint, &[], footprints);
        out.clear();
        out.extend(
            self.scratch
                .iter()
                .copied()
                .filter(|&e| e != before && self.events[e as usize].transition.process != process),
        );
    }

    /// The events before `until` that write what decides whether a step is enabled, but for those in its past; earliest first. Writes of such a location are ordered in every causality, so those before one in the past are there too.
    pub fn guard_writers(&self, causality: &impl Causality, guarded: Item, until: At, footprints: &Footprints, out: &mut Vec<At>) {
        out.clear();
        for location in footprints.guard_locations(guarded.footprint) {
            for (at, replaces) in self.touches.changes(location, until) {
                if !causality.in_past(at, guarded.before) {
                    out.push(at);
                } else if replaces {
                    break;
                }
            }
        }
        out.sort_unstable();
        out.dedup();
    }

    /// Whether some event after `e` that does not depend on it writes what decides whether a step with this footprint is enabled.
    pub fn guard_is_written_beside(&self, causality: &impl Causality, e: At, footprint: FootprintId, footprints: &Footprints) -> bool {
        footprints.guard_locations(footprint).any(|location| {
            for (at, writes) in self.touches.changes_from(location, e) {
                if !causality.happens_before(e, at) {
                    return true;
                }
                // Whatever touches the location later depends on this one.
                if writes {
                    break;
                }
            }
            false
        })
    }

    /// Appends an event.
    pub fn push(&mut self, transition: Transition, footprint: FootprintId, births: &[Process], afters: &[At], footprints: &Footprints) {
        let at = self.len();
        let process = transition.process;
        let before = self.before_next(process);
        self.maximal_past(before, footprint, afters, footprints);
        let predecessors_start = self.predecessors.len() as u32;
        self.predecessors.extend_from_slice(&self.scratch);

        let chain = self.chain_for(before);
        let chain_end_before = self.chain_ends[chain];
        let in_chain = if chain_end_before == NOWHERE {
            1
        } else {
            self.event(chain_end_before).in_chain + 1
        };
        self.chain_ends[chain] = at;
        self.scratch_clock.resize(self.chain_ends.len(), 0);
        self.scratch_clock[chain] = in_chain;
        let clock_start = self.clocks.len() as u32;
        self.clocks.extend_from_slice(&self.scratch_clock);

        let births_start = self.births.len() as u32;
        for child in births {
            // Who has lived before and begins to be listed again is ordered by what it and this event touch.
            let life = self.life(*child);
            if life.steps.is_empty() && life.birth == NOWHERE {
                life.birth = at;
                self.births.push(*child);
            }
        }
        self.life(process).steps.push(at);
        let afters_start = self.afters.len() as u32;
        if !afters.is_empty() {
            self.afters.extend_from_slice(afters);
        }
        for access in footprints.accesses(footprint) {
            self.touches.push(at, access);
        }
        self.events.push(Event {
            transition,
            footprint,
            before,
            chain: chain as u32,
            in_chain,
            chain_end_before,
            clock_start,
            predecessors_start,
            births_start,
            afters_start,
        });
    }

    /// Removes the last event.
    pub fn pop(&mut self, footprints: &Footprints) {
        let Some(event) = self.events.pop() else { return };
        for access in footprints.accesses(event.footprint) {
            self.touches.pop(access.location);
        }
        let process = event.transition.process;
        self.life(process).steps.pop();
        while self.births.len() > event.births_start as usize {
            if let Some(child) = self.births.pop() {
                self.life(child).birth = NOWHERE;
            }
        }
        if event.chain_end_before == NOWHERE {
            self.chain_ends.pop();
        } else {
            self.chain_ends[event.chain as usize] = event.chain_end_before;
        }
        self.clocks.truncate(event.clock_start as usize);
        self.afters.truncate(event.afters_start as usize);
        self.predecessors.truncate(event.predecessors_start as usize);
    }

    fn life(&mut self, process: Process) -> &mut Life {
        let index = process.index();
        if index >= self.lives.len() {
            self.lives.resize_with(index + 1, Life::unborn);
        }
        &mut self.lives[index]
    }

    /// Leaves in `scratch` the maximal events that a step after `before` and `afters` with this footprint depends on, latest first, and in
    /// `scratch_clock` the join of their clocks.
    fn maximal_past(&mut self, before: At, footprint: FootprintId, afters: &[At], footprints: &Footprints) {
        self.scratch.clear();
        if !afters.is_empty() {
            self.scratch.extend_from_slice(afters);
        }
        self.scratch_clock.clear();
        self.scratch_clock.resize(self.chain_ends.len(), 0);
        if before != NOWHERE {
            self.scratch.push(before);
        }
        for access in footprints.accesses(footprint) {
            self.touches.add_conflicting(access, &mut self.scratch);
        }
        if self.scratch.len() > 1 {
            self.scratch.sort_unstable_by(|a, b| b.cmp(a));
            self.scratch.dedup();
        }
        // Latest first: whatever lies in the past of another candidate is met after it.
        let mut kept = 0;
        for i in 0..self.scratch.len() {
            let candidate = self.scratch[i];
            let event = self.events[candidate as usize];
            if self.scratch_clock[event.chain as usize] >= event.in_chain {
                continue;
            }
            self.scratch[kept] = candidate;
            kept += 1;
            let start = event.clock_start as usize;
            let end = self
                .events
                .get(candidate as usize + 1)
                .map_or(self.clocks.len(), |e| e.clock_start as usize);
            for (mine, theirs) in self.scratch_clock.iter_mut().zip(&self.clocks[start..end]) {
                *mine = (*mine).max(*theirs);
            }
        }
        self.scratch.truncate(kept);
    }

    /// The chain that an event whose past is in `scratch_clock` extends: that of `before`, or any that ends in its past, or a new one.
    fn chain_for(&mut self, before: At) -> usize {
        if before != NOWHERE {
            let chain = self.event(before).chain as usize;
            if self.chain_ends[chain] == before {
                return chain;
            }
        }
        let events = &self.events;
        let ends_in_past = |(chain, &end): (usize, &At)| events[end as usize].in_chain <= self.scratch_clock[chain];
        match self.chain_ends.iter().enumerate().position(ends_in_past) {
            Some(chain) => chain,
            None => {
                self.chain_ends.push(NOWHERE);
                self.chain_ends.len() - 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::program::Location;

    #[test]
    fn who_is_born_again_keeps_its_past_when_the_second_birth_is_taken_back() {
        let mut footprints = Footprints::default();
        let nothing = footprints.intern(&Footprint::new());
        let mut trace = Trace::default();
        let mut push = |process: u32, births: &[Process]| {
            trace.push(Transition::of(Process(process)), nothing, births, &[], &footprints);
        };
        push(0, &[Process(1)]);
        push(1, &[]);
        push(0, &[Process(1)]);
        assert_eq!(trace.before_next(Process(1)), 1);
        assert!(trace.births(2).is_empty());
        trace.pop(&footprints);
        assert_eq!(trace.before_next(Process(1)), 1);
    }

    #[test]
    fn each_writer_of_a_guard_is_found_once_and_the_earliest_first() {
        let mut footprints = Footprints::default();
        let (x, y) = (Location(0), Location(1));
        let mut touching = |touch: &dyn Fn(&mut Footprint)| {
            let mut footprint = Footprint::new();
            touch(&mut footprint);
            footprints.intern(&footprint)
        };
        let of_x = touching(&|f| f.overwrite(x));
        let of_y = touching(&|f| f.accumulate(y));
        let of_both = touching(&|f| [x, y].into_iter().for_each(|l| f.overwrite(l)));
        let reading = touching(&|f| f.read(x));
        let guarded = touching(&|f| [x, y].into_iter().for_each(|l| f.guard(l)));
        let mut trace = Trace::default();
        for (process, footprint) in [of_x, of_y, of_both, reading, of_y, of_x].into_iter().enumerate() {
            trace.push(Transition::of(Process(process as u32)), footprint, &[], &[], &footprints);
        }
        let writers = |before, until| {
            let item = Item {
                transition: Transition::of(Process(9)),
                footprint: guarded,
                at: NOWHERE,
                before,
            };
            let mut out = Vec::new();
            trace.guard_writers(&trace, item, until, &footprints, &mut out);
            out
        };
        assert_eq!(writers(NOWHERE, 6), [0, 1, 2, 4, 5]);
        assert_eq!(writers(NOWHERE, 5), [0, 1, 2, 4]);
        assert_eq!(writers(2, 6), [4, 5], "what is in the past");
    }
}
