//! `pct`: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte; ASPLOS'10, Algorithm 1).
//!
//! Processes that are born on the way get their priority at birth, below or above the others at random. A step counts only if there was
//! something to choose: changes of priority elsewhere are wasted (section 3.2 of the paper says the same of threads that run alone).

use super::numbers::Numbers;
use super::picker::Picker;
use super::profile::Profile;
use crate::explore::exploration::Exploration;
use crate::program::Process;

/// Initial priorities have this bit; changed ones are smaller.
const INITIAL: u64 = 1 << 63;

/// Priorities and the moments at which they change.
pub(super) struct Pct {
    depth: u32,
    /// By process; 0 is none yet.
    priorities: Vec<u64>,
    /// The steps before which priorities change, latest first, with the new priority: the i-th of the paper's points gives priority i.
    changes: Vec<(u64, u64)>,
    /// Steps with something to choose.
    steps: u64,
}

impl Pct {
    pub fn new(depth: u32) -> Self {
        Pct {
            depth,
            priorities: Vec::new(),
            changes: Vec::new(),
            steps: 0,
        }
    }

    /// The process with the highest priority.
    fn highest(&mut self, ready: &[Process], numbers: &mut Numbers) -> Process {
        let mut best = (0, ready[0]);
        for &process in ready {
            if process.index() >= self.priorities.len() {
                self.priorities.resize(process.index() + 1, 0);
            }
            let priority = &mut self.priorities[process.index()];
            if *priority == 0 {
                *priority = numbers.next() | INITIAL;
            }
            if *priority > best.0 {
                best = (*priority, process);
            }
        }
        best.1
    }
}

impl Picker for Pct {
    fn begin(&mut self, profile: &Profile, numbers: &mut Numbers) {
        self.priorities.clear();
        self.steps = 0;
        self.changes.clear();
        let longest = profile.most_choices().max(1);
        for i in 1..self.depth {
            self.changes.push((numbers.below(longest), u64::from(i)));
        }
        self.changes.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn pick(&mut self, ready: &[Process], _: &Exploration<'_>, numbers: &mut Numbers) -> Process {
        let mut process = self.highest(ready, numbers);
        while let Some(&(_, priority)) = self.changes.last().filter(|(step, _)| *step == self.steps) {
            self.changes.pop();
            self.priorities[process.index()] = priority;
            process = self.highest(ready, numbers);
        }
        self.steps += 1;
        process
    }
}
