//! What a search tells of the graphs that it visits, and where it ends.

use crate::graph::Graph;
use crate::program::{Fault, Program};
use crate::races::Race;

/// How a graph ended to which nothing can be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All threads are at their ends.
    Complete,
    /// Threads wait for ever: nothing that was written lets them go on.
    Deadlock,
    /// A thread waits although it could read what lets it go on: nothing to report, another graph has it reading that.
    Blocked,
    /// Something went wrong in a thread. The graph may have more than what led to that.
    Fault(Fault),
    /// The last event races with another one.
    Race(Race),
    /// This thread did something else when it read the same values again: nothing can be said about such a program.
    Strange(u32),
    /// The graph has as many events as it may have.
    TooLarge,
}

/// Who looks at the graphs.
pub trait Visitor<P: Program> {
    /// A graph has ended. Of faults and races it is told at once, whatever may still be added. Whether the search goes on.
    fn ended(&mut self, graph: &Graph, run: &P::Run, ending: &Ending) -> bool;
}

impl<P: Program, F: FnMut(&Graph, &P::Run, &Ending) -> bool> Visitor<P> for F {
    fn ended(&mut self, graph: &Graph, run: &P::Run, ending: &Ending) -> bool {
        self(graph, run, ending)
    }
}

/// What ends a search early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// So many events may a graph have.
    pub events: u32,
    /// So many graphs are completed.
    pub graphs: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            events: 10_000,
            graphs: u64::MAX,
        }
    }
}

/// What was visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Graphs that are complete, or end in a deadlock.
    pub graphs: u64,
    /// Graphs that were given up because a thread waited in vain.
    pub blocked: u64,
    /// Graphs that became too large.
    pub too_large: u64,
    /// Events that were added.
    pub events: u64,
    /// The size of the largest graph.
    pub largest: u32,
}

/// Whether a search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is more to visit.
    Running,
    /// All is visited.
    Complete,
    /// A limit was reached, or who looks at the graphs has seen enough.
    Stopped,
}
