//! The engine of Mazurka: programs, traces, races and the searches over them.
//!
//! Data flows one way: a [`Program`] says what can happen, a trace records what happened, races say what else could happen, a search
//! makes it happen, and an [`Outcome`] says what was found. Nothing here knows a language or prints anything.
//!
//! To check programs, use the crate `mazurka` or `mazurka-actors`. Use this one to check something that has no front end yet: implement
//! [`Program`], test its promises with [`laws::check`], and start a [`search()`]; implement [`Describe`] as well to see counterexamples
//! ([`schedule`]), and [`StateSpace`] to store states ([`stateful_search`]). An [`Algorithm`] is chosen by name; [`KNOWN`] lists them all.
//!
//! # Example
//!
//! Two processes increment a counter, each in two steps: read it, then write one more. If both read before either writes, an increment is
//! lost.
//!
//! ```
//! use mazurka_core::{
//!     Algorithm, Effects, Failure, FailureKind, Features, Footprint, Location, Options, Pending, Process, Program, Status, Transition, Unobserved,
//!     Verdict, laws, search,
//! };
//!
//! struct Increments;
//!
//! #[derive(Clone)]
//! struct State {
//!     counter: u32,
//!     /// What each process has read, and whether it is done.
//!     read: [Option<u32>; 2],
//!     done: [bool; 2],
//! }
//!
//! const COUNTER: Location = Location(0);
//!
//! impl Program for Increments {
//!     type State = State;
//!
//!     fn start(&self) -> State {
//!         State { counter: 0, read: [None; 2], done: [false; 2] }
//!     }
//!
//!     fn pending(&self, state: &State, out: &mut Vec<Pending>) {
//!         for process in (0..2).filter(|&p| !state.done[p]) {
//!             out.push(Pending { transition: Transition::of(Process(process as u32)), enabled: true });
//!         }
//!     }
//!
//!     fn footprint(&self, state: &State, next: Transition, out: &mut Footprint) {
//!         match state.read[next.process.index()] {
//!             None => out.read(COUNTER),
//!             Some(_) => out.overwrite(COUNTER),
//!         }
//!     }
//!
//!     fn step(&self, state: &mut State, next: Transition, _: &mut Effects) {
//!         let process = next.process.index();
//!         match state.read[process] {
//!             None => state.read[process] = Some(state.counter),
//!             Some(value) => {
//!                 state.counter = value + 1;
//!                 state.done[process] = true;
//!             }
//!         }
//!     }
//!
//!     fn fingerprint(&self, state: &State) -> u128 {
//!         let mut bits = u128::from(state.counter);
//!         for process in 0..2 {
//!             bits = bits << 8 | state.read[process].map_or(0, |value| u128::from(value) + 1);
//!             bits = bits << 1 | u128::from(state.done[process]);
//!         }
//!         bits
//!     }
//!
//!     fn features(&self) -> Features {
//!         Features { terminating: true, ..Features::STATIC }
//!     }
//!
//!     fn failures_at_end(&self, state: &State, out: &mut Vec<Failure>) {
//!         if state.counter != 2 {
//!             let message = format!("the counter is {}", state.counter);
//!             out.push(Failure { kind: FailureKind::Assertion, message, at: None });
//!         }
//!     }
//! }
//!
//! laws::check(&Increments, &laws::Effort::default()).expect("the program keeps its promises");
//!
//! let options = Options::new(Algorithm::parse("optimal")?).keep_going(true);
//! let mut search = search(&Increments, &options, Unobserved)?;
//! while search.advance(10_000) == Status::Running {}
//!
//! let outcome = search.outcome();
//! assert_eq!(outcome.verdict, Verdict::Violation);
//! assert_eq!(outcome.counts.executions, 4, "one for each trace; there are 6 interleavings");
//! assert_eq!(outcome.failures[0].failure.message, "the counter is 1");
//! assert_eq!(outcome.failures[0].schedule.len(), 4);
//! # Ok::<(), mazurka_core::SearchError>(())
//! ```

mod algorithm;
mod algorithms;
mod any_program;
mod bound;
mod call_graph;
mod cover;
mod dependency;
mod describe;
mod driver;
mod effects;
mod explore;
mod findings;
mod footprint;
mod footprints;
mod growing;
mod insights;
mod involved;
pub mod laws;
mod locked;
mod memory;
mod merge;
mod names;
mod nearest;
mod order;
mod outcome;
mod pace;
mod program;
mod running;
mod sample;
pub mod saved;
pub mod schedule;
mod search;
mod sequence;
pub mod stability;
mod stateful;
pub mod strategy;
mod touches;
mod trace;
pub mod units;
mod wakeup;
mod world;

pub use algorithm::{About, Algorithm, AlgorithmError, Covers, Needs, Promise};
pub use algorithms::KNOWN;
pub use any_program::{AnyProgram, AnyState, any};
pub use bound::{Bound, Bounded, Departure};
pub use call_graph::{CallGraph, Chains, Class, Method};
pub use dependency::Dependency;
pub use describe::{Describe, Position, StepText, Wait};
pub use effects::Effects;
pub use explore::{Crew, Seat, Sharing, parallel_search, random_rank, replaying_search, search};
pub use footprint::{Access, Footprint, Mode, conflict, writes_guard};
pub use growing::Growing;
pub use insights::{
    Actors, Atom, Comparable, Enabling, Futures, GuardLocations, Influence, Insights, Instruments, Knowledge, Liveness, Origin, Predicate,
    Properties, Task,
};
pub use locked::locked;
pub use memory::resident_bytes;
pub use names::Names;
pub use nearest::nearest;
pub use order::Order;
pub use outcome::{Counts, Failure, FailureKind, FoundFailure, Limit, Merged, Outcome, Verdict};
pub use program::{Features, Fingerprint, Location, Pending, Process, Program, Transition, unfinished};
pub use sample::{Diversity, Richness, Sampled, Sampler, Sampling};
pub use search::{Ending, Estimate, Limits, Observe, Observer, Options, Progress, Search, SearchError, Status, Unobserved};
pub use stateful::{
    AccessSet, Actions as FairActions, Alternative, Alternatives, Checks, Chosen, FairGraph, Generated, Graph, Labels, Lasso, Persistent,
    ProgramStates, Promise as FairPromise, Property, PropertyReport, Reading, Reduction, Slot, Source, StateReport, StateSpace,
    StatefulOptions, StatefulSearch, Statement, States, Stop as FairStop, Successor, Unreached, graph_of, search_states, stateful_search,
};
