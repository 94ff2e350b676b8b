//! Statements and right-hand sides.

use super::emit::Emitter;
use super::model::Lowering;
use crate::checked::{Block, Branch, Expr, ExprKind, Guard, RightSide, RightSideKind, Stmt, StmtKind};
use crate::code::{Arrival, FutureAt, Guard as CodeGuard, Kind, Op};
use crate::value::{Value, known};
use mazurka_diagnostics::Span;

/// A `finally` that a `return` passes on its way out, with the number of regions open around it.
pub struct Finally<'m> {
    block: &'m Block,
    depth: usize,
}

/// What is done with the value of a right-hand side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Push,
    Forget,
}

/// Lowers the statements of one body.
pub struct Body<'l, 'm> {
    /// The tables that grow.
    pub lowering: &'l mut Lowering<'m>,
    /// The code that grows.
    pub out: Emitter,
    /// The class whose `this` the body has.
    pub class: Option<usize>,
    finals: Vec<Finally<'m>>,
}

impl<'l, 'm> Body<'l, 'm> {
    /// Starts a body.
    pub fn new(lowering: &'l mut Lowering<'m>, out: Emitter, class: Option<usize>) -> Self {
        Body {
            lowering,
            out,
            class,
            finals: Vec::new(),
        }
    }

    /// The statements of a block.
    pub fn block(&mut self, block: &'m Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    /// Returns `Unit`: the end of a body that fell through.
    pub fn end(&mut self, span: Span) {
        self.lowering.constant(Value::UNIT, span, &mut self.out);
        self.out.emit(Op::Return, span);
    }

    fn expr(&mut self, e: &Expr) {
        self.lowering.expr(e, &mut self.out);
    }

    fn stmt(&mut self, stmt: &'m Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Declare(local, Some(value)) | StmtKind::AssignLocal(local, value) => {
                self.right(value, Use::Push);
                let slot = self.out.slot(local.0);
                self.out.emit(Op::SetLocal(slot), span);
            }
            StmtKind::Declare(local, None) => {
                self.lowering.constant(Value::Null, span, &mut self.out);
                let slot = self.out.slot(local.0);
                self.out.emit(Op::SetLocal(slot), span);
            }
            StmtKind::AssignField(field, value) => {
                self.right(value, Use::Push);
                self.out.emit(Op::SetField(field.0), span);
            }
            StmtKind::Skip => {}
            StmtKind::Return(value) => self.give_back(value, span),
            StmtKind::Assert(value) => {
                self.right(value, Use::Push);
                self.out.emit(Op::Assert, span);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let to_else = self.out.emit(Op::JumpIfFalse(0), span);
                self.block(then);
                if otherwise.stmts.is_empty() {
                    self.out.land(to_else);
                } else {
                    let to_end = self.out.emit(Op::Jump(0), span);
                    self.out.land(to_else);
                    self.block(otherwise);
                    self.out.land(to_end);
                }
            }
            StmtKind::While(condition, body) => {
                let start = self.out.here();
                self.expr(condition);
                let to_end = self.out.emit(Op::JumpIfFalse(0), span);
                self.block(body);
                self.out.emit(Op::Jump(start), span);
                self.out.land(to_end);
            }
            StmtKind::Switch(of, branches) => {
                let slot = self.lowering.scrutinee(of, &mut self.out);
                let ends = self.branches(slot, branches);
                self.out.emit(Op::NoMatch, span);
                for end in ends {
                    self.out.land(end);
                }
            }
            StmtKind::Foreach(element, index, list, body) => self.foreach(element.0, index.map(|i| i.0), list, body, span),
            StmtKind::Try(body, branches, finally) => self.try_catch(body, branches, finally.as_ref(), span),
            StmtKind::Await(guard) => self.wait(guard, span),
            StmtKind::Suspend => {
                self.out.emit(Op::Suspend, span);
            }
            StmtKind::Duration(least, most) => {
                self.expr(least);
                self.expr(most);
                self.out.emit(Op::Sleep, span);
            }
            StmtKind::Throw(e) => {
                self.expr(e);
                self.out.emit(Op::Throw, span);
            }
            StmtKind::Die(e) => {
                self.expr(e);
                self.out.emit(Op::Die, span);
            }
            StmtKind::Expr(value) => {
                self.right(value, Use::Forget);
            }
        }
    }

    /// The branches with their bodies; the jumps to the end, to be landed by the caller. What follows is reached if none matches.
    fn branches(&mut self, slot: u32, branches: &'m [Branch<Block>]) -> Vec<u32> {
        let mut ends = Vec::new();
        for branch in branches {
            let miss = self.lowering.match_op(slot, &branch.pattern, &mut self.out);
            self.block(&branch.body);
            ends.push(self.out.emit(Op::Jump(0), branch.pattern.span));
            self.out.land(miss);
        }
        ends
    }

    fn foreach(&mut self, element: u32, index: Option<u32>, list: &Expr, body: &'m Block, span: Span) {
        self.expr(list);
        let rest = self.out.fresh();
        self.out.emit(Op::SetLocal(rest), span);
        let element = self.out.slot(element);
        let counter = index.map(|index| {
            let slot = self.out.slot(index);
            let counter = self.out.fresh();
            self.out.emit(Op::Small(0), span);
            self.out.emit(Op::SetLocal(counter), span);
            (slot, counter)
        });
        let start = self.out.here();
        let to_end = self.out.emit(
            Op::Next {
                list: rest,
                element,
                end: 0,
            },
            span,
        );
        if let Some((slot, counter)) = counter {
            self.out.emit(Op::Local(counter), span);
            self.out.emit(Op::SetLocal(slot), span);
            self.out.emit(Op::Local(counter), span);
            self.out.emit(Op::Small(1), span);
            self.out.emit(Op::Binary(crate::code::Binary::Add), span);
            self.out.emit(Op::SetLocal(counter), span);
        }
        self.block(body);
        self.out.emit(Op::Jump(start), span);
        self.out.land(to_end);
    }

    fn try_catch(&mut self, body: &'m Block, branches: &'m [Branch<Block>], finally: Option<&'m Block>, span: Span) {
        if let Some(block) = finally {
            self.finals.push(Finally {
                block,
                depth: self.out.depth(),
            });
            self.out.open_region();
        }
        self.out.open_region();
        self.block(body);
        let caught = self.out.fresh();
        let handlers = self.out.close_region(caught);
        let to_end = self.out.emit(Op::Jump(0), span);
        self.out.handle(handlers);
        let ends = self.branches(caught, branches);
        self.out.emit(Op::Local(caught), span);
        self.out.emit(Op::Rethrow, span);
        for end in ends.into_iter().chain([to_end]) {
            self.out.land(end);
        }
        if let Some(block) = finally {
            let caught = self.out.fresh();
            let handlers = self.out.close_region(caught);
            self.finals.pop();
            self.block(block);
            let to_end = self.out.emit(Op::Jump(0), span);
            self.out.handle(handlers);
            self.block(block);
            self.out.emit(Op::Local(caught), span);
            self.out.emit(Op::Rethrow, span);
            self.out.land(to_end);
        }
    }

    /// `return`: evaluates, runs every `finally` on the way out, leaves.
    fn give_back(&mut self, value: &'m RightSide, span: Span) {
        self.right(value, Use::Push);
        if !self.finals.is_empty() {
            let result = self.out.fresh();
            self.out.emit(Op::SetLocal(result), span);
            let finals = std::mem::take(&mut self.finals);
            for finally in finals.iter().rev() {
                let from = self.out.here();
                self.block(finally.block);
                self.out.hole(from, finally.depth);
            }
            self.finals = finals;
            self.out.emit(Op::Local(result), span);
        }
        self.out.emit(Op::Return, span);
    }

    fn right(&mut self, value: &'m RightSide, usage: Use) {
        let span = value.span;
        match &value.kind {
            RightSideKind::Pure(e) => self.expr(e),
            RightSideKind::New { class, args, cog } => {
                self.lowering.exprs(args, &mut self.out);
                self.out.emit(Op::New { class: class.0, cog: *cog }, span);
            }
            RightSideKind::AsyncCall(receiver, selector, args) => {
                self.expr(receiver);
                self.lowering.exprs(args, &mut self.out);
                self.out.emit(
                    Op::Async {
                        selector: selector.0,
                        args: args.len() as u16,
                        discard: usage == Use::Forget,
                    },
                    span,
                );
                self.deadline(value);
            }
            RightSideKind::AwaitCall(receiver, selector, args) => {
                self.expr(receiver);
                self.lowering.exprs(args, &mut self.out);
                self.out.emit(
                    Op::Async {
                        selector: selector.0,
                        args: args.len() as u16,
                        discard: false,
                    },
                    span,
                );
                self.deadline(value);
                let future = self.out.fresh();
                self.out.emit(Op::SetLocal(future), span);
                let guard = self.lowering.guard(CodeGuard {
                    futures: vec![FutureAt::Local(future)],
                    condition: None,
                    reads: Vec::new(),
                    durations: Vec::new(),
                    arrival: Arrival::Fresh,
                    span,
                });
                self.out.emit(Op::Await(guard), span);
                self.out.emit(Op::Local(future), span);
                if usage == Use::Forget {
                    // As a statement it waits for the end of the callee, whichever way it ends, and does not rethrow.
                    self.out.emit(Op::Acknowledge, span);
                    return;
                }
                self.out.emit(Op::Get { known: true }, span);
            }
            RightSideKind::SyncCall(receiver, selector, args) => {
                let own = match receiver.kind {
                    ExprKind::This => self.class.and_then(|class| self.lowering.method_code(class, selector.0)),
                    _ => None,
                };
                if own.is_none() {
                    self.expr(receiver);
                }
                self.lowering.exprs(args, &mut self.out);
                let args = args.len() as u32;
                let op = match own {
                    Some(code) => Op::CallThis { code, args },
                    None => Op::Sync {
                        selector: selector.0,
                        args,
                    },
                };
                self.out.emit(op, span);
            }
            RightSideKind::Get(future) => {
                self.expr(future);
                self.out.emit(Op::Get { known: false }, span);
            }
        }
        if usage == Use::Forget {
            self.out.emit(Op::Pop, span);
        }
    }

    /// Gives the task that was just started its deadline.
    fn deadline(&mut self, value: &'m RightSide) {
        if let Some(deadline) = &value.deadline {
            self.expr(deadline);
            self.out.emit(Op::Deadline, deadline.span);
        }
    }

    fn wait(&mut self, guard: &'m Guard, span: Span) {
        let mut parts = Parts::default();
        parts.collect(guard);
        let Parts {
            futures,
            conditions,
            durations,
        } = parts;
        let durations = durations
            .into_iter()
            .map(|(least, most)| {
                let slots = (self.out.fresh(), self.out.fresh());
                for (e, slot) in [(least, slots.0), (most, slots.1)] {
                    self.expr(e);
                    self.out.emit(Op::SetLocal(slot), e.span);
                }
                slots
            })
            .collect();
        let futures: Vec<FutureAt> = futures
            .iter()
            .filter_map(|e| match &e.kind {
                ExprKind::Local(local) => Some(FutureAt::Local(self.out.slot(local.0))),
                ExprKind::Field(field) => Some(FutureAt::Field(field.0)),
                _ => None,
            })
            .collect();
        let mut reads = Vec::new();
        let condition = (!conditions.is_empty()).then(|| {
            let mut captured = Vec::new();
            for e in &conditions {
                self.lowering.reads(e, &mut captured, &mut reads);
            }
            let mut out = Emitter::capturing(Kind::Guard, format!("{} (guard)", self.lowering.name), span, &captured);
            let mut shorts = Vec::new();
            for (i, e) in conditions.iter().enumerate() {
                self.lowering.expr(e, &mut out);
                if i + 1 < conditions.len() {
                    shorts.push(out.emit(Op::And(0), span));
                }
            }
            for short in shorts {
                out.land(short);
            }
            out.emit(Op::Return, span);
            let code = self.lowering.add_code(out.finish());
            let slots = captured.iter().map(|local| self.out.slot(*local)).collect();
            (code, slots)
        });
        let guard = self.lowering.guard(CodeGuard {
            futures,
            condition,
            reads,
            durations,
            arrival: Arrival::Look,
            span,
        });
        self.out.emit(Op::Await(guard), span);
    }

    /// The recover branches of a class as code that tells whether one matched; the exception is variable 0.
    pub fn recover(&mut self, branches: &'m [Branch<Block>], span: Span) {
        let ends = self.branches(0, branches);
        self.lowering.constant(Value::Atom(known::FALSE), span, &mut self.out);
        self.out.emit(Op::Return, span);
        for end in ends {
            self.out.land(end);
        }
        self.lowering.constant(Value::Atom(known::TRUE), span, &mut self.out);
        self.out.emit(Op::Return, span);
    }
}

/// The parts of a guard, all of which must hold.
#[derive(Default)]
struct Parts<'m> {
    futures: Vec<&'m Expr>,
    conditions: Vec<&'m Expr>,
    durations: Vec<(&'m Expr, &'m Expr)>,
}

impl<'m> Parts<'m> {
    fn collect(&mut self, guard: &'m Guard) {
        match guard {
            Guard::Future(e) => self.futures.push(e),
            Guard::Condition(e) => self.conditions.push(e),
            Guard::Duration(least, most) => self.durations.push((least, most)),
            Guard::And(left, right) => {
                self.collect(left);
                self.collect(right);
            }
        }
    }
}
