//! Contradictions that were met before.

use super::Answer;
use rustc_hash::FxHashSet;

/// So many are kept.
const MOST: usize = 4096;

/// Sets of answers that cannot be given together.
#[derive(Default)]
pub(super) struct Cores {
    all: Vec<Vec<(u128, bool)>>,
}

impl Cores {
    /// Remembers one.
    pub fn add(&mut self, core: Vec<(u128, bool)>) {
        if self.all.len() < MOST {
            self.all.push(core);
        }
    }

    /// Whether these answers contain one of them.
    pub fn contradict(&self, answers: &[Answer]) -> bool {
        if self.all.is_empty() {
            return false;
        }
        let given: FxHashSet<(u128, bool)> = answers.iter().map(Answer::key).collect();
        self.all.iter().any(|core| core.iter().all(|answer| given.contains(answer)))
    }
}
