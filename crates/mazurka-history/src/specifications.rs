//! Sequential objects: what they may answer.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;

/// A sequential object. A value of it is a state; histories begin with the one that is given to the check.
///
/// ```
/// use mazurka_history::{History, Specification};
///
/// /// Gives every number once.
/// #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
/// struct Tickets { next: u32 }
///
/// impl Specification for Tickets {
///     type Operation = ();
///     type Answer = u32;
///     fn apply(&mut self, (): &()) -> u32 {
///         self.next += 1;
///         self.next - 1
///     }
/// }
///
/// let mut history = History::new();
/// for client in ["alice", "bob"] {
///     let ticket = history.invoke(client, ());
///     history.respond(ticket, 0);
/// }
/// assert!(history.linearizable(&Tickets::default()).is_err());
/// ```
pub trait Specification: Clone + Eq + Hash + Debug {
    /// What it can be asked.
    type Operation: Clone + Debug;
    /// What it answers.
    type Answer: Clone + PartialEq + Debug;

    /// Does the operation, and answers.
    fn apply(&mut self, operation: &Self::Operation) -> Self::Answer;

    /// Whether it could give this answer; the state afterwards is that of [`Specification::apply`]. An object that may answer in several ways says so here, and
    /// what it becomes must not depend on its answer.
    fn allows(&mut self, operation: &Self::Operation, answer: &Self::Answer) -> bool {
        self.apply(operation) == *answer
    }

    /// What the operation is about. Operations with different keys must not depend on each other: each key is then checked alone.
    fn key(operation: &Self::Operation) -> Option<u64> {
        let _ = operation;
        None
    }

    /// Whether the operation leaves every state as it is: what causal consistency takes for a read.
    fn reads(operation: &Self::Operation) -> bool {
        let _ = operation;
        false
    }
}

/// What a register can be asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ReadWrite<T> {
    /// Answers the value.
    Read,
    /// Replaces the value; answers `None`.
    Write(T),
}

/// A variable, empty at first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Register<T>(pub Option<T>);

impl<T> Default for Register<T> {
    fn default() -> Self {
        Register(None)
    }
}

impl<T: Clone + Eq + Hash + Debug> Specification for Register<T> {
    type Operation = ReadWrite<T>;
    type Answer = Option<T>;

    fn apply(&mut self, operation: &ReadWrite<T>) -> Option<T> {
        match operation {
            ReadWrite::Read => self.0.clone(),
            ReadWrite::Write(value) => {
                self.0 = Some(value.clone());
                None
            }
        }
    }

    fn reads(operation: &ReadWrite<T>) -> bool {
        matches!(operation, ReadWrite::Read)
    }
}

/// What a map can be asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MapOperation<K, V> {
    /// Answers the value of a key.
    Get(K),
    /// Gives a key a value; answers the one it had.
    Insert(K, V),
    /// Takes a key out; answers its value.
    Remove(K),
}

/// A map, empty at first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Map<K, V>(pub BTreeMap<K, V>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map(BTreeMap::new())
    }
}

impl<K: Clone + Ord + Hash + Debug, V: Clone + Eq + Hash + Debug> Specification for Map<K, V> {
    type Operation = MapOperation<K, V>;
    type Answer = Option<V>;

    fn apply(&mut self, operation: &MapOperation<K, V>) -> Option<V> {
        match operation {
            MapOperation::Get(key) => self.0.get(key).cloned(),
            MapOperation::Insert(key, value) => self.0.insert(key.clone(), value.clone()),
            MapOperation::Remove(key) => self.0.remove(key),
        }
    }

    fn key(operation: &MapOperation<K, V>) -> Option<u64> {
        let (MapOperation::Get(key) | MapOperation::Insert(key, _) | MapOperation::Remove(key)) = operation;
        Some(hash(key))
    }

    fn reads(operation: &MapOperation<K, V>) -> bool {
        matches!(operation, MapOperation::Get(_))
    }
}

/// What a set can be asked; it answers whether the element was there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SetOperation<T> {
    /// Whether it is there.
    Contains(T),
    /// Puts it in.
    Insert(T),
    /// Takes it out.
    Remove(T),
}

/// A set, empty at first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Set<T>(pub BTreeSet<T>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Set(BTreeSet::new())
    }
}

impl<T: Clone + Ord + Hash + Debug> Specification for Set<T> {
    type Operation = SetOperation<T>;
    type Answer = bool;

    fn apply(&mut self, operation: &SetOperation<T>) -> bool {
        match operation {
            SetOperation::Contains(element) => self.0.contains(element),
            SetOperation::Insert(element) => !self.0.insert(element.clone()),
            SetOperation::Remove(element) => self.0.remove(element),
        }
    }

    fn key(operation: &SetOperation<T>) -> Option<u64> {
        let (SetOperation::Contains(element) | SetOperation::Insert(element) | SetOperation::Remove(element)) = operation;
        Some(hash(element))
    }

    fn reads(operation: &SetOperation<T>) -> bool {
        matches!(operation, SetOperation::Contains(_))
    }
}

/// What a queue or a stack can be asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum QueueOperation<T> {
    /// Adds an element; answers `None`.
    Put(T),
    /// Takes one out and answers it, if there is any.
    Take,
}

/// First in, first out; empty at first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Queue<T>(pub VecDeque<T>);

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue(VecDeque::new())
    }
}

impl<T: Clone + Eq + Hash + Debug> Specification for Queue<T> {
    type Operation = QueueOperation<T>;
    type Answer = Option<T>;

    fn apply(&mut self, operation: &QueueOperation<T>) -> Option<T> {
        match operation {
            QueueOperation::Put(element) => {
                self.0.push_back(element.clone());
                None
            }
            QueueOperation::Take => self.0.pop_front(),
        }
    }
}

/// Last in, first out; empty at first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stack<T>(pub Vec<T>);

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Stack(Vec::new())
    }
}

impl<T: Clone + Eq + Hash + Debug> Specification for Stack<T> {
    type Operation = QueueOperation<T>;
    type Answer = Option<T>;

    fn apply(&mut self, operation: &QueueOperation<T>) -> Option<T> {
        match operation {
            QueueOperation::Put(element) => {
                self.0.push(element.clone());
                None
            }
            QueueOperation::Take => self.0.pop(),
        }
    }
}

/// Equal keys have equal numbers; if different ones do too, they are checked together, which is slower and not wrong.
fn hash(key: &impl Hash) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}
