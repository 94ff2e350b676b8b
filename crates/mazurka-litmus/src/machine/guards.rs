//! Which shared cells some guard may read.

use crate::model::{Expr, Model, Statement};

/// For each shared cell whether an `await` of the program may read it. An array with a computed index counts whole.
pub(super) fn guard_cells(model: &Model, bases: &[u32]) -> Vec<bool> {
    let mut cells = vec![false; model.variables().iter().map(|v| v.initial.len()).sum()];
    for statement in model.bodies().iter().flat_map(|b| &b.steps).flat_map(|s| &s.statements) {
        match statement {
            Statement::Await(condition) => mark(model, bases, condition, &mut cells),
            Statement::Lock(place) => mark(model, bases, &place.clone().into(), &mut cells),
            _ => {}
        }
    }
    cells
}

fn mark(model: &Model, bases: &[u32], expr: &Expr, cells: &mut [bool]) {
    match expr {
        Expr::Int(_) | Expr::Local(_) => {}
        Expr::Not(e) | Expr::Negate(e) => mark(model, bases, e, cells),
        Expr::Binary(_, a, b) => {
            mark(model, bases, a, cells);
            mark(model, bases, b, cells);
        }
        Expr::Shared(v, index) => {
            let base = bases[*v] as usize;
            cells[base..base + model.variables()[*v].initial.len()].fill(true);
            if let Some(index) = index {
                mark(model, bases, index, cells);
            }
        }
    }
}
