//! The third phase: the types in declarations.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;

use super::Checker;
use super::scope::{Def, Space};
use crate::checked::{ClassId, Field, InterfaceId, Signature, Type};
use crate::syntax::ast;

impl Checker<'_> {
    pub(super) fn resolve_signatures(&mut self) {
        self.resolve_synonyms();
        self.resolve_constructors();
        self.resolve_functions();
        self.resolve_interfaces();
        self.resolve_classes();
    }

    fn resolve_constructors(&mut self) {
        for index in 0..self.constructors.len() {
            let (module, decl) = self.constructors[index];
            let data = self.model.constructors[index].data;
            let params = self
                .model
                .data_types
                .get(data.index())
                .map_or_else(Vec::new, |data| data.params.clone());
            let args: Vec<Type> = decl.args.iter().map(|arg| self.type_use(module, &params, &arg.ty)).collect();
            self.model.constructors[index].args = args;
        }
        for index in 0..self.model.accessors.len() {
            let positions = self.model.accessors[index].positions.clone();
            let types: Vec<Type> = positions
                .iter()
                .map(|&(id, position)| self.model.constructors[id.index()].args[position as usize].clone())
                .collect();
            let Some(first) = types.first() else { continue };
            if types.iter().any(|ty| ty != first) {
                let &(constructor, position) = positions.last().unwrap_or(&positions[0]);
                let arg = &self.constructors[constructor.index()].1.args[position as usize];
                let name = &self.model.accessors[index].name;
                let diagnostic = Diagnostic::error(
                    "accessor-types",
                    format!("accessor `{name}` has different types in different constructors"),
                )
                .label(arg.ty.span, "this type differs from the first one");
                self.report(diagnostic);
            }
            self.model.accessors[index].result = first.clone();
        }
    }

    fn resolve_functions(&mut self) {
        for index in 0..self.functions.len() {
            let (decl, module) = (self.functions[index].decl, self.functions[index].module);
            let type_params: Vec<Arc<str>> = decl.type_params.iter().map(|p| Arc::clone(&p.text)).collect();
            let params: Vec<Type> = decl.params.iter().map(|p| self.param_type(module, &type_params, p)).collect();
            self.functions[index].params = params;
            self.functions[index].functions = vec![None; decl.functions.as_ref().map_or(0, Vec::len)];
            self.model.functions[index].result = self.type_use(module, &type_params, &decl.result);
        }
    }

    fn param_type(&mut self, module: usize, type_params: &[Arc<str>], param: &ast::Param) -> Type {
        self.annotations(&param.annotations);
        self.type_use(module, type_params, &param.ty)
    }

    /// The interface that a name stands for, or a message.
    fn interface(&mut self, module: usize, name: &ast::QName) -> Option<InterfaceId> {
        match self.resolve(module, Space::Type, name)? {
            Def::Interface(id) => Some(id),
            Def::Synonym(_) => {
                let ty = ast::Type {
                    annotations: Vec::new(),
                    name: name.clone(),
                    args: Vec::new(),
                    span: name.span,
                };
                match self.type_use(module, &[], &ty) {
                    Type::Interface(id) => Some(id),
                    _ => self.not_an_interface(name),
                }
            }
            _ => self.not_an_interface(name),
        }
    }

    fn not_an_interface<T>(&mut self, name: &ast::QName) -> Option<T> {
        let message = format!("`{}` is a data type, not an interface", name.name);
        self.report(Diagnostic::error("not-an-interface", message).label(name.span, "an interface is needed here"));
        None
    }

    fn resolve_interfaces(&mut self) {
        let count = self.interfaces.len();
        let mut extends: Vec<Vec<InterfaceId>> = Vec::with_capacity(count);
        for index in 0..count {
            let (module, decl) = self.interfaces[index];
            extends.push(decl.extends.iter().filter_map(|name| self.interface(module, name)).collect());
        }
        for index in 0..count {
            let supers = self.all_supers(index, &extends);
            self.model.interfaces[index].supers = supers;
        }
        for index in 0..count {
            let (module, decl) = self.interfaces[index];
            let methods = decl.methods.iter().map(|sig| self.signature(module, sig)).collect();
            self.distinct("method", decl.methods.iter().map(|sig| &sig.name));
            self.model.interfaces[index].methods = methods;
        }
        // Own methods first, then those inherited, each once.
        let own: Vec<Vec<Signature>> = self.model.interfaces.iter().map(|interface| interface.methods.clone()).collect();
        for index in 0..count {
            let mut methods = own[index].clone();
            for parent in self.model.interfaces[index].supers.clone() {
                if parent.index() == index {
                    continue;
                }
                for method in &own[parent.index()] {
                    match methods.iter().find(|m| m.selector == method.selector) {
                        None => methods.push(method.clone()),
                        Some(known) => self.inherited_twice(index, known.clone(), method),
                    }
                }
            }
            self.model.interfaces[index].methods = methods;
        }
    }

    /// Two interfaces above `index` declare the same method: they must agree.
    fn inherited_twice(&mut self, index: usize, known: Signature, other: &Signature) {
        if known.params == other.params && known.result == other.result {
            return;
        }
        let (name, interface) = (&self.model.selectors[known.selector.index()], &self.model.interfaces[index]);
        let message = format!("interface {} has method `{name}` with two different signatures", interface.name);
        let diagnostic = Diagnostic::error("method-signature", message)
            .label(interface.span, "")
            .label(known.span, "one signature")
            .label(other.span, "the other");
        self.report(diagnostic);
    }

    /// All interfaces above `start`, itself first and `Object` last.
    fn all_supers(&mut self, start: usize, extends: &[Vec<InterfaceId>]) -> Vec<InterfaceId> {
        let mut supers = vec![InterfaceId(start as u32)];
        let mut next = 0;
        while next < supers.len() {
            for &parent in &extends[supers[next].index()] {
                if parent.index() == start {
                    let (_, decl) = self.interfaces[start];
                    let message = format!("interface {} extends itself", decl.name.text);
                    self.report(Diagnostic::error("cyclic-interface", message).label(decl.name.span, ""));
                } else if !supers.contains(&parent) {
                    supers.push(parent);
                }
            }
            next += 1;
        }
        if let Some(object) = self.native.object
            && !supers.contains(&object)
        {
            supers.push(object);
        }
        supers
    }

    /// The head of a method, resolved.
    pub(super) fn signature(&mut self, module: usize, sig: &ast::MethodSig) -> Signature {
        self.annotations(&sig.annotations);
        self.distinct("parameter", sig.params.iter().map(|p| &p.name));
        let selector = self.selector(&sig.name.text);
        let params = sig.params.iter().map(|p| self.param_type(module, &[], p)).collect();
        let result = self.type_use(module, &[], &sig.result);
        Signature {
            selector,
            params,
            result,
            span: sig.name.span,
        }
    }

    fn resolve_classes(&mut self) {
        for index in 0..self.classes.len() {
            let (decl, module) = (self.classes[index].decl, self.classes[index].module);
            let mut interfaces = Vec::new();
            for name in &decl.implements {
                let Some(id) = self.interface(module, name) else { continue };
                for &parent in &self.model.interfaces[id.index()].supers {
                    if !interfaces.contains(&parent) {
                        interfaces.push(parent);
                    }
                }
            }
            interfaces.extend(self.native.object.filter(|object| !interfaces.contains(object)));
            self.model.classes[index].interfaces = interfaces;
            let mut fields = Vec::new();
            for param in &decl.params {
                let ty = self.param_type(module, &[], param);
                fields.push(Field {
                    name: Arc::clone(&param.name.text),
                    ty,
                    init: None,
                    span: param.name.span,
                });
            }
            for field in &decl.fields {
                self.annotations(&field.annotations);
                let ty = self.type_use(module, &[], &field.ty);
                fields.push(Field {
                    name: Arc::clone(&field.name.text),
                    ty,
                    init: None,
                    span: field.name.span,
                });
            }
            self.model.classes[index].fields = fields;
            self.flatten(ClassId(index as u32));
            let methods: Vec<Signature> = (0..self.classes[index].methods.len())
                .map(|n| self.flat_signature(index, n))
                .collect();
            for (method, signature) in self.classes[index].methods.iter_mut().zip(methods) {
                method.signature = Some(signature);
            }
        }
    }

    fn flat_signature(&mut self, class: usize, method: usize) -> Signature {
        let flat = &self.classes[class].methods[method];
        let (module, ast, name) = (flat.module, flat.ast, Arc::clone(&flat.name));
        let mut signature = self.signature(module, &ast.sig);
        signature.selector = self.selector(&name);
        signature
    }
}
