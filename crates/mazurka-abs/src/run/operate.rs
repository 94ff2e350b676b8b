//! Operations on values that need the model: accessors, operators, patterns, method lookup.

use super::exec::{Mover, Stack};
use crate::code::{Binary, Pattern};
use crate::value::number::{self, NumberError};
use crate::value::order::{self, Ordered};
use crate::value::print::Printer;
use crate::value::{Ref, Value};
use std::cmp::Ordering;

/// The longest strings, in bytes.
const MOST_BYTES: usize = 1 << 26;

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

    pub(super) fn binary(&self, operator: Binary, left: Value, right: Value) -> Result<Value, NumberError> {
        let order = || {
            Ordered {
                symbols: &self.machine.program.symbols,
                ids: &self.machine.ids,
            }
            .compare(&left, &right)
        };
        Ok(match operator {
            Binary::Add => match (&left, &right) {
                (Value::Str(_), _) | (_, Value::Str(_)) => {
                    let printer = self.printer();
                    let (left, right) = (printer.show(&left), printer.show(&right));
                    if left.len() + right.len() > MOST_BYTES {
                        return Err(NumberError::TooLarge);
                    }
                    Value::string(left + &right)
                }
                _ => number::add(&left, &right)?,
            },
            Binary::Sub => number::sub(&left, &right)?,
            Binary::Mul => number::mul(&left, &right)?,
            Binary::Div => number::div(&left, &right)?,
            Binary::DivTruncated => number::div_truncated(&left, &right)?,
            Binary::Rem => number::rem(&left, &right)?,
            Binary::Equal => Value::bool(order::equal(&left, &right)),
            Binary::NotEqual => Value::bool(!order::equal(&left, &right)),
            Binary::Less => Value::bool(order() == Ordering::Less),
            Binary::LessEqual => Value::bool(order() != Ordering::Greater),
            Binary::Greater => Value::bool(order() == Ordering::Greater),
            Binary::GreaterEqual => Value::bool(order() != Ordering::Less),
        })
    }

    pub(super) fn matches(&mut self, pattern: &Pattern, value: &Value, stack: &mut Stack, base: usize, this: u32) -> bool {
        match pattern {
            Pattern::Any => true,
            Pattern::Bind(slot) => {
                stack.values[base + *slot as usize] = value.clone();
                true
            }
            Pattern::Local(slot) => order::equal(&stack.values[base + *slot as usize], value),
            Pattern::Field(field) => {
                self.note_read(this, *field);
                order::equal(&self.run.objects.get(this).fields[*field as usize], value)
            }
            Pattern::Constant(constant) => order::equal(constant, value),
            Pattern::Construct(ctor, patterns) => {
                value.ctor() == Some(*ctor)
                    && patterns
                        .iter()
                        .zip(value.args())
                        .all(|(pattern, value)| self.matches(pattern, value, stack, base, this))
            }
        }
    }
}
