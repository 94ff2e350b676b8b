//! States that differ only in which task has which name: the cones of one are those of the other, renamed.

use super::bits::Bits;
use super::cone::{Key, UNBORN};
use super::cone_set::{Cones, Gather, SetId};
use crate::comparable::Task;
use rustc_hash::FxHashMap;

/// Which task of a stored state is which task of another one that is equal to it but for the names.
pub(crate) struct Renaming(FxHashMap<u32, u32>);

impl Renaming {
    /// Pairs tasks in the same local state; both lists are sorted. `None` if every task keeps its name.
    pub fn between(stored: &[Task], now: &[Task]) -> Option<Renaming> {
        if stored == now {
            return None;
        }
        debug_assert!(stored.len() == now.len() && stored.iter().zip(now).all(|(a, b)| a.state == b.state));
        Some(Renaming(stored.iter().zip(now).map(|(a, b)| (a.process.0, b.process.0)).collect()))
    }

    /// The process that has the part of `process`.
    fn of(&self, process: u32) -> u32 {
        self.0.get(&process).copied().unwrap_or(process)
    }

    /// The set with every process renamed.
    pub fn of_set(&self, processes: &Bits) -> Bits {
        processes.iter().map(|p| self.of(p)).collect()
    }

    /// The cones with every process renamed.
    pub fn of_cones(&self, set: SetId, cones: &mut Cones) -> SetId {
        let mut gather = Gather::default();
        cones.resume(&mut gather);
        for at in 0..cones.set(set).len() {
            let mut cone = cones.cone(cones.set(set)[at]).clone();
            let key = cones.key(&cone);
            if key.process != UNBORN {
                cone.key = cones.intern_key(Key {
                    process: self.of(key.process),
                    ..key
                });
            }
            cone.past = self.of_set(&cone.past);
            if !key.is_collapsed() {
                cone.initials = self.of_set(&cone.initials);
            }
            let renamed = cones.intern(cone);
            cones.add(&mut gather, renamed);
        }
        cones.intern_set(&gather)
    }
}
