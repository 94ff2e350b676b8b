//! References to actors.

use crate::actor::Actor;
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where to send messages to an actor of type `A`.
///
/// Only creating an actor gives an address, so a message to an actor that never existed cannot be written down. (An address that is
/// carried into another [`crate::System`] is a failure with a message that says so.)
pub struct Address<A> {
    pub(crate) id: u32,
    pub(crate) origin: Origin,
    kind: PhantomData<fn(A)>,
}

/// The system that an address comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin(u32);

impl Origin {
    /// Actors outside of checks.
    pub(crate) const HOSTED: Origin = Origin(0);
}

impl Default for Origin {
    /// Another one for each system.
    fn default() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Origin(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Marks the bytes that an address hashes to, so that the references held by a state or a message can be found.
pub(crate) const MARK: [u8; 8] = *b"\xffmazurk\xfe";

impl<A> Address<A> {
    pub(crate) fn new(id: u32, origin: Origin) -> Self {
        let kind = PhantomData;
        Address { id, origin, kind }
    }
}

impl<A> Clone for Address<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Address<A> {}

impl<A> PartialEq for Address<A> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<A> Eq for Address<A> {}

impl<A> Hash for Address<A> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&MARK);
        bytes[8..].copy_from_slice(&self.id.to_le_bytes());
        state.write(&bytes);
    }
}

/// What an actor is called.
pub(crate) enum Name {
    /// By this name.
    Given(String),
    /// By its type and this place of birth.
    Birth(String),
}

thread_local! {
    /// What actors are called, by id, while something is being shown to a person.
    static SHOWN: RefCell<Vec<Name>> = const { RefCell::new(Vec::new()) };
}

/// Runs `f` while addresses show themselves by these names.
pub(crate) fn with_names<R>(names: Vec<Name>, f: impl FnOnce() -> R) -> R {
    let before = SHOWN.replace(names);
    let result = f();
    SHOWN.replace(before);
    result
}

impl<A: Actor> fmt::Debug for Address<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SHOWN.with_borrow(|names| match names.get(self.id as usize) {
            Some(Name::Given(name)) => f.write_str(name),
            Some(Name::Birth(path)) => write!(f, "{} {path}", short_type_name::<A>()),
            None => write!(f, "{}@{}", short_type_name::<A>(), self.id),
        })
    }
}

/// The last part of a type's path: `Worker` of `my_crate::workers::Worker`; generic arguments are dropped.
pub(crate) fn short_type_name<T>() -> &'static str {
    let full = std::any::type_name::<T>();
    let head = full.split('<').next().unwrap_or(full);
    head.rsplit("::").next().unwrap_or(head)
}
