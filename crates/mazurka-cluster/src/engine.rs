//! What carries the messages between machines must be able to do.

use std::fmt;
use std::time::Duration;

/// Why something could not be done.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Trouble {
    /// Nobody answers there.
    Unreachable(String),
    /// The engine does not do what was asked.
    Refused(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Unreachable(said) | Trouble::Refused(said) => f.write_str(said),
        }
    }
}

impl std::error::Error for Trouble {}

/// A unit that somebody has taken, for a while.
#[derive(Clone, Debug)]
pub struct Lease<T> {
    /// Whose unit.
    pub job: String,
    /// Which.
    pub unit: u64,
    /// What is to be run.
    pub bytes: Vec<u8>,
    /// How the engine knows it.
    pub token: T,
}

/// Keeps jobs, a queue of units with leases, and one result for each unit. Whatever was confirmed stays if a worker or the engine itself is killed.
///
/// The names of jobs consist of letters, digits and `-`.
pub trait Engine {
    /// How it knows a lease.
    type Token;

    /// Says what a job is.
    ///
    /// # Errors
    /// If the engine cannot.
    fn announce(&mut self, job: &str, what: &[u8]) -> Result<(), Trouble>;

    /// What a job is, if it was announced and is not closed.
    ///
    /// # Errors
    /// If the engine cannot.
    fn job(&mut self, job: &str) -> Result<Option<Vec<u8>>, Trouble>;

    /// Puts a unit into the queue. One that was put there twice may be taken twice.
    ///
    /// # Errors
    /// If the engine cannot.
    fn offer(&mut self, job: &str, unit: u64, bytes: &[u8]) -> Result<(), Trouble>;

    /// Takes a unit of any job, waiting so long for one. If it is not acknowledged within the lease, somebody else will get it.
    ///
    /// # Errors
    /// If the engine cannot.
    fn take(&mut self, wait: Duration) -> Result<Option<Lease<Self::Token>>, Trouble>;

    /// The result of a unit, unless there is one already: then false.
    ///
    /// # Errors
    /// If the engine cannot; whether the result is there is unknown then.
    fn commit(&mut self, job: &str, unit: u64, result: &[u8]) -> Result<bool, Trouble>;

    /// Nobody else needs to run it.
    ///
    /// # Errors
    /// If the engine cannot; somebody else may get it then.
    fn acknowledge(&mut self, lease: Lease<Self::Token>) -> Result<(), Trouble>;

    /// Results of a job that this has not returned before, in the order in which they were committed, waiting so long for one.
    ///
    /// # Errors
    /// If the engine cannot.
    fn results(&mut self, job: &str, wait: Duration) -> Result<Vec<Vec<u8>>, Trouble>;

    /// Forgets a job, with its units and results.
    ///
    /// # Errors
    /// If the engine cannot.
    fn close(&mut self, job: &str) -> Result<(), Trouble>;
}
