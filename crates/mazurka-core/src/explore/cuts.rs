//! Races of guarded steps, executed or blocked (`docs/soundness.md`, "Blocked steps").
//!
//! A guarded step of `q` reads `G`, and `e` wrote `G` outside of `q`'s past. `q` could have been taken at many moments without `e`: after
//! any part `m` of what does not depend on `e`. Only those parts matter that differ in their writes of `G`: starting from everything,
//! the last writers of `G` are removed one by one, with all that happens after them. Every `m` after which `q` is enabled is a race.

use super::exploration::{Exploration, Next};
use crate::program::Program;
use crate::sequence::Sequence;
use crate::store::Store;
use crate::trace::At;

/// Buffers for the enumeration, reused.
#[derive(Default)]
pub(crate) struct Cuts {
    /// Everything after `e` that does not depend on it.
    rest: Sequence,
    /// Sets of items of `rest`, as rows of words; all that were met, those before `visited` have been looked at.
    sets: Vec<u64>,
    /// The sequence under test.
    v: Sequence,
}

impl Cuts {
    /// Calls `found` with every `m.q` that could have been run instead of the event at `e`.
    ///
    /// `before` is the event that `q` cannot be separated from.
    pub fn for_each<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        e: At,
        q: Next,
        before: At,
        mut found: impl FnMut(&mut Exploration<'_, P, S>, &mut Sequence),
    ) {
        self.rest.set_notdep(&exploration.trace, e);
        let count = self.rest.items.len();
        let words = count.div_ceil(64).max(1);
        self.sets.clear();
        self.sets.resize(words, u64::MAX);
        if !count.is_multiple_of(64) || count == 0 {
            self.sets[words - 1] = (1u64 << (count % 64)) - 1;
        }
        let monotone = exploration.footprints.has_monotone_guard(q.footprint);
        let mut visited = 0;
        while visited * words < self.sets.len() {
            let set = visited * words;
            visited += 1;
            self.v.items.clear();
            for (i, item) in self.rest.items.iter().enumerate() {
                if contains(&self.sets[set..], i) {
                    self.v.items.push(*item);
                }
            }
            self.v.push_step(q.transition, q.footprint, before);
            let executable = exploration.executable(e, &self.v);
            if executable {
                found(exploration, &mut self.v);
            }
            // Fewer writes cannot make a monotone guard true.
            if executable || !monotone {
                self.descend(exploration, q, before, set, words);
            }
        }
    }

    /// Adds the sets that have one last writer of the guard less, with everything after it.
    fn descend<P: Program, S>(&mut self, exploration: &Exploration<'_, P, S>, q: Next, before: At, set: usize, words: usize) {
        let trace = &exploration.trace;
        let count = self.rest.items.len();
        let items = &self.rest.items;
        let writes = |i: usize| exploration.footprints.writes_guard(items[i].footprint, q.footprint);
        for i in 0..count {
            let removable = contains(&self.sets[set..], i) && writes(i) && !trace.in_past(items[i].at, before);
            let is_last =
                || !(i + 1..count).any(|j| contains(&self.sets[set..], j) && writes(j) && trace.happens_before(items[i].at, items[j].at));
            if !removable || !is_last() {
                continue;
            }
            let new = self.sets.len();
            self.sets.extend_from_within(set..set + words);
            for (j, item) in items.iter().enumerate().skip(i) {
                if trace.happens_before(items[i].at, item.at) {
                    self.sets[new + j / 64] &= !(1 << (j % 64));
                }
            }
            let (known, candidate) = self.sets.split_at(new);
            if known.chunks_exact(words).any(|k| k == candidate) {
                self.sets.truncate(new);
            }
        }
    }
}

fn contains(set: &[u64], i: usize) -> bool {
    set[i / 64] >> (i % 64) & 1 == 1
}
