//! Steps compiled to flat code, and how its instructions compute.

use super::meter::Meter;
use crate::model::{Binary, Expr};

/// One instruction of a small stack machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    Const(i32),
    Local(u32),
    Shared(u32),
    /// Pops an index.
    Element {
        base: u32,
        length: u32,
    },
    /// Pops an index, which must be inside an array of that length: of its elements, only the one that the index picks is there.
    Only {
        cell: u32,
        length: u32,
    },
    Not,
    Negate,
    /// 1 unless the value is 0.
    Truth,
    /// Pops the left operand of `&&`. If it is 0 so is the whole, and that many instructions, the right operand, are left out.
    AndThen(u32),
    /// Pops the left operand of `||`. Unless it is 0 the whole is 1, and that many instructions, the right operand, are left out.
    OrElse(u32),
    Binary(Binary),
    /// An operation whose right operand is known.
    With(Binary, i32),
    /// An operation on a shared variable and a constant.
    SharedWith {
        cell: u32,
        op: Binary,
        right: i32,
    },
    /// Adds a constant to a shared variable, by an addition that commutes or by one that reads and writes.
    AddShared {
        cell: u32,
        value: i32,
        commutes: bool,
    },
    /// Pops a value and adds it by an addition that commutes.
    Accumulate(u32),
    /// Looks whether the index on top of the stack is inside an array.
    Inside {
        base: u32,
        length: u32,
    },
    /// Pops a value, then an index that is inside the array, and adds the value by an addition that commutes.
    AccumulateElement(u32),
    StoreLocal(u32),
    StoreShared(u32),
    /// Pops a value, then an index.
    StoreElement {
        base: u32,
        length: u32,
    },
    /// A shared variable becomes a constant: the commonest step of all.
    SetShared {
        cell: u32,
        value: i32,
    },
    /// A local becomes the value of a shared variable.
    Load {
        local: u32,
        cell: u32,
    },
    /// Pushes the token of the running process.
    Token,
    JumpIfZero(u32),
    Jump(u32),
    /// Pops a value; if it is 0 the process fails with that assertion.
    Assert(u32),
    /// Pops the values of the first locals.
    Spawn {
        body: u32,
        values: u32,
    },
    /// Ends the step; the process goes on at that step, or ends if negative.
    Goto(i32),
}

/// Stands where a jump will be, once it is known how far.
pub(super) const LATER: Op = Op::Jump(u32::MAX);

/// What stops a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Assertion(u32),
    DivisionByZero,
    OutOfBounds { base: u32, index: i32 },
}

/// Deep enough for every expression that [`crate::model::Model::check`] lets through, with the values of a spawn below it.
pub(super) const DEEP: usize = 128;
/// Deep enough for nearly all code.
pub(super) const SHALLOW: usize = 8;

/// The evaluation stack, with room for `N` values.
pub(super) struct Stack<const N: usize> {
    values: [i32; N],
    top: usize,
}

impl<const N: usize> Stack<N> {
    #[inline]
    pub(super) fn new() -> Self {
        Stack { values: [0; N], top: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, value: i32) {
        self.values[self.top] = value;
        self.top += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> i32 {
        self.top -= 1;
        self.values[self.top]
    }

    /// Removes the last `n` values and returns them in the order in which they were pushed.
    pub(super) fn pop_many(&mut self, n: usize) -> &[i32] {
        self.top -= n;
        &self.values[self.top..self.top + n]
    }
}

/// Where an expression finds the values of locals and shared variables.
#[derive(Clone, Copy)]
pub(super) struct Values<'r> {
    pub cells: &'r [i32],
    /// Where the locals of the process start.
    pub locals: usize,
    /// A local that has another value for the time being: the one that `choose` is about to set.
    pub chosen: Option<(u32, i32)>,
}

/// What became of an instruction.
pub(super) enum Computed {
    /// The next one follows.
    Next,
    /// That many instructions are left out.
    Skip(u32),
    /// The step ends.
    Fault(Fault),
    /// It does more than compute: nothing was done.
    Other,
}

/// Runs an instruction if it only computes.
#[inline(always)]
pub(super) fn compute<const N: usize, M: Meter>(op: Op, values: Values<'_>, stack: &mut Stack<N>, meter: &mut M) -> Computed {
    let binary = |stack: &mut Stack<N>, op, a, b| match apply(op, a, b) {
        Some(v) => {
            stack.push(v);
            Computed::Next
        }
        None => Computed::Fault(Fault::DivisionByZero),
    };
    match op {
        Op::Const(v) => stack.push(v),
        Op::Local(l) => stack.push(match values.chosen {
            Some((local, value)) if local == l => value,
            _ => values.cells[values.locals + l as usize],
        }),
        Op::Shared(c) => {
            meter.read(c);
            stack.push(values.cells[c as usize]);
        }
        Op::Element { base, length } => {
            let index = stack.pop();
            if !is_inside(index, length) {
                return Computed::Fault(Fault::OutOfBounds { base, index });
            }
            meter.read(base + index as u32);
            stack.push(values.cells[(base + index as u32) as usize]);
        }
        Op::Only { cell, length } => {
            let index = stack.pop();
            if !is_inside(index, length) {
                return Computed::Fault(Fault::OutOfBounds { base: cell, index });
            }
            stack.push(values.cells[cell as usize]);
        }
        Op::Inside { base, length } => {
            let index = stack.pop();
            stack.push(index);
            if !is_inside(index, length) {
                return Computed::Fault(Fault::OutOfBounds { base, index });
            }
        }
        Op::Not => {
            let v = stack.pop();
            stack.push(i32::from(v == 0));
        }
        Op::Negate => {
            let v = stack.pop();
            stack.push(v.wrapping_neg());
        }
        Op::Truth => {
            let v = stack.pop();
            stack.push(i32::from(v != 0));
        }
        Op::AndThen(skip) => {
            if stack.pop() == 0 {
                stack.push(0);
                return Computed::Skip(skip);
            }
        }
        Op::OrElse(skip) => {
            if stack.pop() != 0 {
                stack.push(1);
                return Computed::Skip(skip);
            }
        }
        Op::Binary(op) => {
            let b = stack.pop();
            let a = stack.pop();
            return binary(stack, op, a, b);
        }
        Op::SharedWith { cell, op, right } => {
            meter.read(cell);
            return binary(stack, op, values.cells[cell as usize], right);
        }
        Op::With(op, b) => {
            let a = stack.pop();
            return binary(stack, op, a, b);
        }
        _ => return Computed::Other,
    }
    Computed::Next
}

/// The value of an expression.
#[inline]
pub(super) fn evaluate<const N: usize, M: Meter>(code: &[Op], values: Values<'_>, meter: &mut M) -> Result<i32, Fault> {
    let mut stack = Stack::<N>::new();
    let mut at = 0;
    while let Some(op) = code.get(at) {
        at += 1;
        match compute(*op, values, &mut stack, meter) {
            Computed::Next => {}
            Computed::Skip(n) => at += n as usize,
            Computed::Fault(fault) => return Err(fault),
            Computed::Other => unreachable!("an expression only computes"),
        }
    }
    Ok(stack.pop())
}

/// Whether an index picks an element.
#[inline]
pub(super) fn is_inside(index: i32, length: u32) -> bool {
    index >= 0 && (index as u32) < length
}

/// Completes `a && b` or `a || b`: `branch` is the place between the operands, where it is decided whether `b` is looked at.
pub(super) fn close_connective(code: &mut Vec<Op>, branch: usize, op: Binary, b: &Expr) {
    if !b.is_truth() {
        code.push(Op::Truth);
    }
    let skip = (code.len() - branch - 1) as u32;
    code[branch] = if op == Binary::And { Op::AndThen(skip) } else { Op::OrElse(skip) };
}

/// Whether code needs more than a shallow stack. Jumps leave as much on it as what they jump over, so the order of the text is enough.
pub(super) fn is_deep(code: &[Op]) -> bool {
    let mut depth = 0usize;
    let mut most = 0;
    for op in code {
        depth = match op {
            Op::Const(_) | Op::Local(_) | Op::Shared(_) | Op::SharedWith { .. } | Op::Token => depth + 1,
            Op::Element { .. } | Op::Only { .. } | Op::Inside { .. } | Op::Not | Op::Negate | Op::Truth | Op::With(..) => depth,
            Op::SetShared { .. } | Op::AddShared { .. } | Op::Load { .. } | Op::Jump(_) | Op::Goto(_) => depth,
            Op::Binary(_) | Op::AndThen(_) | Op::OrElse(_) | Op::JumpIfZero(_) | Op::Assert(_) => depth.saturating_sub(1),
            Op::StoreLocal(_) | Op::StoreShared(_) | Op::Accumulate(_) => depth.saturating_sub(1),
            Op::StoreElement { .. } | Op::AccumulateElement(_) => depth.saturating_sub(2),
            Op::Spawn { values, .. } => depth.saturating_sub(*values as usize),
        };
        most = most.max(depth);
    }
    most > SHALLOW
}

/// The value of an operation, `None` for a division by zero.
#[inline]
pub(super) fn apply(op: Binary, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Binary::Or => i32::from(a != 0 || b != 0),
        Binary::And => i32::from(a != 0 && b != 0),
        Binary::Equal => i32::from(a == b),
        Binary::NotEqual => i32::from(a != b),
        Binary::Less => i32::from(a < b),
        Binary::AtMost => i32::from(a <= b),
        Binary::More => i32::from(a > b),
        Binary::AtLeast => i32::from(a >= b),
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide if b == 0 => return None,
        Binary::Divide => a.wrapping_div(b),
        Binary::Remainder if b == 0 => return None,
        Binary::Remainder => a.wrapping_rem(b),
    })
}
