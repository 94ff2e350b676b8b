//! A table that only grows, and that can be read while others add to it.

use std::sync::OnceLock;

/// The first part of a table has this many entries, each further one twice as many as the one before.
const FIRST: usize = 64;
/// More parts than there can be.
const PARTS: usize = 32;

/// A table of what is found out once and never changes: by number, for as long as it lives. Entries do not move, so reading takes no lock.
///
/// ```
/// let table = mazurka_core::Growing::default();
/// assert_eq!(table.get(1000), None);
/// assert_eq!(table.get_or_add(1000, || "first"), &"first");
/// assert_eq!(table.get_or_add(1000, || "second"), &"first");
/// ```
#[derive(Debug)]
pub struct Growing<T> {
    parts: [OnceLock<Box<[OnceLock<T>]>>; PARTS],
}

impl<T> Default for Growing<T> {
    fn default() -> Self {
        Growing {
            parts: [const { OnceLock::new() }; PARTS],
        }
    }
}

impl<T> Growing<T> {
    /// The entry of that number, if there is one.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&T> {
        let (part, at) = place(number);
        self.parts[part].get()?.get(at)?.get()
    }

    /// The entry of that number. If there is none, it is made, by one of those who ask for it at the same time.
    pub fn get_or_add(&self, number: u32, make: impl FnOnce() -> T) -> &T {
        let (part, at) = place(number);
        let entries = self.parts[part].get_or_init(|| (0..FIRST << part).map(|_| OnceLock::new()).collect());
        entries[at].get_or_init(make)
    }
}

/// The part of the table where an entry is, and its place there.
#[inline]
fn place(number: u32) -> (usize, usize) {
    let above = number as usize + FIRST;
    let part = (above / FIRST).ilog2() as usize;
    (part, above - (FIRST << part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        let mut expected = (0, 0);
        for number in 0..10_000 {
            assert_eq!(place(number), expected);
            expected.1 += 1;
            if expected.1 == FIRST << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        assert!(place(u32::MAX).0 < PARTS);
    }

    #[test]
    fn who_adds_at_the_same_time_gets_the_same_entry() {
        let table = Growing::default();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for number in 0..1_000 {
                        let made = *table.get_or_add(number, || (number, thread));
                        assert_eq!(table.get(number), Some(&made));
                        assert_eq!(made.0, number);
                    }
                });
            }
        });
    }
}
