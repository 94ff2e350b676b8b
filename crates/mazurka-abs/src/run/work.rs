//! What a step may do: what takes how much of its budget of calls and rounds of loops, and what is too much at once.
//!
//! Most values are small, and most operations on them free; without a price on large ones, a step could compute for hours within its budget.

use crate::code::Binary;
use crate::value::number::{MOST_WORDS, words};
use crate::value::{Value, known};

/// An object or a task stays, so it takes as much of a step's budget as so many calls.
pub const BIRTH: u64 = 50;

/// So many instructions in a row take as much of a step's budget as one call.
pub const LENGTH: u64 = 64;

/// Activations on one task's stack.
pub const MAX_DEPTH: usize = 1_000_000;

/// The cost of an operator between numbers.
#[inline]
pub fn of_numbers(operator: Binary, left: &Value, right: &Value) -> u64 {
    match (left, right) {
        (Value::Int(_), Value::Int(_)) => 0,
        (Value::Big(_) | Value::Rat(_), _) | (_, Value::Big(_) | Value::Rat(_)) => of_large(operator, left, right),
        _ => 0,
    }
}

#[cold]
fn of_large(operator: Binary, left: &Value, right: &Value) -> u64 {
    let all = words(left) + words(right);
    let fraction = matches!((left, right), (Value::Rat(_), _) | (_, Value::Rat(_)));
    match operator {
        Binary::Mul if !fraction => of_product(all),
        Binary::Rem if !fraction => all * all / 16,
        Binary::Add | Binary::Sub if !fraction => all / 8,
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::DivTruncated | Binary::Rem => of_fraction(all),
        _ if fraction => all * all / 16,
        _ => all / 8,
    }
}

/// Long multiplication is faster than quadratic.
fn of_product(words: u64) -> u64 {
    words * words.isqrt() / 64
}

/// Lowest terms take a greatest common divisor, bit by bit.
fn of_fraction(words: u64) -> u64 {
    words * words / 2
}

/// The cost of a power.
pub fn of_power(base: &Value, exponent: i64) -> u64 {
    match base {
        Value::Float(_) => 0,
        // A longer result is refused before it is computed.
        _ => of_product(words(base).saturating_mul(exponent.unsigned_abs()).min(MOST_WORDS)),
    }
}

/// The number of elements of a list.
pub fn elements(list: &Value) -> u64 {
    let (mut rest, mut count) = (list, 0);
    while let (Some(known::CONS), [_, tail]) = (rest.ctor(), rest.args()) {
        (rest, count) = (tail, count + 1);
    }
    count
}
