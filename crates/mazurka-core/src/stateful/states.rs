//! States, as a stateful search sees them.

use super::alternatives::Alternatives;
use super::property::{Property, Reading};
use crate::describe::Position;
use crate::outcome::Failure;
use crate::program::{Fingerprint, Process, Transition};

/// States, and what leads from one to the next. Any [`Program`](crate::Program) has one, [`ProgramStates`](crate::ProgramStates); a front
/// end that knows its processes' text can do better.
pub trait States {
    /// A state. `clone_from` into an old state should reuse its memory.
    type State: Clone;

    /// The initial state, and what went wrong on the way to it.
    fn start(&self) -> (Self::State, Option<Failure>);

    /// Calls `visit` for every enabled transition, process by process, the oldest first. Nothing is called where nothing is enabled.
    fn successors(&self, state: &Self::State, visit: impl FnMut(Successor<'_, Self::State>));

    /// Equal states have equal fingerprints, and different ones different fingerprints but for a chance of about 2⁻¹²⁸.
    fn fingerprint(&self, state: &Self::State) -> Fingerprint;

    /// Adds everything that is wrong with an execution that ends here, where nothing is enabled.
    fn failures_at_end(&self, state: &Self::State, out: &mut Vec<Failure>);

    /// Appends the whole state as bytes, so that two states have the same bytes exactly when they are equal. False if that cannot be
    /// done; `--exact` is then refused.
    fn encode(&self, state: &Self::State, out: &mut Vec<u8>) -> bool {
        let _ = (state, out);
        false
    }

    /// Whether a state in which something failed differs from the same state without. If not, a state is reached with a failure and without
    /// one, and counts once.
    fn remembers_failures(&self) -> bool {
        true
    }

    /// Whether [`States::alternatives`] knows anything. If not, only `stateful` without reduction makes sense.
    fn knows_alternatives(&self) -> bool {
        false
    }

    /// Adds every alternative of every unfinished process, enabled or not, with what it may access.
    fn alternatives(&self, state: &Self::State, out: &mut Alternatives) {
        let _ = (state, out);
    }

    /// Whether the step of `process` from `before` to `after` goes strictly upwards in some order on states that is fixed once and for
    /// all and in which steps of other processes do not go downwards unless they say so here.
    ///
    /// No cycle consists of steps that go upwards: it is enough for the cycle condition (Theorem 2 of the paper) to expand the states
    /// where other steps are taken. The order on the local states of processes will do: on a cycle every process that moves comes back
    /// to its own. This depends on the states only, not on the way to them, and so serves depth-first and breadth-first search alike.
    fn advances(&self, before: &Self::State, process: Process, after: &Self::State) -> bool {
        let _ = (before, process, after);
        false
    }

    /// The same schedule with the transitions that the program itself knows, if those of [`Successor::transition`] are others.
    fn schedule(&self, schedule: Vec<Transition>) -> Vec<Transition> {
        schedule
    }

    /// The statements, in the order of reports; [`Successor::statements`] numbers them by their place here.
    fn statements(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// What is asked of executions without end, besides what can fail in a step or at an end. Each is searched for by itself, and the other
    /// questions name it by its place here.
    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    /// Appends the ways of a property's automaton from its state `at` when it reads `state`.
    fn read(&self, property: usize, state: &Self::State, at: u32, out: &mut Vec<Reading>) {
        let _ = (property, state, at, out);
    }

    /// Whether an execution that comes to `state`, with the automaton at `at`, again and again violates the property.
    fn accepts(&self, property: usize, state: &Self::State, at: u32) -> bool {
        let _ = (property, state, at);
        false
    }

    /// Marks the alternatives ([`Alternatives::see`]) that may change what the property's automaton can see, in whatever state they are taken.
    /// What is not marked may be reordered with what is.
    fn watch(&self, property: usize, state: &Self::State, out: &mut Alternatives) {
        let _ = (property, state, out);
    }
}

/// What one enabled transition leads to.
#[derive(Debug)]
pub struct Successor<'a, S> {
    /// The transition.
    pub transition: Transition,
    /// Which of the alternatives of its process it begins with, as numbered by [`States::alternatives`]. Several transitions can
    /// begin with one alternative: the ways through an indivisible sequence, the partners of a rendezvous.
    pub alternative: u32,
    /// The state after it. Who is called may keep it by leaving another in its place.
    pub after: &'a mut S,
    /// What went wrong in it.
    pub failure: Option<Failure>,
    /// The statements that a process comes to by it, executed there or not.
    pub statements: &'a [u32],
}

/// A statement of the program text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it is part of: a proctype.
    pub part: String,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub at: Option<Position>,
}
