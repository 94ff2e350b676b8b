//! States that differ only in which task has which name: the cones of one are those of the other, renamed.

use super::bits::Bits;
use super::cone::{Key, UNBORN};
use super::cone_set::{Cones, SetId};
use crate::insights::Task;
use crate::program::Process;
use smallvec::SmallVec;

/// Which task of a stored state is which task of another one that is equal to it but for the names.
pub(crate) struct Renaming {
    /// The tasks that change their names.
    moved: Bits,
    /// The new name of each process up to the last of them.
    names: SmallVec<[u32; 64]>,
    /// The last of the new names.
    last: u32,
}

impl Renaming {
    /// Pairs tasks in the same local state; both lists are sorted by it. `None` if every task keeps its name.
    #[inline]
    pub fn between(stored: &[Process], now: &[Task]) -> Option<Renaming> {
        debug_assert_eq!(stored.len(), now.len());
        let same = stored.iter().zip(now).all(|(a, b)| *a == b.process);
        (!same).then(|| Self::of_tasks(stored, now))
    }

    fn of_tasks(stored: &[Process], now: &[Task]) -> Renaming {
        let mut renaming = Renaming {
            moved: Bits::default(),
            names: (0..=stored.iter().map(|p| p.0).max().unwrap_or(0)).collect(),
            last: 0,
        };
        for (Process(from), Process(to)) in stored.iter().zip(now.iter().map(|t| t.process)) {
            if *from != to {
                renaming.moved.insert(*from);
                renaming.names[*from as usize] = to;
                renaming.last = renaming.last.max(to);
            }
        }
        renaming
    }

    /// The process that has the part of `process`.
    fn of(&self, process: u32) -> u32 {
        self.names.get(process as usize).copied().unwrap_or(process)
    }

    /// The set with every process renamed.
    pub fn of_set(&self, processes: &Bits) -> Bits {
        processes.iter().map(|p| self.of(p)).collect()
    }

    /// The cones with every process renamed.
    pub fn of_cones(&self, set: SetId, cones: &mut Cones) -> SetId {
        cones.table.make_room_for(self.last.max(self.names.len() as u32 - 1));
        let mut members: SmallVec<[u32; 64]> = SmallVec::new();
        for at in 0..cones.set(set).len() {
            let cone = cones.set(set)[at];
            let mut number = cones.table.key(cone);
            let key = cones.key(number);
            if key.process != UNBORN && self.moved.contains(key.process) {
                let process = self.of(key.process);
                number = cones.intern_key(Key { process, ..key });
            }
            let names = (&self.moved, &*self.names);
            members.push(cones.table.renamed(cone, number, names, !key.is_collapsed()));
        }
        // Cones that did not dominate each other do not do so under other names.
        members.sort_unstable();
        cones.intern_members(&members)
    }
}
