//! Checking classes, methods and main blocks.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;

use super::annotations::has;
use super::body::{BodyCheck, Place};
use super::stmt::is_reference;
use super::{Checker, flow};
use crate::checked::{ClassId, Field, Main, Method, Signature, StmtKind, Type};

impl Checker<'_> {
    pub(super) fn check_classes(&mut self) {
        for index in 0..self.classes.len() {
            let class = ClassId(index as u32);
            self.check_initialisation(class);
            for method in 0..self.classes[index].methods.len() {
                self.check_method(class, method);
            }
            let methods = &self.model.classes[index].methods;
            let run = methods
                .iter()
                .position(|m| &*self.model.selectors[m.selector.index()] == "run" && m.params == 0);
            self.model.classes[index].run = run.map(|n| n as u32);
            self.check_interfaces(class);
            self.check_promises(class);
        }
    }

    fn check_initialisation(&mut self, class: ClassId) {
        let (decl, module) = (self.classes[class.index()].decl, self.classes[class.index()].module);
        let mut check = BodyCheck::new(self, module, Place::Initialiser, Arc::clone(&decl.name.text));
        check.class = Some(class);
        let mut inits = Vec::with_capacity(decl.fields.len());
        for (n, field) in decl.fields.iter().enumerate() {
            check.ready_fields = decl.params.len() + n;
            let ty = check.checker.model.classes[class.index()].fields[decl.params.len() + n].ty.clone();
            let init = field.init.as_ref().map(|init| {
                let mark = check.enter();
                let checked = check.pure(init, Some(&ty));
                check.demand(&checked.ty, &ty, init.span, "the value of the field");
                check.leave(mark);
                checked
            });
            if init.is_none() && !is_reference(&ty) {
                let shown = check.show(&ty);
                let diagnostic = Diagnostic::error("uninitialised", format!("field `{}` has no value", field.name.text))
                    .label(field.name.span, "")
                    .with_help(format!(
                        "write `{shown} {} = …;`: only objects and futures start as null",
                        field.name.text
                    ));
                check.checker.report(diagnostic);
            }
            inits.push(init);
        }
        check.ready_fields = usize::MAX;
        check.place = Place::Init;
        let mut init = decl.init.as_ref().map(|block| check.block(block));
        check.place = Place::Recover;
        let exception = check.checker.exception_type();
        let mut recover = check.branches(&decl.recover, &exception);
        inits.iter_mut().flatten().for_each(|init| check.finish_expr(init));
        if let Some(block) = &mut init {
            check.finish_block(block);
        }
        check.finish_branches(&mut recover);
        let body = check.finish_body();
        let checked = &mut self.model.classes[class.index()];
        (checked.body, checked.init, checked.recover) = (body, init, recover);
        for (Field { init, .. }, value) in checked.fields[decl.params.len()..].iter_mut().zip(inits) {
            *init = value;
        }
    }

    fn check_method(&mut self, class: ClassId, index: usize) {
        let flat = &self.classes[class.index()].methods[index];
        let (ast, module, original) = (flat.ast, flat.module, flat.original.clone());
        let Some(signature) = flat.signature.clone() else { return };
        let mut check = BodyCheck::new(self, module, Place::Method, Arc::clone(&ast.sig.name.text));
        check.class = Some(class);
        check.result = Some(signature.result.clone());
        check.original = original;
        check.atomic = has(&ast.sig.annotations, "Atomic");
        check.readonly = has(&ast.sig.annotations, "Readonly");
        for (param, ty) in ast.sig.params.iter().zip(&signature.params) {
            let id = check.bind(&param.name, Some(ty.clone()));
            if has(&param.annotations, "Final") {
                check.finals.insert(id);
            }
        }
        let mut code = check.block(&ast.body);
        check.finish_block(&mut code);
        let body = check.finish_body();
        let unit = self.unit_type();
        if signature.result != unit && signature.result != Type::Any && flow::block_completes(&self.model, &code) {
            let message = format!("method `{}` can end without a result", ast.sig.name.text);
            let diagnostic = Diagnostic::error("missing-return", message)
                .label(ast.sig.name.span, "must return a value")
                .label(ast.sig.result.span, "because of this type")
                .with_help("end it with `return …;`");
            self.report(diagnostic);
        }
        let method = Method {
            selector: signature.selector,
            params: signature.params.len() as u32,
            result: signature.result,
            body,
            code,
            span: signature.span,
        };
        self.model.classes[class.index()].methods.push(method);
    }

    /// A class must have all methods of its interfaces, with the same signatures.
    fn check_interfaces(&mut self, class: ClassId) {
        let (decl, module) = (self.classes[class.index()].decl, self.classes[class.index()].module);
        let old = self.modules[module].loose;
        for id in self.model.classes[class.index()].interfaces.clone() {
            // Inherited methods are looked at with the interface that declares them.
            let own: Vec<Signature> = self.model.interfaces[id.index()]
                .methods
                .iter()
                .filter(|m| self.declares(id, m))
                .cloned()
                .collect();
            for wanted in own {
                let found = self.classes[class.index()]
                    .methods
                    .iter()
                    .filter_map(|m| m.signature.as_ref())
                    .find(|s| s.selector == wanted.selector);
                let name = &self.model.selectors[wanted.selector.index()];
                let interface = &self.model.interfaces[id.index()].name;
                let Some(found) = found else {
                    let message = format!(
                        "class {} does not implement method `{name}` of interface {interface}",
                        decl.name.text
                    );
                    let diagnostic = Diagnostic::error("missing-method", message)
                        .label(decl.name.span, "")
                        .label(wanted.span, "declared here");
                    self.report(diagnostic);
                    continue;
                };
                let mut infer = super::infer::Infer::default();
                let fits = found.params == wanted.params && infer.fits(&self.model, &found.result, &wanted.result);
                if fits {
                    continue;
                }
                let message = format!(
                    "method `{name}` of class {} differs from that of interface {interface}",
                    decl.name.text
                );
                // Published programs have such differences: the tools they were written for did not look.
                let diagnostic = if old {
                    Diagnostic::warning("method-signature", message)
                } else {
                    Diagnostic::error("method-signature", message)
                };
                let diagnostic = diagnostic.label(found.span, "in the class").label(wanted.span, "in the interface");
                self.report(diagnostic);
            }
        }
    }

    /// Whether the interface declares the method itself.
    fn declares(&self, id: crate::checked::InterfaceId, method: &Signature) -> bool {
        let (_, decl) = self.interfaces[id.index()];
        decl.methods.iter().any(|sig| sig.name.span == method.span)
    }

    pub(super) fn check_mains(&mut self) {
        for module in 0..self.modules.len() {
            let ast = self.modules[module].ast;
            let Some(block) = &ast.main else { continue };
            let mut check = BodyCheck::new(self, module, Place::Main, Arc::from("main"));
            let mut code = check.block(block);
            check.finish_block(&mut code);
            let body = check.finish_body();
            let visible = code
                .stmts
                .iter()
                .filter_map(|stmt| match stmt.kind {
                    StmtKind::Declare(id, _) => Some(id),
                    _ => None,
                })
                .collect();
            let main = Main {
                module: Arc::clone(&ast.name.text),
                dialect: self.modules[module].dialect,
                body,
                code,
                visible,
                span: block.span,
            };
            self.model.mains.push(main);
        }
    }
}
