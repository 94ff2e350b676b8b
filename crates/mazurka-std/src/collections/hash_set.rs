//! [`std::collections::hash_set`].

use crate::random_state::RandomState as OurState;
use ::std::borrow::Borrow;
use ::std::collections::{HashSet as Real, TryReserveError};
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
}

impl<T, S> HashSet<T, S> {
    by_path! {
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn capacity(&self) -> usize;
        fn iter(&self) -> Iter<'_, T>;
        fn hasher(&self) -> &S;
    }
    by_path! {
        mut fn clear(&mut self);
        mut fn drain(&mut self) -> Drain<'_, T>;
        mut fn retain(&mut self, keep: impl FnMut(&T) -> bool);
    }
}

impl<T: Eq + Hash, S: BuildHasher> HashSet<T, S> {
    by_path! {
        fn is_disjoint(&self, other: &Self) -> bool;
        fn is_subset(&self, other: &Self) -> bool;
        fn is_superset(&self, other: &Self) -> bool;
    }
    by_path! {
        mut fn insert(&mut self, value: T) -> bool;
        mut fn replace(&mut self, value: T) -> Option<T>;
        mut fn reserve(&mut self, more: usize);
        mut fn try_reserve(&mut self, more: usize) -> Result<(), TryReserveError>;
        mut fn shrink_to_fit(&mut self);
    }

    /// As [`std::collections::HashSet::contains`].
    pub fn contains<Q>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.contains(value)
    }

    /// As [`std::collections::HashSet::get`].
    pub fn get<Q>(&self, value: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.get(value)
    }

    /// As [`std::collections::HashSet::remove`].
    pub fn remove<Q>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.remove(value)
    }

    /// As [`std::collections::HashSet::take`].
    pub fn take<Q>(&mut self, value: &Q) -> Option<T>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.take(value)
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
