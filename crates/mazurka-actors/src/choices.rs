//! The alternatives of a handler that chooses.
//!
//! A handler may choose several times, and what it chooses from may depend on its state, so its alternatives are found by running it: first with
//! the first choice everywhere, then with the next at the last place that has one, and so on. A transition's choice is the number of such a run.

use crate::hash::Hash128;
use crate::program::Handled;
use crate::run::{Envelope, Run};
use crate::system::System;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A handler may have so many alternatives.
pub(crate) const MOST: usize = 4096;

/// What a handler chooses, in order.
pub(crate) type Script = Box<[u32]>;

/// The choices of one run of a handler.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// What to choose; the first where it ends.
    script: Vec<u32>,
    /// What was chosen, and from how many.
    taken: Vec<(u32, u32)>,
    /// Whether the handler said that it chooses.
    pub allowed: bool,
}

impl Choices {
    pub fn as_told(script: &[u32], allowed: bool) -> Self {
        Choices {
            script: script.to_vec(),
            taken: Vec::new(),
            allowed,
        }
    }

    /// One of `n`.
    pub fn choose(&mut self, n: u32) -> u32 {
        let chosen = self.script.get(self.taken.len()).copied().unwrap_or(0).min(n - 1);
        self.taken.push((chosen, n));
        chosen
    }

    /// What was chosen.
    fn script(&self) -> Script {
        self.taken.iter().map(|(chosen, _)| *chosen).collect()
    }

    /// The next run, if there is one.
    fn next(mut self) -> Option<Vec<u32>> {
        while let Some((chosen, n)) = self.taken.pop() {
            if chosen + 1 < n {
                let before = self.taken.iter().map(|(chosen, _)| *chosen);
                return Some(before.chain([chosen + 1]).collect());
            }
        }
        None
    }
}

/// The alternatives of handlers that were looked at before, by actor, state and message.
pub(crate) type Known = RefCell<FxHashMap<u128, Rc<[Script]>>>;

impl System {
    /// What the handler of a message may choose in the present state of its actor: one script for each alternative.
    pub(crate) fn alternatives(&self, run: &Run, place: usize, envelope: &Envelope) -> Rc<[Script]> {
        let slot = &run.actors[place];
        let key = Hash128::of((slot.identity, slot.state.hash(), envelope.content.hash128()));
        if let Some(known) = self.known_choices.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut all: Vec<Script> = Vec::new();
        let mut next = Some(Vec::new());
        while let Some(script) = next.take().filter(|_| all.len() <= MOST) {
            let mut choices = Choices::as_told(&script, true);
            // One that fails is an alternative too.
            let _: Handled = self.handle_choosing(run, place, envelope, &mut choices);
            all.push(choices.script());
            next = choices.next();
        }
        let all: Rc<[Script]> = all.into();
        self.known_choices.borrow_mut().insert(key, Rc::clone(&all));
        all
    }
}
