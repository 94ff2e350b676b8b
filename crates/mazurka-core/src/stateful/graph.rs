//! What the searches, and the checker of certificates, see of a state space: object-safe, so that they are compiled once, whatever the
//! states are.
//!
//! A search knows states by the number of the slot where they are kept. [`Slots`] is the only code that is compiled for each kind of
//! states.

use super::alternatives::Alternatives;
use super::property::{Property, Reading};
use super::states::{Statement, States};
use crate::outcome::Failure;
use crate::program::{Fingerprint, Process, Transition};

/// Where a state is kept, until the search gives it back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Slot(u32);

/// A state that was generated and not looked at yet.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The transition that leads there; see [`Graph::schedule`].
    pub transition: Transition,
    /// The alternative of its process that it begins with.
    pub alternative: u32,
    /// Where the state is kept.
    pub state: Slot,
    /// What went wrong in the transition.
    pub failure: Option<Failure>,
    /// Its number among the successors of its state.
    pub number: u32,
}

/// A state space; see [`States`] for the meaning of the questions.
pub trait Graph {
    /// The initial state.
    fn start(&mut self) -> (Slot, Option<Failure>);

    /// Appends every successor, and the statements that processes come to by them.
    fn successors(&mut self, of: Slot, out: &mut Vec<Generated>, statements: &mut Vec<u32>);

    /// Whether nothing is enabled.
    fn is_end(&self, state: Slot) -> bool;

    /// The state is not needed any more.
    fn give_back(&mut self, state: Slot);

    /// Stands for the state.
    fn fingerprint(&self, state: Slot) -> Fingerprint;

    /// The whole state as bytes; false if that cannot be done.
    fn encode(&self, state: Slot, out: &mut Vec<u8>) -> bool;

    /// Adds everything that is wrong with an execution that ends here.
    fn failures_at_end(&self, state: Slot, out: &mut Vec<Failure>);

    /// Whether a state in which something failed differs from the same state without.
    fn remembers_failures(&self) -> bool;

    /// Whether [`Graph::alternatives`] knows anything.
    fn knows_alternatives(&self) -> bool;

    /// Adds every alternative of every unfinished process.
    fn alternatives(&self, state: Slot, out: &mut Alternatives);

    /// Whether the step goes strictly upwards.
    fn advances(&self, before: Slot, process: Process, after: Slot) -> bool;

    /// The schedule with the transitions that the program itself knows.
    fn schedule(&self, schedule: Vec<Transition>) -> Vec<Transition>;

    /// The statements, in the order of reports.
    fn statements(&self) -> Vec<Statement>;

    /// What is asked of executions without end.
    fn properties(&self) -> Vec<Property>;

    /// Appends the ways of a property's automaton when it reads the state.
    fn read(&self, property: usize, state: Slot, at: u32, out: &mut Vec<Reading>);

    /// Whether an execution that comes here again and again violates the property.
    fn accepts(&self, property: usize, state: Slot, at: u32) -> bool;

    /// Marks the alternatives that a property may notice.
    fn watch(&self, property: usize, state: Slot, out: &mut Alternatives);
}

/// States in numbered slots. The memory of those that were given back is used again.
pub(super) struct Slots<S: States> {
    states: S,
    kept: Vec<S::State>,
    free: Vec<Slot>,
    /// Successors on their way into slots.
    fresh: Vec<S::State>,
    /// Memory for them.
    spare: Vec<S::State>,
}

impl<S: States> Slots<S> {
    pub fn new(states: S) -> Self {
        Slots {
            states,
            kept: Vec::new(),
            free: Vec::new(),
            fresh: Vec::new(),
            spare: Vec::new(),
        }
    }

    fn state(&self, slot: Slot) -> &S::State {
        &self.kept[slot.0 as usize]
    }

    /// Puts a state into a slot. What was there is memory for the next one.
    fn keep(&mut self, mut state: S::State) -> Slot {
        match self.free.pop() {
            Some(slot) => {
                std::mem::swap(&mut self.kept[slot.0 as usize], &mut state);
                self.spare.push(state);
                slot
            }
            None => {
                let slot = Slot(u32::try_from(self.kept.len()).unwrap_or_else(|_| panic!("more than 2³² states wait to be explored")));
                self.kept.push(state);
                slot
            }
        }
    }
}

impl<S: States> Graph for Slots<S> {
    fn start(&mut self) -> (Slot, Option<Failure>) {
        let (state, failure) = self.states.start();
        (self.keep(state), failure)
    }

    fn successors(&mut self, of: Slot, out: &mut Vec<Generated>, statements: &mut Vec<u32>) {
        let first = out.len();
        let (fresh, spare) = (&mut self.fresh, &mut self.spare);
        self.states.successors(&self.kept[of.0 as usize], |successor| {
            fresh.push(match spare.pop() {
                Some(mut state) => {
                    std::mem::swap(&mut state, successor.after);
                    state
                }
                None => successor.after.clone(),
            });
            statements.extend_from_slice(successor.statements);
            out.push(Generated {
                transition: successor.transition,
                alternative: successor.alternative,
                // Filled below: no slot can be given out while the state in one of them is looked at.
                state: of,
                failure: successor.failure,
                number: (out.len() - first) as u32,
            });
        });
        let mut fresh = std::mem::take(&mut self.fresh);
        for (generated, state) in out[first..].iter_mut().zip(fresh.drain(..)) {
            generated.state = self.keep(state);
        }
        self.fresh = fresh;
    }

    fn is_end(&self, state: Slot) -> bool {
        let mut ends = true;
        self.states.successors(self.state(state), |_| ends = false);
        ends
    }

    fn give_back(&mut self, state: Slot) {
        self.free.push(state);
    }

    fn fingerprint(&self, state: Slot) -> Fingerprint {
        self.states.fingerprint(self.state(state))
    }

    fn encode(&self, state: Slot, out: &mut Vec<u8>) -> bool {
        self.states.encode(self.state(state), out)
    }

    fn failures_at_end(&self, state: Slot, out: &mut Vec<Failure>) {
        self.states.failures_at_end(self.state(state), out);
    }

    fn remembers_failures(&self) -> bool {
        self.states.remembers_failures()
    }

    fn knows_alternatives(&self) -> bool {
        self.states.knows_alternatives()
    }

    fn alternatives(&self, state: Slot, out: &mut Alternatives) {
        self.states.alternatives(self.state(state), out);
    }

    fn advances(&self, before: Slot, process: Process, after: Slot) -> bool {
        self.states.advances(self.state(before), process, self.state(after))
    }

    fn schedule(&self, schedule: Vec<Transition>) -> Vec<Transition> {
        self.states.schedule(schedule)
    }

    fn statements(&self) -> Vec<Statement> {
        self.states.statements()
    }

    fn properties(&self) -> Vec<Property> {
        self.states.properties()
    }

    fn read(&self, property: usize, state: Slot, at: u32, out: &mut Vec<Reading>) {
        self.states.read(property, self.state(state), at, out);
    }

    fn accepts(&self, property: usize, state: Slot, at: u32) -> bool {
        self.states.accepts(property, self.state(state), at)
    }

    fn watch(&self, property: usize, state: Slot, out: &mut Alternatives) {
        self.states.watch(property, self.state(state), out);
    }
}
