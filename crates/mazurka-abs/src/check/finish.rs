//! The end of a body: type variables get their final values everywhere.

use super::body::BodyCheck;
use crate::checked::{
    Block, Body, Branch, Expr, ExprKind, FunctionCode, Guard, Pattern, PatternKind, RightSide, RightSideKind, Stmt, StmtKind,
};

impl BodyCheck<'_, '_> {
    /// The variables of the body, and all functions lifted out of it, with final types.
    pub(super) fn finish_body(&mut self) -> Body {
        for id in std::mem::take(&mut self.lifted) {
            let function = &mut self.checker.model.functions[id.index()];
            let mut code = std::mem::replace(&mut function.code, FunctionCode::Builtin);
            let mut body = std::mem::take(&mut function.body);
            let result = self.infer.finish(&function.result.clone());
            if let FunctionCode::Expr(expr) = &mut code {
                self.finish_expr(expr);
            }
            self.finish_locals(&mut body);
            let function = &mut self.checker.model.functions[id.index()];
            (function.code, function.body, function.result) = (code, body, result);
        }
        let mut body = Body {
            locals: std::mem::take(&mut self.frame().locals),
        };
        self.finish_locals(&mut body);
        body
    }

    fn finish_locals(&self, body: &mut Body) {
        for local in &mut body.locals {
            local.ty = local.ty.as_ref().map(|ty| self.infer.finish(ty));
        }
    }

    pub(super) fn finish_expr(&self, expr: &mut Expr) {
        expr.ty = self.infer.finish(&expr.ty);
        match &mut expr.kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Field(_)
            | ExprKind::This
            | ExprKind::Destiny
            | ExprKind::Null
            | ExprKind::ClosureLocal(_)
            | ExprKind::ClosureAccess(_)
            | ExprKind::ClosureConstruct(_) => {}
            ExprKind::Construct(_, args)
            | ExprKind::List(args)
            | ExprKind::Call(_, args)
            | ExprKind::CallClosure(_, args)
            | ExprKind::Closure(_, args)
            | ExprKind::Concat(args) => args.iter_mut().for_each(|arg| self.finish_expr(arg)),
            ExprKind::Access(_, value) | ExprKind::Unary(_, value) | ExprKind::Implements(value, _) | ExprKind::As(value, _) => {
                self.finish_expr(value);
            }
            ExprKind::Binary(_, left, right) | ExprKind::Let(_, left, right) => {
                self.finish_expr(left);
                self.finish_expr(right);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.finish_expr(condition);
                self.finish_expr(then);
                self.finish_expr(otherwise);
            }
            ExprKind::Case(value, branches) => {
                self.finish_expr(value);
                for Branch { pattern, body } in branches {
                    self.finish_pattern(pattern);
                    self.finish_expr(body);
                }
            }
        }
    }

    fn finish_pattern(&self, pattern: &mut Pattern) {
        match &mut pattern.kind {
            PatternKind::Equal(expr) => self.finish_expr(expr),
            PatternKind::Construct(_, args) => args.iter_mut().for_each(|arg| self.finish_pattern(arg)),
            PatternKind::Wildcard | PatternKind::Literal(_) | PatternKind::Bind(_) => {}
        }
    }

    fn finish_right_side(&self, right: &mut RightSide) {
        right.ty = self.infer.finish(&right.ty);
        if let Some(deadline) = &mut right.deadline {
            self.finish_expr(deadline);
        }
        match &mut right.kind {
            RightSideKind::Pure(expr) | RightSideKind::Get(expr) => self.finish_expr(expr),
            RightSideKind::New { args, .. } => args.iter_mut().for_each(|arg| self.finish_expr(arg)),
            RightSideKind::AsyncCall(callee, _, args)
            | RightSideKind::AwaitCall(callee, _, args)
            | RightSideKind::SyncCall(callee, _, args) => {
                self.finish_expr(callee);
                args.iter_mut().for_each(|arg| self.finish_expr(arg));
            }
        }
    }

    pub(super) fn finish_block(&self, block: &mut Block) {
        block.stmts.iter_mut().for_each(|stmt| self.finish_stmt(stmt));
    }

    pub(super) fn finish_branches(&self, branches: &mut [Branch<Block>]) {
        for Branch { pattern, body } in branches {
            self.finish_pattern(pattern);
            self.finish_block(body);
        }
    }

    fn finish_stmt(&self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Skip | StmtKind::Suspend | StmtKind::Declare(_, None) => {}
            StmtKind::Declare(_, Some(right))
            | StmtKind::AssignLocal(_, right)
            | StmtKind::AssignField(_, right)
            | StmtKind::Return(right)
            | StmtKind::Assert(right)
            | StmtKind::Expr(right) => self.finish_right_side(right),
            StmtKind::Block(block) => self.finish_block(block),
            StmtKind::If(condition, then, otherwise) => {
                self.finish_expr(condition);
                self.finish_block(then);
                self.finish_block(otherwise);
            }
            StmtKind::While(condition, body) | StmtKind::Foreach(_, _, condition, body) => {
                self.finish_expr(condition);
                self.finish_block(body);
            }
            StmtKind::Switch(value, branches) => {
                self.finish_expr(value);
                self.finish_branches(branches);
            }
            StmtKind::Try(body, branches, finally) => {
                self.finish_block(body);
                self.finish_branches(branches);
                if let Some(finally) = finally {
                    self.finish_block(finally);
                }
            }
            StmtKind::Await(guard) => self.finish_guard(guard),
            StmtKind::Duration(least, most) => {
                self.finish_expr(least);
                self.finish_expr(most);
            }
            StmtKind::Throw(expr) | StmtKind::Die(expr) => self.finish_expr(expr),
        }
    }

    fn finish_guard(&self, guard: &mut Guard) {
        match guard {
            Guard::Future(expr) | Guard::Condition(expr) => self.finish_expr(expr),
            Guard::Duration(least, most) => {
                self.finish_expr(least);
                self.finish_expr(most);
            }
            Guard::And(left, right) => {
                self.finish_guard(left);
                self.finish_guard(right);
            }
        }
    }
}
