//! `pos`: partial order sampling (Yuan, Yang, Gu; CAV'18, Algorithm 2).
//!
//! Every pending step has a random priority, and the highest is taken. Then the steps that race with it draw again: which of two racing steps
//! comes first does not depend on how the races before were decided.

use super::numbers::Numbers;
use super::picker::Picker;
use super::profile::Profile;
use crate::explore::exploration::Exploration;
use crate::program::Process;

/// The priorities of the pending steps, by process; 0 is none yet.
#[derive(Default)]
pub(super) struct Pos {
    priorities: Vec<u64>,
}

impl Picker for Pos {
    fn begin(&mut self, _: &Profile, _: &mut Numbers) {
        self.priorities.clear();
    }

    fn pick(&mut self, ready: &[Process], _: &Exploration<'_>, numbers: &mut Numbers) -> Process {
        let mut best = (0, ready[0]);
        for &process in ready {
            if process.index() >= self.priorities.len() {
                self.priorities.resize(process.index() + 1, 0);
            }
            let priority = &mut self.priorities[process.index()];
            if *priority == 0 {
                *priority = numbers.next() | 1;
            }
            if *priority > best.0 {
                best = (*priority, process);
            }
        }
        best.1
    }

    fn executed(&mut self, exploration: &Exploration<'_>) {
        let last = exploration.trace.event(exploration.trace.len() - 1);
        if let Some(priority) = self.priorities.get_mut(last.transition.process.index()) {
            *priority = 0;
        }
        for next in &exploration.top().pending {
            let process = next.transition.process.index();
            if process < self.priorities.len() && exploration.footprints.conflict(last.footprint, next.footprint) {
                self.priorities[process] = 0;
            }
        }
    }
}
