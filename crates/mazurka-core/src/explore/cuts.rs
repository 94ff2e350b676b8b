//! Races of guarded steps, executed or blocked (`docs/src/soundness.md`, "Blocked steps").
//!
//! A guarded step of `q` reads `G`, and `e` wrote `G` outside of `q`'s past. `q` could have been taken at many moments without `e`: after
//! any part `m` of what does not depend on `e`. Only those parts matter that differ in their writes of `G`: starting from everything,
//! the last writers of `G` are removed one by one, with all that happens after them. Every `m` after which `q` is enabled is a race.

use super::exploration::{Exploration, Next};
use crate::program::Program;
use crate::sequence::Sequence;
use crate::store::Store;
use crate::trace::{At, Causality, NOWHERE, Trace};

/// The enumeration of cuts, with its buffers.
#[derive(Default)]
pub(crate) struct Cuts {
    /// Everything after `e` that does not depend on it.
    rest: Sequence,
    /// The writers of the guard in `rest`, each with the set of items that happen after it or are it (a row of `after`).
    writers: Vec<Writer>,
    after: Vec<u64>,
    /// Sets of items of `rest`, as rows of words: all that were met.
    sets: Vec<u64>,
    words: usize,
    /// The sequence under test.
    v: Sequence,
}

struct Writer {
    item: usize,
    /// Not in the past of `q`.
    removable: bool,
}

impl Cuts {
    /// Prepares the cuts of the execution for the guarded step `q` and the event at `e`. `before` is the event that `q` cannot be
    /// separated from.
    pub fn prepare<P: Program, S>(
        &mut self,
        exploration: &Exploration<'_, P, S>,
        causality: &impl Causality,
        e: At,
        q: Next,
        before: At,
    ) -> &mut Self {
        let trace: &Trace = &exploration.trace;
        self.rest.set_notdep(trace, causality, e);
        let items = &self.rest.items;
        self.words = items.len().div_ceil(64).max(1);
        self.writers.clear();
        self.after.clear();
        for (i, item) in items.iter().enumerate() {
            if !exploration.footprints.writes_guard(item.footprint, q.footprint) {
                continue;
            }
            self.writers.push(Writer {
                item: i,
                removable: !causality.in_past(item.at, before),
            });
            let row = self.after.len();
            self.after.resize(row + self.words, 0);
            for (j, later) in items.iter().enumerate().skip(i) {
                if causality.happens_before(item.at, later.at) {
                    self.after[row + j / 64] |= 1 << (j % 64);
                }
            }
        }
        self
    }

    /// Calls `found` with every `m.q` that could have been run instead of the event at `e`. Those that are `covered` anyway may be left
    /// out: finding out whether `q` is enabled after `m` means running it.
    pub fn for_each<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        e: At,
        q: Next,
        before: At,
        covered: impl Fn(&Exploration<'_, P, S>, &Sequence) -> bool,
        mut found: impl FnMut(&mut Exploration<'_, P, S>, &mut Sequence),
    ) {
        let (count, words) = (self.rest.items.len(), self.words);
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
            let kept = self.rest.items.iter().enumerate().filter(|(i, _)| contains(&self.sets[set..], *i));
            self.v.items.extend(kept.map(|(_, item)| *item));
            self.v.push_step(q.transition, q.footprint, before);
            if !monotone && covered(exploration, &self.v) {
                self.descend(set);
                continue;
            }
            let known = self.known(exploration, e, q, before, set);
            let executable = known.unwrap_or_else(|| exploration.executable(e, &self.v));
            if executable {
                found(exploration, &mut self.v);
            }
            // Fewer writes cannot make a monotone guard true.
            if executable || !monotone {
                self.descend(set);
            }
        }
    }

    /// Whether `q` is enabled after a part without writes of its guard, if `q` was already pending before `e`: as it was there.
    fn known<P: Program, S: Store<P>>(&self, exploration: &Exploration<'_, P, S>, e: At, q: Next, before: At, set: usize) -> Option<bool> {
        let was_pending = before == NOWHERE || before < e;
        if !was_pending || self.writers.iter().any(|w| contains(&self.sets[set..], w.item)) {
            return None;
        }
        exploration
            .frame(e)
            .pending
            .iter()
            .find(|n| n.transition == q.transition)
            .map(|n| n.enabled)
    }

    /// Adds the sets that have one last writer of the guard less, with everything after it.
    fn descend(&mut self, set: usize) {
        let words = self.words;
        for (w, writer) in self.writers.iter().enumerate() {
            let row = w * words;
            let is_in = |item| contains(&self.sets[set..], item);
            let is_last = || {
                !self.writers[w + 1..]
                    .iter()
                    .any(|later| is_in(later.item) && contains(&self.after[row..], later.item))
            };
            if !writer.removable || !is_in(writer.item) || !is_last() {
                continue;
            }
            let new = self.sets.len();
            self.sets.extend_from_within(set..set + words);
            for k in 0..words {
                self.sets[new + k] &= !self.after[row + k];
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
