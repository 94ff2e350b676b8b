//! What only the checker of merging does with sets.

use super::Set;

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut set = Set::default();
        numbers.into_iter().for_each(|n| set.insert(n));
        set
    }
}

impl Set {
    /// With one member.
    pub fn of(n: usize) -> Self {
        Set::from_iter([n])
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether both have a member.
    #[inline]
    pub fn intersects(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether everything in here is in `other`.
    #[inline]
    pub fn is_subset(&self, other: &Set) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(at, word)| word & !other.0.get(at).unwrap_or(&0) == 0)
    }

    /// Keeps what is in `other`, too.
    pub fn intersect(&mut self, other: &Set) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word &= more);
        self.trim();
    }
}
