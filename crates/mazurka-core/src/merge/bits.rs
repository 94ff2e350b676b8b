//! Small sets of numbers: two words in place, more on the heap.

use smallvec::SmallVec;

/// A set of small numbers. Equal sets are equal values: no zero words at the end.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Bits(SmallVec<[u64; 2]>);

impl Bits {
    /// The set with one member.
    pub fn only(member: u32) -> Self {
        let mut set = Bits::default();
        set.insert(member);
        set
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub fn contains(&self, member: u32) -> bool {
        self.0.get(member as usize / 64).is_some_and(|w| w >> (member % 64) & 1 == 1)
    }

    #[inline]
    pub fn insert(&mut self, member: u32) {
        self.insert_word(member as usize / 64, 1 << (member % 64));
    }

    /// Adds the members that a mask marks in one word.
    #[inline]
    pub fn insert_word(&mut self, word: usize, mask: u64) {
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= mask;
    }

    /// The word at an index, 0 beyond the end.
    #[inline]
    pub fn word(&self, index: usize) -> u64 {
        self.0.get(index).copied().unwrap_or(0)
    }

    #[inline]
    pub fn is_subset(&self, other: &Bits) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    #[inline]
    pub fn intersects(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub fn unite(&mut self, other: &Bits) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// Keeps only the members of `other`.
    pub fn intersect(&mut self, other: &Bits) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        self.trim();
    }

    /// Removes the members of `other`.
    pub fn subtract(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        self.trim();
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
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
        if self.0.spilled() { self.0.capacity() * 8 } else { 0 }
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
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

    proptest! {
        #[test]
        fn they_behave_like_sets(a in prop::collection::btree_set(0u32..300, 0..12), b in prop::collection::btree_set(0u32..300, 0..12)) {
            let bits = |s: &BTreeSet<u32>| s.iter().copied().collect::<Bits>();
            let (x, y) = (bits(&a), bits(&b));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            let apply = |f: fn(&mut Bits, &Bits)| { let mut z = x.clone(); f(&mut z, &y); z };
            prop_assert_eq!(apply(Bits::unite), bits(&(&a | &b)));
            prop_assert_eq!(apply(Bits::intersect), bits(&(&a & &b)));
            prop_assert_eq!(apply(Bits::subtract), bits(&(&a - &b)));
        }
    }
}
