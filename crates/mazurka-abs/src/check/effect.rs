//! Right-hand sides: what may have an effect.

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Span};

use super::body::{BodyCheck, Place};
use super::scope::{Def, Space};
use crate::checked::{Expr, RightSide, RightSideKind, Signature, Type};
use crate::syntax::ast::{self, Dialect, ExprKind as Ast, Name, NewKind, QName};

/// The three ways to call a method.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Async,
    Await,
    Sync,
}

impl BodyCheck<'_, '_> {
    /// Checks what stands on the right of an assignment, after `return`, or alone as a statement.
    pub(super) fn right_side(&mut self, expr: &ast::Expr, expected: Option<&Type>) -> RightSide {
        let span = expr.span;
        let (kind, ty) = match &expr.kind {
            Ast::Get(future) => self.get(future, span),
            Ast::New(kind, class, args) => self.new_object(*kind, class, args, span),
            Ast::AsyncCall(callee, method, args) => self.method_call(How::Async, callee, method, args, span),
            Ast::AwaitCall(callee, method, args) => self.method_call(How::Await, callee, method, args, span),
            Ast::SyncCall(callee, method, args) => self.method_call(How::Sync, callee, method, args, span),
            Ast::Original(args) => self.call_original(args, span),
            _ => {
                let checked = self.pure(expr, expected);
                let ty = checked.ty.clone();
                (RightSideKind::Pure(checked), ty)
            }
        };
        let starts = matches!(kind, RightSideKind::AsyncCall(..) | RightSideKind::AwaitCall(..));
        RightSide {
            kind,
            deadline: if starts { self.deadline.take().map(Box::new) } else { None },
            ty,
            span,
        }
    }

    fn broken_side(&mut self, span: Span) -> (RightSideKind, Type) {
        let broken = self.broken(span);
        let ty = broken.ty.clone();
        (RightSideKind::Pure(broken), ty)
    }

    /// Reports what may suspend or block where nothing may.
    pub(super) fn may_wait(&mut self, what: &str, span: Span) {
        let place = match self.place {
            Place::Init => "an init block",
            Place::Recover => "a recover block",
            _ if self.finally > 0 => "a finally block",
            _ if self.atomic => "an [Atomic] method",
            _ => return,
        };
        let message = format!("{what} is not allowed in {place}");
        let diagnostic = match self.dialect {
            Dialect::Current => Diagnostic::error("not-allowed-here", message),
            Dialect::Old => Diagnostic::warning("not-allowed-here", message),
        };
        self.checker.report(
            diagnostic
                .label(span, "")
                .with_note("it must run at once, without letting other tasks run"),
        );
    }

    fn get(&mut self, future: &ast::Expr, span: Span) -> (RightSideKind, Type) {
        self.may_wait("`get`", span);
        let checked = self.pure(future, None);
        let ty = match self.infer.shallow(&checked.ty) {
            Type::Future(value) => (*value).clone(),
            Type::Destiny | Type::Any => Type::Any,
            unknown @ Type::Unknown(_) => {
                let value = self.infer.fresh();
                self.fits(&unknown, &Type::Future(Arc::new(value.clone())));
                value
            }
            other => {
                self.not_a_future(&other, future.span);
                self.infer.fresh()
            }
        };
        (RightSideKind::Get(checked), ty)
    }

    pub(super) fn not_a_future(&mut self, ty: &Type, span: Span) {
        let diagnostic = Diagnostic::error("not-a-future", format!("expected a future, found {}", self.show(ty)))
            .label(span, "")
            .with_help("an asynchronous call `o!m(…)` gives a future");
        self.checker.report(diagnostic);
    }

    fn new_object(&mut self, kind: NewKind, name: &QName, args: &[ast::Expr], span: Span) -> (RightSideKind, Type) {
        let Some(Def::Class(class)) = self.checker.resolve(self.module, Space::Class, name) else {
            args.iter().for_each(|arg| {
                self.pure(arg, None);
            });
            return self.broken_side(span);
        };
        let cog = match (kind, self.dialect) {
            (NewKind::Cog, _) | (NewKind::Plain, Dialect::Current) => true,
            (NewKind::Local, _) | (NewKind::Plain, Dialect::Old) => false,
        };
        self.check_class_kind(class, cog, name.span);
        let checked = &self.checker.model.classes[class.index()];
        let params: Vec<Type> = checked.fields[..checked.params as usize]
            .iter()
            .map(|field| field.ty.clone())
            .collect();
        let declared = checked.span;
        let args = self.args(&format!("class {}", name.name), args, &params, span, Some(declared));
        (RightSideKind::New { class, args, cog }, Type::Class(class))
    }

    fn method_call(&mut self, how: How, callee: &ast::Expr, method: &Name, args: &[ast::Expr], span: Span) -> (RightSideKind, Type) {
        if how == How::Await {
            self.may_wait("`await`", span);
        }
        let object = self.pure(callee, None);
        let Some(signature) = self.find_method(&object, method, callee.span) else {
            args.iter().for_each(|arg| {
                self.pure(arg, None);
            });
            return self.broken_side(span);
        };
        let args = self.method_args(method, args, &signature, span);
        match how {
            How::Async => (
                RightSideKind::AsyncCall(object, signature.selector, args),
                Type::Future(Arc::new(signature.result)),
            ),
            How::Await => (RightSideKind::AwaitCall(object, signature.selector, args), signature.result),
            How::Sync => (RightSideKind::SyncCall(object, signature.selector, args), signature.result),
        }
    }

    fn method_args(&mut self, method: &Name, args: &[ast::Expr], signature: &Signature, span: Span) -> Vec<Expr> {
        let by_class = args.len() != signature.params.len()
            && self
                .checker
                .classes
                .iter()
                .flat_map(|class| &class.methods)
                .any(|m| m.name == method.text && m.ast.sig.params.len() == args.len());
        if by_class {
            self.checker.loose_call(self.module);
        }
        let tolerated = by_class && self.checker.modules[self.module].loose;
        if tolerated {
            let message = format!(
                "method `{}` is declared with {} parameters, but called with {}",
                method.text,
                signature.params.len(),
                args.len()
            );
            let diagnostic = Diagnostic::warning("wrong-number-of-arguments", message)
                .label(method.span, "called here")
                .label(signature.span, "declared here");
            self.checker
                .report(diagnostic.with_note("the old dialect tolerates this: the class decides"));
            return args.iter().map(|arg| self.pure(arg, None)).collect();
        }
        self.args(
            &format!("method `{}`", method.text),
            args,
            &signature.params,
            span,
            Some(signature.span),
        )
    }

    /// The head of the method that a call means.
    fn find_method(&mut self, object: &Expr, method: &Name, place: Span) -> Option<Signature> {
        let ty = self.infer.shallow(&object.ty);
        let model = &self.checker.model;
        let selector = self.checker.selectors.get(&method.text).copied();
        let (candidates, owner): (Vec<&Signature>, String) = match ty {
            Type::Interface(id) => {
                let interface = &model.interfaces[id.index()];
                (interface.methods.iter().collect(), format!("interface {}", interface.name))
            }
            Type::Class(id) => {
                let methods = self.checker.classes[id.index()].methods.iter().filter_map(|m| m.signature.as_ref());
                (methods.collect(), format!("class {}", model.classes[id.index()].name))
            }
            // The object itself has an error that has been reported, or its type is still open.
            Type::Unknown(_) => return None,
            _ => {
                let diagnostic = Diagnostic::error("not-an-object", format!("expected an object, found {}", self.show(&ty)))
                    .label(place, "")
                    .label(method.span, "a method is called on it");
                self.checker.report(diagnostic);
                return None;
            }
        };
        if let Some(found) = candidates.iter().find(|signature| Some(signature.selector) == selector) {
            return Some((*found).clone());
        }
        let mut diagnostic =
            Diagnostic::error("unknown-method", format!("{owner} has no method `{}`", method.text)).label(method.span, "not found");
        let private = matches!(ty, Type::Interface(_))
            && model.classes.iter().zip(&self.checker.classes).any(|(class, info)| {
                matches!(ty, Type::Interface(id) if class.interfaces.contains(&id)) && info.methods.iter().any(|m| m.name == method.text)
            });
        if private {
            diagnostic = diagnostic.with_help("a class has it, but methods that no interface declares can only be called on `this`");
        } else {
            let names: Vec<&str> = candidates.iter().map(|s| &*model.selectors[s.selector.index()]).collect();
            diagnostic = diagnostic.did_you_mean(&method.text, names);
        }
        self.checker.report(diagnostic);
        None
    }

    fn call_original(&mut self, args: &[ast::Expr], span: Span) -> (RightSideKind, Type) {
        let found = self.original.clone().zip(self.class).and_then(|(name, class)| {
            let methods = &self.checker.classes[class.index()].methods;
            methods.iter().find(|m| m.name == name).and_then(|m| m.signature.clone())
        });
        let Some(signature) = found else {
            let diagnostic =
                Diagnostic::error("no-original", "`original` can only be used in a method that a trait `modifies`").label(span, "");
            self.checker.report(diagnostic);
            return self.broken_side(span);
        };
        let args = self.args("the original method", args, &signature.params, span, Some(signature.span));
        let this = self.this(span);
        (RightSideKind::SyncCall(this, signature.selector, args), signature.result)
    }
}
