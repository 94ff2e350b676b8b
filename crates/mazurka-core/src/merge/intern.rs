//! Equal things stored once and known by number.

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// Finds numbers by hash; what they stand for is kept elsewhere. Numbers that were swept away are used again.
#[derive(Default)]
pub(crate) struct Index {
    hashes: Vec<u64>,
    dead: Vec<bool>,
    /// The dead numbers.
    free: Vec<u32>,
    /// Open addressing: numbers plus one, 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl Index {
    /// The number with this hash of which `same` is true.
    #[inline]
    pub fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = spread(hash) & mask;
        while let Some(id) = self.slots[at].checked_sub(1) {
            if self.hashes[id as usize] == hash && same(id) {
                return Some(id);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// A number for something that has none yet: a dead one, or the next after all others.
    pub fn insert(&mut self, hash: u64) -> u32 {
        if (self.len() + 1) * 2 > self.slots.len() {
            self.rebuild((self.slots.len() * 2).max(64));
        }
        let id = match self.free.pop() {
            Some(id) => {
                self.hashes[id as usize] = hash;
                self.dead[id as usize] = false;
                id
            }
            None => {
                self.hashes.push(hash);
                self.dead.push(false);
                self.hashes.len() as u32 - 1
            }
        };
        self.enter(id);
        id
    }

    /// Numbers are below this.
    #[inline]
    pub fn bound(&self) -> usize {
        self.hashes.len()
    }

    /// How many numbers stand for something.
    #[inline]
    pub fn len(&self) -> usize {
        self.hashes.len() - self.free.len()
    }

    /// Forgets every number that is not `alive`; `forgotten` is told of each.
    pub fn sweep(&mut self, alive: impl Fn(u32) -> bool, mut forgotten: impl FnMut(u32)) {
        for id in 0..self.hashes.len() as u32 {
            if !self.dead[id as usize] && !alive(id) {
                forgotten(id);
                self.dead[id as usize] = true;
                self.free.push(id);
            }
        }
        self.rebuild(self.slots.len());
    }

    /// All things have other hashes from now on.
    pub fn rehash(&mut self, hash: impl Fn(u32) -> u64) {
        for (id, known) in self.hashes.iter_mut().enumerate() {
            *known = hash(id as u32);
        }
        self.rebuild(self.slots.len());
    }

    /// Bytes for one number.
    pub const BYTES: usize = 8 + 1 + 8;

    fn rebuild(&mut self, size: usize) {
        self.slots.clear();
        self.slots.resize(size, 0);
        for id in 0..self.hashes.len() as u32 {
            if !self.dead[id as usize] {
                self.enter(id);
            }
        }
    }

    fn enter(&mut self, id: u32) {
        let mask = self.slots.len() - 1;
        let mut at = spread(self.hashes[id as usize]) & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = id + 1;
    }
}

/// A table of distinct things.
pub(crate) struct Interner<T> {
    index: Index,
    items: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            index: Index::default(),
            items: Vec::new(),
        }
    }
}

impl<T: Eq + Hash + Default> Interner<T> {
    /// The number of an item, and whether it is new.
    pub fn intern(&mut self, item: T) -> (u32, bool) {
        let hash = FxBuildHasher.hash_one(&item);
        match self.find(hash, |known| *known == item) {
            Some(id) => (id, false),
            None => (self.insert(hash, item), true),
        }
    }
}

impl<T: Default> Interner<T> {
    /// The number of an item with this hash.
    #[inline]
    pub fn find(&self, hash: u64, same: impl Fn(&T) -> bool) -> Option<u32> {
        self.index.find(hash, |id| same(&self.items[id as usize]))
    }

    /// Adds an item that is not there yet and has this hash.
    pub fn insert(&mut self, hash: u64, item: T) -> u32 {
        let id = self.index.insert(hash);
        match self.items.get_mut(id as usize) {
            Some(place) => *place = item,
            None => self.items.push(item),
        }
        id
    }

    #[inline]
    pub fn get(&self, id: u32) -> &T {
        &self.items[id as usize]
    }

    /// What is found out about an item later; what makes it equal to others must stay as it is.
    pub fn get_mut(&mut self, id: u32) -> &mut T {
        &mut self.items[id as usize]
    }

    /// Numbers are below this.
    pub fn bound(&self) -> usize {
        self.index.bound()
    }

    /// Forgets everything that is not `alive`; `forgotten` is told of each item.
    pub fn sweep(&mut self, alive: impl Fn(u32) -> bool, mut forgotten: impl FnMut(&T)) {
        let items = &mut self.items;
        self.index.sweep(alive, |id| {
            forgotten(&items[id as usize]);
            items[id as usize] = T::default();
        });
    }

    /// Bytes of the table itself for one item.
    pub fn bytes_per_item() -> usize {
        size_of::<T>() + Index::BYTES
    }
}

/// Every bit of the hash takes part: things that differ in few bits have hashes that differ in few bits.
#[inline]
fn spread(hash: u64) -> usize {
    let product = u128::from(hash) * 0x9e37_79b9_7f4a_7c15;
    (product as u64 ^ (product >> 64) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_stable_and_reused_after_a_sweep() {
        let mut table = Interner::default();
        let ids: Vec<u32> = (0..1000u64).map(|n| table.intern(n).0).collect();
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(table.intern(n as u64), (*id, false));
        }
        let mut gone = 0;
        table.sweep(|id| id % 2 == 0, |_| gone += 1);
        assert_eq!(gone, 500);
        for n in (0..1000u64).step_by(2) {
            assert_eq!(table.intern(n), (ids[n as usize], false));
        }
        for n in 1000..1500 {
            assert!(table.intern(n).1);
        }
        assert_eq!(table.bound(), 1000);
    }
}
