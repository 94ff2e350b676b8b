//! Promises that executions keep or break: what never happens in the end, though everything that should go on does.
//!
//! The whole state graph is built, without reduction, so there is no ignoring problem: no step is put off for ever that the graph does not show. An
//! execution breaks a promise if from some moment on what was promised never happens and the execution is *weakly fair*: every action that
//! can be taken from then on without end is taken without end. Such an execution stays in a strongly connected part of the states in
//! which the promise is open, and there it can come by everything. So a part has a fair execution exactly if every action is disabled in
//! one of its states or taken in one of its steps (K. L. McMillan and others call such parts fair components). If an action is enabled in all of a
//! part and not taken within, then neither is it in any smaller part: the maximal parts tell everything. An execution that stops where no
//! fair action is enabled is fair too.

mod components;
mod graph;
mod lasso;

pub use graph::{Actions, FairGraph, Labels, Promise, Stop};
pub use lasso::Lasso;

#[cfg(test)]
mod tests;
