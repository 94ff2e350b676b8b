//! Pure expressions.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;
use num_bigint::BigInt;

use super::body::BodyCheck;
use super::coverage;
use super::scope::{Def, Space};
use crate::checked::{Branch, Expr, ExprKind, InterfaceId, Literal, Type};
use crate::syntax::ast::{self, ExprKind as Ast, QName, TemplatePart};

impl BodyCheck<'_, '_> {
    /// Checks a pure expression. When `expected` is given, parts that decide the type are held against it; the caller still demands that the whole
    /// fits.
    pub(super) fn pure(&mut self, expr: &ast::Expr, expected: Option<&Type>) -> Expr {
        let span = expr.span;
        match &expr.kind {
            Ast::Int(digits) => {
                let value: BigInt = digits.parse().unwrap_or_default();
                Expr {
                    kind: ExprKind::Literal(Literal::Int(value)),
                    ty: Type::Int,
                    span,
                }
            }
            Ast::Float(value) => Expr {
                kind: ExprKind::Literal(Literal::Float(*value)),
                ty: Type::Float,
                span,
            },
            Ast::Str(text) => Expr {
                kind: ExprKind::Literal(Literal::Str(Arc::clone(text))),
                ty: Type::String,
                span,
            },
            Ast::Template(parts) => self.template(parts, span),
            Ast::Var(name) => self.variable(name),
            Ast::Field(name) => match self.field(&name.text) {
                Some(id) => self.read_field(id, span),
                None => {
                    self.unknown_field(name);
                    self.broken(span)
                }
            },
            Ast::This => self.this(span),
            Ast::Destiny => self.destiny(span),
            Ast::Null => Expr {
                kind: ExprKind::Null,
                ty: Type::Null,
                span,
            },
            Ast::Call(name, args) => self.call(name, args, span),
            Ast::PartialCall(name, functions, args) => self.partial_call(name, functions, args, span),
            Ast::VariadicCall(name, args) => self.variadic_call(name, args, span),
            Ast::Construct(name, args) => self.construct(name, args, span),
            Ast::Unary(operator, operand) => self.unary(*operator, operand, expected, span),
            Ast::Binary(operator, left, right) => self.binary(*operator, left, right, expected, span),
            Ast::If(condition, then, otherwise) => {
                let bool_type = self.checker.bool_type();
                let checked = self.pure(condition, Some(&bool_type));
                self.demand(&checked.ty, &bool_type, condition.span, "the condition");
                let then_checked = self.pure(then, expected);
                let else_checked = self.pure(otherwise, expected);
                let mut ty = None;
                self.branch_type(&mut ty, expected, &then_checked);
                self.branch_type(&mut ty, expected, &else_checked);
                let ty = ty.unwrap_or(Type::Any);
                Expr {
                    kind: ExprKind::If(Box::new(checked), Box::new(then_checked), Box::new(else_checked)),
                    ty,
                    span,
                }
            }
            Ast::Case(value, branches) => self.case(value, branches, expected, span),
            Ast::Let(ty, name, value, body) => {
                let params = self.type_params.clone();
                let ty = self.checker.type_use(self.module, &params, ty);
                let checked = self.pure(value, Some(&ty));
                self.demand(&checked.ty, &ty, value.span, "the value of the variable");
                let mark = self.enter();
                let local = self.bind(name, Some(ty));
                let body = self.pure(body, expected);
                self.leave(mark);
                let ty = body.ty.clone();
                Expr {
                    kind: ExprKind::Let(local, Box::new(checked), Box::new(body)),
                    ty,
                    span,
                }
            }
            Ast::Implements(value, interface) => {
                let (value, interface) = self.object_and_interface(value, interface);
                let ty = self.checker.bool_type();
                match interface {
                    Some(id) => Expr {
                        kind: ExprKind::Implements(Box::new(value), id),
                        ty,
                        span,
                    },
                    None => Expr {
                        kind: ExprKind::Null,
                        ty,
                        span,
                    },
                }
            }
            Ast::As(value, interface) => {
                let (value, interface) = self.object_and_interface(value, interface);
                match interface {
                    Some(id) => Expr {
                        kind: ExprKind::As(Box::new(value), id),
                        ty: Type::Interface(id),
                        span,
                    },
                    None => self.broken(span),
                }
            }
            Ast::Get(_) | Ast::New(..) | Ast::AsyncCall(..) | Ast::AwaitCall(..) | Ast::SyncCall(..) | Ast::Original(_) => {
                let what = match &expr.kind {
                    Ast::Get(_) => "`get`",
                    Ast::New(..) => "`new`",
                    _ => "a method call",
                };
                let diagnostic = Diagnostic::error("effect-in-expression", format!("{what} cannot stand inside an expression"))
                    .label(span, "")
                    .with_help("assign it to a variable first: effects stand alone on the right of `=`, after `return`, or as a statement");
                self.checker.report(diagnostic);
                self.broken(span)
            }
            Ast::Error => self.broken(span),
        }
    }

    /// The type of a choice grows with each of its branches.
    fn branch_type(&mut self, ty: &mut Option<Type>, expected: Option<&Type>, branch: &Expr) {
        if let Some(expected) = expected {
            self.demand(&branch.ty, expected, branch.span, "this branch");
            *ty = Some(expected.clone());
            return;
        }
        let Some(before) = ty.take() else {
            *ty = Some(branch.ty.clone());
            return;
        };
        *ty = self.join(&before, &branch.ty);
        if ty.is_none() {
            let (first, second) = (self.show(&before), self.show(&branch.ty));
            let message = format!("the branches have different types: {first} and {second}");
            self.checker
                .report(Diagnostic::error("type-mismatch", message).label(branch.span, format!("this branch has type {second}")));
            *ty = Some(before);
        }
    }

    fn case(&mut self, value: &ast::Expr, branches: &[ast::ExprBranch], expected: Option<&Type>, span: mazurka_diagnostics::Span) -> Expr {
        let checked_value = self.pure(value, None);
        let mut checked = Vec::with_capacity(branches.len());
        let mut ty = None;
        for branch in branches {
            let mark = self.enter();
            let pattern = self.pattern(&branch.pattern, &checked_value.ty);
            let body = self.pure(&branch.body, expected);
            self.leave(mark);
            self.branch_type(&mut ty, expected, &body);
            checked.push(Branch { pattern, body });
        }
        let patterns: Vec<_> = checked.iter().map(|branch| &branch.pattern).collect();
        coverage::warn(&self.checker.model, &patterns, value.span, &mut self.checker.diagnostics);
        let ty = ty.unwrap_or_else(|| self.infer.fresh());
        Expr {
            kind: ExprKind::Case(Box::new(checked_value), checked),
            ty,
            span,
        }
    }

    fn template(&mut self, parts: &[TemplatePart], span: mazurka_diagnostics::Span) -> Expr {
        let mut checked = Vec::new();
        for part in parts {
            match part {
                TemplatePart::Text(text) if text.is_empty() => {}
                TemplatePart::Text(text) => {
                    checked.push(Expr {
                        kind: ExprKind::Literal(Literal::Str(Arc::clone(text))),
                        ty: Type::String,
                        span,
                    });
                }
                TemplatePart::Expr(expr) => checked.push(self.pure(expr, None)),
            }
        }
        Expr {
            kind: ExprKind::Concat(checked),
            ty: Type::String,
            span,
        }
    }

    fn variable(&mut self, name: &QName) -> Expr {
        let span = name.span;
        if name.module.is_none() {
            if let Some(id) = self.local(&name.name) {
                let Some(ty) = self.local_type(id) else {
                    let message = format!("`{}` is a function and can only be called", name.name);
                    self.checker
                        .report(Diagnostic::error("function-as-value", message).label(span, "used as a value"));
                    return self.broken(span);
                };
                return Expr {
                    kind: ExprKind::Local(id),
                    ty,
                    span,
                };
            }
            if let Some(id) = self.field(&name.name) {
                return self.read_field(id, span);
            }
        }
        let mut diagnostic = Diagnostic::error("unknown-name", format!("there is no variable `{}`", name.name)).label(span, "not found");
        if self.checker.find(self.module, Space::Function, name).is_some() {
            diagnostic = diagnostic.with_help(format!("`{}` is a function: call it with `{}(…)`", name.name, name.name));
        } else {
            let names = self.variable_names();
            diagnostic = diagnostic.did_you_mean(&name.name, names.iter().map(|n| &**n));
        }
        self.checker.report(diagnostic);
        self.broken(span)
    }

    /// All variables and fields in sight.
    pub(super) fn variable_names(&mut self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self.frame().locals.iter().map(|local| Arc::clone(&local.name)).collect();
        names.retain(|name| self.local(name).is_some());
        if let Some(class) = self.class {
            names.extend(
                self.checker.model.classes[class.index()]
                    .fields
                    .iter()
                    .map(|field| Arc::clone(&field.name)),
            );
        }
        names
    }

    pub(super) fn unknown_field(&mut self, name: &ast::Name) {
        let mut diagnostic = Diagnostic::error("unknown-field", format!("there is no field `{}`", name.text)).label(name.span, "not found");
        match self.class {
            Some(class) => {
                let fields = &self.checker.model.classes[class.index()].fields;
                diagnostic = diagnostic.did_you_mean(&name.text, fields.iter().map(|field| &*field.name));
            }
            None => diagnostic = diagnostic.with_note("only objects have fields: `this` means nothing in functions and main blocks"),
        }
        self.checker.report(diagnostic);
    }

    pub(super) fn this(&mut self, span: mazurka_diagnostics::Span) -> Expr {
        let Some(class) = self.class else {
            let diagnostic = Diagnostic::error("no-this", "there is no `this` here")
                .label(span, "")
                .with_note("only objects have one: functions and main blocks do not belong to an object");
            self.checker.report(diagnostic);
            return self.broken(span);
        };
        let kind = self.frame().this.map_or(ExprKind::This, ExprKind::Local);
        Expr {
            kind,
            ty: Type::Class(class),
            span,
        }
    }

    pub(super) fn destiny(&mut self, span: mazurka_diagnostics::Span) -> Expr {
        if self.place == super::body::Place::Function {
            let diagnostic = Diagnostic::error("no-destiny", "there is no `destiny` here")
                .label(span, "")
                .with_note("functions are not tasks");
            self.checker.report(diagnostic);
        }
        let kind = self.frame().destiny.map_or(ExprKind::Destiny, ExprKind::Local);
        Expr {
            kind,
            ty: Type::Destiny,
            span,
        }
    }

    fn object_and_interface(&mut self, value: &ast::Expr, interface: &QName) -> (Expr, Option<InterfaceId>) {
        let checked = self.pure(value, None);
        let ty = self.infer.shallow(&checked.ty);
        if !matches!(ty, Type::Interface(_) | Type::Class(_) | Type::Null | Type::Any | Type::Unknown(_)) {
            let diagnostic = Diagnostic::error("not-an-object", format!("expected an object, found {}", self.show(&ty)))
                .label(value.span, "")
                .with_help("`implements` and `as` bind weaker than all other operators: use parentheses");
            self.checker.report(diagnostic);
        }
        let id = match self.checker.resolve(self.module, Space::Type, interface) {
            Some(Def::Interface(id)) => Some(id),
            Some(_) => {
                let message = format!("`{}` is not an interface", interface.name);
                self.checker
                    .report(Diagnostic::error("not-an-interface", message).label(interface.span, "an interface is needed here"));
                None
            }
            None => None,
        };
        (checked, id)
    }
}
