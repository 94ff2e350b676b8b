//! Footprints as dense ids.
//!
//! A program has few distinct footprints, and the search asks for conflicts between them all the time: each distinct list of accesses
//! gets an id, and the answers for the first few hundred ids are kept in a matrix of bits.
//!
//! Workers of one search have a table each, for speed, and give the same footprint the same id: who meets a new one asks the table that they
//! have in common, and learns all that it has.

use crate::footprint::{Access, Footprint, Mode, conflict, writes_guard};
use crate::locked::locked;
use crate::program::Location;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// An interned footprint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct FootprintId(u32);

impl FootprintId {
    /// Its number; ids are dense.
    #[inline]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// Ids below this have their conflicts in the matrix: at most 128 KiB.
const MATRIX: u32 = 1024;

/// The most words of a row of the matrix.
pub(crate) const MOST_WORDS: usize = MATRIX as usize / 64;

#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    guarded: bool,
    monotone_guard: bool,
}

/// What the tables of several workers have in common.
#[derive(Default)]
pub(crate) struct CommonFootprints {
    table: Mutex<Footprints>,
    /// How many entries it has.
    len: AtomicU32,
}

/// The table of footprints of one search, or of one of its workers.
#[derive(Default)]
pub(crate) struct Footprints {
    /// The table that says which ids new footprints get, if several workers have to agree on that.
    common: Option<Arc<CommonFootprints>>,
    accesses: Vec<Access>,
    entries: Vec<Entry>,
    /// Open addressing: indexes into `entries` plus one, 0 is free. The length is a power of two.
    slots: Vec<u32>,
    /// Answers for the ids below 64 times the words of a row; it grows with the number of ids.
    conflicts: Vec<u64>,
    row_words: u32,
}

impl Footprints {
    /// A table that agrees with all others that have the same one in common.
    pub fn of_worker(common: Arc<CommonFootprints>) -> Self {
        let mut footprints = Footprints {
            common: Some(common),
            ..Footprints::default()
        };
        footprints.catch_up();
        footprints
    }

    /// Learns what others have met since.
    pub fn catch_up(&mut self) {
        if let Some(common) = &self.common
            && common.len.load(Ordering::Acquire) as usize > self.entries.len()
        {
            let common = Arc::clone(common);
            self.learn(&locked(&common.table));
        }
    }

    /// Adds what the common table has more.
    fn learn(&mut self, common: &Footprints) {
        for entry in &common.entries[self.entries.len()..] {
            self.add(&common.accesses[entry.start as usize..entry.end as usize], entry.monotone_guard);
        }
    }

    /// The id of a footprint.
    pub fn intern(&mut self, footprint: &Footprint) -> FootprintId {
        let (accesses, monotone_guard) = (footprint.accesses(), footprint.monotone_guard);
        if let Ok(known) = self.find(accesses, monotone_guard) {
            return known;
        }
        let Some(common) = self.common.clone() else {
            return self.add(accesses, monotone_guard);
        };
        let mut table = locked(&common.table);
        let id = table.intern(footprint);
        common.len.store(table.entries.len() as u32, Ordering::Release);
        self.learn(&table);
        id
    }

    /// The id of a footprint, or the free slot where it would be.
    #[inline]
    fn find(&self, accesses: &[Access], monotone_guard: bool) -> Result<FootprintId, usize> {
        let Some(mask) = self.slots.len().checked_sub(1) else {
            return Err(0);
        };
        let mut at = hash(accesses) as usize & mask;
        loop {
            match self.slots[at] {
                0 => return Err(at),
                found => {
                    let entry = self.entries[found as usize - 1];
                    let same = &self.accesses[entry.start as usize..entry.end as usize] == accesses;
                    if same && entry.monotone_guard == monotone_guard {
                        return Ok(FootprintId(found - 1));
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a footprint that is not there yet.
    fn add(&mut self, accesses: &[Access], monotone_guard: bool) -> FootprintId {
        if (self.entries.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let id = self.entries.len() as u32;
        if let Err(free) = self.find(accesses, monotone_guard) {
            self.slots[free] = id + 1;
        }
        let start = self.accesses.len() as u32;
        self.accesses.extend_from_slice(accesses);
        let end = self.accesses.len() as u32;
        self.entries.push(Entry {
            start,
            end,
            guarded: accesses.iter().any(|a| a.guard),
            monotone_guard,
        });
        if id < MATRIX {
            self.fill_matrix(id);
        }
        FootprintId(id)
    }

    /// Whether steps with these footprints may not be swapped.
    #[inline]
    pub fn conflict(&self, a: FootprintId, b: FootprintId) -> bool {
        let covered = self.row_words * 64;
        if a.0 < covered && b.0 < covered {
            self.conflicts[(a.0 * self.row_words + b.0 / 64) as usize] >> (b.0 % 64) & 1 == 1
        } else {
            conflict(self.accesses(a), self.accesses(b))
        }
    }

    /// The conflicts of a footprint with those that have a row, by id; `None` if it has none itself.
    #[inline]
    pub fn row(&self, id: FootprintId) -> Option<&[u64]> {
        let words = self.row_words as usize;
        self.conflicts.get(id.0 as usize * words..(id.0 as usize + 1) * words)
    }

    /// How many footprints have a row.
    #[inline]
    pub fn rows(&self) -> u32 {
        (self.entries.len() as u32).min(self.row_words * 64)
    }

    /// The accesses of a footprint.
    #[inline]
    pub fn accesses(&self, id: FootprintId) -> &[Access] {
        let entry = self.entries[id.0 as usize];
        &self.accesses[entry.start as usize..entry.end as usize]
    }

    /// Whether some read decides if the step is enabled.
    #[inline]
    pub fn is_guarded(&self, id: FootprintId) -> bool {
        self.entries[id.0 as usize].guarded
    }

    /// Whether the guard can only go from false to true.
    pub fn has_monotone_guard(&self, id: FootprintId) -> bool {
        self.entries[id.0 as usize].monotone_guard
    }

    /// The locations that decide whether the step is enabled.
    pub fn guard_locations(&self, id: FootprintId) -> impl Iterator<Item = Location> + '_ {
        self.accesses(id).iter().filter(|a| a.guard).map(|a| a.location)
    }

    /// Whether a step with footprint `writer` may change what decides if a step with footprint `guarded` is enabled, see
    /// [`writes_guard`].
    #[inline]
    pub fn writes_guard(&self, writer: FootprintId, guarded: FootprintId) -> bool {
        // A write of what a guard reads is a conflict, so the matrix answers most questions.
        self.is_guarded(guarded) && self.conflict(writer, guarded) && writes_guard(self.accesses(writer), self.accesses(guarded))
    }

    /// Whether a step with footprint `writer` may write all that decides if a step with footprint `guarded` is enabled.
    pub fn overwrites_guard(&self, writer: FootprintId, guarded: FootprintId) -> bool {
        let written = |g| self.accesses(writer).iter().any(|a| a.location == g && a.mode == Mode::Write);
        self.guard_locations(guarded).all(written)
    }

    fn fill_matrix(&mut self, id: u32) {
        if id >= self.row_words * 64 {
            self.widen_matrix();
        }
        let row = self.row_words;
        for other in 0..=id {
            if conflict(self.accesses(FootprintId(id)), self.accesses(FootprintId(other))) {
                for (a, b) in [(id, other), (other, id)] {
                    self.conflicts[(a * row + b / 64) as usize] |= 1 << (b % 64);
                }
            }
        }
    }

    /// Makes the matrix four times as wide and as high, keeping the answers.
    fn widen_matrix(&mut self) {
        let (old, new) = (self.row_words, (self.row_words * 4).max(1));
        let mut conflicts = vec![0; (new * new * 64) as usize];
        for (id, row) in self.conflicts.chunks_exact(old.max(1) as usize).enumerate() {
            let start = id * new as usize;
            conflicts[start..start + row.len()].copy_from_slice(row);
        }
        self.conflicts = conflicts;
        self.row_words = new;
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(size, 0);
        for (id, entry) in self.entries.iter().enumerate() {
            let mut at = hash(&self.accesses[entry.start as usize..entry.end as usize]) as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = id as u32 + 1;
        }
    }
}

fn hash(accesses: &[Access]) -> u64 {
    let mut hasher = FxHasher::default();
    for a in accesses {
        (u64::from(a.location.0) << 8 | (a.mode as u64) << 2 | u64::from(a.guard) << 1 | u64::from(a.maybe)).hash(&mut hasher);
    }
    // Slots are chosen by the low bits, where the multiplicative hash is weak.
    let hash = hasher.finish();
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many that conflict with some of the others, in every way.
    fn many() -> Vec<Footprint> {
        let footprint = |i: u32| {
            let mut f = Footprint::new();
            f.read(Location(i % 11));
            match i % 5 {
                0 => f.overwrite(Location(i % 7)),
                1 => f.accumulate(Location(i % 9)),
                2 => f.guard(Location(i % 13)),
                _ => {}
            }
            f.read(Location(100 + i / 2));
            f.monotone_guard = i % 2 == 1;
            f
        };
        (0..1100).map(footprint).collect()
    }

    #[test]
    fn the_matrix_and_the_lists_agree_at_every_size() {
        let footprints = many();
        let mut table = Footprints::default();
        let mut ids: Vec<FootprintId> = Vec::new();
        for f in &footprints {
            ids.push(table.intern(f));
            let i = ids.len() - 1;
            for j in (0..=i).filter(|j| i % 64 < 2 || (i - j).is_multiple_of(37) || i > 1020) {
                assert_eq!(table.conflict(ids[i], ids[j]), f.conflicts(&footprints[j]), "{i} {j}");
                assert_eq!(table.conflict(ids[j], ids[i]), f.conflicts(&footprints[j]), "{j} {i}");
            }
        }
        for (i, f) in footprints.iter().enumerate() {
            for (j, g) in footprints.iter().enumerate().skip(i % 13).step_by(13) {
                assert_eq!(table.conflict(ids[i], ids[j]), f.conflicts(g), "{i} {j}");
            }
        }
    }

    #[test]
    fn equal_footprints_have_one_id_and_others_another() {
        let footprints = many();
        let mut table = Footprints::default();
        let ids: Vec<FootprintId> = footprints.iter().map(|f| table.intern(f)).collect();
        for (i, f) in footprints.iter().enumerate() {
            assert_eq!(ids[i].0 as usize, i);
            assert_eq!(table.intern(f), ids[i]);
            assert_eq!(table.accesses(ids[i]), f.accesses());
            assert_eq!(table.has_monotone_guard(ids[i]), f.monotone_guard);
            assert_eq!(table.is_guarded(ids[i]), f.is_guarded());
            let guards: Vec<Location> = f.accesses().iter().filter(|a| a.guard).map(|a| a.location).collect();
            assert_eq!(table.guard_locations(ids[i]).collect::<Vec<_>>(), guards);
        }
    }

    #[test]
    fn workers_agree_on_ids_whoever_asks_first() {
        let footprints = many();
        let common = Arc::default();
        let mut tables = [
            Footprints::of_worker(Arc::clone(&common)),
            Footprints::of_worker(Arc::clone(&common)),
        ];
        let ids: Vec<FootprintId> = (0..500).map(|i| tables[i % 3 % 2].intern(&footprints[i])).collect();
        tables.iter_mut().for_each(Footprints::catch_up);
        for table in &mut tables {
            for (f, id) in footprints.iter().zip(&ids) {
                assert_eq!(table.accesses(*id), f.accesses());
                assert_eq!(table.intern(f), *id);
            }
        }
        assert_eq!(Footprints::of_worker(common).entries.len(), 500);
    }

    #[test]
    fn who_writes_and_who_overwrites_a_guard() {
        let mut table = Footprints::default();
        let mut id = |make: &dyn Fn(&mut Footprint)| {
            let mut f = Footprint::new();
            make(&mut f);
            table.intern(&f)
        };
        let (x, y) = (Location(0), Location(1));
        let both = id(&|f| {
            f.guard(x);
            f.guard(y);
        });
        let one = id(&|f| f.guard(x));
        let reads = id(&|f| f.read(x));
        let writes = id(&|f| f.overwrite(x));
        let adds = id(&|f| f.accumulate(x));
        let other = id(&|f| f.overwrite(y));
        assert!(table.writes_guard(writes, both) && table.writes_guard(adds, both) && table.writes_guard(other, both));
        assert!(!table.writes_guard(reads, both) && !table.writes_guard(other, one));
        assert!(!table.writes_guard(writes, reads), "no guard");
        assert!(table.overwrites_guard(writes, one) && !table.overwrites_guard(writes, both));
        assert!(!table.overwrites_guard(adds, one), "an addition keeps what was there");
    }
}
