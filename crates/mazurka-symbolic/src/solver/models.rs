//! Values of inputs.

use super::{Answer, SMALL};
use crate::inputs::Inputs;
use mazurka_abs::value::Value;
use mazurka_abs::value::term::Sort;
use rustc_hash::FxHashMap;

/// The values of numbers and strings that are inputs; those that nothing is said of are 0 and empty.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: FxHashMap<u32, Value>,
}

impl Model {
    /// Gives an input a value.
    pub fn set(&mut self, input: u32, value: Value) {
        self.values.insert(input, value);
    }

    /// The value that an input was given.
    pub fn get(&self, input: u32) -> Option<&Value> {
        self.values.get(&input)
    }

    /// Whether people read the number easily that an input was given.
    pub fn is_small(&self, input: u32) -> bool {
        match self.values.get(&input) {
            Some(Value::Int(n)) => n.unsigned_abs() <= SMALL.unsigned_abs(),
            _ => false,
        }
    }

    /// The value of an input that is a number or a string.
    pub fn value(&self, inputs: &Inputs, input: u32) -> Value {
        match self.values.get(&input) {
            Some(value) => value.clone(),
            None if inputs.get(input).sort == Sort::String => Value::string(""),
            None => Value::Int(0),
        }
    }

    /// Whether with these values all the answers are right.
    pub fn satisfies(&self, inputs: &Inputs, answers: &[Answer]) -> bool {
        let of = |input: u32| self.value(inputs, input);
        // What was asked last is most likely to be wrong.
        answers
            .iter()
            .rev()
            .all(|answer| answer.condition.evaluate(&of) == Ok(answer.holds))
    }
}
