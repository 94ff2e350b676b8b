//! `dpor`: dynamic partial order reduction with persistent sets (Flanagan, Godefroid; POPL'05, Fig. 3), repaired.
//!
//! The paper looks at the last racing event of each pending step only, which is enough when every step touches one object. Here steps
//! touch several, so *all* races count (program C1). Sleep sets may be added only if dependence is transitive (program C2).

use super::backtrack::Backtrack;
use super::exploration::{Exploration, Next, Sleeper};
use super::resumable::Resumable;
use super::strategy::{Entered, Strategy};
use crate::program::{Process, Transition};
use crate::trace::At;

/// Persistent sets, with or without sleep sets.
pub(crate) struct Dpor {
    backtrack: Backtrack,
    sleep: bool,
    races: Vec<At>,
}

impl Dpor {
    /// `sleep`: with sleep sets.
    pub fn new(sleep: bool) -> Self {
        Dpor {
            backtrack: Backtrack::default(),
            sleep,
            races: Vec::new(),
        }
    }

    /// Lines 3-9 of `Explore`: the races of every pending step, enabled or not, with the past.
    fn reverse_races(&mut self, exploration: &mut Exploration<'_>) {
        for index in 0..exploration.top().pending.len() {
            let next: Next = exploration.top().pending[index];
            exploration.races_of_next(next, &mut self.races);
            for i in 0..self.races.len() {
                self.reverse(exploration, self.races[i], next.transition.process);
            }
        }
    }

    /// Lines 5-8: some process that leads to the pending step of `process` must be tried before the event at `e`, or else all of them.
    ///
    /// The paper adds any; the published counts of FORTE'12 need the one that moved first after `e`, whatever is in the set already.
    fn reverse(&mut self, exploration: &Exploration<'_>, e: At, process: Process) {
        let depth = e as usize;
        let frame = exploration.frame(e);
        let enabled = |q: Process| frame.enabled().any(|n| n.transition.process == q);
        // Line 6: E = { q enabled at pre(e) | q = p, or q moves after e and that happens before p's next step }.
        let mut leads = (e + 1..exploration.depth() as At)
            .filter(|&at| exploration.happens_before_next(at, process))
            .map(|at| exploration.event(at).process)
            .chain(std::iter::once(process));
        match leads.find(|&q| enabled(q)) {
            Some(q) => self.backtrack.add(depth, q, frame),
            None => frame.enabled().for_each(|n| self.backtrack.add(depth, n.transition.process, frame)),
        }
    }
}

impl Strategy for Dpor {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.backtrack.open(exploration.depth());
        self.backtrack.begin(exploration)
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        self.backtrack.next(exploration.depth(), exploration.top())
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        // Before anything is cut by sleep sets: also at nodes where everything sleeps.
        self.reverse_races(exploration);
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.backtrack.open(exploration.depth());
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        if self.sleep {
            exploration.put_to_sleep(step);
        }
    }

    fn resumable(&mut self) -> Option<&mut dyn Resumable> {
        Some(&mut self.backtrack)
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.backtrack.branches(depth)
    }
}
