//! Contradictions that were met before.

use super::Answer;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many are kept.
const MOST: usize = 4096;

/// What tells an answer from others.
type Key = (u128, bool);

/// Sets of answers that cannot be given together.
#[derive(Default)]
pub(super) struct Cores {
    all: Vec<Vec<Key>>,
    /// The places of those that an answer is in.
    with: FxHashMap<Key, Vec<u32>>,
}

impl Cores {
    /// Remembers one.
    pub fn add(&mut self, core: Vec<Key>) {
        if self.all.len() < MOST {
            for key in &core {
                self.with.entry(*key).or_default().push(self.all.len() as u32);
            }
            self.all.push(core);
        }
    }

    /// Whether these answers contain one of them. All answers but the last `fresh` are known to be possible together.
    pub fn contradict(&self, answers: &[Answer], fresh: usize) -> bool {
        let mut given: Option<FxHashSet<Key>> = None;
        answers.iter().rev().take(fresh).any(|newest| {
            self.with.get(&newest.key()).is_some_and(|places| {
                let given = given.get_or_insert_with(|| answers.iter().map(Answer::key).collect());
                places
                    .iter()
                    .any(|place| self.all[*place as usize].iter().all(|key| given.contains(key)))
            })
        })
    }
}
