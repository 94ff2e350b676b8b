//! Annotations: those that would change what a model does are refused, those that promise something are checked, the others have no effect
//! and are mentioned once.

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Span};

use super::body::BodyCheck;
use super::scope::{Def, Space};
use super::{Checker, unsupported};
use crate::checked::{ClassId, FieldId, LocalId, Type};
use crate::syntax::ast::{Annotation, Dialect, QName};

/// Whether one of the annotations is this word.
pub(super) fn has(annotations: &[Annotation], word: &str) -> bool {
    annotations.iter().any(|annotation| annotation.word() == Some(word))
}

/// Annotations that only promise something, or that are about types; nobody misses an effect of theirs.
const SILENT: [&str; 21] = [
    "Near",
    "Far",
    "Somewhere",
    "Infer",
    "Atomic",
    "Readonly",
    "Final",
    "COG",
    "Plain",
    "TypeAnnotation",
    "HTTPCallable",
    "HTTPName",
    // What ABSUnit looks for.
    "Fixture",
    "Suite",
    "Test",
    "Ignored",
    "DataPoint",
    "Before",
    "After",
    "TestClass",
    "TestClassImpl",
];

impl Checker<'_> {
    pub(super) fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            let word = annotation.word().unwrap_or("");
            if let Some(reason) = unsupported::annotation(word) {
                self.report(Diagnostic::error("unsupported", format!("not supported: {reason}")).label(annotation.span, ""));
            } else if !SILENT.contains(&word) && word != "Deadline" && self.ignored.insert(word.to_owned()) {
                let what = if word.is_empty() {
                    "annotations that are expressions have".to_owned()
                } else {
                    format!("annotation `{word}` has")
                };
                let note = Diagnostic::note("ignored-annotation", format!("{what} no effect here")).label(annotation.span, "ignored");
                self.report(match word {
                    "Cost" | "Critical" | "DataSize" | "Size" | "MaxSize" => note.with_note("resources are not modelled"),
                    _ => note,
                });
            }
        }
    }
}

impl BodyCheck<'_, '_> {
    /// The annotations of a statement: the values of those that are about time and resources have types too.
    pub(super) fn stmt_annotations(&mut self, annotations: &[Annotation]) {
        self.checker.annotations(annotations);
        // In old files they are whatever the analysers of the time understood.
        if self.dialect == Dialect::Old {
            return;
        }
        for annotation in annotations {
            if !annotation.name.as_ref().is_some_and(|name| self.of_the_library(&name.name)) {
                continue;
            }
            let wanted = match annotation.word() {
                Some("Cost" | "DataSize") => Type::Rat,
                Some("Critical") => self.checker.bool_type(),
                Some("Deadline") => match self.checker.library_type("Duration") {
                    Some(duration) => duration,
                    None => continue,
                },
                _ => continue,
            };
            let value = self.pure(&annotation.value, Some(&wanted));
            self.demand(&value.ty, &wanted, annotation.value.span, "the value of the annotation");
            if annotation.word() == Some("Deadline") {
                self.deadline = Some(value);
            }
        }
    }

    /// Whether a type synonym is that of the standard library: models may define annotations of the same name.
    fn of_the_library(&self, name: &QName) -> bool {
        match self.checker.find(self.module, Space::Type, name) {
            Some(Def::Synonym(synonym)) => self.checker.modules[self.checker.synonyms[synonym].module].library,
            _ => false,
        }
    }

    /// Reports an assignment to a variable that was declared `[Final]`.
    pub(super) fn assign_final_local(&mut self, id: LocalId, span: Span) {
        if self.finals.contains(&id) {
            self.final_assigned("variable", span);
        }
    }

    /// Reports an assignment to a field or class parameter that was declared `[Final]`.
    pub(super) fn assign_final_field(&mut self, class: ClassId, id: FieldId, span: Span) {
        let decl = self.checker.classes[class.index()].decl;
        let params = decl.params.len();
        let annotations = if id.index() < params {
            decl.params.get(id.index()).map(|param| &param.annotations)
        } else {
            decl.fields.get(id.index() - params).map(|field| &field.annotations)
        };
        if annotations.is_some_and(|annotations| has(annotations, "Final")) {
            self.final_assigned("field", span);
        }
    }

    fn final_assigned(&mut self, what: &str, span: Span) {
        let diagnostic = Diagnostic::error(
            "not-allowed-here",
            format!("this {what} is declared [Final]: it is never assigned again"),
        );
        self.checker.report(diagnostic.label(span, "assigned here"));
    }

    /// Reports an object of a class that is created in the other way than its annotation `[COG]` or `[Plain]` demands.
    pub(super) fn check_class_kind(&mut self, class: ClassId, cog: bool, span: Span) {
        let info = &self.checker.classes[class.index()];
        let name = &info.decl.name.text;
        let (wrong, help) = match cog {
            true if has(info.annotations, "Plain") => ("[Plain]", "its objects live in the cog of their creator: `new local`"),
            false if has(info.annotations, "COG") => ("[COG]", "each of its objects has a cog of its own"),
            _ => return,
        };
        let message = format!("class {name} is declared {wrong}");
        // The tools that old programs were written for did not look.
        let diagnostic = match self.dialect {
            Dialect::Current => Diagnostic::error("not-allowed-here", message),
            Dialect::Old => Diagnostic::warning("not-allowed-here", message),
        };
        self.checker.report(diagnostic.label(span, "created here").with_help(help));
    }
}

impl Checker<'_> {
    /// A data type of the standard library that has no parameters.
    fn library_type(&self, name: &str) -> Option<Type> {
        let &library = self.module_names.get("ABS.StdLib")?;
        match self.modules[library].own.get(&(Space::Type, Arc::from(name)))? {
            Def::Data(id) => Some(Type::Data(*id, Arc::from([]))),
            _ => None,
        }
    }
}
