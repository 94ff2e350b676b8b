//! Equal things stored once and known by number.

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// A table of distinct things. Numbers of things that were swept away are used again.
pub(crate) struct Interner<T> {
    items: Vec<T>,
    hashes: Vec<u64>,
    dead: Vec<bool>,
    /// Numbers of dead items.
    free: Vec<u32>,
    /// Open addressing: numbers plus one, 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            items: Vec::new(),
            hashes: Vec::new(),
            dead: Vec::new(),
            free: Vec::new(),
            slots: Vec::new(),
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
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = spread(hash) & mask;
        while let Some(id) = self.slots[at].checked_sub(1) {
            if self.hashes[id as usize] == hash && same(&self.items[id as usize]) {
                return Some(id);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Adds an item that is not there yet and has this hash.
    pub fn insert(&mut self, hash: u64, item: T) -> u32 {
        if (self.items.len() - self.free.len() + 1) * 2 > self.slots.len() {
            self.rebuild((self.slots.len() * 2).max(64));
        }
        let mask = self.slots.len() - 1;
        let mut at = spread(hash) & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        let id = match self.free.pop() {
            Some(id) => {
                self.items[id as usize] = item;
                self.hashes[id as usize] = hash;
                self.dead[id as usize] = false;
                id
            }
            None => {
                self.items.push(item);
                self.hashes.push(hash);
                self.dead.push(false);
                self.items.len() as u32 - 1
            }
        };
        self.slots[at] = id + 1;
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
        self.items.len()
    }

    /// Forgets everything that is not `alive`; `forgotten` is told of each item.
    pub fn sweep(&mut self, alive: impl Fn(u32) -> bool, mut forgotten: impl FnMut(&T)) {
        for id in 0..self.items.len() {
            if !self.dead[id] && !alive(id as u32) {
                forgotten(&self.items[id]);
                self.items[id] = T::default();
                self.dead[id] = true;
                self.free.push(id as u32);
            }
        }
        self.rebuild(self.slots.len());
    }

    /// Bytes of the table itself for one item.
    pub fn bytes_per_item() -> usize {
        size_of::<T>() + 8 + 1 + 8
    }

    fn rebuild(&mut self, size: usize) {
        self.slots.clear();
        self.slots.resize(size, 0);
        for id in (0..self.items.len()).filter(|&id| !self.dead[id]) {
            let mut at = spread(self.hashes[id]) & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = id as u32 + 1;
        }
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
