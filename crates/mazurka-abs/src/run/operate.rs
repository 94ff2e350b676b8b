//! Operations on values that need the model: accessors, operators, patterns, method lookup.

use super::builtins::spend;
use super::exec::{Mover, Stack};
use super::work;
use crate::code::{Binary, Pattern};
use crate::value::number::{self, NumberError};
use crate::value::order::{self, Ordered};
use crate::value::print::{MOST_BYTES, Printer};
use crate::value::term::has_terms;
use crate::value::{Ref, Value};
use std::cmp::Ordering;

impl Mover<'_> {
    pub(super) fn printer(&self) -> Printer<'_> {
        Printer {
            symbols: &self.machine.program.symbols,
            ids: &self.machine.ids,
            short: false,
        }
    }

    pub(super) fn access(&self, accessor: u32, value: &Value) -> Option<Value> {
        let ctor = value.ctor()?;
        let (_, position) = self.machine.program.accessors[accessor as usize].iter().find(|(c, _)| *c == ctor)?;
        value.args().get(*position as usize).cloned()
    }

    pub(super) fn has_interface(&self, value: &Value, interface: u32) -> bool {
        match value {
            Value::Object(r) => {
                let class = self.run.objects.get(r.slot).class;
                self.machine.program.classes[class as usize].interfaces[interface as usize]
            }
            _ => false,
        }
    }

    pub(super) fn method(&self, receiver: Ref, selector: u32) -> Option<u32> {
        let class = self.run.objects.get(receiver.slot).class;
        self.machine.program.classes[class as usize].methods[selector as usize]
    }

    pub(super) fn binary(&mut self, operator: Binary, left: Value, right: Value) -> Result<Value, NumberError> {
        if self.machine.inputs.is_some()
            && let Some(result) = self.binary_on_terms(operator, &left, &right)
        {
            return result;
        }
        let cost = work::of_numbers(operator, &left, &right);
        if cost > 0 {
            spend(&mut self.budget, cost)?;
        }
        let mut compared = 0;
        let mut order = || {
            Ordered {
                symbols: &self.machine.program.symbols,
                ids: &self.machine.ids,
            }
            .compare(&left, &right, &mut compared)
        };
        let value = match operator {
            Binary::Add => match (&left, &right) {
                (Value::Str(_), _) | (_, Value::Str(_)) => self.concatenation(&[left, right])?,
                _ => number::add(&left, &right)?,
            },
            Binary::Sub => number::sub(&left, &right)?,
            Binary::Mul => number::mul(&left, &right)?,
            Binary::Div => number::div(&left, &right)?,
            Binary::DivTruncated => number::div_truncated(&left, &right)?,
            Binary::Rem => number::rem(&left, &right)?,
            Binary::Equal => Value::bool(order::equal(&left, &right, &mut compared)),
            Binary::NotEqual => Value::bool(!order::equal(&left, &right, &mut compared)),
            Binary::Less => Value::bool(order() == Ordering::Less),
            Binary::LessEqual => Value::bool(order() != Ordering::Greater),
            Binary::Greater => Value::bool(order() == Ordering::Greater),
            Binary::GreaterEqual => Value::bool(order() != Ordering::Less),
        };
        self.budget = self.budget.saturating_sub(compared / 8);
        Ok(value)
    }

    /// The texts of these values in a row.
    pub(super) fn concatenation(&mut self, values: &[Value]) -> Result<Value, NumberError> {
        if self.machine.inputs.is_some() && values.iter().any(has_terms) {
            return self.concatenation_of_terms(values);
        }
        let mut budget = self.budget;
        let printer = self.printer();
        let mut all = String::new();
        for value in values {
            all += &printer.text(value, &mut budget)?;
            if all.len() > MOST_BYTES {
                return Err(NumberError::TooLarge);
            }
        }
        self.budget = budget;
        Ok(Value::string(all))
    }

    /// Whether a part of a pattern is the value that is looked at.
    fn is_equal(&mut self, part: &Value, value: &Value) -> bool {
        if self.machine.inputs.is_some() {
            return self.equal_terms(part, value);
        }
        let mut compared = 0;
        let equal = order::equal(part, value, &mut compared);
        self.budget = self.budget.saturating_sub(compared / 8);
        equal
    }

    pub(super) fn matches(&mut self, pattern: &Pattern, value: &Value, stack: &mut Stack, base: usize, this: u32) -> bool {
        match pattern {
            Pattern::Any => true,
            Pattern::Bind(slot) => {
                stack.values[base + *slot as usize] = value.clone();
                true
            }
            Pattern::Local(slot) => self.is_equal(&stack.values[base + *slot as usize], value),
            Pattern::Field(field) => {
                self.note_read(this, *field);
                let field = self.run.objects.get(this).fields[*field as usize].clone();
                self.is_equal(&field, value)
            }
            Pattern::Constant(constant) => self.is_equal(constant, value),
            Pattern::Construct(ctor, patterns) => {
                let value = &self.settled(value);
                value.ctor() == Some(*ctor)
                    && patterns
                        .iter()
                        .zip(value.args())
                        .all(|(pattern, value)| self.matches(pattern, value, stack, base, this))
            }
        }
    }
}
