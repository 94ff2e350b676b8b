//! Where control goes: what never comes to its end, what may wait.

use crate::checked::{Block, CheckedModel, ExprKind, Stmt, StmtKind};
use crate::syntax::ast;

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

/// Whether a statement in the block waits for something.
pub(super) fn waits(block: &ast::Block) -> bool {
    block.stmts.iter().any(stmt_waits)
}

fn stmt_waits(stmt: &ast::Stmt) -> bool {
    use ast::StmtKind as S;
    match &stmt.kind {
        S::Await(_) | S::Suspend => true,
        S::Declare(_, _, Some(e)) | S::Assign(_, e) | S::Return(e) | S::Assert(e) | S::Expr(e) => {
            matches!(e.kind, ast::ExprKind::Get(_) | ast::ExprKind::AwaitCall(..))
        }
        S::Block(block) => waits(block),
        S::If(_, then, otherwise) => stmt_waits(then) || otherwise.as_ref().is_some_and(|stmt| stmt_waits(stmt)),
        S::While(_, body) | S::Foreach(_, _, _, body) => stmt_waits(body),
        S::Switch(_, branches) => branches.iter().any(|branch| stmt_waits(&branch.body)),
        S::Try(body, branches, finally) => {
            stmt_waits(body)
                || branches.iter().any(|branch| stmt_waits(&branch.body))
                || finally.as_ref().is_some_and(|stmt| stmt_waits(stmt))
        }
        _ => false,
    }
}
