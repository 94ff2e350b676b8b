//! Sets of accesses as bit planes: what the static computation of persistent and source sets compares, several times per state.

use crate::footprint::{Access, Mode};
use crate::program::Location;
use smallvec::SmallVec;

/// Which locations are read, written and accumulated into. Up to 128 locations need no allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessSet {
    reads: SmallVec<[u64; 2]>,
    writes: SmallVec<[u64; 2]>,
    accumulates: SmallVec<[u64; 2]>,
    everything: bool,
}

impl AccessSet {
    /// No access.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every access to every location: what nothing is known about.
    pub fn everything() -> Self {
        AccessSet {
            everything: true,
            ..Self::default()
        }
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.accumulates.clear();
        self.everything = false;
    }

    /// Adds one access.
    pub fn insert(&mut self, location: Location, mode: Mode) {
        let plane = match mode {
            Mode::Read => &mut self.reads,
            Mode::Write => &mut self.writes,
            Mode::Accumulate => &mut self.accumulates,
        };
        let (word, bit) = (location.index() / 64, location.index() % 64);
        if plane.len() <= word {
            plane.resize(word + 1, 0);
        }
        plane[word] |= 1 << bit;
    }

    /// Adds the accesses of a footprint.
    pub fn extend(&mut self, accesses: &[Access]) {
        for access in accesses {
            self.insert(access.location, access.mode);
            if access.mode == Mode::Write && (access.guard || access.maybe) {
                self.insert(access.location, Mode::Read);
            }
        }
    }

    /// Adds all accesses of `other`; true if that added any.
    pub fn union(&mut self, other: &AccessSet) -> bool {
        let grown = !self.everything && other.everything;
        self.everything |= other.everything;
        let reads = join(&mut self.reads, &other.reads);
        let writes = join(&mut self.writes, &other.writes);
        let accumulates = join(&mut self.accumulates, &other.accumulates);
        grown | reads | writes | accumulates
    }

    /// Whether there is no access.
    pub fn is_empty(&self) -> bool {
        !self.everything
            && [&self.reads, &self.writes, &self.accumulates]
                .iter()
                .all(|p| p.iter().all(|w| *w == 0))
    }

    /// Whether some access of one conflicts with some access of the other.
    pub fn conflicts(&self, other: &AccessSet) -> bool {
        if self.everything || other.everything {
            return !self.is_empty() && !other.is_empty();
        }
        meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&self.reads, &other.writes)
            || meet(&self.accumulates, &other.reads)
            || meet(&self.accumulates, &other.writes)
            || meet(&self.reads, &other.accumulates)
            || meet(&self.writes, &other.accumulates)
    }
}

fn join(into: &mut SmallVec<[u64; 2]>, from: &[u64]) -> bool {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    let mut grown = false;
    for (a, b) in into.iter_mut().zip(from) {
        grown |= *b & !*a != 0;
        *a |= b;
    }
    grown
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(location: u32, mode: Mode) -> AccessSet {
        let mut set = AccessSet::new();
        set.insert(Location(location), mode);
        set
    }

    #[test]
    fn sets_conflict_exactly_when_their_modes_do() {
        use Mode::*;
        for a in [Read, Write, Accumulate] {
            for b in [Read, Write, Accumulate] {
                for location in [0, 63, 64, 700] {
                    assert_eq!(one(location, a).conflicts(&one(location, b)), a.conflicts(b), "{a:?} {b:?}");
                    assert!(!one(location, a).conflicts(&one(location + 1, b)));
                }
            }
        }
    }

    #[test]
    fn a_union_says_whether_it_grew() {
        let mut set = one(3, Mode::Read);
        assert!(set.union(&one(70, Mode::Write)));
        assert!(!set.union(&one(70, Mode::Write)));
        assert!(set.union(&AccessSet::everything()));
        assert!(!set.union(&AccessSet::everything()));
    }

    #[test]
    fn everything_conflicts_with_all_but_nothing() {
        assert!(AccessSet::everything().conflicts(&one(5, Mode::Read)));
        assert!(!AccessSet::everything().conflicts(&AccessSet::new()));
    }
}
