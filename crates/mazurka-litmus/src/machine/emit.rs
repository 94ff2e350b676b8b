//! Code for expressions. Where it finds the values of variables is left open: in the cells of a state, or among the atoms of a condition.

use super::code::{Array, Op};
use crate::model::{Binary, Expr, Model};
use std::ops::Range;

/// Stands where a jump will be, once it is known how far.
const LATER: Op = Op::Jump(u32::MAX);

/// Where code finds the values of variables.
pub(super) trait Names {
    /// Pushes the value of a local.
    fn local(&mut self, local: u32) -> Op;
    /// Where the value of a cell is.
    fn cell(&mut self, cell: u32) -> u32;
    /// Replaces an index, which this part of the code computes, by the element that it picks.
    fn element(&mut self, array: Array, code: &[Op], index: Range<usize>) -> Op;
}

/// Every cell is where it is in a state.
pub(super) struct InState;

impl Names for InState {
    fn local(&mut self, local: u32) -> Op {
        Op::Local(local)
    }

    fn cell(&mut self, cell: u32) -> u32 {
        cell
    }

    fn element(&mut self, array: Array, _: &[Op], _: Range<usize>) -> Op {
        Op::Element(array)
    }
}

/// The code so far.
pub(super) struct Emitter<'m, N> {
    pub model: &'m Model,
    /// For each variable, its first cell.
    pub bases: &'m [u32],
    pub names: N,
    pub code: Vec<Op>,
}

impl<N: Names> Emitter<'_, N> {
    pub(super) fn expression(&mut self, e: &Expr) {
        match e {
            Expr::Int(v) => self.code.push(Op::Const(*v)),
            Expr::Local(l) => {
                let local = self.names.local(l.0 as u32);
                self.code.push(local);
            }
            Expr::Shared(v, index) => match (self.fixed_cell(*v, index.as_deref()), index) {
                (None, Some(i)) => {
                    let start = self.code.len();
                    self.expression(i);
                    let element = self.names.element(self.array(*v), &self.code, start..self.code.len());
                    self.code.push(element);
                }
                (cell, _) => {
                    let cell = self.names.cell(cell.unwrap_or(self.bases[*v]));
                    self.code.push(Op::Shared(cell));
                }
            },
            Expr::Not(a) => {
                self.expression(a);
                self.code.push(Op::Not);
            }
            Expr::Negate(a) => {
                self.expression(a);
                self.code.push(Op::Negate);
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
        }
    }

    pub(super) fn binary(&mut self, op: Binary, a: &Expr, b: &Expr) {
        self.expression(a);
        match b {
            Expr::Int(right) => self.with_constant(op, *right),
            b if matches!(op, Binary::And | Binary::Or) => {
                let branch = self.branch();
                self.expression(b);
                if !b.is_truth() {
                    self.code.push(Op::Truth);
                }
                let skip = self.since(branch);
                self.code[branch] = if op == Binary::And { Op::AndThen(skip) } else { Op::OrElse(skip) };
            }
            b => {
                self.expression(b);
                self.code.push(Op::Binary(op));
            }
        }
    }

    /// An operation on what the code computes and a constant.
    fn with_constant(&mut self, op: Binary, right: i32) {
        match self.code.last_mut() {
            Some(last @ &mut Op::Shared(cell)) => *last = Op::SharedWith { cell, op, right },
            _ => self.code.push(Op::With(op, right)),
        }
    }

    /// Leaves a place for a jump.
    pub(super) fn branch(&mut self) -> usize {
        self.code.push(LATER);
        self.code.len() - 1
    }

    /// How many instructions there are after a jump.
    pub(super) fn since(&self, branch: usize) -> u32 {
        (self.code.len() - branch - 1) as u32
    }

    pub(super) fn array(&self, v: usize) -> Array {
        Array {
            base: self.bases[v],
            length: self.model.variables()[v].initial.len() as u32,
        }
    }

    /// The cell of a variable, or of an element of an array whose index is a constant.
    pub(super) fn fixed_cell(&self, v: usize, index: Option<&Expr>) -> Option<u32> {
        match index {
            None => Some(self.bases[v]),
            Some(Expr::Int(i)) => Some(self.bases[v] + *i as u32),
            Some(_) => None,
        }
    }
}
