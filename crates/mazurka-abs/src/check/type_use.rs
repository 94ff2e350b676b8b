//! From written types to types.

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Span};

use super::Checker;
use super::infer::{BROKEN, substitute};
use super::scope::{Def, Space};
use crate::checked::Type;
use crate::syntax::ast;

/// Synonyms are followed through so many others: the stack is finite.
const MAX_SYNONYM_DEPTH: u32 = 100;

/// A type with more parts than this is surely a mistake, and working with it would take for ever: types can double with each definition.
pub(super) const MAX_TYPE: u32 = 2_000;

/// Whether a type has at most `budget` parts.
pub(super) fn measure(ty: &Type, budget: &mut u32) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    match ty {
        Type::Data(_, args) => args.iter().all(|arg| measure(arg, budget)),
        Type::Future(value) => measure(value, budget),
        _ => true,
    }
}

impl Checker<'_> {
    /// The meaning of a written type in a module, inside a declaration with these type parameters; [`BROKEN`] after a message.
    pub(super) fn type_use(&mut self, module: usize, params: &[Arc<str>], ty: &ast::Type) -> Type {
        self.annotations(&ty.annotations);
        if ty.name.module.is_none()
            && let Some(position) = params.iter().position(|p| *p == ty.name.name)
        {
            if !ty.args.is_empty() {
                self.type_arguments(&ty.name.name, 0, ty.args.len(), ty.span);
            }
            return Type::Param(position as u32);
        }
        let args: Vec<Type> = ty.args.iter().map(|arg| self.type_use(module, params, arg)).collect();
        if self.is_exception(module, ty) {
            return self.exception_type();
        }
        match self.resolve(module, Space::Type, &ty.name) {
            Some(Def::Data(id)) => {
                let wanted = self.model.data_types[id.index()].params.len();
                if wanted != args.len() {
                    self.type_arguments(&ty.name.name, wanted, args.len(), ty.span);
                    return BROKEN;
                }
                let native = self.native;
                match Some(id) {
                    id if id == native.int => Type::Int,
                    id if id == native.rat => Type::Rat,
                    id if id == native.float => Type::Float,
                    id if id == native.string => Type::String,
                    id if id == native.destiny => Type::Destiny,
                    id if id == native.any => Type::Any,
                    id if id == native.future => Type::Future(Arc::new(args.into_iter().next().unwrap_or(Type::Any))),
                    _ => Type::Data(id, args.into()),
                }
            }
            Some(Def::Interface(id)) => {
                if !args.is_empty() {
                    self.type_arguments(&ty.name.name, 0, args.len(), ty.span);
                }
                Type::Interface(id)
            }
            Some(Def::Synonym(index)) => {
                let wanted = self.synonyms[index].decl.params.len();
                if wanted != args.len() {
                    self.type_arguments(&ty.name.name, wanted, args.len(), ty.span);
                    return BROKEN;
                }
                let value = self.synonym(index, ty.span);
                substitute(&value, &args)
            }
            _ => BROKEN,
        }
    }

    /// The name of an exception can be used as a type; it means the type of all exceptions.
    fn is_exception(&self, module: usize, ty: &ast::Type) -> bool {
        self.find(module, Space::Type, &ty.name).is_none()
            && ty.args.is_empty()
            && matches!(self.find(module, Space::Constructor, &ty.name), Some(Def::Constructor(id))
                if self.model.constructors[id.index()].data == self.model.well_known.exception_type)
    }

    fn type_arguments(&mut self, name: &str, wanted: usize, found: usize, span: Span) {
        let takes = match wanted {
            0 => "no type arguments".to_owned(),
            1 => "one type argument".to_owned(),
            n => format!("{n} type arguments"),
        };
        let diagnostic = Diagnostic::error("type-arguments", format!("`{name}` takes {takes}, but {found} are given")).label(span, "");
        self.report(if wanted == 0 {
            diagnostic
        } else {
            let example: Vec<String> = (0..wanted).map(|n| char::from(b'A' + (n % 26) as u8).to_string()).collect();
            diagnostic.with_help(format!("write `{name}<{}>`", example.join(", ")))
        });
    }

    /// What a synonym stands for, over its own parameters.
    fn synonym(&mut self, index: usize, used: Span) -> Type {
        if let Some(value) = &self.synonyms[index].value {
            return value.clone();
        }
        let (decl, module) = (self.synonyms[index].decl, self.synonyms[index].module);
        if self.synonym_depth > MAX_SYNONYM_DEPTH {
            let diagnostic = Diagnostic::error("nested-too-deeply", "this type is defined by too long a chain of other types");
            self.report(diagnostic.label(decl.name.span, ""));
            return BROKEN;
        }
        if self.synonyms[index].open {
            let message = format!("type `{}` is defined by itself", decl.name.text);
            self.report(
                Diagnostic::error("cyclic-type", message)
                    .label(decl.name.span, "")
                    .label(used, "leads back here"),
            );
            return BROKEN;
        }
        self.synonyms[index].open = true;
        let params: Vec<Arc<str>> = decl.params.iter().map(|p| Arc::clone(&p.text)).collect();
        self.synonym_depth += 1;
        let mut value = self.type_use(module, &params, &decl.ty);
        self.synonym_depth -= 1;
        if !measure(&value, &mut { MAX_TYPE }) {
            self.report(Diagnostic::error("type-too-large", "this type is too large").label(decl.name.span, ""));
            value = BROKEN;
        }
        self.synonyms[index].open = false;
        self.synonyms[index].value = Some(value.clone());
        value
    }

    /// Resolves all synonyms, also those that nobody uses.
    pub(super) fn resolve_synonyms(&mut self) {
        for index in 0..self.synonyms.len() {
            let span = self.synonyms[index].decl.name.span;
            self.synonym(index, span);
        }
    }
}
