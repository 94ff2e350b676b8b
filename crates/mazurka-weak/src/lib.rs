//! Weak memory: every consistent execution graph of a program, exactly once.
//!
//! Under weak memory an execution is no sequence of steps but a [`Graph`]: the events of each thread in program order, which write each read reads from, and
//! the order in which the writes of a location come. A [`Model`] says which graphs there are; [`Search`] visits each of them once, after TruSt
//! (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly stateless, optimal dynamic partial order reduction, POPL 2022). What is checked
//! is a [`Program`]: threads that say what they do next and are told what they have read.

mod coherence;
mod event;
mod graph;
mod maximal;
mod models;
mod orderings;
mod picture;
mod program;
mod races;
mod replay;
mod search;
mod visitor;

pub use event::{Event, EventId, Kind, Location, Order, Source};
pub use graph::Graph;
pub use models::{MODELS, Model, Rc11, Sc, Tso, model};
pub use orderings::{Site, Strengthening, failure_with, strengthen, weaken};
pub use picture::{Caption, picture};
pub use program::{Answer, Birth, Fault, Next, Program, Seen};
pub use races::{Race, race};
pub use search::Search;
pub use visitor::{Counts, Ending, Limits, Status, Visitor};
