//! The engine of Mazurka: programs, traces, races and the searches over them.
//!
//! Data flows one way: a [`Program`] says what can happen, a trace records what happened, races say what else could happen, a search
//! makes it happen, an [`Outcome`] says what was found. Nothing here knows a language or prints anything.

mod algorithm;
mod algorithms;
mod call_graph;
mod comparable;
mod dependency;
mod describe;
mod driver;
mod effects;
mod explore;
mod findings;
mod footprint;
mod footprints;
pub mod laws;
mod memory;
mod merge;
mod names;
mod nearest;
mod outcome;
mod pace;
mod program;
mod running;
pub mod schedule;
mod search;
mod sequence;
pub mod stability;
mod stateful;
mod trace;
mod wakeup;
mod world;

pub use algorithm::{About, Algorithm, AlgorithmError, Covers, Needs, Promise};
pub use algorithms::KNOWN;
pub use call_graph::{CallGraph, Chains, Class, Method};
pub use comparable::{Atom, Comparable, Influence, Knowledge, Origin, Predicate, Task};
pub use dependency::Dependency;
pub use describe::{Describe, Position, StepText, Wait};
pub use effects::Effects;
pub use explore::{replaying_search, search};
pub use footprint::{Access, Footprint, Mode, conflict, writes_guard};
pub use memory::resident_bytes;
pub use names::Names;
pub use nearest::nearest;
pub use outcome::{Counts, Failure, FailureKind, FoundFailure, Limit, Merged, Outcome, Verdict};
pub use program::{Features, Fingerprint, Location, Order, Pending, Process, Program, Transition, unfinished};
pub use search::{Ending, Estimate, Limits, Observe, Observer, Options, Progress, Search, SearchError, Status, Unobserved};
pub use stateful::{
    AccessSet, Alternative, Alternatives, Persistent, ProgramStates, Reduction, Source, StateReport, StateSpace, StatefulOptions,
    StatefulSearch, Statement, States, Successor, Unreached, search_states, stateful_search,
};
