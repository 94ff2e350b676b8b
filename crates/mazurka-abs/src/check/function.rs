//! Checking functions.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;

use super::body::{BodyCheck, Place};
use super::{Checker, FunctionType, Progress};
use crate::checked::{Body, FunctionCode, FunctionId, LocalId, Type};
use crate::syntax::ast;

/// Partial functions that call each other through more levels than this are not followed: their function parameters stay open.
const MAX_PARTIAL_DEPTH: u32 = 3;

impl Checker<'_> {
    pub(super) fn check_functions(&mut self) {
        for index in 0..self.functions.len() {
            self.check_function(FunctionId(index as u32));
        }
    }

    /// Checks a function unless that has happened; a partial function must be checked before its callers, because its body tells the types of
    /// its function parameters.
    pub(super) fn check_function(&mut self, id: FunctionId) {
        let info = &mut self.functions[id.index()];
        if info.progress != Progress::Unchecked || self.partial_depth > MAX_PARTIAL_DEPTH {
            return;
        }
        info.progress = Progress::Checking;
        self.partial_depth += 1;
        self.check_function_body(id);
        self.partial_depth -= 1;
        self.functions[id.index()].progress = Progress::Done;
    }

    fn check_function_body(&mut self, id: FunctionId) {
        let info = &self.functions[id.index()];
        let (decl, module, params) = (info.decl, info.module, info.params.clone());
        let expr = match &decl.body {
            ast::FunctionBody::Expr(expr) => expr,
            ast::FunctionBody::Builtin(_) => {
                if !self.modules[module].library {
                    let what = "functions implemented outside ABS (`builtin`), such as database queries";
                    let diagnostic = Diagnostic::error("unsupported", format!("not supported: {what}")).label(decl.name.span, "");
                    self.report(diagnostic);
                }
                let mut check = BodyCheck::new(self, module, Place::Function, Arc::clone(&decl.name.text));
                for (param, ty) in decl.params.iter().zip(params) {
                    check.bind(&param.name, Some(ty));
                }
                let locals = std::mem::take(&mut check.frame().locals);
                self.model.functions[id.index()].body = Body { locals };
                return;
            }
        };
        let result = self.model.functions[id.index()].result.clone();
        let mut check = BodyCheck::new(self, module, Place::Function, Arc::clone(&decl.name.text));
        check.type_params = decl.type_params.iter().map(|p| Arc::clone(&p.text)).collect();
        check.partial = decl.functions.as_ref().map(|_| id);
        for function in decl.functions.iter().flatten() {
            let local = check.bind(function, None);
            check.frame().functions.insert(local, None);
        }
        for (param, ty) in decl.params.iter().zip(params) {
            check.bind(&param.name, Some(ty));
        }
        let mut code = check.pure(expr, Some(&result));
        check.demand(&code.ty.clone(), &result, expr.span, "the result of the function");
        let found: Vec<Option<FunctionType>> = (0..decl.functions.as_ref().map_or(0, Vec::len))
            .map(|n| check.frame().functions.get(&LocalId(n as u32)).cloned().flatten())
            .collect();
        let finish = |ty: FunctionType| FunctionType {
            params: ty.params.iter().map(|p| check.infer.finish_open(p)).collect(),
            result: check.infer.finish_open(&ty.result),
        };
        let functions = found.into_iter().map(|ty| ty.map(finish)).collect();
        check.finish_expr(&mut code);
        let body = check.finish_body();
        self.functions[id.index()].functions = functions;
        let function = &mut self.model.functions[id.index()];
        (function.body, function.code) = (body, FunctionCode::Expr(code));
    }

    /// The names of the type parameters of a function.
    pub(super) fn type_param_count(&self, id: FunctionId) -> usize {
        self.functions.get(id.index()).map_or(0, |info| info.decl.type_params.len())
    }
}

impl BodyCheck<'_, '_> {
    /// The parameters, function parameter types and result of a declared function, with fresh type variables for its type parameters.
    pub(super) fn instantiate(&mut self, id: FunctionId) -> (Vec<Option<FunctionType>>, Vec<Type>, Type) {
        let vars: Vec<Type> = (0..self.checker.type_param_count(id)).map(|_| self.infer.fresh()).collect();
        let info = &self.checker.functions[id.index()];
        let substitute = |ty: &Type| super::infer::substitute(ty, &vars);
        let functions = info
            .functions
            .iter()
            .map(|ty| {
                ty.as_ref().map(|ty| FunctionType {
                    params: ty.params.iter().map(substitute).collect(),
                    result: substitute(&ty.result),
                })
            })
            .collect();
        let params = info.params.iter().map(substitute).collect();
        (functions, params, substitute(&self.checker.model.functions[id.index()].result))
    }
}
