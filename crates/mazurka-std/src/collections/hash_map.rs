//! [`std::collections::hash_map`].

use crate::random_state::RandomState as OurState;
use ::std::borrow::Borrow;
use ::std::collections::{HashMap as Real, TryReserveError};
use ::std::fmt;
use ::std::hash::{BuildHasher, Hash};
use ::std::ops::{Deref, DerefMut, Index};

pub use crate::random_state::RandomState;
pub use ::std::collections::hash_map::*;

/// As [`std::collections::HashMap`], which it is but for the hasher that it has by default.
#[repr(transparent)]
pub struct HashMap<K, V, S = OurState>(Real<K, V, S>);

impl<K, V> HashMap<K, V> {
    /// Empty.
    pub fn new() -> Self {
        HashMap(Real::with_hasher(OurState::new()))
    }

    /// Empty, with room for so many.
    pub fn with_capacity(capacity: usize) -> Self {
        HashMap(Real::with_capacity_and_hasher(capacity, OurState::new()))
    }
}

impl<K, V, S> HashMap<K, V, S> {
    /// Empty, with this hasher.
    pub const fn with_hasher(hasher: S) -> Self {
        HashMap(Real::with_hasher(hasher))
    }

    /// Empty, with room for so many and this hasher.
    pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self {
        HashMap(Real::with_capacity_and_hasher(capacity, hasher))
    }

    /// The keys.
    pub fn into_keys(self) -> IntoKeys<K, V> {
        self.0.into_keys()
    }

    /// The values.
    pub fn into_values(self) -> IntoValues<K, V> {
        self.0.into_values()
    }
}

impl<K, V, S> HashMap<K, V, S> {
    by_path! {
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn capacity(&self) -> usize;
        fn iter(&self) -> Iter<'_, K, V>;
        fn keys(&self) -> Keys<'_, K, V>;
        fn values(&self) -> Values<'_, K, V>;
        fn hasher(&self) -> &S;
    }
    by_path! {
        mut fn iter_mut(&mut self) -> IterMut<'_, K, V>;
        mut fn values_mut(&mut self) -> ValuesMut<'_, K, V>;
        mut fn clear(&mut self);
        mut fn drain(&mut self) -> Drain<'_, K, V>;
        mut fn retain(&mut self, keep: impl FnMut(&K, &mut V) -> bool);
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> HashMap<K, V, S> {
    by_path! {
        mut fn insert(&mut self, key: K, value: V) -> Option<V>;
        mut fn entry(&mut self, key: K) -> Entry<'_, K, V>;
        mut fn reserve(&mut self, more: usize);
        mut fn try_reserve(&mut self, more: usize) -> Result<(), TryReserveError>;
        mut fn shrink_to_fit(&mut self);
    }

    /// As [`std::collections::HashMap::get`].
    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.get(key)
    }

    /// As [`std::collections::HashMap::get_mut`].
    pub fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.get_mut(key)
    }

    /// As [`std::collections::HashMap::contains_key`].
    pub fn contains_key<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.contains_key(key)
    }

    /// As [`std::collections::HashMap::remove`].
    pub fn remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.0.remove(key)
    }
}

impl<K, V, S> Deref for HashMap<K, V, S> {
    type Target = Real<K, V, S>;

    fn deref(&self) -> &Real<K, V, S> {
        &self.0
    }
}

impl<K, V, S> DerefMut for HashMap<K, V, S> {
    fn deref_mut(&mut self) -> &mut Real<K, V, S> {
        &mut self.0
    }
}

impl<K: Clone, V: Clone, S: Clone> Clone for HashMap<K, V, S> {
    fn clone(&self) -> Self {
        HashMap(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<K, V, S: Default> Default for HashMap<K, V, S> {
    fn default() -> Self {
        HashMap(Real::default())
    }
}

impl<K: fmt::Debug, V: fmt::Debug, S> fmt::Debug for HashMap<K, V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K: Eq + Hash, V: PartialEq, S: BuildHasher> PartialEq for HashMap<K, V, S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: Eq + Hash, V: Eq, S: BuildHasher> Eq for HashMap<K, V, S> {}

impl<K: Eq + Hash + Borrow<Q>, Q: Eq + Hash + ?Sized, V, S: BuildHasher> Index<&Q> for HashMap<K, V, S> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        &self.0[key]
    }
}

impl<K: Eq + Hash, V, S: BuildHasher + Default> FromIterator<(K, V)> for HashMap<K, V, S> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        HashMap(pairs.into_iter().collect())
    }
}

impl<K: Eq + Hash, V, const N: usize> From<[(K, V); N]> for HashMap<K, V> {
    fn from(pairs: [(K, V); N]) -> Self {
        pairs.into_iter().collect()
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> Extend<(K, V)> for HashMap<K, V, S> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        self.0.extend(pairs);
    }
}

impl<'a, K: Eq + Hash + Copy, V: Copy, S: BuildHasher> Extend<(&'a K, &'a V)> for HashMap<K, V, S> {
    fn extend<I: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, pairs: I) {
        self.0.extend(pairs);
    }
}

impl<K, V, S> IntoIterator for HashMap<K, V, S> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        self.0.into_iter()
    }
}

impl<'a, K, V, S> IntoIterator for &'a HashMap<K, V, S> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.0.iter()
    }
}

impl<'a, K, V, S> IntoIterator for &'a mut HashMap<K, V, S> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> IterMut<'a, K, V> {
        self.0.iter_mut()
    }
}
