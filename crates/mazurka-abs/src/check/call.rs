//! Calls of functions and constructors.

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Span};

use super::FunctionType;
use super::body::BodyCheck;
use super::scope::{Def, Space};
use crate::checked::{AccessorId, ConstructorId, Expr, ExprKind, FunctionId, LocalId, Type};
use crate::syntax::ast::{self, FunctionArg, QName};

impl BodyCheck<'_, '_> {
    /// Checks arguments against the types of the parameters.
    pub(super) fn args(&mut self, what: &str, args: &[ast::Expr], params: &[Type], span: Span, declared: Option<Span>) -> Vec<Expr> {
        if args.len() != params.len() {
            self.arity(what, params.len(), args.len(), span, declared);
            return args.iter().map(|arg| self.pure(arg, None)).collect();
        }
        args.iter().zip(params).map(|(arg, param)| self.arg(arg, param)).collect()
    }

    fn arg(&mut self, arg: &ast::Expr, param: &Type) -> Expr {
        let checked = self.pure(arg, Some(param));
        self.demand(&checked.ty, param, arg.span, "this argument");
        checked
    }

    pub(super) fn call(&mut self, name: &QName, args: &[ast::Expr], span: Span) -> Expr {
        if name.module.is_none() {
            if let Some(local) = self.local(&name.name)
                && self.local_type(local).is_none()
            {
                return self.call_closure(local, &name.name, args, span);
            }
            if let Some(id) = self.partial
                && self.checker.model.functions[id.index()].name == name.name
            {
                return self.call_itself(id, args, span);
            }
        }
        match self.checker.resolve(self.module, Space::Function, name) {
            Some(Def::Function(id)) => {
                let (_, params, mut result) = self.instantiate(id);
                let declared = self.user_span(self.checker.model.functions[id.index()].span, id);
                let args = match args {
                    [arg] if self.is_abs(id) => {
                        let arg = self.magnitude_of(arg, &params);
                        if self.infer.shallow(&arg.ty) == Type::Float {
                            result = Type::Float;
                        }
                        vec![arg]
                    }
                    _ => self.args(&format!("function `{}`", name.name), args, &params, span, declared),
                };
                if self.too_large(&result, span) {
                    return self.broken(span);
                }
                Expr {
                    kind: ExprKind::Call(id, args),
                    ty: result,
                    span,
                }
            }
            Some(Def::Accessor(id)) => {
                let (param, result) = self.accessor_type(id);
                let mut args = self.args(&format!("accessor `{}`", name.name), args, &[param], span, None);
                match args.pop() {
                    Some(arg) => Expr {
                        kind: ExprKind::Access(id, Box::new(arg)),
                        ty: result,
                        span,
                    },
                    None => self.broken(span),
                }
            }
            _ => {
                args.iter().for_each(|arg| {
                    self.pure(arg, None);
                });
                self.broken(span)
            }
        }
    }

    /// Whether this is `abs` of the standard library.
    fn is_abs(&self, id: FunctionId) -> bool {
        let function = &self.checker.model.functions[id.index()];
        let home = self.checker.functions.get(id.index()).map(|info| info.module);
        &*function.name == "abs" && home.is_some_and(|module| self.checker.modules[module].library)
    }

    /// The argument of `abs`, which takes numbers of every type and gives back one of the same kind: a Float, or else a Rat.
    fn magnitude_of(&mut self, arg: &ast::Expr, params: &[Type]) -> Expr {
        let checked = self.pure(arg, params.first());
        if let (Some(param), false) = (params.first(), self.infer.shallow(&checked.ty) == Type::Float) {
            self.demand(&checked.ty, param, arg.span, "this argument");
        }
        checked
    }

    /// The place of a declaration, unless it is in the standard library, which the user did not write.
    fn user_span(&self, span: Span, id: FunctionId) -> Option<Span> {
        let info = self.checker.functions.get(id.index())?;
        (!self.checker.modules[info.module].library).then_some(span)
    }

    fn accessor_type(&mut self, id: AccessorId) -> (Type, Type) {
        let accessor = &self.checker.model.accessors[id.index()];
        let (data, result) = (accessor.data, accessor.result.clone());
        let vars: Vec<Type> = self.checker.model.data_types[data.index()]
            .params
            .iter()
            .map(|_| self.infer.fresh())
            .collect();
        let result = super::infer::substitute(&result, &vars);
        (Type::Data(data, vars.into()), result)
    }

    /// A call of a function parameter: the first call tells its type.
    fn call_closure(&mut self, local: LocalId, name: &str, args: &[ast::Expr], span: Span) -> Expr {
        let known = self.frame().functions.get(&local).cloned().flatten();
        let ty = known.unwrap_or_else(|| FunctionType {
            params: args.iter().map(|_| self.infer.fresh()).collect(),
            result: self.infer.fresh(),
        });
        // Known before the arguments are looked at, because they may call the same function.
        self.frame().functions.insert(local, Some(ty.clone()));
        let args = self.args(&format!("function parameter `{name}`"), args, &ty.params, span, None);
        Expr {
            kind: ExprKind::CallClosure(local, args),
            ty: ty.result,
            span,
        }
    }

    /// A partial function calls itself without its function arguments: they stay the same.
    fn call_itself(&mut self, id: FunctionId, args: &[ast::Expr], span: Span) -> Expr {
        let decl = self.checker.functions[id.index()].decl;
        let params = self.checker.functions[id.index()].params.clone();
        let result = self.checker.model.functions[id.index()].result.clone();
        let mut all = Vec::new();
        for function in decl.functions.iter().flatten() {
            let Some(local) = self.local(&function.text) else { continue };
            all.push(Expr {
                kind: ExprKind::ClosureLocal(local),
                ty: Type::Any,
                span,
            });
        }
        all.extend(self.args(&format!("function `{}`", decl.name.text), args, &params, span, Some(decl.name.span)));
        Expr {
            kind: ExprKind::Call(id, all),
            ty: result,
            span,
        }
    }

    pub(super) fn variadic_call(&mut self, name: &QName, args: &[ast::Expr], span: Span) -> Expr {
        let Some(def) = self.checker.resolve(self.module, Space::Function, name) else {
            args.iter().for_each(|arg| {
                self.pure(arg, None);
            });
            return self.broken(span);
        };
        let Def::Function(id) = def else {
            return self.not_variadic(&name.name, span);
        };
        let (_, params, result) = self.instantiate(id);
        let [param] = &params[..] else {
            return self.not_variadic(&name.name, span);
        };
        let element = match self.infer.shallow(param) {
            Type::Data(data, args) if data == self.checker.model.well_known.list_type => args[0].clone(),
            _ => return self.not_variadic(&name.name, span),
        };
        let elements = args.iter().map(|arg| self.arg(arg, &element)).collect();
        let list = Expr {
            kind: ExprKind::List(elements),
            ty: param.clone(),
            span,
        };
        if self.too_large(&result, span) {
            return self.broken(span);
        }
        Expr {
            kind: ExprKind::Call(id, vec![list]),
            ty: result,
            span,
        }
    }

    fn not_variadic(&mut self, name: &str, span: Span) -> Expr {
        let diagnostic = Diagnostic::error("not-variadic", format!("`{name}` cannot be called with brackets"))
            .label(span, "")
            .with_note("`f[a, b]` stands for `f(list[a, b])`: the function must take exactly one list");
        self.checker.report(diagnostic);
        self.broken(span)
    }

    pub(super) fn construct(&mut self, name: &QName, args: &[ast::Expr], span: Span) -> Expr {
        let Some(Def::Constructor(id)) = self.checker.resolve(self.module, Space::Constructor, name) else {
            args.iter().for_each(|arg| {
                self.pure(arg, None);
            });
            return self.broken(span);
        };
        let (params, result) = self.constructor_type(id);
        let declared = self.checker.model.constructors[id.index()].span;
        let library = self.checker.modules[self.checker.constructors[id.index()].0].library;
        let args = self.args(
            &format!("constructor `{}`", name.name),
            args,
            &params,
            span,
            (!library).then_some(declared),
        );
        if self.too_large(&result, span) {
            return self.broken(span);
        }
        Expr {
            kind: ExprKind::Construct(id, args),
            ty: result,
            span,
        }
    }

    /// The types of a constructor's arguments and of its result, with fresh type variables.
    pub(super) fn constructor_type(&mut self, id: ConstructorId) -> (Vec<Type>, Type) {
        let constructor = &self.checker.model.constructors[id.index()];
        let (data, args) = (constructor.data, constructor.args.clone());
        let vars: Vec<Type> = self.checker.model.data_types[data.index()]
            .params
            .iter()
            .map(|_| self.infer.fresh())
            .collect();
        let params = args.iter().map(|arg| super::infer::substitute(arg, &vars)).collect();
        (params, Type::Data(data, vars.into()))
    }

    pub(super) fn partial_call(&mut self, name: &QName, functions: &[FunctionArg], args: &[ast::Expr], span: Span) -> Expr {
        let Some(Def::Function(id)) = self.checker.resolve(self.module, Space::Partial, name) else {
            args.iter().for_each(|arg| {
                self.pure(arg, None);
            });
            return self.broken(span);
        };
        self.checker.check_function(id);
        let (types, params, result) = self.instantiate(id);
        let declared = self.user_span(self.checker.model.functions[id.index()].span, id);
        let args = self.args(&format!("function `{}`", name.name), args, &params, span, declared);
        if functions.len() != types.len() {
            let message = format!(
                "function `{}` takes {} function(s) in its first parentheses, but {} are given",
                name.name,
                types.len(),
                functions.len()
            );
            let mut diagnostic = Diagnostic::error("wrong-number-of-arguments", message).label(span, "");
            if let Some(declared) = declared {
                diagnostic = diagnostic.label(declared, "declared here");
            }
            self.checker.report(diagnostic);
            return self.broken(span);
        }
        let mut all = Vec::with_capacity(functions.len() + args.len());
        for (function, wanted) in functions.iter().zip(&types) {
            match self.function_arg(function, wanted.as_ref()) {
                Some(closure) => all.push(closure),
                None => return self.broken(span),
            }
        }
        all.extend(args);
        if self.too_large(&result, span) {
            return self.broken(span);
        }
        Expr {
            kind: ExprKind::Call(id, all),
            ty: result,
            span,
        }
    }

    /// A function passed as an argument: a name or an anonymous function.
    fn function_arg(&mut self, arg: &FunctionArg, wanted: Option<&FunctionType>) -> Option<Expr> {
        let (kind, found, span) = match arg {
            FunctionArg::Lambda(params, body, span) => {
                let (kind, ty) = self.lambda(params, body, *span);
                (kind, ty, *span)
            }
            FunctionArg::Named(name) => {
                let (kind, ty) = self.named_function(name, wanted)?;
                (kind, ty?, name.span)
            }
        };
        if let Some(wanted) = wanted {
            self.demand_function(&found, wanted, span);
        }
        Some(Expr { kind, ty: Type::Any, span })
    }

    /// A function by name. Its type is missing when the name is a function parameter of which nothing is known: then it is as wanted.
    fn named_function(&mut self, name: &QName, wanted: Option<&FunctionType>) -> Option<(ExprKind, Option<FunctionType>)> {
        if name.module.is_none()
            && let Some(local) = self.local(&name.name)
            && self.local_type(local).is_none()
        {
            let known = self.frame().functions.get(&local).cloned().flatten();
            let ty = known.or_else(|| wanted.cloned()).unwrap_or_else(|| FunctionType {
                params: Vec::new(),
                result: Type::Any,
            });
            if wanted.is_some() {
                self.frame().functions.insert(local, Some(ty.clone()));
            }
            return Some((ExprKind::ClosureLocal(local), Some(ty)));
        }
        if name.name.starts_with(|c: char| c.is_ascii_uppercase()) {
            let Some(Def::Constructor(id)) = self.checker.resolve(self.module, Space::Constructor, name) else {
                return None;
            };
            let (params, result) = self.constructor_type(id);
            return Some((ExprKind::ClosureConstruct(id), Some(FunctionType { params, result })));
        }
        match self.checker.resolve(self.module, Space::Function, name)? {
            Def::Function(id) => {
                let (_, params, result) = self.instantiate(id);
                Some((ExprKind::Closure(id, Vec::new()), Some(FunctionType { params, result })))
            }
            Def::Accessor(id) => {
                let (param, result) = self.accessor_type(id);
                Some((
                    ExprKind::ClosureAccess(id),
                    Some(FunctionType {
                        params: vec![param],
                        result,
                    }),
                ))
            }
            _ => None,
        }
    }

    fn demand_function(&mut self, found: &FunctionType, wanted: &FunctionType, span: Span) {
        let fits = found.params.len() == wanted.params.len()
            && wanted.params.iter().zip(&found.params).all(|(w, f)| self.fits(w, f))
            && self.fits(&found.result, &wanted.result);
        if fits {
            return;
        }
        let show = |check: &Self, ty: &FunctionType| {
            let params: Vec<String> = ty.params.iter().map(|p| check.show(p)).collect();
            format!("({}) => {}", params.join(", "), check.show(&ty.result))
        };
        let message = format!("expected a function {}, found {}", show(self, wanted), show(self, found));
        self.checker
            .report(Diagnostic::error("type-mismatch", message).label(span, "this function"));
    }

    /// The name under which anonymous functions of this body are known.
    pub(super) fn lambda_name(&self) -> Arc<str> {
        format!("{} => …", self.owner).into()
    }
}
