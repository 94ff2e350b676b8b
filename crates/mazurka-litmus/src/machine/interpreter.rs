//! What code means, written once: the order of evaluation, what decides a connective or a branch, and what ends a step.
//!
//! What a value is, and what reading and writing do, is left to a [`Domain`]: numbers ([`super::values`]), what is known of them before
//! the step ([`super::may_touch`]), or numbers that remember where they come from ([`super::origins`]).

use super::code::{Array, Fault, Op, apply};
use crate::model::Binary;
use std::ops::Range;

/// A kind of values, and what computing with them notes.
pub(super) trait Domain {
    type Value;
    /// The state at a branch that is taken both ways.
    type Fork;
    /// Whether values are numbers and nothing else. Otherwise the value of a connective is made from both of its operands.
    const PLAIN: bool;

    fn push(&mut self, value: Self::Value);
    fn pop(&mut self) -> Self::Value;

    fn constant(&mut self, value: i32) -> Self::Value;
    fn local(&mut self, local: u32) -> Self::Value;
    fn read(&mut self, cell: u32) -> Self::Value;
    /// Reads an element, not known which.
    fn read_any(&mut self, _: Array) -> Self::Value {
        unreachable!("every index is known")
    }

    /// The number that a value is, if that is known. Domains that always know it need none of the methods for what is not known.
    fn number(&self, value: &Self::Value) -> Option<i32>;
    /// What a step touches, or whether it ends here, depends on a value.
    fn decides(&mut self, value: &Self::Value);
    /// Something computed from one value whose number is known.
    fn derived(&mut self, number: i32, from: Self::Value) -> Self::Value;
    /// Something computed from two values; the number is known if both of theirs are.
    fn computed(&mut self, op: Binary, number: Option<i32>, left: Self::Value, right: Self::Value) -> Self::Value;

    /// The right operand of a connective is about to be evaluated or left out, depending on the left one.
    fn connective(&mut self, _left: &Self::Value, _code: &[Op], _right: Range<usize>) {}
    /// The value of a connective whose left operand does not decide; there is a right one unless [`Domain::join`] came between.
    fn connected(&mut self, _left: Self::Value, _right: Option<Self::Value>) -> Self::Value {
        unreachable!("where values are plain, the right operand is the value")
    }

    fn fork(&mut self) -> Self::Fork {
        unreachable!("every condition is known")
    }
    /// Goes back to a fork; what was done since then is kept there.
    fn swap(&mut self, _: &mut Self::Fork) {
        unreachable!("every condition is known")
    }
    /// Joins two ways that part at a condition: this one and the other, each of which may have ended the step.
    fn join(&mut self, _other: Self::Fork, _condition: &Self::Value, _ended: bool, _other_ended: bool) {
        unreachable!("every condition is known")
    }
}

/// A domain for whole steps.
pub(super) trait Steps: Domain {
    /// The condition of an `if` or `assert` may start here. A domain that looks at conditions as a whole pushes its value and returns where
    /// its code ends.
    #[inline(always)]
    fn condition(&mut self, _at: usize) -> Result<Option<usize>, Fault> {
        Ok(None)
    }
    fn token(&mut self) -> Self::Value;
    fn set_local(&mut self, local: u32, value: Self::Value);
    fn write(&mut self, cell: u32, value: Self::Value);
    /// Writes an element, not known which.
    fn write_any(&mut self, _: Array, _: Self::Value) {
        unreachable!("every index is known")
    }
    /// Adds by an addition that commutes.
    fn accumulate(&mut self, cell: u32, value: Self::Value);
    /// Adds to an element, not known which.
    fn accumulate_any(&mut self, _: Array, _: Self::Value) {
        unreachable!("every index is known")
    }
    /// Starts a process; the last `values` values are those of its first locals.
    fn spawn(&mut self, body: u32, values: u32);
}

/// How a step ended, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ran {
    /// What follows is next.
    On,
    /// The step has ended; the process goes on there, or ends if negative.
    Left(i32),
}

/// The value of an expression.
#[inline]
pub(super) fn evaluate<D: Domain>(code: &[Op], domain: &mut D) -> Result<D::Value, Fault> {
    expression(code, 0, domain)?;
    Ok(domain.pop())
}

/// Evaluates the code from `at` on.
#[inline]
fn expression<D: Domain>(code: &[Op], mut at: usize, domain: &mut D) -> Result<(), Fault> {
    while let Some(op) = code.get(at) {
        at += 1;
        let only_computes = compute(*op, code, &mut at, domain)?;
        debug_assert!(only_computes, "{op:?} in an expression");
    }
    Ok(())
}

/// Runs an instruction if it only computes; says whether it does.
#[inline(always)]
fn compute<D: Domain>(op: Op, code: &[Op], at: &mut usize, domain: &mut D) -> Result<bool, Fault> {
    let value = match op {
        Op::Const(v) => domain.constant(v),
        Op::Local(l) => domain.local(l),
        Op::Shared(cell) => domain.read(cell),
        Op::Element(array) => {
            let index = domain.pop();
            match pick(array, &index, domain)? {
                Some(cell) => domain.read(cell),
                None => domain.read_any(array),
            }
        }
        Op::Only(array) => {
            let index = domain.pop();
            pick(array, &index, domain)?;
            domain.read(array.base)
        }
        Op::Inside(array) => {
            let index = domain.pop();
            pick(array, &index, domain)?;
            index
        }
        Op::Not => unary(|v| i32::from(v == 0), domain),
        Op::Negate => unary(i32::wrapping_neg, domain),
        Op::Truth => unary(|v| i32::from(v != 0), domain),
        Op::AndThen(skip) => return connective(false, skip, code, at, domain),
        Op::OrElse(skip) => return connective(true, skip, code, at, domain),
        Op::Binary(op) => {
            let right = domain.pop();
            let left = domain.pop();
            binary(op, left, right, domain)?
        }
        Op::With(op, right) => {
            let left = domain.pop();
            let right = domain.constant(right);
            binary(op, left, right, domain)?
        }
        Op::SharedWith { cell, op, right } => {
            let left = domain.read(cell);
            let right = domain.constant(right);
            binary(op, left, right, domain)?
        }
        _ => return Ok(false),
    };
    domain.push(value);
    Ok(true)
}

/// The cell that an index picks, if that is known.
#[inline(always)]
fn pick<D: Domain>(array: Array, index: &D::Value, domain: &mut D) -> Result<Option<u32>, Fault> {
    domain.decides(index);
    match domain.number(index) {
        Some(index) => match array.picked(index) {
            None => Err(Fault::OutOfBounds { base: array.base, index }),
            cell => Ok(cell),
        },
        None => Ok((array.length == 1).then_some(array.base)),
    }
}

#[inline(always)]
fn unary<D: Domain>(f: impl Fn(i32) -> i32, domain: &mut D) -> D::Value {
    let value = domain.pop();
    match domain.number(&value) {
        Some(number) => domain.derived(f(number), value),
        None => value,
    }
}

#[inline(always)]
fn binary<D: Domain>(op: Binary, left: D::Value, right: D::Value, domain: &mut D) -> Result<D::Value, Fault> {
    if op.divides() {
        domain.decides(&right);
    }
    let number = match (domain.number(&left), domain.number(&right)) {
        (Some(a), Some(b)) => Some(apply(op, a, b).ok_or(Fault::DivisionByZero)?),
        (None, Some(0)) if op.divides() => return Err(Fault::DivisionByZero),
        _ => None,
    };
    Ok(domain.computed(op, number, left, right))
}

/// `a || b`, or else `a && b`, after `a`: the next `skip` instructions are `b`, which is looked at only if `a` does not decide.
#[inline(always)]
fn connective<D: Domain>(or: bool, skip: u32, code: &[Op], at: &mut usize, domain: &mut D) -> Result<bool, Fault> {
    let left = domain.pop();
    let holds = domain.number(&left).map(|v| v != 0);
    let end = *at + skip as usize;
    domain.connective(&left, code, *at..end);
    if holds == Some(or) {
        let value = domain.derived(i32::from(or), left);
        domain.push(value);
        *at = end;
    } else if !D::PLAIN {
        let value = right_operand(left, holds.is_some(), &code[..end], *at, domain)?;
        domain.push(value);
        *at = end;
    }
    Ok(true)
}

/// The value of a connective whose left operand does not decide, or is not known to.
fn right_operand<D: Domain>(left: D::Value, known: bool, code: &[Op], at: usize, domain: &mut D) -> Result<D::Value, Fault> {
    if known {
        expression(code, at, domain)?;
        let right = domain.pop();
        return Ok(domain.connected(left, Some(right)));
    }
    let mut fork = domain.fork();
    let ended = expression(code, at, domain).is_err();
    domain.swap(&mut fork);
    domain.join(fork, &left, false, ended);
    Ok(domain.connected(left, None))
}

/// Runs the code of a step, or of a part of it, from `at` on.
#[inline]
pub(super) fn run<D: Steps>(code: &[Op], mut at: usize, domain: &mut D) -> Result<Ran, Fault> {
    while let Some(op) = code.get(at) {
        if let Some(end) = domain.condition(at)? {
            at = end;
            continue;
        }
        at += 1;
        if compute(*op, code, &mut at, domain)? {
            continue;
        }
        match *op {
            Op::Token => {
                let token = domain.token();
                domain.push(token);
            }
            Op::JumpIfZero(skip) => {
                let condition = domain.pop();
                match domain.number(&condition) {
                    Some(0) => at += skip as usize,
                    Some(_) => {}
                    None => {
                        let (ran, end) = both_ways(&condition, code, at, at + skip as usize, domain)?;
                        if ran != Ran::On {
                            return Ok(ran);
                        }
                        at = end;
                    }
                }
            }
            Op::Jump(skip) => at += skip as usize,
            Op::Assert(id) => {
                let condition = domain.pop();
                domain.decides(&condition);
                if domain.number(&condition) == Some(0) {
                    return Err(Fault::Assertion(id));
                }
            }
            Op::Spawn { body, values } => domain.spawn(body, values),
            Op::Goto(to) => return Ok(Ran::Left(to)),
            op => write(op, domain)?,
        }
    }
    Ok(Ran::On)
}

/// Runs an instruction that ends with a write.
#[inline(always)]
pub(super) fn write<D: Steps>(op: Op, domain: &mut D) -> Result<(), Fault> {
    match op {
        Op::StoreLocal(local) => {
            let value = domain.pop();
            domain.set_local(local, value);
        }
        Op::StoreShared(cell) => {
            let value = domain.pop();
            domain.write(cell, value);
        }
        Op::StoreElement(array) => {
            let value = domain.pop();
            let index = domain.pop();
            match pick(array, &index, domain)? {
                Some(cell) => domain.write(cell, value),
                None => domain.write_any(array, value),
            }
        }
        Op::SetShared { cell, value } => {
            let value = domain.constant(value);
            domain.write(cell, value);
        }
        Op::Load { local, cell } => {
            let value = domain.read(cell);
            domain.set_local(local, value);
        }
        Op::AddShared {
            cell,
            value,
            commutes: true,
        } => {
            let value = domain.constant(value);
            domain.accumulate(cell, value);
        }
        Op::AddShared {
            cell,
            value,
            commutes: false,
        } => {
            let old = domain.read(cell);
            let by = domain.constant(value);
            let sum = binary(Binary::Add, old, by, domain)?;
            domain.write(cell, sum);
        }
        Op::Accumulate(cell) => {
            let value = domain.pop();
            domain.accumulate(cell, value);
        }
        Op::AccumulateElement(array) => {
            let value = domain.pop();
            let index = domain.pop();
            match pick(array, &index, domain)? {
                Some(cell) => domain.accumulate(cell, value),
                None => domain.accumulate_any(array, value),
            }
        }
        op => unreachable!("{op:?} writes nothing"),
    }
    Ok(())
}

/// Runs both parts of an `if`: the first one, and from `other` on the second, if there is one. Returns how that ended, and where the
/// ways meet again.
fn both_ways<D: Steps>(condition: &D::Value, code: &[Op], first: usize, other: usize, domain: &mut D) -> Result<(Ran, usize), Fault> {
    // A first part jumps over the second one with its last instruction. No other jump stands at an end: nothing would be jumped over.
    let end = match code[other - 1] {
        Op::Jump(skip) => other + skip as usize,
        _ => other,
    };
    let mut fork = domain.fork();
    let then = run(&code[..other], first, domain);
    domain.swap(&mut fork);
    let otherwise = run(&code[..end], other, domain);
    let ended = |ran| ran != Ok(Ran::On);
    domain.join(fork, condition, ended(otherwise), ended(then));
    Ok((if ended(then) { otherwise? } else { Ran::On }, end))
}
