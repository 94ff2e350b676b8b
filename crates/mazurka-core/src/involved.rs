//! What a set of steps involves: a quick answer to whether another step is independent of all of them.

use crate::footprints::{FootprintId, Footprints, MOST_WORDS};
use crate::program::Process;

/// The processes of some steps, and what conflicts with some of them. Both answers may be "perhaps"; "no" is certain.
#[derive(Default)]
pub(crate) struct Involved {
    /// Processes, modulo the number of bits.
    processes: u64,
    /// The union of the rows of the table of conflicts; the longest has so many words.
    conflicts: [u64; MOST_WORDS],
    words: usize,
    /// Footprints from here on were not known when the set was begun, or have no row.
    known: u32,
}

impl Involved {
    /// Begins with no steps.
    pub fn clear(&mut self, footprints: &Footprints) {
        self.processes = 0;
        self.conflicts[..self.words].fill(0);
        self.words = 0;
        self.known = footprints.rows();
    }

    /// Adds a step.
    #[inline]
    pub fn add(&mut self, process: Process, footprint: FootprintId, footprints: &Footprints) {
        self.processes |= 1 << (process.0 % 64);
        let Some(row) = footprints.row(footprint) else {
            self.known = 0;
            return;
        };
        self.words = self.words.max(row.len());
        for (all, one) in self.conflicts.iter_mut().zip(row) {
            *all |= one;
        }
    }

    /// Whether one of the steps may be of this process.
    #[inline]
    pub fn may_move(&self, process: Process) -> bool {
        self.processes >> (process.0 % 64) & 1 == 1
    }

    /// Whether it is known which of the steps that were added conflict with one with this footprint.
    #[inline]
    pub fn knows(&self, footprint: FootprintId) -> bool {
        footprint.index() < self.known
    }

    /// Whether one of the steps may conflict with a step with this footprint.
    #[inline]
    pub fn may_conflict(&self, footprint: FootprintId) -> bool {
        if !self.knows(footprint) {
            return true;
        }
        let id = footprint.index();
        self.conflicts[id as usize / 64] >> (id % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::program::Location;

    #[test]
    fn no_is_certain_at_every_size_of_the_table() {
        let mut footprints = Footprints::default();
        let mut ids = Vec::new();
        let mut involved = Involved::default();
        for i in 0..1100u32 {
            let mut footprint = Footprint::new();
            footprint.read(Location(1000 + i));
            if i % 3 == 0 {
                footprint.overwrite(Location(i % 50));
            } else {
                footprint.read(Location(i % 50));
            }
            ids.push(footprints.intern(&footprint));
            if i % 60 != 59 {
                continue;
            }
            let members: Vec<u32> = (0..=i).filter(|m| m % 97 == i % 97).collect();
            involved.clear(&footprints);
            members
                .iter()
                .for_each(|m| involved.add(Process(*m), ids[*m as usize], &footprints));
            for (other, id) in ids.iter().enumerate() {
                let conflicts = members.iter().any(|m| footprints.conflict(ids[*m as usize], *id));
                assert!(involved.may_conflict(*id) || !conflicts, "{i} {other}");
                if i < 1000 {
                    assert_eq!(involved.may_conflict(*id), conflicts, "{i} {other}");
                }
                assert!(involved.may_move(Process(other as u32)) || !members.contains(&(other as u32)));
            }
        }
    }

    #[test]
    fn a_footprint_that_was_not_known_may_conflict() {
        let mut footprints = Footprints::default();
        let nothing = footprints.intern(&Footprint::new());
        let mut involved = Involved::default();
        involved.clear(&footprints);
        involved.add(Process(1), nothing, &footprints);
        assert!(!involved.may_conflict(nothing) && !involved.may_move(Process(2)));
        let mut footprint = Footprint::new();
        footprint.read(Location(0));
        assert!(involved.may_conflict(footprints.intern(&footprint)));
    }
}
