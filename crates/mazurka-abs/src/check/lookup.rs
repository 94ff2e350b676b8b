//! Looking up names with messages.

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Span};

use super::scope::{Def, Space, meanings, visible};
use super::{Checker, unsupported};
use crate::syntax::ast::QName;

impl Checker<'_> {
    /// What a name means, without a message when it means nothing.
    pub(super) fn find(&self, module: usize, space: Space, name: &QName) -> Option<Def> {
        match &name.module {
            None => meanings(&self.modules, module, space, &name.name).first().copied(),
            Some(prefix) => {
                let key = (space, Arc::clone(&name.name));
                if **prefix == *self.modules[module].ast.name.text {
                    return self.modules[module].own.get(&key).copied();
                }
                let &other = self.module_names.get(prefix)?;
                self.modules[other].exports.get(&key).copied()
            }
        }
    }

    /// What a name means, with a message when it means nothing or several things.
    pub(super) fn resolve(&mut self, module: usize, space: Space, name: &QName) -> Option<Def> {
        let Some(prefix) = &name.module else {
            let defs = meanings(&self.modules, module, space, &name.name);
            match defs[..] {
                [] => self.unknown(module, space, &name.name, name.span),
                [def] => return Some(def),
                [first, ..] => {
                    let message = format!("the {} `{}` comes from several modules", space.describe(), name.name);
                    let mut diagnostic = Diagnostic::error("ambiguous-name", message).label(name.span, "used here");
                    for def in &defs {
                        if let Some(span) = self.span_of(*def) {
                            diagnostic = diagnostic.label(span, "one meaning");
                        }
                    }
                    self.report(diagnostic.with_help(format!("qualify it: `Module.{}`", name.name)));
                    return Some(first);
                }
            }
            return None;
        };
        if let Some(def) = self.find(module, space, name) {
            return Some(def);
        }
        match self.module_names.get(prefix) {
            Some(&other) => self.not_exported(other, &name.name, name.span),
            None => {
                let diagnostic = match unsupported::reason(prefix) {
                    Some(reason) => Diagnostic::error("unsupported", format!("not supported: {reason}")).label(name.span, ""),
                    None => Diagnostic::error("unknown-module", format!("there is no module `{prefix}`"))
                        .label(name.span, "not found")
                        .did_you_mean(prefix, self.module_names.keys().map(|n| &**n)),
                };
                self.report(diagnostic);
            }
        }
        None
    }

    /// Reports a name that means nothing.
    pub(super) fn unknown(&mut self, module: usize, space: Space, name: &Arc<str>, span: Span) {
        if let Some(reason) = unsupported::home_of(name).and_then(unsupported::reason) {
            self.report(Diagnostic::error("unsupported", format!("not supported: `{name}`, {reason}")).label(span, ""));
            return;
        }
        let mut diagnostic =
            Diagnostic::error(space.unknown_code(), format!("there is no {} `{name}`", space.describe())).label(span, "not found");
        let others: Vec<&str> = self
            .modules
            .iter()
            .enumerate()
            .filter(|(index, scope)| *index != module && scope.own.contains_key(&(space, Arc::clone(name))))
            .map(|(_, scope)| &*scope.ast.name.text)
            .collect();
        if let [other, ..] = others[..] {
            diagnostic = diagnostic.with_help(format!("module {other} has one: `import {name} from {other};`"));
        } else if let Some(help) = self.confusion(module, space, name) {
            diagnostic = diagnostic.with_help(help);
        } else {
            let names = visible(&self.modules, module, space);
            diagnostic = diagnostic.did_you_mean(name, names.iter().map(|n| &**n));
        }
        self.report(diagnostic);
    }

    /// What a user probably confused when the name exists in another space.
    fn confusion(&self, module: usize, space: Space, name: &Arc<str>) -> Option<String> {
        let has = |other| !meanings(&self.modules, module, other, name).is_empty();
        match space {
            Space::Type if has(Space::Class) => Some(format!(
                "`{name}` is a class; variables have interfaces as types: declare one and let the class implement it"
            )),
            Space::Type if has(Space::Constructor) => Some(format!("`{name}` is a constructor, not a type")),
            Space::Constructor if has(Space::Class) => Some(format!("`{name}` is a class: create an object with `new {name}(…)`")),
            Space::Constructor if has(Space::Type) => Some(format!("`{name}` is a type, not a constructor")),
            Space::Class if has(Space::Type) => Some(format!("`{name}` is a type, not a class; objects are created from classes")),
            Space::Function if has(Space::Partial) => Some(format!("`{name}` takes functions in parentheses of their own: `{name}(f)(…)`")),
            Space::Partial if has(Space::Function) => Some(format!("`{name}` takes no functions: call it with one pair of parentheses")),
            _ => None,
        }
    }
}
