//! Statements and guards.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;

use super::annotations::has;
use super::body::{BodyCheck, Place};
use super::{coverage, flow};
use crate::checked::{Block, Branch, Expr, Guard, RightSide, Stmt, StmtKind, Type};
use crate::syntax::ast::{self, GuardKind, StmtKind as Ast};

impl BodyCheck<'_, '_> {
    pub(super) fn block(&mut self, block: &ast::Block) -> Block {
        let mark = self.enter();
        let checked = self.block_open(block);
        self.leave(mark);
        checked
    }

    /// A block whose variables stay in scope.
    pub(super) fn block_open(&mut self, block: &ast::Block) -> Block {
        let stmts: Vec<Stmt> = block.stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        if let Some(at) = stmts.iter().position(|stmt| !flow::completes(&self.checker.model, stmt))
            && let Some(next) = stmts.get(at + 1)
        {
            let diagnostic = Diagnostic::warning("unreachable-code", "nothing from here on is ever executed")
                .label(next.span, "never executed")
                .label(stmts[at].span, "because of this");
            self.checker.report(diagnostic);
        }
        Block { stmts, span: block.span }
    }

    /// A statement as a block of its own.
    fn stmt_block(&mut self, stmt: &ast::Stmt) -> Block {
        if let Ast::Block(block) = &stmt.kind {
            self.stmt_annotations(&stmt.annotations);
            return self.block(block);
        }
        let mark = self.enter();
        let checked = self.stmt(stmt);
        self.leave(mark);
        Block {
            stmts: vec![checked],
            span: stmt.span,
        }
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> Stmt {
        self.stmt_annotations(&stmt.annotations);
        let kind = self.stmt_kind(stmt);
        if let Some(deadline) = self.deadline.take() {
            let message = "annotation `Deadline` has no effect here";
            let note = Diagnostic::note("ignored-annotation", message)
                .label(deadline.span, "ignored")
                .with_note("only an asynchronous call starts a task that can have a deadline");
            self.checker.report(note);
        }
        Stmt { kind, span: stmt.span }
    }

    /// The two ends of a `duration`.
    fn interval(&mut self, least: &ast::Expr, most: Option<&ast::Expr>) -> (Expr, Expr) {
        let mut time = |expr: &ast::Expr| {
            let checked = self.pure(expr, Some(&Type::Rat));
            self.demand(&checked.ty, &Type::Rat, expr.span, "a duration");
            checked
        };
        (time(least), time(most.unwrap_or(least)))
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt) -> StmtKind {
        match &stmt.kind {
            Ast::Declare(ty, name, value) => {
                let declared = self.declaration(ty, name, value.as_ref());
                if let StmtKind::Declare(id, _) = declared
                    && has(&stmt.annotations, "Final")
                {
                    self.finals.insert(id);
                }
                declared
            }
            Ast::Assign(target, value) => self.assignment(target, value),
            Ast::Skip | Ast::Error => StmtKind::Skip,
            Ast::Return(value) => self.return_stmt(value, stmt),
            Ast::Assert(condition) => {
                let bool_type = self.checker.bool_type();
                StmtKind::Assert(self.typed(condition, &bool_type, "the condition"))
            }
            Ast::Block(block) => StmtKind::Block(self.block(block)),
            Ast::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let then = self.stmt_block(then);
                let otherwise = otherwise.as_ref().map_or_else(Block::default, |stmt| self.stmt_block(stmt));
                StmtKind::If(condition, then, otherwise)
            }
            Ast::While(condition, body) => {
                let condition = self.condition(condition);
                StmtKind::While(condition, self.stmt_block(body))
            }
            Ast::Switch(value, branches) => {
                let checked = self.pure(value, None);
                let branches = self.branches(branches, &checked.ty);
                let patterns: Vec<_> = branches.iter().map(|branch| &branch.pattern).collect();
                coverage::warn(&self.checker.model, &patterns, value.span, &mut self.checker.diagnostics);
                StmtKind::Switch(checked, branches)
            }
            Ast::Foreach(variable, index, list, body) => {
                let checked = self.pure(list, None);
                let element = self.infer.fresh();
                let wanted = self.checker.list_of(element.clone());
                self.demand(&checked.ty, &wanted, list.span, "`foreach` goes through a list");
                let mark = self.enter();
                let variable = self.bind(variable, Some(element));
                let index = index.as_ref().map(|index| self.bind(index, Some(Type::Int)));
                let body = self.stmt_block(body);
                self.leave(mark);
                StmtKind::Foreach(variable, index, checked, body)
            }
            Ast::Try(body, branches, finally) => {
                let body = self.stmt_block(body);
                let exception = self.checker.exception_type();
                let branches = self.branches(branches, &exception);
                self.finally += 1;
                let finally = finally.as_ref().map(|stmt| self.stmt_block(stmt));
                self.finally -= 1;
                StmtKind::Try(body, branches, finally)
            }
            Ast::Await(guard) => {
                self.may_wait("`await`", stmt.span);
                StmtKind::Await(self.guard(guard))
            }
            Ast::Suspend => {
                self.may_wait("`suspend`", stmt.span);
                StmtKind::Suspend
            }
            Ast::Duration(least, most) => {
                self.may_wait("`duration`", stmt.span);
                let (least, most) = self.interval(least, most.as_ref());
                StmtKind::Duration(least, most)
            }
            Ast::Throw(exception) => StmtKind::Throw(self.exception(exception)),
            Ast::Die(exception) => {
                if self.class.is_none() {
                    let diagnostic = Diagnostic::error("no-this", "`die` ends an object, and there is none here").label(stmt.span, "");
                    self.checker.report(diagnostic);
                }
                StmtKind::Die(self.exception(exception))
            }
            Ast::Expr(expr) => StmtKind::Expr(self.right_side(expr, None)),
        }
    }

    /// A right-hand side that must have this type.
    fn typed(&mut self, expr: &ast::Expr, ty: &Type, why: &str) -> RightSide {
        let right = self.right_side(expr, Some(ty));
        self.demand(&right.ty, ty, expr.span, why);
        right
    }

    fn condition(&mut self, condition: &ast::Expr) -> Expr {
        let bool_type = self.checker.bool_type();
        let checked = self.pure(condition, Some(&bool_type));
        self.demand(&checked.ty, &bool_type, condition.span, "the condition");
        checked
    }

    fn exception(&mut self, expr: &ast::Expr) -> Expr {
        let ty = self.checker.exception_type();
        let checked = self.pure(expr, Some(&ty));
        self.demand(&checked.ty, &ty, expr.span, "only exceptions can be thrown");
        checked
    }

    fn declaration(&mut self, ty: &ast::Type, name: &ast::Name, value: Option<&ast::Expr>) -> StmtKind {
        let params = self.type_params.clone();
        let resolved = self.checker.type_use(self.module, &params, ty);
        let value = match value {
            Some(value) => Some(self.typed(value, &resolved, "the value of the variable")),
            None => {
                if !is_reference(&resolved) {
                    let shown = self.show(&resolved);
                    let diagnostic = Diagnostic::error("uninitialised", format!("variable `{}` has no value", name.text))
                        .label(name.span, "")
                        .with_help(format!(
                            "write `{shown} {} = …;`: only objects and futures start as null",
                            name.text
                        ));
                    self.checker.report(diagnostic);
                }
                None
            }
        };
        StmtKind::Declare(self.declare(name, resolved), value)
    }

    fn assignment(&mut self, target: &ast::Target, value: &ast::Expr) -> StmtKind {
        let name = &target.name;
        if !target.this
            && let Some(id) = self.local(&name.text)
            && let Some(ty) = self.local_type(id)
        {
            self.assign_final_local(id, name.span);
            return StmtKind::AssignLocal(id, self.typed(value, &ty, "the value of the variable"));
        }
        if let Some(id) = self.field(&name.text)
            && let Some(class) = self.class
        {
            if self.readonly {
                let message = format!("field `{}` is assigned in a [Readonly] method", name.text);
                self.checker
                    .report(Diagnostic::error("not-allowed-here", message).label(name.span, ""));
            }
            self.assign_final_field(class, id, name.span);
            let ty = self.checker.model.classes[class.index()].fields[id.index()].ty.clone();
            return StmtKind::AssignField(id, self.typed(value, &ty, "the value of the field"));
        }
        if target.this {
            self.unknown_field(name);
        } else {
            let names = self.variable_names();
            let diagnostic = Diagnostic::error("unknown-name", format!("there is no variable `{}`", name.text))
                .label(name.span, "not found")
                .did_you_mean(&name.text, names.iter().map(|n| &**n));
            self.checker.report(diagnostic);
        }
        StmtKind::Expr(self.right_side(value, None))
    }

    fn return_stmt(&mut self, value: &ast::Expr, stmt: &ast::Stmt) -> StmtKind {
        let Some(result) = self.result.clone() else {
            let place = match self.place {
                Place::Main => "a main block",
                Place::Recover => "a recover block",
                _ => "an init block",
            };
            self.checker
                .report(Diagnostic::error("return-outside-method", format!("{place} returns nothing")).label(stmt.span, ""));
            return StmtKind::Expr(self.right_side(value, None));
        };
        StmtKind::Return(self.typed(value, &result, "the result of the method"))
    }

    pub(super) fn branches(&mut self, branches: &[ast::StmtBranch], ty: &Type) -> Vec<Branch<Block>> {
        let mut checked = Vec::with_capacity(branches.len());
        for branch in branches {
            let mark = self.enter();
            let pattern = self.pattern(&branch.pattern, ty);
            let body = self.stmt_block(&branch.body);
            self.leave(mark);
            checked.push(Branch { pattern, body });
        }
        checked
    }

    fn guard(&mut self, guard: &ast::Guard) -> Guard {
        match &guard.kind {
            GuardKind::Future(expr) => {
                let checked = self.pure(expr, None);
                match self.infer.shallow(&checked.ty) {
                    Type::Future(_) | Type::Destiny | Type::Any => {}
                    unknown @ Type::Unknown(_) => {
                        let value = self.infer.fresh();
                        self.fits(&unknown, &Type::Future(Arc::new(value)));
                    }
                    other => self.not_a_future(&other, expr.span),
                }
                Guard::Future(checked)
            }
            GuardKind::Condition(expr) => {
                let bool_type = self.checker.bool_type();
                let checked = self.pure(expr, Some(&bool_type));
                if let Type::Future(_) = self.infer.shallow(&checked.ty) {
                    let diagnostic = Diagnostic::error("type-mismatch", "expected Bool, found a future")
                        .label(expr.span, "what `await` waits for")
                        .with_help("write `await f?;` to wait for a future");
                    self.checker.report(diagnostic);
                } else {
                    self.demand(&checked.ty, &bool_type, expr.span, "what `await` waits for");
                }
                Guard::Condition(checked)
            }
            GuardKind::Duration(least, most) => {
                let (least, most) = self.interval(least, most.as_ref());
                Guard::Duration(least, most)
            }
            GuardKind::And(left, right) => Guard::And(Box::new(self.guard(left)), Box::new(self.guard(right))),
            GuardKind::Error => {
                let span = guard.span;
                Guard::Condition(self.broken(span))
            }
        }
    }
}

/// Whether variables of this type start as `null`.
pub(super) fn is_reference(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Interface(_) | Type::Future(_) | Type::Destiny | Type::Any | Type::Unknown(_)
    )
}
