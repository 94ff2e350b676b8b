//! [`std::collections::hash_set`].

use crate::random_state::RandomState as OurState;
use ::std::borrow::Borrow;
use ::std::collections::HashSet as Real;
use ::std::fmt;
use ::std::hash::{BuildHasher, Hash};
use ::std::ops::{BitAnd, BitOr, BitXor, Deref, DerefMut, Sub};

pub use ::std::collections::hash_set::*;

/// As [`std::collections::HashSet`], which it is but for the hasher that it has by default.
#[repr(transparent)]
pub struct HashSet<T, S = OurState>(Real<T, S>);

impl<T> HashSet<T> {
    /// Empty.
    pub fn new() -> Self {
        HashSet(Real::with_hasher(OurState::new()))
    }

    /// Empty, with room for so many.
    pub fn with_capacity(capacity: usize) -> Self {
        HashSet(Real::with_capacity_and_hasher(capacity, OurState::new()))
    }
}

impl<T, S> HashSet<T, S> {
    /// Empty, with this hasher.
    pub const fn with_hasher(hasher: S) -> Self {
        HashSet(Real::with_hasher(hasher))
    }

    /// Empty, with room for so many and this hasher.
    pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self {
        HashSet(Real::with_capacity_and_hasher(capacity, hasher))
    }

    /// How many are in it.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> Iter<'_, T> {
        self.0.iter()
    }
}

impl<T: Eq + Hash, S: BuildHasher> HashSet<T, S> {
    /// Whether it is in.
    pub fn contains<Q>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.contains(value)
    }

    /// Puts it in; whether it was not in before.
    pub fn insert(&mut self, value: T) -> bool {
        self.0.insert(value)
    }
}

impl<T, S> Deref for HashSet<T, S> {
    type Target = Real<T, S>;

    fn deref(&self) -> &Real<T, S> {
        &self.0
    }
}

impl<T, S> DerefMut for HashSet<T, S> {
    fn deref_mut(&mut self) -> &mut Real<T, S> {
        &mut self.0
    }
}

impl<T: Clone, S: Clone> Clone for HashSet<T, S> {
    fn clone(&self) -> Self {
        HashSet(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T, S: Default> Default for HashSet<T, S> {
    fn default() -> Self {
        HashSet(Real::default())
    }
}

impl<T: fmt::Debug, S> fmt::Debug for HashSet<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Eq + Hash, S: BuildHasher> PartialEq for HashSet<T, S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T: Eq + Hash, S: BuildHasher> Eq for HashSet<T, S> {}

impl<T: Eq + Hash, S: BuildHasher + Default> FromIterator<T> for HashSet<T, S> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        HashSet(values.into_iter().collect())
    }
}

impl<T: Eq + Hash, const N: usize> From<[T; N]> for HashSet<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Eq + Hash, S: BuildHasher> Extend<T> for HashSet<T, S> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        self.0.extend(values);
    }
}

impl<'a, T: Eq + Hash + Copy + 'a, S: BuildHasher> Extend<&'a T> for HashSet<T, S> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.0.extend(values);
    }
}

impl<T, S> IntoIterator for HashSet<T, S> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        self.0.into_iter()
    }
}

impl<'a, T, S> IntoIterator for &'a HashSet<T, S> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.0.iter()
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident;)*) => {
        $(
            impl<T: Eq + Hash + Clone, S: BuildHasher + Default> $trait<&HashSet<T, S>> for &HashSet<T, S> {
                type Output = HashSet<T, S>;

                fn $method(self, other: &HashSet<T, S>) -> HashSet<T, S> {
                    HashSet($trait::$method(&self.0, &other.0))
                }
            }
        )*
    };
}

operators! {
    BitAnd bitand;
    BitOr bitor;
    BitXor bitxor;
    Sub sub;
}
