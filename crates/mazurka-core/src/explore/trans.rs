//! `trans`: TransDPOR (Tasharofi et al.; FORTE'12, Fig. 2), for programs whose race relation is transitive.
//!
//! As [`super::dpor`], but each node takes at most one new message into its backtrack set until that one is explored: it is *frozen*.
//! Transitivity brings the others back later if they are needed. On steps that touch several locations it is not transitive, and
//! executions are lost (program A3); with sleep sets a message that already sleeps must neither be added nor freeze (program A2).

use super::backtrack::Backtrack;
use super::exploration::{Exploration, Next, Sleeper};
use super::strategy::{Entered, Strategy};
use crate::program::{Process, Transition};
use crate::trace::{At, Causality};

/// Frozen persistent sets.
#[derive(Default)]
pub(crate) struct Trans {
    backtrack: Backtrack,
    freeze: Vec<bool>,
    sleep: bool,
    /// The literal reading with sleep sets: a sleeping message is added and freezes.
    sleepers_freeze: bool,
    races: Vec<At>,
}

impl Trans {
    /// `sleep`: with sleep sets. `sleepers_freeze`: as published, which is unsound.
    pub fn new(sleep: bool, sleepers_freeze: bool) -> Self {
        Trans {
            sleep,
            sleepers_freeze,
            ..Trans::default()
        }
    }

    /// Lines 3-9: the last race of every pending message, accepted or not.
    fn reverse_races(&mut self, exploration: &mut Exploration<'_>) {
        for index in 0..exploration.top().pending.len() {
            let next: Next = exploration.top().pending[index];
            let process = next.transition.process;
            exploration
                .trace
                .races_of_next(process, next.footprint, &exploration.footprints, &mut self.races);
            if let Some(&last) = self.races.iter().max() {
                self.reverse(exploration, last, process);
            }
        }
    }

    /// Lines 4'-7': the first step after `e` that leads to the pending one goes into the backtrack set, unless that is frozen.
    fn reverse(&mut self, exploration: &Exploration<'_>, e: At, process: Process) {
        let depth = e as usize;
        if self.freeze[depth] {
            return;
        }
        let trace = &exploration.trace;
        let before = trace.before_next(process);
        let first = (e + 1..trace.len()).find(|&at| trace.in_past(at, before));
        let candidate = first.map_or(process, |at| trace.event(at).transition.process);
        let frame = exploration.frame(e);
        let Some(enabled) = frame.enabled().find(|n| n.transition.process == candidate) else {
            return;
        };
        let asleep = frame.sleeps(enabled.transition) && !self.sleepers_freeze;
        if !asleep && !self.backtrack.contains(depth, candidate) {
            self.backtrack.add(depth, candidate, frame);
            self.freeze[depth] = true;
        }
    }

    fn open(&mut self, depth: usize) {
        self.backtrack.open(depth);
        self.freeze.truncate(depth);
        self.freeze.push(false);
    }
}

impl Strategy for Trans {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.open(exploration.depth());
        self.backtrack.begin(exploration)
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let depth = exploration.depth();
        let next = self.backtrack.next(depth, exploration.top());
        // Line 14'.
        self.freeze[depth] = false;
        next
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        self.reverse_races(exploration);
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.open(exploration.depth());
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        if self.sleep {
            exploration.put_to_sleep(step);
        }
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.backtrack.branches(depth)
    }
}
