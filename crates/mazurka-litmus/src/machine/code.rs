//! The instructions that steps are compiled to. What they mean is in [`super::interpreter`].

use crate::model::Binary;
use std::ops::Range;

/// One instruction of a small stack machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    Const(i32),
    Local(u32),
    Shared(u32),
    /// Pops an index.
    Element(Array),
    /// Pops an index, which must be inside the array: of its elements, only the one that the index picks is there, in the first cell.
    Only(Array),
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
    Inside(Array),
    /// Pops a value, then an index that is inside the array, and adds the value by an addition that commutes.
    AccumulateElement(Array),
    StoreLocal(u32),
    StoreShared(u32),
    /// Pops a value, then an index.
    StoreElement(Array),
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
    /// Pops a condition. If it is 0 that many instructions, the first part of an `if`, are left out.
    JumpIfZero(u32),
    /// Leaves out that many instructions: the second part of an `if`, after the first one.
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

/// The cells of a shared array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Array {
    pub base: u32,
    pub length: u32,
}

impl Array {
    pub(super) fn cells(self) -> Range<u32> {
        self.base..self.base + self.length
    }

    /// The cell of the element that an index picks.
    #[inline]
    pub(super) fn picked(self, index: i32) -> Option<u32> {
        (index >= 0 && (index as u32) < self.length).then(|| self.base + index as u32)
    }
}

impl Op {
    /// The shared cells that it may read. Adding to a cell keeps what is there, so it counts.
    pub(super) fn reads(self) -> Range<u32> {
        match self {
            Op::Shared(cell) | Op::SharedWith { cell, .. } | Op::Load { cell, .. } => cell..cell + 1,
            Op::AddShared { cell, .. } | Op::Accumulate(cell) => cell..cell + 1,
            Op::Element(array) | Op::AccumulateElement(array) => array.cells(),
            Op::Only(array) => array.base..array.base + 1,
            _ => 0..0,
        }
    }

    /// The body and step that come next because of it, seen from that body: a label, or what it spawns.
    pub(super) fn leads_to(self, body: usize) -> Option<(usize, usize)> {
        match self {
            Op::Goto(to) => Some((body, usize::try_from(to).ok()?)),
            Op::Spawn { body, .. } => Some((body as usize, 0)),
            _ => None,
        }
    }

    /// The array that it picks an element of by an index.
    pub(super) fn picks(self) -> Option<Array> {
        match self {
            Op::Element(array) | Op::Only(array) | Op::Inside(array) | Op::StoreElement(array) | Op::AccumulateElement(array) => {
                Some(array)
            }
            _ => None,
        }
    }

    /// Whether it can end the step although nothing is asserted.
    pub(super) fn may_fault(self) -> bool {
        match self {
            Op::Binary(op) => op.divides(),
            Op::With(op, right) | Op::SharedWith { op, right, .. } => op.divides() && right == 0,
            op => op.picks().is_some(),
        }
    }

    /// By how much it changes the number of values on the stack.
    fn grows_by(self) -> isize {
        match self {
            Op::Const(_) | Op::Local(_) | Op::Shared(_) | Op::SharedWith { .. } | Op::Token => 1,
            Op::Element(_) | Op::Only(_) | Op::Inside(_) | Op::Not | Op::Negate | Op::Truth | Op::With(..) => 0,
            Op::SetShared { .. } | Op::AddShared { .. } | Op::Load { .. } | Op::Jump(_) | Op::Goto(_) => 0,
            Op::Binary(_) | Op::AndThen(_) | Op::OrElse(_) | Op::JumpIfZero(_) | Op::Assert(_) => -1,
            Op::StoreLocal(_) | Op::StoreShared(_) | Op::Accumulate(_) => -1,
            Op::StoreElement(_) | Op::AccumulateElement(_) => -2,
            Op::Spawn { values, .. } => -(values as isize),
        }
    }
}

/// What stops a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Assertion(u32),
    DivisionByZero,
    OutOfBounds { base: u32, index: i32 },
}

/// How many values code puts on the stack at most. Jumps leave as many there as what they jump over, so the order of the text is enough.
pub(super) fn depth(code: &[Op]) -> usize {
    let depths = code.iter().scan(0isize, |depth, op| {
        *depth += op.grows_by();
        Some(*depth)
    });
    depths.max().unwrap_or(0).max(0) as usize
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
