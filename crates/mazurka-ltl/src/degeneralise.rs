//! One acceptance set instead of several: Section 5 of Gastin and Oddoux. A state remembers how many of the sets were met since it accepted
//! last, in their order.

use crate::automaton::{Automaton, Edge, State};
use crate::translate::Generalised;
use rustc_hash::FxHashMap;

/// A state of the generalised automaton, and how many sets were met.
type Level = (u32, usize);

/// The pairs met so far, with the states that they become.
#[derive(Default)]
struct Levels {
    numbers: FxHashMap<Level, u32>,
    all: Vec<Level>,
}

impl Levels {
    /// State 0 is none of them.
    fn number(&mut self, level: Level) -> u32 {
        *self.numbers.entry(level).or_insert_with(|| {
            self.all.push(level);
            self.all.len() as u32
        })
    }

    fn edges(&mut self, generalised: &Generalised, (state, level): Level) -> Vec<Edge> {
        let from = if level == generalised.sets { 0 } else { level };
        let mut edges = Vec::new();
        for edge in &generalised.states[state as usize] {
            let met = edge.accepting[from..].iter().take_while(|in_set| **in_set).count();
            let target = self.number((edge.target, from + met));
            edges.push(Edge { guard: edge.guard, target });
        }
        edges
    }
}

/// The states of the result are pairs of a state and a level; those of the last level accept.
pub(crate) fn degeneralise(generalised: &Generalised) -> Automaton {
    let mut levels = Levels::default();
    // State 0 stands for all starts together; nothing leads back to it.
    let starts = generalised.starts.iter().flat_map(|&start| levels.edges(generalised, (start, 0)));
    let mut states = vec![State {
        edges: starts.collect(),
        accepting: false,
    }];
    while let Some(&level) = levels.all.get(states.len() - 1) {
        states.push(State {
            edges: levels.edges(generalised, level),
            accepting: level.1 == generalised.sets,
        });
    }
    for state in &mut states {
        state.edges.sort_unstable();
        state.edges.dedup();
    }
    Automaton { states }
}
