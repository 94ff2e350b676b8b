//! The functions that are not written in ABS.

use super::exec::Exit;
use super::identity::Identities;
use super::work;
use crate::code::{Builtin, Symbols};
use crate::value::number::{self, NumberError};
use crate::value::order::Ordered;
use crate::value::print::Printer;
use crate::value::{Value, known};
use num_traits::ToPrimitive;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// What a builtin did.
pub enum Answer {
    /// It has a value.
    Value(Value),
    /// It has a value and printed something.
    Printed(String),
    /// Any number below this is a possible value.
    Choose(u32),
}

/// The exception that stands for an arithmetic error.
///
/// # Errors
/// It is a limit of this tool, which the model must not be able to catch.
pub fn exception(error: NumberError) -> Result<Value, Exit> {
    match error {
        NumberError::DivisionByZero => Ok(Value::Atom(known::DIVISION_BY_ZERO)),
        NumberError::NotNumbers => Ok(Value::Atom(known::PATTERN_MATCH_FAIL)),
        NumberError::TooLarge => Err(Exit::TooLarge),
        NumberError::TooLong => Err(Exit::Endless),
        NumberError::Opaque(what) => Err(Exit::Opaque(what)),
    }
}

fn float(v: &Value) -> Result<f64, NumberError> {
    number::float(v).ok_or(NumberError::NotNumbers)
}

fn index(v: &Value) -> usize {
    match v {
        Value::Int(n) => usize::try_from(*n).unwrap_or(if *n < 0 { 0 } else { usize::MAX }),
        _ => usize::MAX,
    }
}

/// The elements of a list.
fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    let mut rest = list;
    std::iter::from_fn(move || match rest.args() {
        [first, others] => {
            rest = others;
            Some(first)
        }
        _ => None,
    })
}

/// A list of these elements and then those of `rest`.
fn onto<'a>(elements: impl Iterator<Item = &'a Value>, rest: Value) -> Value {
    let elements: SmallVec<[&Value; 16]> = elements.collect();
    let link = |rest, v: &&Value| Value::data(known::CONS, smallvec![(*v).clone(), rest]);
    elements.iter().rev().fold(rest, link)
}

/// What applying a builtin costs, printing and comparing aside.
fn work(which: Builtin, args: &[Value]) -> u64 {
    match (which, args) {
        (Builtin::Length, [list]) => work::elements(list) / 8,
        (Builtin::Concatenate | Builtin::Appendright | Builtin::Reverse, [list, ..]) => work::elements(list),
        (Builtin::Substr | Builtin::Strlen, [Value::Str(s), ..]) => s.len() as u64 / 64,
        (Builtin::Pow, [base, Value::Int(n)]) => work::of_power(base, *n),
        (_, [a @ (Value::Big(_) | Value::Rat(_)), ..]) => number::words(a),
        _ => 0,
    }
}

/// Applies a builtin; what it costs is taken from `budget`.
pub fn apply(which: Builtin, args: &[Value], symbols: &Symbols, ids: &Identities, budget: &mut u64) -> Result<Answer, NumberError> {
    const WRONG: NumberError = NumberError::NotNumbers;
    spend(budget, work(which, args))?;
    let mut compared = 0;
    let ordered = Ordered { symbols, ids };
    let printer = Printer {
        symbols,
        ids,
        short: false,
    };
    let value = match (which, args) {
        (Builtin::Max, [a, b]) => Ok(if ordered.compare(a, b, &mut compared) == Ordering::Less {
            b
        } else {
            a
        }
        .clone()),
        (Builtin::Min, [a, b]) => Ok(if ordered.compare(b, a, &mut compared) == Ordering::Less {
            b
        } else {
            a
        }
        .clone()),
        (Builtin::Abs, [a]) => number::abs(a),
        (Builtin::Sqrt, [a]) => Ok(Value::float(float(a)?.sqrt())),
        (Builtin::Log, [a]) => Ok(Value::float(float(a)?.ln())),
        (Builtin::Exp, [a]) => Ok(Value::float(float(a)?.exp())),
        (Builtin::Random, [a]) => {
            return match a {
                Value::Int(n) if *n <= 1 => Ok(Answer::Value(Value::Int(0))),
                Value::Int(n) => Ok(Answer::Choose(n.to_u32().unwrap_or(u32::MAX))),
                Value::Big(_) => Ok(Answer::Choose(u32::MAX)),
                _ => Err(WRONG),
            };
        }
        (Builtin::Truncate, [a]) => number::truncate(a),
        (Builtin::Float, [a]) => Ok(Value::float(float(a)?)),
        (Builtin::Rat, [a]) => number::to_rat(a),
        (Builtin::Floor, [a]) => number::floor(a),
        (Builtin::Ceil, [a]) => number::ceil(a),
        (Builtin::Numerator, [a]) => number::numerator(a),
        (Builtin::Denominator, [a]) => number::denominator(a),
        (Builtin::Pow, [a, Value::Int(n)]) => number::pow(a, *n),
        (Builtin::Substr, [Value::Str(s), start, length]) => {
            Ok(Value::string(s.chars().skip(index(start)).take(index(length)).collect::<String>()))
        }
        (Builtin::Strlen, [Value::Str(s)]) => Ok(Value::Int(s.chars().count() as i64)),
        (Builtin::ToString, [a]) => printer.text(a, budget).map(Value::string),
        (Builtin::Print, [a]) => return printer.text(a, budget).map(Answer::Printed),
        (Builtin::Println, [a]) => return printer.text(a, budget).map(|text| Answer::Printed(text + "\n")),
        (Builtin::Readln, _) => Ok(Value::string("")),
        // How fast the tool is is no business of the model.
        (Builtin::MsSinceModelStart, _) => Ok(Value::Int(0)),
        (Builtin::Watch | Builtin::WatchEx, [a, ..]) => Ok(a.clone()),
        (Builtin::Length, [l]) => Ok(Value::Int(elements(l).count() as i64)),
        (Builtin::IsEmpty, [l]) => Ok(Value::bool(matches!(l, Value::Atom(known::NIL)))),
        (Builtin::Concatenate, [first, second]) => Ok(onto(elements(first), second.clone())),
        (Builtin::Appendright, [l, last]) => {
            let last = Value::data(known::CONS, smallvec![last.clone(), Value::Atom(known::NIL)]);
            Ok(onto(elements(l), last))
        }
        (Builtin::Reverse, [l]) => {
            let nil = Value::Atom(known::NIL);
            Ok(elements(l).fold(nil, |done, v| Value::data(known::CONS, smallvec![v.clone(), done])))
        }
        _ => return Err(WRONG),
    };
    spend(budget, compared / 8)?;
    value.map(Answer::Value)
}

/// Takes what something costs from the budget of a step.
///
/// # Errors
/// There is nothing left.
pub fn spend(budget: &mut u64, cost: u64) -> Result<(), NumberError> {
    *budget = budget.saturating_sub(cost);
    if *budget == 0 { Err(NumberError::TooLong) } else { Ok(()) }
}
