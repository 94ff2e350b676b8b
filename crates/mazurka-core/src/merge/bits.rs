//! Small sets of numbers: two words in place, more on the heap.

use std::hash::{Hash, Hasher};

/// How many words a set has in place.
const LOW: usize = 2;

/// A set of small numbers. Equal sets are equal values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(clippy::box_collection, reason = "a set is three words; most have nothing on the heap")]
pub(crate) struct Bits {
    low: [u64; LOW],
    /// The words after those, not all zero, and the last one not zero.
    high: Option<Box<Vec<u64>>>,
}

impl Bits {
    /// The set with one member.
    pub fn only(member: u32) -> Self {
        let mut set = Bits::default();
        set.insert(member);
        set
    }

    /// The set that these words are.
    #[inline]
    pub fn from_words(words: &[u64]) -> Self {
        let mut set = Bits::default();
        for (word, mask) in words.iter().enumerate() {
            match set.low.get_mut(word) {
                Some(w) => *w = *mask,
                None if *mask != 0 => set.insert_high(word - LOW, *mask),
                None => {}
            }
        }
        set
    }

    /// How many words it takes to hold the set.
    pub fn words(&self) -> usize {
        LOW + self.high().len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.low == [0; LOW] && self.high.is_none()
    }

    #[inline]
    pub fn contains(&self, member: u32) -> bool {
        self.word(member as usize / 64) >> (member % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, member: u32) {
        self.insert_word(member as usize / 64, 1 << (member % 64));
    }

    /// Adds the members that a mask, which is not empty, marks in one word.
    #[inline]
    pub fn insert_word(&mut self, word: usize, mask: u64) {
        match self.low.get_mut(word) {
            Some(w) => *w |= mask,
            None => self.insert_high(word - LOW, mask),
        }
    }

    #[cold]
    fn insert_high(&mut self, word: usize, mask: u64) {
        let high = self.high.get_or_insert_default();
        if word >= high.len() {
            high.resize(word + 1, 0);
        }
        high[word] |= mask;
    }

    /// The word at an index, 0 beyond the end.
    #[inline]
    pub fn word(&self, index: usize) -> u64 {
        match self.low.get(index) {
            Some(w) => *w,
            None => self.high().get(index - LOW).copied().unwrap_or(0),
        }
    }

    #[inline]
    pub fn is_subset(&self, other: &Bits) -> bool {
        let low = self.low.iter().zip(&other.low).all(|(a, b)| a & !b == 0);
        low && (self.high.is_none()
            || self.high().len() <= other.high().len() && self.high().iter().zip(other.high()).all(|(a, b)| a & !b == 0))
    }

    #[inline]
    pub fn intersects(&self, other: &Bits) -> bool {
        self.low.iter().zip(&other.low).any(|(a, b)| a & b != 0) || self.high().iter().zip(other.high()).any(|(a, b)| a & b != 0)
    }

    #[inline]
    pub fn unite(&mut self, other: &Bits) {
        self.low.iter_mut().zip(&other.low).for_each(|(a, b)| *a |= b);
        if let Some(theirs) = &other.high {
            let high = self.high.get_or_insert_default();
            if theirs.len() > high.len() {
                high.resize(theirs.len(), 0);
            }
            high.iter_mut().zip(theirs.iter()).for_each(|(a, b)| *a |= b);
        }
    }

    /// Keeps only the members of `other`.
    #[inline]
    pub fn intersect(&mut self, other: &Bits) {
        self.low.iter_mut().zip(&other.low).for_each(|(a, b)| *a &= b);
        if let Some(high) = &mut self.high {
            high.truncate(other.high().len());
            high.iter_mut().zip(other.high()).for_each(|(a, b)| *a &= b);
            self.trim();
        }
    }

    /// Removes the members of `other`.
    #[inline]
    pub fn subtract(&mut self, other: &Bits) {
        self.low.iter_mut().zip(&other.low).for_each(|(a, b)| *a &= !b);
        if let Some(high) = &mut self.high {
            high.iter_mut().zip(other.high()).for_each(|(a, b)| *a &= !b);
            self.trim();
        }
    }

    #[inline]
    pub fn clear(&mut self) {
        self.low = [0; LOW];
        if self.high.is_some() {
            self.high = None;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.low.iter().chain(self.high()).enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    i as u32 * 64 + bit
                })
            })
        })
    }

    /// Bytes beyond the value itself.
    pub fn heap_bytes(&self) -> usize {
        self.high.as_ref().map_or(0, |h| size_of::<Vec<u64>>() + h.capacity() * 8)
    }

    #[inline]
    fn high(&self) -> &[u64] {
        self.high.as_ref().map_or(&[], |h| h)
    }

    fn trim(&mut self) {
        if let Some(high) = &mut self.high {
            while high.last() == Some(&0) {
                high.pop();
            }
            if high.is_empty() {
                self.high = None;
            }
        }
    }
}

impl Hash for Bits {
    /// Word by word: as an array it would be hashed byte by byte.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.low.iter().for_each(|w| state.write_u64(*w));
        self.high().iter().for_each(|w| state.write_u64(*w));
    }
}

impl FromIterator<u32> for Bits {
    fn from_iter<I: IntoIterator<Item = u32>>(members: I) -> Self {
        let mut set = Bits::default();
        members.into_iter().for_each(|m| set.insert(m));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn large_members_take_memory_elsewhere() {
        assert_eq!(Bits::only(5).heap_bytes(), 0);
        assert!(Bits::only(1000).heap_bytes() >= 800 / 8);
    }

    proptest! {
        #[test]
        fn they_behave_like_sets(a in prop::collection::btree_set(0u32..300, 0..12), b in prop::collection::btree_set(0u32..300, 0..12)) {
            let bits = |s: &BTreeSet<u32>| s.iter().copied().collect::<Bits>();
            let (x, y) = (bits(&a), bits(&b));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            let words: Vec<u64> = (0..x.words()).map(|i| x.word(i)).chain([0]).collect();
            prop_assert_eq!(Bits::from_words(&words), x.clone());
            let apply = |f: fn(&mut Bits, &Bits)| { let mut z = x.clone(); f(&mut z, &y); z };
            prop_assert_eq!(apply(Bits::unite), bits(&(&a | &b)));
            prop_assert_eq!(apply(Bits::intersect), bits(&(&a & &b)));
            prop_assert_eq!(apply(Bits::subtract), bits(&(&a - &b)));
        }
    }
}
