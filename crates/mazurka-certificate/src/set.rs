//! Sets of small numbers: positions in an execution.

mod more;

/// A set as bits.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub fn insert(&mut self, n: usize) {
        if n / 64 >= self.0.len() {
            self.0.resize(n / 64 + 1, 0);
        }
        self.0[n / 64] |= 1 << (n % 64);
    }

    #[inline]
    pub fn remove(&mut self, n: usize) {
        if let Some(word) = self.0.get_mut(n / 64) {
            *word &= !(1 << (n % 64));
        }
        self.trim();
    }

    #[inline]
    pub fn contains(&self, n: usize) -> bool {
        self.0.get(n / 64).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    /// Equal sets have equal words.
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// Adds everything in `other`.
    pub fn unite(&mut self, other: &Set) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// Removes everything in `other`.
    pub fn subtract(&mut self, other: &Set) {
        for (word, less) in self.0.iter_mut().zip(&other.0) {
            *word &= !less;
        }
        self.trim();
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    at * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_over_several_words() {
        let (mut a, mut b) = (Set::default(), Set::default());
        [0, 63, 64, 200].into_iter().for_each(|n| a.insert(n));
        [63, 300].into_iter().for_each(|n| b.insert(n));
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 63, 64, 200]);
        assert!(a.contains(200) && !a.contains(201) && !a.contains(9999));
        let mut both = a.clone();
        both.unite(&b);
        assert_eq!(both.iter().collect::<Vec<_>>(), [0, 63, 64, 200, 300]);
        both.subtract(&a);
        assert_eq!(both.iter().collect::<Vec<_>>(), [300]);
        a.remove(64);
        a.remove(5000);
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 63, 200]);
    }
}
