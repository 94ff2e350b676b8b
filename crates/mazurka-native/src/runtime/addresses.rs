//! Objects that have no room for a name of their own, by their addresses: atomics, which are as large as their values.

use super::op::Object;

/// How many places are remembered beside the list.
const SHORT_CUTS: usize = 64;

/// The objects of one execution that are known by their addresses.
pub(crate) struct Addresses {
    /// Sorted by address.
    list: Vec<(usize, Object)>,
    /// Where some of them are, by the last bits of their addresses; nothing is at 0.
    short_cuts: [(usize, Object); SHORT_CUTS],
}

impl Default for Addresses {
    fn default() -> Self {
        Addresses {
            list: Vec::new(),
            short_cuts: [(0, Object(0)); SHORT_CUTS],
        }
    }
}

impl Addresses {
    /// Forgets all.
    pub fn clear(&mut self) {
        if !self.list.is_empty() {
            *self = Addresses {
                list: std::mem::take(&mut self.list),
                ..Addresses::default()
            };
            self.list.clear();
        }
    }

    /// The object at an address.
    #[inline]
    pub fn get(&mut self, address: usize) -> Option<Object> {
        let short_cut = &mut self.short_cuts[address / 4 % SHORT_CUTS];
        if short_cut.0 == address {
            return Some(short_cut.1);
        }
        let at = self.list.binary_search_by_key(&address, |(a, _)| *a).ok()?;
        *short_cut = self.list[at];
        Some(short_cut.1)
    }

    /// Another object is at an address from now on.
    pub fn set(&mut self, address: usize, object: Object) {
        match self.list.binary_search_by_key(&address, |(a, _)| *a) {
            Ok(at) => self.list[at].1 = object,
            Err(at) => self.list.insert(at, (address, object)),
        }
        self.short_cuts[address / 4 % SHORT_CUTS] = (address, object);
    }

    /// What was in some memory is gone.
    #[inline]
    pub fn forget(&mut self, start: usize, size: usize) {
        let (Some(first), Some(last)) = (self.list.first(), self.list.last()) else {
            return;
        };
        let end = start.saturating_add(size);
        if end <= first.0 || last.0 < start {
            return;
        }
        let from = self.list.partition_point(|(address, _)| *address < start);
        let to = self.list.partition_point(|(address, _)| *address < end);
        for (address, _) in self.list.drain(from..to) {
            let short_cut = &mut self.short_cuts[address / 4 % SHORT_CUTS];
            if short_cut.0 == address {
                short_cut.0 = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_in_some_memory_is_forgotten_with_it() {
        let mut addresses = Addresses::default();
        let places = [100, 104, 112, 100 + 4 * SHORT_CUTS];
        for (n, place) in places.iter().enumerate() {
            addresses.set(*place, Object(n as u32));
        }
        let found = |addresses: &mut Addresses| places.map(|place| addresses.get(place).map(|o| o.0));
        assert_eq!(found(&mut addresses), [Some(0), Some(1), Some(2), Some(3)]);
        addresses.forget(102, 10);
        assert_eq!(found(&mut addresses), [Some(0), None, Some(2), Some(3)]);
        addresses.set(100, Object(7));
        addresses.forget(0, 100);
        addresses.forget(101, 3);
        assert_eq!(found(&mut addresses), [Some(7), None, Some(2), Some(3)]);
        addresses.clear();
        assert_eq!(found(&mut addresses), [None; 4]);
    }
}
