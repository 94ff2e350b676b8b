//! Collections of addresses that do not say in which order their entries are.
//!
//! Two sets with the same addresses are equal and have the same hash, and that remains true if interchangeable actors change places. In a
//! `Vec` of peers they would have an order, and so no two of the actors that know each other would be interchangeable.

use crate::address::Address;
use crate::hash::collection;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A set of addresses, of which the order says nothing.
///
/// ```
/// # use mazurka_actors::{Actor, AddressSet, Context, System};
/// #[derive(Clone, Hash, Debug)]
/// struct Gossip { heard: bool, peers: AddressSet<Gossip> }
///
/// impl Actor for Gossip {
///     type Message = ();
///     fn handle(&mut self, (): (), context: &mut Context<Self>) {
///         if !self.heard {
///             self.heard = true;
///             self.peers.iter().for_each(|peer| context.send(peer, ()));
///         }
///     }
/// }
///
/// let mut system = System::new();
/// let all = system.create_many("node", 3, |all, nth| {
///     let others = all.iter().copied().filter(|peer| *peer != all[nth]);
///     Gossip { heard: false, peers: others.collect() }
/// });
/// system.send(all[0], ());
/// let system = system.interchangeable(&all).at_end(|end| assert!(end.states::<Gossip>().all(|node| node.heard)));
/// system.check().assert_ok();
/// ```
pub struct AddressSet<A>(AddressMap<A, ()>);

/// A map from addresses to values, of which the order says nothing.
pub struct AddressMap<A, V>(Vec<(Address<A>, V)>);

impl<A> AddressSet<A> {
    /// The empty set.
    pub fn new() -> Self {
        AddressSet(AddressMap::new())
    }

    /// Adds an address; false if it was there.
    pub fn insert(&mut self, address: Address<A>) -> bool {
        self.0.insert(address, ()).is_none()
    }

    /// Takes an address out; false if it was not there.
    pub fn remove(&mut self, address: Address<A>) -> bool {
        self.0.remove(address).is_some()
    }

    /// Takes all addresses out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether an address is in the set.
    pub fn contains(&self, address: Address<A>) -> bool {
        self.0.get(address).is_some()
    }

    /// How many addresses there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The addresses, to do the same with each: their order means nothing.
    pub fn iter(&self) -> impl Iterator<Item = Address<A>> + '_ {
        self.0.iter().map(|(address, ())| address)
    }
}

impl<A, V> AddressMap<A, V> {
    /// The empty map.
    pub fn new() -> Self {
        AddressMap(Vec::new())
    }

    fn find(&self, address: Address<A>) -> Result<usize, usize> {
        self.0.binary_search_by_key(&address.id, |(known, _)| known.id)
    }

    /// Gives an address a value; the one that it had.
    pub fn insert(&mut self, address: Address<A>, value: V) -> Option<V> {
        match self.find(address) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (address, value));
                None
            }
        }
    }

    /// Takes an address out, with the value that it had.
    pub fn remove(&mut self, address: Address<A>) -> Option<V> {
        self.find(address).ok().map(|at| self.0.remove(at).1)
    }

    /// Takes all addresses out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The value of an address.
    pub fn get(&self, address: Address<A>) -> Option<&V> {
        self.find(address).ok().map(|at| &self.0[at].1)
    }

    /// The value of an address, to be changed.
    pub fn get_mut(&mut self, address: Address<A>) -> Option<&mut V> {
        self.find(address).ok().map(|at| &mut self.0[at].1)
    }

    /// How many addresses have values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The addresses with their values, to do the same with each: their order means nothing.
    pub fn iter(&self) -> impl Iterator<Item = (Address<A>, &V)> {
        self.0.iter().map(|(address, value)| (*address, value))
    }
}

impl<A> Default for AddressSet<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A, V> Default for AddressMap<A, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A> Clone for AddressSet<A> {
    fn clone(&self) -> Self {
        AddressSet(self.0.clone())
    }
}

impl<A, V: Clone> Clone for AddressMap<A, V> {
    fn clone(&self) -> Self {
        AddressMap(self.0.clone())
    }
}

impl<A> PartialEq for AddressSet<A> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<A> Eq for AddressSet<A> {}

impl<A, V: PartialEq> PartialEq for AddressMap<A, V> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<A, V: Eq> Eq for AddressMap<A, V> {}

impl<A> Hash for AddressSet<A> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<A, V: Hash> Hash for AddressMap<A, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&collection::BEGIN);
        for entry in &self.0 {
            state.write(&collection::ENTRY);
            entry.hash(state);
        }
        state.write(&collection::END);
    }
}

impl<A: crate::Actor> fmt::Debug for AddressSet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<A: crate::Actor, V: fmt::Debug> fmt::Debug for AddressMap<A, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<A> FromIterator<Address<A>> for AddressSet<A> {
    fn from_iter<I: IntoIterator<Item = Address<A>>>(addresses: I) -> Self {
        let mut set = Self::new();
        set.extend(addresses);
        set
    }
}

impl<A> Extend<Address<A>> for AddressSet<A> {
    fn extend<I: IntoIterator<Item = Address<A>>>(&mut self, addresses: I) {
        for address in addresses {
            self.insert(address);
        }
    }
}

impl<A, V> FromIterator<(Address<A>, V)> for AddressMap<A, V> {
    fn from_iter<I: IntoIterator<Item = (Address<A>, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (address, value) in entries {
            map.insert(address, value);
        }
        map
    }
}
