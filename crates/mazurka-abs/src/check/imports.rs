//! The second phase: what each module exports and imports.

use std::sync::Arc;

use mazurka_diagnostics::Diagnostic;

use super::scope::{Def, Space};
use super::{Checker, unsupported};
use crate::syntax::ast::{Name, QName};

impl Checker<'_> {
    pub(super) fn resolve_imports(&mut self) {
        self.resolve_exports();
        let library = self.module_names.get("ABS.StdLib").copied();
        for module in 0..self.modules.len() {
            let ast = self.modules[module].ast;
            let mut explicit_library = false;
            for import in &ast.imports {
                match (&import.from, &import.names) {
                    (Some(from), None) => {
                        if let Some(other) = self.find_module(from) {
                            self.modules[module].stars.push(other);
                        }
                    }
                    (Some(from), Some(names)) => {
                        explicit_library |= &*from.text == "ABS.StdLib";
                        if let Some(other) = self.find_module(from) {
                            for name in names {
                                self.import_name(module, other, name);
                            }
                        }
                    }
                    (None, names) => {
                        for name in names.iter().flatten() {
                            self.import_qualified(name);
                        }
                    }
                }
            }
            if !explicit_library && Some(module) != library {
                self.modules[module].implicit = library;
            }
        }
    }

    /// What is exported may come from elsewhere, so exports grow until nothing changes.
    fn resolve_exports(&mut self) {
        for module in 0..self.modules.len() {
            let ast = self.modules[module].ast;
            for export in ast.exports.iter().filter(|export| export.from.is_none()) {
                match &export.names {
                    None => {
                        let own = self.modules[module].own.clone();
                        self.modules[module].exports.extend(own);
                    }
                    Some(names) => names.iter().for_each(|name| self.export_own(module, name)),
                }
            }
        }
        while (0..self.modules.len()).fold(false, |changed, module| self.pass_on_exports(module) | changed) {}
        for module in 0..self.modules.len() {
            let ast = self.modules[module].ast;
            for export in &ast.exports {
                let Some(from) = &export.from else {
                    export.names.iter().flatten().for_each(|name| self.check_exported(module, name));
                    continue;
                };
                let Some(other) = self.find_module(from) else { continue };
                for name in export.names.iter().flatten() {
                    if !self.exports(other, &name.name) {
                        self.not_exported(other, &name.name, name.span);
                    }
                }
            }
        }
    }

    fn exports(&self, module: usize, name: &Arc<str>) -> bool {
        Space::ALL
            .iter()
            .any(|&space| self.modules[module].exports.contains_key(&(space, Arc::clone(name))))
    }

    /// Exports what comes from other modules: `export … from M`, and `export x` for an imported `x`. Tells whether there was anything new.
    fn pass_on_exports(&mut self, module: usize) -> bool {
        let ast = self.modules[module].ast;
        let mut passed = Vec::new();
        for export in &ast.exports {
            let wanted = |name: &Arc<str>| export.names.as_ref().is_none_or(|names| names.iter().any(|n| n.name == *name));
            let sources: Vec<&Name> = match (&export.from, &export.names) {
                (Some(from), _) => vec![from],
                (None, Some(_)) => ast.imports.iter().filter_map(|import| import.from.as_ref()).collect(),
                (None, None) => Vec::new(),
            };
            for from in sources {
                let Some(&other) = self.module_names.get(&from.text) else {
                    continue;
                };
                let names = if other == module {
                    &self.modules[module].own
                } else {
                    &self.modules[other].exports
                };
                passed.extend(
                    names
                        .iter()
                        .filter(|((_, name), _)| wanted(name))
                        .map(|(key, &def)| (key.clone(), def)),
                );
            }
        }
        let exports = &mut self.modules[module].exports;
        let before = exports.len();
        for (key, def) in passed {
            exports.entry(key).or_insert(def);
        }
        exports.len() > before
    }

    fn export_own(&mut self, module: usize, name: &QName) {
        let scope = &mut self.modules[module];
        for space in Space::ALL {
            let key = (space, Arc::clone(&name.name));
            if let Some(&def) = scope.own.get(&key) {
                scope.exports.insert(key, def);
            }
        }
    }

    /// Reports a name that a module exports and has neither of its own nor from elsewhere.
    fn check_exported(&mut self, module: usize, name: &QName) {
        let scope = &self.modules[module];
        // Names that are imported one by one were looked for where they come from.
        let mut imports = scope.ast.imports.iter().flat_map(|import| import.names.iter().flatten());
        let imported = imports.any(|import| import.name == name.name);
        if imported || scope.library || self.exports(module, &name.name) {
            return;
        }
        let names: Vec<Arc<str>> = scope.own.keys().map(|(_, name)| Arc::clone(name)).collect();
        let diagnostic = Diagnostic::error(
            "unknown-name",
            format!("module {} neither defines nor imports `{}`", scope.ast.name.text, name.name),
        )
        .label(name.span, "exported here")
        .did_you_mean(&name.name, names.iter().map(|n| &**n));
        self.report(diagnostic);
    }

    /// The module with this name, or a message.
    fn find_module(&mut self, name: &Name) -> Option<usize> {
        if let Some(&module) = self.module_names.get(&name.text) {
            return Some(module);
        }
        let diagnostic = match unsupported::reason(&name.text) {
            Some(reason) => Diagnostic::error("unsupported", format!("not supported: {reason}")).label(name.span, ""),
            None => Diagnostic::error("unknown-module", format!("there is no module `{}`", name.text))
                .label(name.span, "not found")
                .did_you_mean(&name.text, self.module_names.keys().map(|n| &**n))
                .with_note("a model may have several files: `--with` adds one"),
        };
        self.report(diagnostic);
        None
    }

    fn import_name(&mut self, module: usize, other: usize, name: &QName) {
        let mut found = false;
        for space in Space::ALL {
            let key = (space, Arc::clone(&name.name));
            if let Some(&def) = self.modules[other].exports.get(&key) {
                let defs: &mut Vec<Def> = self.modules[module].imported.entry(key).or_default();
                if !defs.contains(&def) {
                    defs.push(def);
                }
                found = true;
            }
        }
        if !found {
            self.not_exported(other, &name.name, name.span);
        }
    }

    fn import_qualified(&mut self, name: &QName) {
        let Some(module) = &name.module else {
            let diagnostic = Diagnostic::error("syntax", format!("it is not said from where `{}` is imported", name.name))
                .label(name.span, "")
                .with_help(format!(
                    "write `import {} from Module;` or `import Module.{};`",
                    name.name, name.name
                ));
            self.report(diagnostic);
            return;
        };
        let Some(other) = self.find_module(&Name {
            text: Arc::clone(module),
            span: name.span,
        }) else {
            return;
        };
        if !Space::ALL
            .iter()
            .any(|&space| self.modules[other].exports.contains_key(&(space, Arc::clone(&name.name))))
        {
            self.not_exported(other, &name.name, name.span);
        }
    }

    /// Reports a name that a module does not export.
    pub(super) fn not_exported(&mut self, module: usize, name: &Arc<str>, span: mazurka_diagnostics::Span) {
        let scope = &self.modules[module];
        let module_name = &scope.ast.name.text;
        if scope.library
            && let Some(reason) = unsupported::reason(module_name)
        {
            self.report(Diagnostic::error("unsupported", format!("not supported: `{name}` of {reason}")).label(span, ""));
            return;
        }
        let own = Space::ALL.iter().any(|&space| scope.own.contains_key(&(space, Arc::clone(name))));
        let diagnostic = if own {
            Diagnostic::error("not-exported", format!("module {module_name} does not export `{name}`"))
                .label(span, "used here")
                .with_help(format!("add `export {name};` to module {module_name}"))
        } else {
            Diagnostic::error("unknown-name", format!("module {module_name} has no `{name}`"))
                .label(span, "not found")
                .did_you_mean(name, scope.exports.keys().map(|(_, n)| &**n))
        };
        self.report(diagnostic);
    }
}
