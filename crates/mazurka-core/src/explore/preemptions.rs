//! Every trace that some execution with at most so many preemptions has: bounded partial order reduction.
//!
//! After Coons, Musuvathi and McKinley (OOPSLA'13), who add *conservative* backtrack points: where two steps race, the later process is tried
//! not only before the earlier step, which may cost a preemption, but also where the earlier process was switched to, which costs none.
//! Here steps touch several locations and processes wait on arbitrary guards, so all races count, blocked steps take part, and the points are
//! all earlier nodes at which the process of the earlier step was switched to. `docs/src/soundness.md` has the proof. There are no sleep sets: what
//! sleeps was explored with another number of preemptions left.

use super::backtrack::Backtrack;
use super::exploration::{Exploration, Next, Sleeper};
use super::rounds::Rounds;
use super::strategy::{Entered, Strategy};
use crate::bound::Bound;
use crate::outcome::Outcome;
use crate::program::{Process, Transition};
use crate::trace::{At, Causality};

/// Backtrack sets within a bound on preemptions.
pub(crate) struct Preemptions {
    backtrack: Backtrack,
    rounds: Rounds,
    /// Whether what a step may touch is known before it is taken; otherwise everything enabled is tried everywhere.
    reduce: bool,
    afters: Vec<At>,
    leads: Vec<Process>,
}

impl Preemptions {
    /// A search within the bound.
    pub fn new(bound: Bound, reduce: bool) -> Self {
        Preemptions {
            backtrack: Backtrack::default(),
            rounds: Rounds::new(bound),
            reduce,
            afters: Vec::new(),
            leads: Vec::new(),
        }
    }

    /// The process that moved last, if it can move again: whoever else moves preempts it.
    fn running(exploration: &Exploration<'_>) -> Option<Process> {
        let last = (exploration.depth() as At).checked_sub(1)?;
        let process = exploration.event(last).process;
        exploration
            .top()
            .enabled()
            .any(|n| n.transition.process == process)
            .then_some(process)
    }

    /// Begins a node: with the process that moved last, because that costs nothing, or else with the first in the order.
    fn begin(&mut self, exploration: &mut Exploration<'_>) {
        let depth = exploration.depth();
        self.backtrack.open(depth);
        let running = Self::running(exploration);
        let first = exploration.first_choice(|_, t| running.is_none_or(|p| p == t.process));
        if let Some(first) = first {
            self.backtrack.add(depth, first.transition.process, exploration.top());
        }
        if !self.reduce {
            self.add_all(depth, exploration);
        }
    }

    fn add_all(&mut self, depth: usize, exploration: &Exploration<'_>) {
        let frame = exploration.frame(depth as At);
        for next in frame.enabled() {
            self.backtrack.add(depth, next.transition.process, frame);
        }
    }

    /// The next step of `process`, whose past is that of the event at `before`, is to come before the event at `e`: it is tried there, and wherever the
    /// process of that event was switched to before, unless that lies in its past.
    fn reverse(&mut self, exploration: &Exploration<'_>, e: At, process: Process, before: At) {
        let earlier = exploration.event(e).process;
        self.try_at(exploration, e, process, before);
        for at in 0..e {
            let switched = exploration.event(at).process == earlier && (at == 0 || exploration.event(at - 1).process != earlier);
            if switched && !exploration.trace.in_past(at, before) {
                self.try_at(exploration, at, process, before);
            }
        }
    }

    /// Adds to the set of the node before `at` a process that leads to the step: its own, or one that moves after the node and in its past. Nothing if
    /// one of them is there, and everything that can move if none of them can (POPL'05, lines 5-8).
    fn try_at(&mut self, exploration: &Exploration<'_>, at: At, process: Process, before: At) {
        let (depth, frame) = (at as usize, exploration.frame(at));
        let moved = (at..exploration.depth() as At).filter(|&e| exploration.trace.in_past(e, before));
        let leads = moved.map(|e| exploration.event(e).process);
        self.leads.clear();
        self.leads.push(process);
        self.leads.extend(leads);
        let mut first = None;
        for &lead in &self.leads {
            if self.backtrack.contains(depth, lead) {
                return;
            }
            if first.is_none() && frame.enabled().any(|n| n.transition.process == lead) {
                first = Some(lead);
            }
        }
        match first {
            Some(lead) => self.backtrack.add(depth, lead, frame),
            None => self.add_all(depth, exploration),
        }
    }

    /// Races of the events before `until`, from `from` on, with a pending step.
    fn reverse_races(&mut self, exploration: &Exploration<'_>, next: Next, from: At, until: At) {
        let process = next.transition.process;
        let before = exploration.trace.before_next(process);
        for e in from..until {
            let event = exploration.trace.event(e);
            if event.transition.process != process
                && exploration.footprints.conflict(event.footprint, next.footprint)
                && !exploration.trace.in_past(e, before)
            {
                self.reverse(exploration, e, process, before);
            }
        }
    }
}

impl Strategy for Preemptions {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.begin(exploration);
        Entered::Open
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let depth = exploration.depth();
        let running = Self::running(exploration);
        loop {
            while let Some(next) = self.backtrack.next(depth, exploration.top()) {
                let preempts = running.is_some_and(|p| p != next.process);
                if self.rounds.admits(depth, u32::from(preempts)) {
                    return Some(next);
                }
            }
            if depth > 0 || exploration.top().enabled().next().is_none() || !self.rounds.next() {
                return None;
            }
            self.begin(exploration);
        }
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        if !self.reduce {
            return;
        }
        let last = exploration.trace.len() - 1;
        let moved = exploration.event(last).process;
        for index in 0..exploration.top().pending.len() {
            let next = exploration.top().pending[index];
            let known = |n: &Next| n.transition == next.transition && n.footprint == next.footprint;
            // Races of a step that was pending before were looked at, but for those with the last event.
            let new = next.transition.process == moved || !exploration.frame(last).pending.iter().any(known);
            self.reverse_races(exploration, next, if new { 0 } else { last }, last + 1);
        }
        // What a step had to wait for decides whether its process could go on.
        self.afters.clear();
        self.afters.extend_from_slice(exploration.trace.afters(last));
        let before = exploration.trace.event(last).before;
        for i in 0..self.afters.len() {
            let e = self.afters[i];
            if exploration.event(e).process != moved && !exploration.trace.in_past(e, before) {
                self.reverse(exploration, e, moved, before);
            }
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.backtrack.open(exploration.depth());
    }

    fn returned(&mut self, _: &mut Exploration<'_>, _: Sleeper) {}

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.backtrack.branches(depth)
    }

    fn complete(&self, outcome: &mut Outcome) {
        self.rounds.complete(outcome);
    }
}
