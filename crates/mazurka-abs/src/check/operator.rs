//! Operators.

use mazurka_diagnostics::{Diagnostic, Span};

use super::body::BodyCheck;
use crate::checked::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::syntax::ast::{self, BinaryOp as Ast, Dialect};

impl BodyCheck<'_, '_> {
    pub(super) fn unary(&mut self, operator: ast::UnaryOp, operand: &ast::Expr, expected: Option<&Type>, span: Span) -> Expr {
        match operator {
            ast::UnaryOp::Not => {
                let ty = self.checker.bool_type();
                let checked = self.pure(operand, Some(&ty));
                self.demand(&checked.ty, &ty, operand.span, "the operand of `!`");
                Expr {
                    kind: ExprKind::Unary(UnaryOp::Not, Box::new(checked)),
                    ty,
                    span,
                }
            }
            ast::UnaryOp::Negate => {
                let checked = self.pure(operand, expected.filter(|ty| matches!(ty, Type::Int | Type::Rat)));
                let ty = self.number(&checked.ty, operand.span, "-");
                Expr {
                    kind: ExprKind::Unary(UnaryOp::Negate, Box::new(checked)),
                    ty,
                    span,
                }
            }
        }
    }

    pub(super) fn binary(&mut self, operator: Ast, left: &ast::Expr, right: &ast::Expr, expected: Option<&Type>, span: Span) -> Expr {
        let operation = match operator {
            Ast::And | Ast::Or => {
                let ty = self.checker.bool_type();
                let symbol = if operator == Ast::And { "&&" } else { "||" };
                let [left, right] = [left, right].map(|operand| {
                    let checked = self.pure(operand, Some(&ty));
                    self.demand(&checked.ty, &ty, operand.span, &format!("an operand of `{symbol}`"));
                    Box::new(checked)
                });
                let operator = if operator == Ast::And { BinaryOp::And } else { BinaryOp::Or };
                return Expr {
                    kind: ExprKind::Binary(operator, left, right),
                    ty,
                    span,
                };
            }
            Ast::Equal => BinaryOp::Equal,
            Ast::NotEqual => BinaryOp::NotEqual,
            Ast::Less => BinaryOp::Less,
            Ast::Greater => BinaryOp::Greater,
            Ast::LessEqual => BinaryOp::LessEqual,
            Ast::GreaterEqual => BinaryOp::GreaterEqual,
            Ast::Multiply => BinaryOp::Multiply,
            Ast::Divide => BinaryOp::Divide,
            Ast::Remainder => BinaryOp::Remainder,
            Ast::Add => BinaryOp::Add,
            Ast::Subtract => BinaryOp::Subtract,
        };
        match operator {
            Ast::Equal | Ast::NotEqual | Ast::Less | Ast::Greater | Ast::LessEqual | Ast::GreaterEqual => {
                self.comparison(operation, left, right, span)
            }
            _ => self.arithmetic(operation, left, right, expected, span),
        }
    }

    fn comparison(&mut self, operator: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let (mut l, mut r) = (self.pure(left, None), self.pure(right, None));
        self.mix_floats(&mut l, &mut r);
        if self.join(&l.ty, &r.ty).is_none() {
            let (first, second) = (self.show(&l.ty), self.show(&r.ty));
            let diagnostic = Diagnostic::error("type-mismatch", format!("{first} and {second} cannot be compared"))
                .label(span, "")
                .label(left.span, format!("this has type {first}"))
                .label(right.span, format!("this has type {second}"));
            self.checker.report(diagnostic);
        }
        Expr {
            kind: ExprKind::Binary(operator, Box::new(l), Box::new(r)),
            ty: self.checker.bool_type(),
            span,
        }
    }

    fn arithmetic(&mut self, operator: BinaryOp, left: &ast::Expr, right: &ast::Expr, expected: Option<&Type>, span: Span) -> Expr {
        // Where `/` truncates, the type that is wanted decides between truncating and exact division, also inside sums. An `Int` counts only when
        // it is written: a type variable that has been an `Int` so far may yet become a `Rat`.
        let wanted = match expected {
            Some(Type::Int) => Some(Type::Int),
            Some(ty) => Some(self.infer.shallow(ty)).filter(|ty| *ty == Type::Rat),
            None => None,
        };
        let (mut l, mut r) = (self.pure(left, wanted.as_ref()), self.pure(right, wanted.as_ref()));
        self.mix_floats(&mut l, &mut r);
        let (mut lt, mut rt) = (self.infer.shallow(&l.ty), self.infer.shallow(&r.ty));
        if matches!(lt, Type::Unknown(_)) {
            self.fits(&lt, &rt);
            lt = self.infer.shallow(&l.ty);
        } else if matches!(rt, Type::Unknown(_)) {
            self.fits(&rt, &lt);
            rt = self.infer.shallow(&r.ty);
        }
        let symbol = symbol(operator);
        let (operator, ty) = match (&lt, &rt) {
            (Type::String, Type::String) if operator == BinaryOp::Add => (operator, Type::String),
            (Type::Unknown(_), Type::Unknown(_)) => (operator, lt),
            (Type::Int, Type::Int) if operator == BinaryOp::Divide => {
                if wanted == Some(Type::Int) && self.dialect == Dialect::Current {
                    self.checker.truncating_division(self.module, span);
                }
                if self.checker.modules[self.module].truncates && wanted != Some(Type::Rat) {
                    (BinaryOp::DivideTruncating, Type::Int)
                } else {
                    (operator, Type::Rat)
                }
            }
            (Type::Int, Type::Int) => (operator, Type::Int),
            (Type::Int | Type::Rat, Type::Int | Type::Rat) => (operator, Type::Rat),
            (Type::Float, Type::Float) => (operator, Type::Float),
            _ => {
                self.bad_operands(symbol, left, right, &lt, &rt, span);
                return self.broken(span);
            }
        };
        Expr {
            kind: ExprKind::Binary(operator, Box::new(l), Box::new(r)),
            ty,
            span,
        }
    }

    fn bad_operands(&mut self, symbol: &str, left: &ast::Expr, right: &ast::Expr, lt: &Type, rt: &Type, span: Span) {
        let (first, second) = (self.show(lt), self.show(rt));
        let mut diagnostic = Diagnostic::error("bad-operand", format!("`{symbol}` cannot be applied to {first} and {second}"))
            .label(span, "")
            .label(left.span, format!("this has type {first}"))
            .label(right.span, format!("this has type {second}"));
        if symbol == "+" && (*lt == Type::String || *rt == Type::String) {
            diagnostic = diagnostic.with_help("`toString(…)` makes a String of any value");
        }
        self.checker.report(diagnostic);
    }

    /// A Float meets another number: the other one is converted.
    fn mix_floats(&mut self, left: &mut Expr, right: &mut Expr) {
        let (l, r) = (self.infer.shallow(&left.ty), self.infer.shallow(&right.ty));
        let Some(convert) = self.checker.native.to_float else { return };
        let other = match (l, r) {
            (Type::Float, Type::Int | Type::Rat) => right,
            (Type::Int | Type::Rat, Type::Float) => left,
            _ => return,
        };
        let span = other.span;
        let number = std::mem::replace(
            other,
            Expr {
                kind: ExprKind::Null,
                ty: Type::Null,
                span,
            },
        );
        *other = Expr {
            kind: ExprKind::Call(convert, vec![number]),
            ty: Type::Float,
            span,
        };
    }

    /// Demands a number; gives its type.
    fn number(&mut self, ty: &Type, span: Span, symbol: &str) -> Type {
        let known = self.infer.shallow(ty);
        match known {
            Type::Int | Type::Rat | Type::Float | Type::Unknown(_) => known,
            _ => {
                let diagnostic =
                    Diagnostic::error("bad-operand", format!("`{symbol}` cannot be applied to {}", self.show(&known))).label(span, "");
                self.checker.report(diagnostic);
                self.infer.fresh()
            }
        }
    }
}

fn symbol(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Multiply => "*",
        BinaryOp::Divide | BinaryOp::DivideTruncating => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Add => "+",
        _ => "-",
    }
}
