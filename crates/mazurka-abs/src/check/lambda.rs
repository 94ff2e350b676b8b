//! Anonymous functions are lifted: what they use of their surroundings becomes extra parameters.

use std::sync::Arc;

use mazurka_diagnostics::Span;

use super::FunctionType;
use super::body::{BodyCheck, Frame};
use crate::checked::{Body, Expr, ExprKind, Function, FunctionCode, FunctionId, Type};
use crate::syntax::ast::{self, ExprKind as Ast, FunctionArg, Name, Pattern, PatternKind, TemplatePart};

/// What an expression mentions that may belong to its surroundings, in the order of first mention.
#[derive(Default)]
struct Mentions {
    names: Vec<Name>,
    fields: Vec<Name>,
    this: Option<Span>,
    destiny: Option<Span>,
}

impl Mentions {
    fn name(&mut self, text: &Arc<str>, span: Span) {
        if !self.names.iter().any(|name| name.text == *text) {
            self.names.push(Name {
                text: Arc::clone(text),
                span,
            });
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Var(name) => self.name(&name.text, name.span),
            PatternKind::Construct(_, args) => args.iter().for_each(|arg| self.pattern(arg)),
            _ => {}
        }
    }

    fn expr(&mut self, expr: &ast::Expr) {
        match &expr.kind {
            Ast::Var(name) if name.module.is_none() => self.name(&name.name, name.span),
            Ast::Field(name) => self.fields.push(name.clone()),
            Ast::This => self.this = Some(expr.span),
            Ast::Destiny => self.destiny = Some(expr.span),
            Ast::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Expr(expr) = part {
                        self.expr(expr);
                    }
                }
            }
            Ast::Call(name, args) => {
                if name.module.is_none() {
                    self.name(&name.name, name.span);
                }
                args.iter().for_each(|arg| self.expr(arg));
            }
            Ast::PartialCall(_, functions, args) => {
                for function in functions {
                    match function {
                        FunctionArg::Named(name) => self.name(&name.name, name.span),
                        FunctionArg::Lambda(_, body, _) => self.expr(body),
                    }
                }
                args.iter().for_each(|arg| self.expr(arg));
            }
            Ast::VariadicCall(_, args) | Ast::Construct(_, args) => args.iter().for_each(|arg| self.expr(arg)),
            Ast::Unary(_, value) | Ast::Implements(value, _) | Ast::As(value, _) => self.expr(value),
            Ast::Binary(_, left, right) | Ast::Let(_, _, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Ast::If(condition, then, otherwise) => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            Ast::Case(value, branches) => {
                self.expr(value);
                for branch in branches {
                    self.pattern(&branch.pattern);
                    self.expr(&branch.body);
                }
            }
            // Effects are refused in expressions, so what they mention does not matter.
            _ => {}
        }
    }
}

impl BodyCheck<'_, '_> {
    /// Checks an anonymous function and lifts it.
    pub(super) fn lambda(&mut self, params: &[ast::Param], body: &ast::Expr, span: Span) -> (ExprKind, FunctionType) {
        let mut mentions = Mentions::default();
        mentions.expr(body);
        // Calling the partial function around it passes on all its function parameters.
        if let Some(id) = self.partial {
            let info = &self.checker.functions[id.index()];
            if mentions.names.iter().any(|name| name.text == info.decl.name.text) {
                info.decl
                    .functions
                    .iter()
                    .flatten()
                    .for_each(|function| mentions.name(&function.text, function.span));
            }
        }
        mentions
            .names
            .retain(|name| !params.iter().any(|param| param.name.text == name.text));

        let mut frame = BodyFrame {
            frame: Frame::default(),
            closures: Vec::new(),
            values: Vec::new(),
        };
        for name in &mentions.names {
            if let Some(local) = self.local(&name.text)
                && self.local_type(local).is_none()
            {
                let ty = self.frame().functions.get(&local).cloned().flatten();
                frame.closures.push((name.clone(), local, ty));
            }
        }
        for name in &mentions.names {
            let Some(local) = self.local(&name.text) else { continue };
            if let Some(ty) = self.local_type(local) {
                let value = Expr {
                    kind: ExprKind::Local(local),
                    ty,
                    span: name.span,
                };
                frame.values.push((Captured::Local(name.clone()), value));
            }
        }
        let unqualified = mentions.names.iter().filter(|name| self.local(&name.text).is_none());
        let mut fields: Vec<_> = unqualified
            .chain(&mentions.fields)
            .filter_map(|name| Some((self.field(&name.text)?, name.span)))
            .collect();
        fields.sort_unstable();
        fields.dedup_by_key(|(id, _)| *id);
        for (id, span) in fields {
            let value = self.read_field(id, span);
            frame.values.push((Captured::Field(id), value));
        }
        if let Some(span) = mentions.this {
            let value = self.this(span);
            frame.values.push((Captured::This, value));
        }
        if let Some(span) = mentions.destiny {
            let value = self.destiny(span);
            frame.values.push((Captured::Destiny, value));
        }
        self.lift(frame, params, body, span)
    }

    fn lift(&mut self, captured: BodyFrame, params: &[ast::Param], body: &ast::Expr, span: Span) -> (ExprKind, FunctionType) {
        let BodyFrame { frame, closures, values } = captured;
        self.frames.push(frame);
        for (name, _, ty) in &closures {
            let local = self.bind(name, None);
            self.frame().functions.insert(local, ty.clone());
        }
        for (what, value) in &values {
            let hidden = |text: &str| Name {
                text: text.into(),
                span: value.span,
            };
            match what {
                Captured::Local(name) => {
                    self.bind(name, Some(value.ty.clone()));
                }
                Captured::Field(id) => {
                    let local = self.bind(&hidden("%field"), Some(value.ty.clone()));
                    self.frame().fields.insert(*id, local);
                }
                Captured::This => {
                    let local = self.bind(&hidden("%this"), Some(value.ty.clone()));
                    self.frame().this = Some(local);
                }
                Captured::Destiny => {
                    let local = self.bind(&hidden("%destiny"), Some(value.ty.clone()));
                    self.frame().destiny = Some(local);
                }
            }
        }
        self.checker.distinct("parameter", params.iter().map(|param| &param.name));
        let type_params = self.type_params.clone();
        let mut types = Vec::with_capacity(params.len());
        for param in params {
            let ty = self.checker.type_use(self.module, &type_params, &param.ty);
            types.push(ty.clone());
            self.bind(&param.name, Some(ty));
        }
        let code = self.pure(body, None);
        let result = code.ty.clone();
        let mut inner = self.frames.pop().unwrap_or_default();
        // What the body has found out about function parameters holds outside as well.
        for (index, (_, outer, _)) in closures.iter().enumerate() {
            let found = inner.functions.remove(&crate::checked::LocalId(index as u32)).flatten();
            self.frame().functions.insert(*outer, found);
        }
        let id = FunctionId(self.checker.model.functions.len() as u32);
        self.checker.model.functions.push(Function {
            name: self.lambda_name(),
            module: Arc::clone(&self.checker.modules[self.module].ast.name.text),
            closures: closures.len() as u32,
            captured: values.len() as u32,
            params: params.len() as u32,
            result: result.clone(),
            body: Body { locals: inner.locals },
            code: FunctionCode::Expr(code),
            span,
        });
        self.lifted.push(id);
        let closures = closures.iter().map(|(name, local, _)| Expr {
            kind: ExprKind::ClosureLocal(*local),
            ty: Type::Any,
            span: name.span,
        });
        let all = closures.chain(values.into_iter().map(|(_, value)| value)).collect();
        (ExprKind::Closure(id, all), FunctionType { params: types, result })
    }
}

/// What an anonymous function captures besides function parameters.
enum Captured {
    Local(Name),
    Field(crate::checked::FieldId),
    This,
    Destiny,
}

/// An anonymous function before its body is checked.
struct BodyFrame {
    frame: Frame,
    closures: Vec<(Name, crate::checked::LocalId, Option<FunctionType>)>,
    values: Vec<(Captured, Expr)>,
}
