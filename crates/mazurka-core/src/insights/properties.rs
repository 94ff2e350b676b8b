//! What is asked of executions without end.

use crate::stateful::{Property, Reading};

/// A program that comes with properties of executions without end.
///
/// *Good for* running an execution that violates one of them again, and finding that it still does. The search itself asks
/// [`States`](crate::States), with the same numbers.
/// *Without it* nothing is asked.
pub trait Properties<S> {
    /// The properties.
    fn properties(&self) -> Vec<Property>;

    /// As [`States::read`](crate::States::read).
    fn read(&self, property: usize, state: &S, at: u32, out: &mut Vec<Reading>);

    /// As [`States::accepts`](crate::States::accepts).
    fn accepts(&self, property: usize, state: &S, at: u32) -> bool;

    /// Whether what can happen after the states is the same, whatever processes were called on the way there.
    fn is_same(&self, one: &S, other: &S) -> bool;
}
