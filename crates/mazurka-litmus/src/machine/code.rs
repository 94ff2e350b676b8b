//! Steps compiled to flat code, and the loop that runs it.

use crate::model::Binary;

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
    Binary(Binary),
    /// An operation whose right operand is known.
    With(Binary, i32),
    /// An operation on a shared variable and a constant.
    SharedWith {
        cell: u32,
        op: Binary,
        right: i32,
    },
    /// Adds a constant to a shared variable.
    AddShared {
        cell: u32,
        value: i32,
    },
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

/// What stops a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Assertion(u32),
    DivisionByZero,
    OutOfBounds { base: u32, index: i32 },
}

impl Fault {
    /// A number that tells the faults of one step apart: a process that failed remembers how.
    pub(super) fn code(self) -> i32 {
        match self {
            Fault::DivisionByZero => 0,
            Fault::Assertion(id) => 1 + (id & 0x3ff) as i32,
            Fault::OutOfBounds { base, index } => 0x400 | (base as i32).wrapping_mul(31).wrapping_add(index) & 0x3ff,
        }
    }
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

/// Runs an instruction that only computes. `None` if it does more than that.
#[inline(always)]
pub(super) fn compute<const N: usize>(op: Op, values: Values<'_>, stack: &mut Stack<N>) -> Option<Result<(), Fault>> {
    match op {
        Op::Const(v) => stack.push(v),
        Op::Local(l) => stack.push(match values.chosen {
            Some((local, value)) if local == l => value,
            _ => values.cells[values.locals + l as usize],
        }),
        Op::Shared(c) => stack.push(values.cells[c as usize]),
        Op::Element { base, length } => {
            let index = stack.pop();
            if index < 0 || index as u32 >= length {
                return Some(Err(Fault::OutOfBounds { base, index }));
            }
            stack.push(values.cells[(base + index as u32) as usize]);
        }
        Op::Only { cell, length } => {
            let index = stack.pop();
            if index < 0 || index as u32 >= length {
                return Some(Err(Fault::OutOfBounds { base: cell, index }));
            }
            stack.push(values.cells[cell as usize]);
        }
        Op::Not => {
            let v = stack.pop();
            stack.push(i32::from(v == 0));
        }
        Op::Negate => {
            let v = stack.pop();
            stack.push(v.wrapping_neg());
        }
        Op::Binary(op) => {
            let b = stack.pop();
            let a = stack.pop();
            match apply(op, a, b) {
                Some(v) => stack.push(v),
                None => return Some(Err(Fault::DivisionByZero)),
            }
        }
        Op::SharedWith { cell, op, right } => match apply(op, values.cells[cell as usize], right) {
            Some(v) => stack.push(v),
            None => return Some(Err(Fault::DivisionByZero)),
        },
        Op::With(op, b) => {
            let a = stack.pop();
            match apply(op, a, b) {
                Some(v) => stack.push(v),
                None => return Some(Err(Fault::DivisionByZero)),
            }
        }
        _ => return None,
    }
    Some(Ok(()))
}

/// Whether code needs more than a shallow stack. Jumps are taken with nothing on it, so the order of the text is enough.
pub(super) fn is_deep(code: &[Op]) -> bool {
    let mut depth = 0usize;
    let mut most = 0;
    for op in code {
        depth = match op {
            Op::Const(_) | Op::Local(_) | Op::Shared(_) | Op::SharedWith { .. } | Op::Token => depth + 1,
            Op::Element { .. } | Op::Only { .. } | Op::Not | Op::Negate | Op::With(..) => depth,
            Op::SetShared { .. } | Op::AddShared { .. } | Op::Load { .. } | Op::Jump(_) | Op::Goto(_) => depth,
            Op::Binary(_) | Op::StoreLocal(_) | Op::StoreShared(_) | Op::JumpIfZero(_) | Op::Assert(_) => depth.saturating_sub(1),
            Op::StoreElement { .. } => depth.saturating_sub(2),
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
