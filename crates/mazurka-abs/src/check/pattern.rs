//! Patterns.

use mazurka_diagnostics::Diagnostic;

use super::body::BodyCheck;
use super::scope::{Def, Space};
use crate::checked::{Expr, ExprKind, Literal, Pattern, PatternKind, Type};
use crate::syntax::ast::{self, PatternKind as Ast};

impl BodyCheck<'_, '_> {
    /// Checks a pattern against the type of the value; brings its new variables into scope.
    pub(super) fn pattern(&mut self, pattern: &ast::Pattern, ty: &Type) -> Pattern {
        let span = pattern.span;
        let kind = match &pattern.kind {
            Ast::Wildcard | Ast::Error => PatternKind::Wildcard,
            Ast::Int(digits) => {
                self.matches(&Type::Int, ty, span);
                PatternKind::Literal(Literal::Int(digits.parse().unwrap_or_default()))
            }
            Ast::Str(text) => {
                self.matches(&Type::String, ty, span);
                PatternKind::Literal(Literal::Str(text.clone()))
            }
            Ast::Var(name) => {
                let known = match self.local(&name.text) {
                    Some(id) => self.local_type(id).map(|ty| Expr {
                        kind: ExprKind::Local(id),
                        ty,
                        span,
                    }),
                    None => self.field(&name.text).map(|id| self.read_field(id, span)),
                };
                match known {
                    Some(expr) => {
                        self.matches(&expr.ty.clone(), ty, span);
                        PatternKind::Equal(Box::new(expr))
                    }
                    None => PatternKind::Bind(self.bind(name, Some(ty.clone()))),
                }
            }
            Ast::Construct(name, args) => {
                let Some(Def::Constructor(id)) = self.checker.resolve(self.module, Space::Constructor, name) else {
                    // Its variables must be known in the branch, lest every use of them be reported.
                    for arg in args {
                        let any = self.infer.fresh();
                        self.pattern(arg, &any);
                    }
                    return Pattern {
                        kind: PatternKind::Wildcard,
                        span,
                    };
                };
                let (params, result) = self.constructor_type(id);
                self.matches(&result, ty, span);
                if params.len() != args.len() {
                    self.arity(&format!("constructor `{}`", name.name), params.len(), args.len(), span, None);
                }
                let mut checked = Vec::with_capacity(params.len());
                for (n, arg) in args.iter().enumerate() {
                    let param = params.get(n).cloned().unwrap_or_else(|| self.infer.fresh());
                    checked.push(self.pattern(arg, &param));
                }
                PatternKind::Construct(id, checked)
            }
        };
        Pattern { kind, span }
    }

    /// Demands that some value of type `value` can match a pattern of type `pattern`.
    fn matches(&mut self, pattern: &Type, value: &Type, span: mazurka_diagnostics::Span) {
        if self.fits(value, pattern) || self.join(pattern, value).is_some() {
            return;
        }
        let message = format!(
            "a pattern of type {} never matches a value of type {}",
            self.show(pattern),
            self.show(value)
        );
        self.checker
            .report(Diagnostic::error("pattern-type", message).label(span, "this pattern"));
    }
}
