//! The states of a program that is said to end: there must be no cycle among them.

use crate::program::{Fingerprint, Transition};
use rustc_hash::FxHashMap;

/// Which states lead to which.
#[derive(Default)]
pub(super) struct Graph {
    numbers: FxHashMap<Fingerprint, usize>,
    states: Vec<State>,
}

#[derive(Default)]
struct State {
    next: Vec<usize>,
    /// How many steps lead there.
    entries: usize,
    /// One way there.
    way: Vec<Transition>,
}

impl Graph {
    fn number(&mut self, state: Fingerprint) -> usize {
        let new = self.states.len();
        let number = *self.numbers.entry(state).or_insert(new);
        if number == new {
            self.states.push(State::default());
        }
        number
    }

    /// Adds the last step of `way`.
    pub fn add(&mut self, before: Fingerprint, after: Fingerprint, way: &[Transition]) {
        let (from, to) = (self.number(before), self.number(after));
        self.states[from].next.push(to);
        let state = &mut self.states[to];
        state.entries += 1;
        if state.entries == 1 {
            state.way = way.to_vec();
        }
    }

    /// A way to a state on a cycle, if there is one: states that nothing leads to are taken away until none is left, and from one that is left the
    /// steps are followed backwards.
    pub fn cycle(mut self) -> Option<Vec<Transition>> {
        let mut free: Vec<usize> = (0..self.states.len()).filter(|s| self.states[*s].entries == 0).collect();
        let mut left = self.states.len();
        while let Some(state) = free.pop() {
            left -= 1;
            for next in std::mem::take(&mut self.states[state].next) {
                self.states[next].entries -= 1;
                if self.states[next].entries == 0 {
                    free.push(next);
                }
            }
        }
        if left == 0 {
            return None;
        }
        let mut before = vec![0; self.states.len()];
        for (number, state) in self.states.iter().enumerate().filter(|(_, s)| s.entries > 0) {
            state.next.iter().for_each(|next| before[*next] = number);
        }
        let mut at = self.states.iter().position(|s| s.entries > 0)?;
        for _ in 0..left {
            at = before[at];
        }
        Some(std::mem::take(&mut self.states[at].way))
    }
}
