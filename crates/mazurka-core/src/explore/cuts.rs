//! Races of guarded steps, executed or blocked (`docs/src/soundness.md`, "Blocked steps").
//!
//! A guarded step of `q` reads `G`, and `e` wrote `G` outside of `q`'s past. `q` could have been taken at many moments without `e`: after
//! any part `m` of what does not depend on `e`. Only those parts matter that differ in their writes of `G`: starting from everything,
//! the last writers of `G` are removed one by one, with all that happens after them. Every `m` after which `q` is enabled is a race.

use super::exploration::Exploration;
use crate::sequence::{Item, Sequence};
use crate::trace::{At, Causality, NOWHERE, Trace};

/// The enumeration of cuts, with its buffers.
#[derive(Default)]
pub(crate) struct Cuts {
    /// Everything after `e` that does not depend on it.
    rest: Sequence,
    /// The writers of the guard in `rest`, each with the set of items that happen after it or are it (a row of `after`), and of those that
    /// happen before it or are it (a row of `past`).
    writers: Vec<Writer>,
    after: Vec<u64>,
    past: Vec<u64>,
    /// The items in the past of `q`.
    past_of_q: Vec<u64>,
    /// Sets of items of `rest`, as rows of words: all that were met.
    sets: Vec<u64>,
    words: usize,
    /// The sequence under test, and the part of it that decides whether its last step is enabled.
    v: Sequence,
    deciding: Sequence,
    needed: Vec<u64>,
    /// No part will do: see [`Cuts::waited_for`].
    hopeless: bool,
}

struct Writer {
    item: usize,
    /// Not in the past of `q`.
    removable: bool,
}

impl Cuts {
    /// Prepares the cuts of the execution for the guarded step `q` and the event at `e`.
    pub fn prepare(&mut self, exploration: &Exploration<'_>, causality: &impl Causality, e: At, q: Item) -> &mut Self {
        let trace: &Trace = &exploration.trace;
        self.hopeless = Self::waited_for(exploration, causality, e, q);
        if self.hopeless {
            return self;
        }
        self.rest.set_notdep(trace, causality, e);
        let items = &self.rest.items;
        self.words = items.len().div_ceil(64).max(1);
        self.writers.clear();
        self.after.clear();
        self.past.clear();
        self.past_of_q.clear();
        self.past_of_q.resize(self.words, 0);
        // What comes after `e` is in the past of `q` only if its last step is one of that.
        if q.before != NOWHERE && q.before > e {
            for (i, item) in items.iter().enumerate() {
                if causality.in_past(item.at, q.before) {
                    insert(&mut self.past_of_q, i);
                }
            }
        }
        for (i, item) in items.iter().enumerate() {
            if exploration.footprints.writes_guard(item.footprint, q.footprint) {
                self.writers.push(Writer {
                    item: i,
                    removable: !contains(&self.past_of_q, i),
                });
            }
        }
        for &Writer { item: i, .. } in &self.writers {
            let item = &items[i];
            let row = self.after.len();
            self.after.resize(row + self.words, 0);
            for (j, later) in items.iter().enumerate().skip(i) {
                if causality.happens_before(item.at, later.at) {
                    insert(&mut self.after[row..], j);
                }
            }
            self.past.resize(row + self.words, 0);
            for (j, earlier) in items[..=i].iter().enumerate() {
                if causality.happens_before(earlier.at, item.at) {
                    insert(&mut self.past[row..], j);
                }
            }
        }
        self
    }

    /// Calls `found` with every `m.q` that could have been run instead of the event at `e`. Those that are `covered` anyway may be left
    /// out: finding out whether `q` is enabled after `m` means running it.
    pub fn for_each(
        &mut self,
        exploration: &mut Exploration<'_>,
        e: At,
        q: Item,
        covered: impl Fn(&Exploration<'_>, &Sequence) -> bool,
        mut found: impl FnMut(&mut Exploration<'_>, &mut Sequence),
    ) {
        if self.hopeless {
            return;
        }
        let words = self.words;
        // Everything; what lies beyond the items is the same in all sets.
        self.sets.clear();
        self.sets.resize(words, u64::MAX);
        let monotone = exploration.footprints.has_monotone_guard(q.footprint);
        let mut visited = 0;
        while visited * words < self.sets.len() {
            let set = visited * words;
            visited += 1;
            self.v.clear();
            self.v.edges.extend_from_slice(&self.rest.edges);
            if set == 0 {
                self.v.items.extend_from_slice(&self.rest.items);
            } else {
                let kept = self.rest.items.iter().enumerate().filter(|(i, _)| contains(&self.sets[set..], *i));
                self.v.items.extend(kept.map(|(_, item)| *item));
            }
            self.v.items.push(q);
            if !monotone && covered(exploration, &self.v) {
                self.descend(set);
                continue;
            }
            let known = self.known(exploration, e, q, set);
            let executable = known.unwrap_or_else(|| {
                self.decide(set, q);
                exploration.executable(e, &self.deciding)
            });
            if executable {
                found(exploration, &mut self.v);
            }
            // Fewer writes cannot make a monotone guard true.
            if executable || !monotone {
                self.descend(set);
            }
        }
    }

    /// Whether `q` was waiting when the event at `e` came, and nothing else could have ended that. It is the most common case, and found out
    /// without going through all that came later.
    fn waited_for(exploration: &Exploration<'_>, causality: &impl Causality, e: At, q: Item) -> bool {
        let was_pending = q.before == NOWHERE || q.before < e;
        let waits = || {
            let pending = &exploration.frame(e).pending;
            pending.iter().any(|next| next.transition == q.transition && !next.enabled)
        };
        let (trace, footprints) = (&exploration.trace, &exploration.footprints);
        was_pending && waits() && !trace.guard_is_written_beside(causality, e, q.footprint, footprints)
    }

    /// Whether `q` is enabled after a part without writes of its guard, if `q` was already pending before `e`: as it was there.
    fn known(&self, exploration: &Exploration<'_>, e: At, q: Item, set: usize) -> Option<bool> {
        let was_pending = q.before == NOWHERE || q.before < e;
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

    /// Leaves in `deciding` what must be run to know whether `q` is enabled after the set: its own past, and the writers of its guard with
    /// theirs. The rest of the set is independent of these and touches nothing that the guard reads.
    fn decide(&mut self, set: usize, q: Item) {
        let words = self.words;
        self.needed.clear();
        self.needed.extend_from_slice(&self.past_of_q);
        for (w, writer) in self.writers.iter().enumerate() {
            if contains(&self.sets[set..], writer.item) {
                for (needed, past) in self.needed.iter_mut().zip(&self.past[w * words..]) {
                    *needed |= past;
                }
            }
        }
        self.deciding.items.clear();
        let needed = self.rest.items.iter().enumerate().filter(|(i, _)| contains(&self.needed, *i));
        self.deciding.items.extend(needed.map(|(_, item)| *item));
        self.deciding.items.push(q);
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

fn insert(set: &mut [u64], i: usize) {
    set[i / 64] |= 1 << (i % 64);
}

fn contains(set: &[u64], i: usize) -> bool {
    set[i / 64] >> (i % 64) & 1 == 1
}
