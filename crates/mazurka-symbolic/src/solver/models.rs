//! Values of inputs.

use super::Answer;
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
        answers.iter().all(|answer| answer.condition.evaluate(&of) == Ok(answer.holds))
    }
}
