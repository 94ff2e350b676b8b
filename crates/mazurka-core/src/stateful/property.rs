//! What is asked of executions without end: automata that read states.

use crate::describe::Position;
use crate::outcome::Verdict;

/// A property of executions without end, as an automaton that accepts those that violate it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// What it is, as a part of a sentence: `claim p1`.
    pub name: String,
    /// What an execution that violates it shows, as the beginning of a sentence: `claim p1 does not hold`.
    pub violated: String,
    /// Where it is written.
    pub at: Option<Position>,
    /// The state in which its automaton begins.
    pub start: u32,
    /// Whether an execution that ends is taken to stay where it is for ever. If not, the property says nothing of it.
    pub stutters: bool,
    /// Why a search may not leave anything out, if it may not.
    pub unreduced: Option<String>,
}

/// A way of the automaton when it reads a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The state of the automaton after it.
    pub target: u32,
    /// Whether the property is violated by what was read so far, and how: nothing more is read on this way.
    pub failure: Option<crate::outcome::Failure>,
}

/// How it stands with a property.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PropertyReport {
    /// What it is, as a part of a sentence.
    pub name: String,
    /// What is known; `None` if it was not looked at.
    pub verdict: Option<Verdict>,
    /// Pairs stored of a state and a state of the automaton.
    pub stored: u64,
    /// The transitions between them.
    pub transitions: u64,
    /// Why nothing was left out although that was asked for.
    pub unreduced: Option<String>,
}

impl PropertyReport {
    /// A property that was not looked at yet.
    pub(super) fn new(name: &str) -> Self {
        PropertyReport {
            name: name.to_owned(),
            verdict: None,
            stored: 0,
            transitions: 0,
            unreduced: None,
        }
    }
}
