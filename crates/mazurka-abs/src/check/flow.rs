//! Where control goes: what never comes to its end.

use crate::checked::{Block, CheckedModel, ExprKind, Stmt, StmtKind};

/// Whether the statement can come to its end, so that the next one is executed.
pub(super) fn completes(model: &CheckedModel, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Throw(_) | StmtKind::Die(_) => false,
        StmtKind::Block(block) => block_completes(model, block),
        StmtKind::If(_, then, otherwise) => block_completes(model, then) || block_completes(model, otherwise),
        StmtKind::While(condition, _) => !matches!(&condition.kind, ExprKind::Construct(id, _) if *id == model.well_known.true_),
        // Without a match there is an exception.
        StmtKind::Switch(_, branches) => branches.iter().any(|branch| block_completes(model, &branch.body)),
        StmtKind::Try(body, branches, finally) => {
            finally.as_ref().is_none_or(|block| block_completes(model, block))
                && (block_completes(model, body) || branches.iter().any(|branch| block_completes(model, &branch.body)))
        }
        _ => true,
    }
}

/// Whether all statements of the block can be gone through.
pub(super) fn block_completes(model: &CheckedModel, block: &Block) -> bool {
    block.stmts.iter().all(|stmt| completes(model, stmt))
}
