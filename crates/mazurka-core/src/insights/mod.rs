//! What a program may know about itself beyond what a search needs: each insight is an object of its own, and none is needed.
//!
//! A search that lacks an insight assumes the worst. It stays sound, but explores more, or refuses to offer what it cannot do.

mod actors;
mod comparable;
mod enabling;
mod futures;
mod guard_locations;
mod instruments;
mod liveness;
mod properties;

pub use actors::Actors;
pub use comparable::{Atom, Comparable, Influence, Knowledge, Origin, Predicate, Task};
pub use enabling::Enabling;
pub use futures::Futures;
pub use guard_locations::GuardLocations;
pub use instruments::Instruments;
pub use liveness::Liveness;
pub use properties::Properties;

use crate::names::Names;

/// The insights that a program offers, by default none; see [`Program::insights`](crate::Program::insights).
///
/// A program usually implements the traits itself:
/// ```
/// # use mazurka_core::{Fingerprint, Insights, Liveness};
/// # struct Machine;
/// # struct State;
/// # impl Liveness<State> for Machine { fn live_fingerprint(&self, _: &State) -> Fingerprint { 0 } }
/// # impl Machine {
/// fn insights(&self) -> Insights<'_, State> {
///     Insights { liveness: Some(self), ..Insights::default() }
/// }
/// # }
/// ```
pub struct Insights<'p, S> {
    /// What processes may touch from a state on.
    pub futures: Option<&'p dyn Futures<S>>,
    /// Which locations guards may read.
    pub guard_locations: Option<&'p dyn GuardLocations>,
    /// Which values can still be read.
    pub liveness: Option<&'p dyn Liveness<S>>,
    /// What the values are.
    pub comparable: Option<&'p dyn Comparable<S>>,
    /// Whether steps could have been taken earlier.
    pub enabling: Option<&'p dyn Enabling<S>>,
    /// On which actor a step runs, and which actor to try first.
    pub actors: Option<&'p dyn Actors<S>>,
    /// The names of the processes, if these are numbered as they are met: id by id.
    pub names: Option<&'p Names>,
    /// The names of whatever else is numbered in this way, if the numbers show in fingerprints.
    pub objects: Option<&'p Names>,
    /// What is asked of executions without end.
    pub properties: Option<&'p dyn Properties<S>>,
    /// What steps really do, for the laws.
    pub instruments: Option<&'p dyn Instruments<S>>,
}

impl<S> Default for Insights<'_, S> {
    fn default() -> Self {
        Insights {
            futures: None,
            guard_locations: None,
            liveness: None,
            comparable: None,
            enabling: None,
            actors: None,
            names: None,
            objects: None,
            properties: None,
            instruments: None,
        }
    }
}

impl<S> Clone for Insights<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Insights<'_, S> {}
