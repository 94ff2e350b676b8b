//! Traits are gone after this: their methods become methods of the classes that use them.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;

use super::Checker;
use super::scope::{Def, Space};
use crate::checked::{ClassId, Signature};
use crate::syntax::ast::{self, TraitBase, TraitExpr, TraitOperation};

/// A method of a class, wherever it comes from.
#[derive(Clone, Debug)]
pub(super) struct FlatMethod<'a> {
    /// The name it is called by: a `%` and a number follow the written name when a trait has replaced it.
    pub(super) name: Arc<str>,
    pub(super) ast: &'a ast::Method,
    /// The module in which its names are read.
    pub(super) module: usize,
    /// The method that `original(…)` calls in it.
    pub(super) original: Option<Arc<str>>,
    /// Its resolved head, once known.
    pub(super) signature: Option<Signature>,
}

impl<'a> Checker<'a> {
    /// Collects the methods of a class: first those of its traits, in order, then its own.
    pub(super) fn flatten(&mut self, class: ClassId) {
        let (decl, module) = (self.classes[class.index()].decl, self.classes[class.index()].module);
        let mut methods = Vec::new();
        for usage in &decl.uses {
            let added = self.trait_methods(module, usage, &mut Vec::new());
            self.add(&mut methods, added);
        }
        let own = self.methods_of(module, &decl.methods);
        self.add(&mut methods, own);
        for change in &decl.changes {
            self.operate(module, change, &mut methods, &mut Vec::new());
        }
        self.classes[class.index()].methods = methods;
    }

    fn methods_of(&self, module: usize, methods: &'a [ast::Method]) -> Vec<FlatMethod<'a>> {
        methods
            .iter()
            .map(|ast| FlatMethod {
                name: Arc::clone(&ast.sig.name.text),
                ast,
                module,
                original: None,
                signature: None,
            })
            .collect()
    }

    /// The methods that a trait expression stands for. `open` are the traits being expanded.
    fn trait_methods(&mut self, module: usize, expr: &'a TraitExpr, open: &mut Vec<usize>) -> Vec<FlatMethod<'a>> {
        let mut methods = self.base_methods(module, &expr.base, open);
        for operation in &expr.operations {
            self.operate(module, operation, &mut methods, open);
        }
        methods
    }

    fn operate(&mut self, module: usize, operation: &'a TraitOperation, methods: &mut Vec<FlatMethod<'a>>, open: &mut Vec<usize>) {
        match operation {
            TraitOperation::Adds(base) => {
                let added = self.base_methods(module, base, open);
                self.add(methods, added);
            }
            TraitOperation::Modifies(base) => {
                let modified = self.base_methods(module, base, open);
                self.modify(methods, modified);
            }
            TraitOperation::Removes(sigs) => {
                for sig in sigs {
                    match methods.iter().position(|method| method.name == sig.name.text) {
                        Some(at) => {
                            self.same_head(sig, methods[at].ast);
                            methods.remove(at);
                        }
                        None => self.no_such_method(&sig.name, methods),
                    }
                }
            }
        }
    }

    /// What is removed is named by its whole head, which has to be that of the method.
    fn same_head(&mut self, removed: &ast::MethodSig, method: &ast::Method) {
        let types = |sig: &ast::MethodSig| -> Vec<String> {
            let params = sig.params.iter().map(|param| &param.ty);
            std::iter::once(&sig.result).chain(params).map(written).collect()
        };
        if types(removed) != types(&method.sig) {
            let name = &removed.name;
            let diagnostic = Diagnostic::error("unknown-method", format!("the method `{}` has another head", name.text))
                .label(removed.span, "removed with this head")
                .label(method.sig.span, "defined with this one");
            self.report(diagnostic);
        }
    }

    fn base_methods(&mut self, module: usize, base: &'a TraitBase, open: &mut Vec<usize>) -> Vec<FlatMethod<'a>> {
        match base {
            TraitBase::Methods(methods) => {
                let methods = self.methods_of(module, methods);
                let mut distinct = Vec::new();
                self.add(&mut distinct, methods);
                distinct
            }
            TraitBase::Named(name) => {
                let Some(Def::Trait(index)) = self.resolve(module, Space::Trait, name) else {
                    return Vec::new();
                };
                // A chain longer than this is surely a mistake, and following it would use up the stack.
                if open.contains(&index) || open.len() > 100 {
                    let message = format!("trait `{}` is defined by itself", name.name);
                    self.report(Diagnostic::error("cyclic-trait", message).label(name.span, "leads back here"));
                    return Vec::new();
                }
                let (home, decl) = self.traits[index];
                open.push(index);
                let methods = self.trait_methods(home, &decl.expr, open);
                open.pop();
                methods
            }
        }
    }

    /// Adds methods that must be new.
    fn add(&mut self, methods: &mut Vec<FlatMethod<'a>>, added: Vec<FlatMethod<'a>>) {
        for method in added {
            if let Some(first) = methods.iter().find(|known| known.name == method.name) {
                let diagnostic = Diagnostic::error("duplicate-definition", format!("the method `{}` is defined twice", method.name))
                    .label(method.ast.sig.name.span, "the second")
                    .label(first.ast.sig.name.span, "the first");
                self.report(diagnostic);
            } else {
                methods.push(method);
            }
        }
    }

    /// Replaces methods; `original` in the new one calls the old one, which stays under a hidden name.
    fn modify(&mut self, methods: &mut Vec<FlatMethod<'a>>, modified: Vec<FlatMethod<'a>>) {
        for mut method in modified {
            // The hidden methods of a trait that modifies come along with it.
            if method.name.contains('%') {
                methods.push(method);
                continue;
            }
            let Some(at) = methods.iter().position(|known| known.name == method.name) else {
                let name = &method.ast.sig.name;
                let diagnostic = Diagnostic::warning(
                    "nothing-to-modify",
                    format!("there is no method `{}` that could be modified", name.text),
                )
                .label(name.span, "added instead")
                .did_you_mean(&name.text, methods.iter().map(|method| &*method.name));
                self.report(diagnostic);
                methods.push(method);
                continue;
            };
            self.hidden_methods += 1;
            let hidden: Arc<str> = format!("{}%{}", method.name, self.hidden_methods).into();
            methods[at].name = Arc::clone(&hidden);
            method.original = Some(hidden);
            methods.push(method);
        }
    }

    fn no_such_method(&mut self, name: &ast::Name, methods: &[FlatMethod<'a>]) {
        let diagnostic = Diagnostic::error(
            "unknown-method",
            format!("there is no method `{}` that could be removed", name.text),
        )
        .label(name.span, "")
        .did_you_mean(&name.text, methods.iter().map(|method| &*method.name));
        self.report(diagnostic);
    }
}

/// A type as it is written, without modules.
fn written(ty: &ast::Type) -> String {
    let args: Vec<String> = ty.args.iter().map(written).collect();
    if args.is_empty() {
        ty.name.name.to_string()
    } else {
        format!("{}<{}>", ty.name.name, args.join(", "))
    }
}
