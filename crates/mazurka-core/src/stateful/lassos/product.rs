//! The pairs of a state and a state of the automaton, and the transitions between them: the automaton reads the state, then the program
//! takes a step.

use super::components::Marks;
use crate::program::Transition;
use crate::stateful::graph::{Generated, Graph, Slot};
use crate::stateful::property::{Property, Reading};
use crate::stateful::reduction::{Reducer, Reduction};

/// The product of a program and a property.
pub(super) struct Product<'p> {
    pub graph: Box<dyn Graph + 'p>,
    /// Its number in the graph.
    number: usize,
    pub property: Property,
    pub fair: bool,
    reducer: Reducer,
}

/// A pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub state: Slot,
    pub at: u32,
}

/// What follows a pair: every way of the automaton with every step of the program.
#[derive(Default)]
pub(super) struct Expansion {
    /// How the automaton can read the state.
    pub readings: Vec<Reading>,
    /// The steps, in the order in which they are explored.
    pub steps: Vec<Generated>,
    /// Whether the program has no step and stays where it is.
    pub stays: bool,
    /// What the pair has of acceptance.
    pub marks: Marks,
}

impl Expansion {
    /// How many transitions there are.
    pub fn len(&self) -> usize {
        self.readings.len() * self.steps.len().max(usize::from(self.stays))
    }

    /// One of them: the step, if the program takes one, and the state of the automaton after it.
    pub fn get(&self, nth: usize) -> (Option<&Generated>, u32) {
        let each = self.steps.len().max(1);
        (self.steps.get(nth % each), self.readings[nth / each].target)
    }
}

impl<'p> Product<'p> {
    pub fn new(graph: Box<dyn Graph + 'p>, number: usize, mut property: Property, fair: bool, reduction: Reduction) -> Self {
        if fair && property.unreduced.is_none() {
            property.unreduced = Some("weak fairness is not kept by leaving steps out".to_owned());
        }
        if reduction == Reduction::None {
            property.unreduced = None;
        }
        let reduction = if property.unreduced.is_none() { reduction } else { Reduction::None };
        Product {
            graph,
            number,
            property,
            fair,
            reducer: Reducer::new(reduction).watching(number),
        }
    }

    /// What follows a pair; if `all`, also what the reduction leaves out. The slots of the steps belong to the caller.
    pub fn expand(&mut self, point: Point, all: bool, out: &mut Expansion) {
        out.readings.clear();
        out.steps.clear();
        self.graph.read(self.number, point.state, point.at, &mut out.readings);
        let mut marks = Marks::at_rest(self.accepts(point));
        (out.stays, out.marks) = (false, marks);
        if out.readings.is_empty() {
            return;
        }
        self.graph.successors(point.state, &mut out.steps, &mut Vec::new());
        out.stays = out.steps.is_empty() && self.property.stutters;
        if self.fair {
            out.steps.iter().for_each(|step| marks.enabled(step.transition.process));
            out.marks = marks;
        }
        if !all {
            self.reducer.reduce(&mut *self.graph, point.state, &mut out.steps);
        }
        crate::stateful::batch::youngest_first(&mut out.steps);
    }

    /// Whether executions that come to this pair again and again violate the property.
    pub fn accepts(&self, point: Point) -> bool {
        self.graph.accepts(self.number, point.state, point.at)
    }

    /// What a transition has of acceptance.
    pub fn marks_of(&self, step: Option<Transition>) -> Marks {
        match step {
            Some(step) if self.fair => Marks::moves(step.process),
            _ => Marks::NONE,
        }
    }
}
