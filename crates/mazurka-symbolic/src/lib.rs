//! Tests out of models: symbolic execution of ABS methods under every schedule.
//!
//! The inputs of a method (its arguments, the fields of its object, the objects that these refer to, other calls that wait) are not known at
//! first. The interpreter of `mazurka-abs` runs them as terms and asks where the code depends on them. All inputs that get the same
//! answers in every schedule are a *class of inputs*: for a class, the method is an ordinary concurrent program, and the algorithms of
//! `mazurka-core` explore it as they explore any other. Where a question has two possible answers, the class takes one of them, and the
//! other begins a class of its own, which is explored later. So the classes are disjoint, every input is in one of them, and within a class
//! each interleaving that makes a difference is run exactly once.
//!
//! * [`target`] finds the method, [`inputs`] names what is not known, [`class`] is what has been answered, [`solver`] says which answers are
//!   possible, [`explore`] goes through the classes.
//! * [`suite`] makes tests of them: concrete inputs with a schedule and what is expected, [`coverage`] says what they reach, [`minimise`] leaves out
//!   what is not needed, [`concrete`] runs each of them with known values and compares.
//! * [`write`] shows them: as a table, as JSON, as an ABSUnit suite.

pub mod bounds;
pub mod class;
pub mod concrete;
pub mod coverage;
pub mod explore;
pub mod inputs;
pub mod keep;
pub mod known;
pub mod minimise;
pub mod outcome;
pub mod rerun;
pub mod schedules;
pub mod solver;
pub mod suite;
pub mod target;
pub mod write;

pub use bounds::Bounds;
pub use explore::{Exploration, explore};
pub use suite::{Suite, Test};
pub use target::Target;
