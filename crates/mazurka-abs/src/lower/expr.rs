//! Pure expressions and patterns.

use super::emit::Emitter;
use super::model::Lowering;
use crate::checked::{BinaryOp, Expr, ExprKind, FunctionCode, Literal, Pattern, PatternKind, UnaryOp};
use crate::code::{Binary, Builtin, ClosureOf, Op, Pattern as CodePattern};
use crate::value::{Value, known};
use mazurka_diagnostics::Span;

/// The builtin of that name.
pub fn builtin(name: &str) -> Option<Builtin> {
    Some(match name {
        "max" => Builtin::Max,
        "min" => Builtin::Min,
        "abs" => Builtin::Abs,
        "sqrt" => Builtin::Sqrt,
        "log" => Builtin::Log,
        "exp" => Builtin::Exp,
        "random" => Builtin::Random,
        "truncate" => Builtin::Truncate,
        "float" => Builtin::Float,
        "rat" => Builtin::Rat,
        "floor" => Builtin::Floor,
        "ceil" => Builtin::Ceil,
        "numerator" => Builtin::Numerator,
        "denominator" => Builtin::Denominator,
        "substr" => Builtin::Substr,
        "strlen" => Builtin::Strlen,
        "toString" => Builtin::ToString,
        "print" => Builtin::Print,
        "println" => Builtin::Println,
        "readln" => Builtin::Readln,
        "currentms" => Builtin::CurrentMs,
        "ms_since_model_start" => Builtin::MsSinceModelStart,
        "lowlevelDeadline" => Builtin::LowlevelDeadline,
        "watch" => Builtin::Watch,
        "watchEx" => Builtin::WatchEx,
        "pow" => Builtin::Pow,
        _ => return None,
    })
}

/// Library functions on lists that models call in their innermost loops: the machine does them without taking each list apart in ABS.
fn native(name: &str) -> Option<Builtin> {
    Some(match name {
        "length" => Builtin::Length,
        "isEmpty" => Builtin::IsEmpty,
        "concatenate" => Builtin::Concatenate,
        "appendright" => Builtin::Appendright,
        "reverse" => Builtin::Reverse,
        _ => return None,
    })
}

impl Lowering<'_> {
    /// Pushes the value of an expression.
    pub fn expr(&mut self, e: &Expr, out: &mut Emitter) {
        match &e.kind {
            ExprKind::Literal(literal) => {
                let value = self.literal(literal);
                self.constant(value, e.span, out);
            }
            ExprKind::Local(local) => {
                let slot = out.slot(local.0);
                out.emit(Op::Local(slot), e.span);
            }
            ExprKind::ClosureLocal(local) => {
                let slot = out.slot(local.0);
                out.emit(Op::Local(slot), e.span);
            }
            ExprKind::Field(field) => {
                out.emit(Op::Field(field.0), e.span);
            }
            ExprKind::This => {
                out.emit(Op::This, e.span);
            }
            ExprKind::Destiny => {
                self.uses_destiny = true;
                out.emit(Op::Destiny, e.span);
            }
            ExprKind::Null => self.constant(Value::Null, e.span, out),
            ExprKind::Construct(ctor, args) => {
                let ctor = self.ctor(*ctor);
                if args.is_empty() {
                    self.constant(Value::Atom(ctor), e.span, out);
                } else {
                    self.exprs(args, out);
                    out.emit(Op::Make(ctor, args.len() as u32), e.span);
                }
            }
            ExprKind::List(elements) => {
                self.exprs(elements, out);
                out.emit(Op::List(elements.len() as u32), e.span);
            }
            ExprKind::Access(accessor, of) => {
                self.expr(of, out);
                out.emit(Op::Access(accessor.0), e.span);
            }
            ExprKind::Call(function, args) => {
                self.exprs(args, out);
                let op = self.call(function.index(), args.len());
                out.emit(op, e.span);
            }
            ExprKind::CallClosure(local, args) => {
                self.exprs(args, out);
                let slot = out.slot(local.0);
                out.emit(Op::CallClosure(slot, args.len() as u32), e.span);
            }
            ExprKind::Closure(function, captured) => {
                self.exprs(captured, out);
                let ctor = match self.call(function.index(), captured.len()) {
                    Op::Builtin(_, _) => ClosureOf::Function(self.builtin_wrapper(function.index())),
                    _ => ClosureOf::Function(function.0),
                };
                out.emit(Op::Closure(ctor.encode(), captured.len() as u32), e.span);
            }
            ExprKind::ClosureAccess(accessor) => {
                out.emit(Op::Closure(ClosureOf::Access(accessor.0).encode(), 0), e.span);
            }
            ExprKind::ClosureConstruct(ctor) => {
                let ctor = self.ctor(*ctor);
                out.emit(Op::Closure(ClosureOf::Construct(ctor).encode(), 0), e.span);
            }
            ExprKind::Unary(operator, of) => {
                self.expr(of, out);
                let op = match operator {
                    UnaryOp::Not => Op::Not,
                    UnaryOp::Negate => Op::Neg,
                };
                out.emit(op, e.span);
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, e.span, out),
            ExprKind::Concat(parts) => {
                self.exprs(parts, out);
                out.emit(Op::Concat(parts.len() as u32), e.span);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition, out);
                let to_else = out.emit(Op::JumpIfFalse(0), e.span);
                self.expr(then, out);
                let to_end = out.emit(Op::Jump(0), e.span);
                out.land(to_else);
                self.expr(otherwise, out);
                out.land(to_end);
            }
            ExprKind::Case(of, branches) => {
                let slot = self.scrutinee(of, out);
                let mut ends = Vec::new();
                for branch in branches {
                    let miss = self.match_op(slot, &branch.pattern, out);
                    self.expr(&branch.body, out);
                    ends.push(out.emit(Op::Jump(0), e.span));
                    out.land(miss);
                }
                out.emit(Op::NoMatch, e.span);
                for end in ends {
                    out.land(end);
                }
            }
            ExprKind::Let(local, value, body) => {
                self.expr(value, out);
                let slot = out.slot(local.0);
                out.emit(Op::SetLocal(slot), e.span);
                self.expr(body, out);
            }
            ExprKind::Implements(of, interface) => {
                self.expr(of, out);
                out.emit(Op::Implements(interface.0), e.span);
            }
            ExprKind::As(of, interface) => {
                self.expr(of, out);
                out.emit(Op::As(interface.0), e.span);
            }
        }
    }

    /// Returns the value of an expression; a call at its end takes the place of the running function.
    pub fn tail(&mut self, e: &Expr, out: &mut Emitter) {
        match &e.kind {
            ExprKind::Call(function, args) => {
                self.exprs(args, out);
                match self.call(function.index(), args.len()) {
                    Op::Call(code) => {
                        out.emit(Op::TailCall(code), e.span);
                    }
                    op => {
                        out.emit(op, e.span);
                        out.emit(Op::Return, e.span);
                    }
                }
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition, out);
                let to_else = out.emit(Op::JumpIfFalse(0), e.span);
                self.tail(then, out);
                out.land(to_else);
                self.tail(otherwise, out);
            }
            ExprKind::Case(of, branches) => {
                let slot = self.scrutinee(of, out);
                for branch in branches {
                    let miss = self.match_op(slot, &branch.pattern, out);
                    self.tail(&branch.body, out);
                    out.land(miss);
                }
                out.emit(Op::NoMatch, e.span);
            }
            ExprKind::Let(local, value, body) => {
                self.expr(value, out);
                let slot = out.slot(local.0);
                out.emit(Op::SetLocal(slot), e.span);
                self.tail(body, out);
            }
            _ => {
                self.expr(e, out);
                out.emit(Op::Return, e.span);
            }
        }
    }

    /// Pushes the values of expressions, from left to right.
    pub fn exprs(&mut self, exprs: &[Expr], out: &mut Emitter) {
        for e in exprs {
            self.expr(e, out);
        }
    }

    /// Pushes a constant.
    pub fn constant(&mut self, value: Value, span: Span, out: &mut Emitter) {
        if let Value::Int(n) = value
            && let Ok(small) = i32::try_from(n)
        {
            out.emit(Op::Small(small), span);
            return;
        }
        self.constants.push(value);
        out.emit(Op::Const(self.constants.len() as u32 - 1), span);
    }

    /// The value of a literal.
    pub fn literal(&self, literal: &Literal) -> Value {
        match literal {
            Literal::Int(n) => Value::from(n.clone()),
            Literal::Float(x) => Value::Float(*x),
            Literal::Str(s) => Value::string(&**s),
        }
    }

    /// The instruction that calls a function.
    pub fn call(&self, function: usize, args: usize) -> Op {
        let it = &self.model.functions[function];
        let known = match it.code {
            FunctionCode::Builtin => builtin(&it.name),
            FunctionCode::Expr(_) if &*it.module == "ABS.StdLib" => native(&it.name),
            FunctionCode::Expr(_) => None,
        };
        match known {
            Some(which) => Op::Builtin(which, args as u32),
            None => Op::Call(function as u32),
        }
    }

    fn binary(&mut self, operator: BinaryOp, left: &Expr, right: &Expr, span: Span, out: &mut Emitter) {
        self.expr(left, out);
        let operator = match operator {
            BinaryOp::And | BinaryOp::Or => {
                let short = out.emit(if operator == BinaryOp::And { Op::And(0) } else { Op::Or(0) }, span);
                self.expr(right, out);
                out.land(short);
                return;
            }
            BinaryOp::Multiply => Binary::Mul,
            BinaryOp::Divide => Binary::Div,
            BinaryOp::DivideTruncating => Binary::DivTruncated,
            BinaryOp::Remainder => Binary::Rem,
            BinaryOp::Add => Binary::Add,
            BinaryOp::Subtract => Binary::Sub,
            BinaryOp::Less => Binary::Less,
            BinaryOp::Greater => Binary::Greater,
            BinaryOp::LessEqual => Binary::LessEqual,
            BinaryOp::GreaterEqual => Binary::GreaterEqual,
            BinaryOp::Equal => Binary::Equal,
            BinaryOp::NotEqual => Binary::NotEqual,
        };
        self.expr(right, out);
        out.emit(Op::Binary(operator), span);
    }

    /// The variable that holds the value to be matched.
    pub fn scrutinee(&mut self, of: &Expr, out: &mut Emitter) -> u32 {
        if let ExprKind::Local(local) = &of.kind {
            return out.slot(local.0);
        }
        self.expr(of, out);
        let slot = out.fresh();
        out.emit(Op::SetLocal(slot), of.span);
        slot
    }

    /// Matches a variable; the place of the instruction, whose miss is landed later.
    pub fn match_op(&mut self, slot: u32, pattern: &Pattern, out: &mut Emitter) -> u32 {
        let lowered = self.pattern(pattern, out);
        self.patterns.push(lowered);
        out.emit(
            Op::Match {
                slot,
                pattern: self.patterns.len() as u32 - 1,
                otherwise: 0,
            },
            pattern.span,
        )
    }

    fn pattern(&mut self, pattern: &Pattern, out: &mut Emitter) -> CodePattern {
        match &pattern.kind {
            PatternKind::Wildcard => CodePattern::Any,
            PatternKind::Literal(literal) => CodePattern::Constant(self.literal(literal)),
            PatternKind::Bind(local) => CodePattern::Bind(out.slot(local.0)),
            PatternKind::Equal(e) => match &e.kind {
                ExprKind::Local(local) => CodePattern::Local(out.slot(local.0)),
                ExprKind::Field(field) => CodePattern::Field(field.0),
                _ => CodePattern::Any,
            },
            PatternKind::Construct(ctor, args) => {
                CodePattern::Construct(self.ctor(*ctor), args.iter().map(|arg| self.pattern(arg, out)).collect())
            }
        }
    }
}

/// The value of an expression that needs no evaluation.
pub fn immediate(lowering: &Lowering<'_>, e: &Expr) -> Option<Value> {
    match &e.kind {
        ExprKind::Literal(literal) => Some(lowering.literal(literal)),
        ExprKind::Construct(ctor, args) if args.is_empty() => Some(Value::Atom(lowering.ctor(*ctor))),
        ExprKind::List(elements) if elements.is_empty() => Some(Value::Atom(known::NIL)),
        ExprKind::Null => Some(Value::Null),
        _ => None,
    }
}
