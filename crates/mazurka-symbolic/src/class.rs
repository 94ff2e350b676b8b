//! A class of inputs: all those for which every question that the code asks has the same answers.
//!
//! A class is explored under every schedule with its answers in mind. Where a new question has two possible answers, the class keeps the one that
//! its values give, and the other begins a *sibling*, which is explored later, from the start. So siblings exclude each other, and together with
//! the class they are what it was before.

use crate::bounds::{Bounds, Cut};
use crate::inputs::{Inputs, Shape};
use crate::solver::{Answer, Model, Reply, Solver, SolverError};
use mazurka_abs::code::{Op, Program};
use mazurka_abs::run::symbolic::Inputs as Asked;
use mazurka_abs::value::Value;
use mazurka_abs::value::term::Condition;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// One thing that is known of the inputs of a class.
#[derive(Clone, Debug)]
pub enum Decision {
    /// The answer to a condition on numbers and strings.
    Answer(Answer),
    /// What an input is that stands for data or a reference.
    Shape(u32, Shape),
}

/// A class of inputs that was not explored yet.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// The calls that wait besides the tested one, by their place among the methods that may be called.
    pub calls: Vec<usize>,
    /// What is known of its inputs.
    pub trail: Vec<Decision>,
    /// Values that are in it, if they are known already.
    pub model: Option<Model>,
}

impl Class {
    /// The answers among its decisions.
    pub fn answers(&self) -> Vec<Answer> {
        answers(&self.trail)
    }
}

fn answers(trail: &[Decision]) -> Vec<Answer> {
    let answer = |decision: &Decision| match decision {
        Decision::Answer(answer) => Some(answer.clone()),
        Decision::Shape(..) => None,
    };
    trail.iter().filter_map(answer).collect()
}

/// An object of the initial heap: who refers to it, and its class.
#[derive(Clone, Debug)]
pub struct Owned {
    /// The input that refers to it and to nothing else; `None` for `this`.
    pub owner: Option<u32>,
    /// Its class.
    pub class: u32,
    /// The reference to it.
    pub value: Value,
}

/// What is known of the inputs while a class is explored.
#[derive(Debug, Default)]
pub struct Known {
    /// The class, which grows.
    pub class: Class,
    /// What the inputs are that were looked at.
    pub shapes: FxHashMap<u32, Value>,
    /// The answers to all questions that were asked.
    answers: FxHashMap<u128, bool>,
    /// The initial heap.
    pub heap: Vec<Owned>,
    /// Classes that were left for later.
    pub siblings: Vec<Class>,
    /// What was left out.
    pub cuts: BTreeSet<Cut>,
    /// The class is not explored to the end: what it does is not known.
    pub given_up: bool,
    /// A limit left out some of its executions.
    pub incomplete: bool,
}

/// Answers the questions of a machine for one class of inputs.
pub struct Asking {
    /// All inputs.
    pub inputs: Rc<RefCell<Inputs>>,
    /// Who knows what is possible.
    pub solver: Rc<RefCell<Solver>>,
    /// What is known.
    pub known: RefCell<Known>,
    /// What is wrong with the solver, if something is.
    pub broken: RefCell<Option<SolverError>>,
    program: Rc<Program>,
    bounds: Bounds,
}

impl fmt::Debug for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking").field("known", &self.known).finish_non_exhaustive()
    }
}

impl Asking {
    /// Ready for a class whose values are known.
    pub fn new(
        class: Class,
        heap: Vec<Owned>,
        inputs: &Rc<RefCell<Inputs>>,
        solver: &Rc<RefCell<Solver>>,
        program: &Rc<Program>,
        bounds: Bounds,
    ) -> Self {
        let mut known = Known::default();
        for decision in &class.trail {
            match decision {
                Decision::Answer(answer) => {
                    known.answers.insert(answer.condition.hash(), answer.holds);
                }
                Decision::Shape(input, shape) => {
                    let value = match shape {
                        Shape::Data(value, _) => value.clone(),
                        Shape::Null => Value::Null,
                        Shape::Object(nth) => heap[*nth as usize].value.clone(),
                        Shape::Fresh(_) => heap
                            .iter()
                            .find(|object| object.owner == Some(*input))
                            .map_or(Value::Null, |object| object.value.clone()),
                    };
                    known.shapes.insert(*input, value);
                }
            }
        }
        known.class = class;
        known.heap = heap;
        Asking {
            inputs: Rc::clone(inputs),
            solver: Rc::clone(solver),
            known: RefCell::new(known),
            broken: RefCell::default(),
            program: Rc::clone(program),
            bounds,
        }
    }

    /// The known value of a value: its inputs have the values that the class gives them, and what nobody looked at is as simple as can be.
    pub fn concrete(&self, value: &Value) -> Option<Value> {
        let known = self.known.borrow();
        concrete(value, &self.inputs, &known)
    }

    /// Whether an answer, the last one, is possible besides those that are known.
    fn check(&self, answers: &[Answer]) -> Reply {
        let reply = self.solver.borrow_mut().check(&self.inputs.borrow(), answers, 1);
        reply.unwrap_or_else(|error| {
            self.broken.borrow_mut().get_or_insert(error);
            Reply::Unknown
        })
    }

    /// The possible shapes of an input, the first of which the class takes; what is left out is noted.
    fn shapes_of(&self, input: u32, known: &mut Known) -> Vec<Shape> {
        let ty = self.inputs.borrow().get(input).ty.clone();
        let classes = self.inputs.borrow().classes(&ty, &self.program);
        let (mut shapes, cut) = self.inputs.borrow_mut().shapes(input, self.bounds.size);
        if cut {
            known.cuts.insert(Cut::Size);
        }
        let fits = |object: &&(usize, &Owned)| classes.contains(&object.1.class);
        shapes.extend(
            known
                .heap
                .iter()
                .enumerate()
                .collect::<Vec<_>>()
                .iter()
                .filter(fits)
                .map(|(nth, _)| Shape::Object(*nth as u32)),
        );
        if known.heap.len() < self.bounds.objects as usize {
            shapes.extend(classes.iter().map(|class| Shape::Fresh(*class)));
        } else if !classes.is_empty() {
            known.cuts.insert(Cut::Objects);
        }
        shapes
    }
}

/// See [`Asking::concrete`].
pub fn concrete(value: &Value, inputs: &RefCell<Inputs>, known: &Known) -> Option<Value> {
    let model = known.class.model.clone().unwrap_or_default();
    let of = |input: u32| -> Value {
        if let Some(shape) = known.shapes.get(&input) {
            return shape.clone();
        }
        if inputs.borrow().get(input).sort != mazurka_abs::value::term::Sort::Shape {
            return model.value(&inputs.borrow(), input);
        }
        // As deep as the type asks for, and no deeper.
        match inputs.borrow_mut().shapes(input, 0).0.into_iter().next() {
            Some(Shape::Data(value, _)) => value,
            _ => Value::Null,
        }
    };
    mazurka_abs::value::term::evaluate(value, &of).ok()
}

impl Asked for Asking {
    fn decide(&self, condition: &Condition) -> bool {
        let key = condition.hash();
        if let Some(answer) = self.known.borrow().answers.get(&key) {
            return *answer;
        }
        let mut known = self.known.borrow_mut();
        let known = &mut *known;
        if known.given_up || self.broken.borrow().is_some() {
            return false;
        }
        let model = known.class.model.clone().unwrap_or_default();
        let value = condition.evaluate(&|input| model.value(&self.inputs.borrow(), input));
        let Ok(holds) = value else {
            known
                .cuts
                .insert(Cut::Step("a number is too large for symbolic execution".to_owned()));
            known.given_up = true;
            return false;
        };
        let other = Answer::new(condition.clone(), !holds);
        let mut answers = known.class.answers();
        answers.push(other.clone());
        let matters = match self.check(&answers) {
            Reply::Sat(model) => {
                let mut trail = known.class.trail.clone();
                trail.push(Decision::Answer(other));
                known.siblings.push(Class {
                    calls: known.class.calls.clone(),
                    trail,
                    model: Some(model),
                });
                true
            }
            Reply::Unsat => false,
            Reply::Unknown => {
                known.cuts.insert(Cut::Unknown);
                true
            }
        };
        if matters {
            known.class.trail.push(Decision::Answer(Answer::new(condition.clone(), holds)));
        }
        known.answers.insert(key, holds);
        holds
    }

    fn shape(&self, input: u32) -> Value {
        if let Some(value) = self.known.borrow().shapes.get(&input) {
            return value.clone();
        }
        let mut known = self.known.borrow_mut();
        let known = &mut *known;
        let shapes = self.shapes_of(input, known);
        let mut shapes = shapes.into_iter();
        let before = known.class.trail.clone();
        let value = match shapes.next() {
            Some(Shape::Data(value, assumed)) if assumed.is_empty() => {
                known.class.trail.push(Decision::Shape(input, Shape::Data(value.clone(), assumed)));
                value
            }
            Some(Shape::Null) => {
                known.class.trail.push(Decision::Shape(input, Shape::Null));
                Value::Null
            }
            // Nothing of this type is small enough.
            _ => {
                known.given_up = true;
                Value::Null
            }
        };
        // The one explored next is pushed last.
        for shape in shapes.rev() {
            let mut trail = before.clone();
            let assumed = match &shape {
                Shape::Data(_, assumed) => assumed.clone(),
                _ => Vec::new(),
            };
            trail.push(Decision::Shape(input, shape));
            let model = if assumed.is_empty() { known.class.model.clone() } else { None };
            trail.extend(
                assumed
                    .into_iter()
                    .map(|(condition, holds)| Decision::Answer(Answer::new(condition, holds))),
            );
            known.siblings.push(Class {
                calls: known.class.calls.clone(),
                trail,
                model,
            });
        }
        known.shapes.insert(input, value.clone());
        value
    }

    fn patience(&self) -> u32 {
        self.bounds.unroll
    }

    fn visit(&self, _: u32, _: u32, _: Op, _: u32) {}
}
