//! Büchi automata.

use crate::formula::Formula;
use crate::lasso::{Lasso, Letter};
use crate::translate::{TooLarge, translate};
use std::fmt;

/// Atoms that must hold and atoms that must not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// Those that must.
    pub yes: u64,
    /// Those that must not.
    pub no: u64,
}

impl Cube {
    /// Whether the letter fits.
    #[inline]
    pub fn holds(self, letter: Letter) -> bool {
        letter & self.yes == self.yes && letter & self.no == 0
    }

    /// What is in both; `None` if that is nothing.
    pub(crate) fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube {
            yes: self.yes | other.yes,
            no: self.no | other.no,
        };
        (both.yes & both.no == 0).then_some(both)
    }

    /// Whether every letter that fits this one fits the other.
    pub(crate) fn implies(self, other: Cube) -> bool {
        other.yes & !self.yes == 0 && other.no & !self.no == 0
    }
}

/// A way from a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// What must hold in the state of the program that is read.
    pub guard: Cube,
    /// The state after it.
    pub target: u32,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The ways on.
    pub edges: Vec<Edge>,
    /// Whether executions that come here infinitely often are accepted.
    pub accepting: bool,
}

/// A Büchi automaton: it reads the states of an execution one by one, and accepts if it can do so for ever, coming to an accepting state
/// again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    pub(crate) states: Vec<State>,
}

impl Automaton {
    /// An automaton that accepts the executions that satisfy the formula.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn of(formula: &Formula) -> Result<Self, TooLarge> {
        translate(formula)
    }

    /// The states; the first one is where it begins. There is at least one.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How many edges it has.
    pub fn edges(&self) -> usize {
        self.states.iter().map(|s| s.edges.len()).sum()
    }

    /// Whether it accepts the execution.
    pub fn accepts(&self, lasso: &Lasso) -> bool {
        // Pairs of a state and a place; an accepting one that can be reached from the start and from itself.
        let pair = |state: usize, place: usize| state * lasso.len() + place;
        let reach = |from: usize| {
            let mut seen = vec![false; self.states.len() * lasso.len()];
            let mut todo = vec![from];
            while let Some(at) = todo.pop() {
                let (state, place) = (at / lasso.len(), at % lasso.len());
                for edge in self.states[state].edges.iter().filter(|e| e.guard.holds(lasso.at(place))) {
                    let next = pair(edge.target as usize, lasso.after(place));
                    if !std::mem::replace(&mut seen[next], true) {
                        todo.push(next);
                    }
                }
            }
            seen
        };
        let first = reach(pair(0, 0));
        (0..first.len()).any(|at| first[at] && self.states[at / lasso.len()].accepting && reach(at)[at])
    }
}

impl fmt::Display for Automaton {
    /// One line for each state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, state) in self.states.iter().enumerate() {
            write!(f, "{number}{}:", if state.accepting { " accepting" } else { "" })?;
            for edge in &state.edges {
                let literals = (0..64).flat_map(|p| {
                    let yes = (edge.guard.yes >> p & 1 == 1).then(|| format!("p{p}"));
                    yes.or((edge.guard.no >> p & 1 == 1).then(|| format!("!p{p}")))
                });
                let guard: Vec<String> = literals.collect();
                let guard = if guard.is_empty() { "true".to_owned() } else { guard.join("&") };
                write!(f, " {guard} -> {};", edge.target)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
