//! Annotations: those that would change what a model does are refused, the others have no effect and are mentioned once.

use mazurka_diagnostics::Diagnostic;

use super::{Checker, unsupported};
use crate::syntax::ast::Annotation;

/// Annotations that only promise something, or that are about types; nobody misses an effect of theirs.
const SILENT: [&str; 12] = [
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
];

impl Checker<'_> {
    pub(super) fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            let word = annotation.word().unwrap_or("");
            if let Some(reason) = unsupported::annotation(word) {
                self.report(Diagnostic::error("unsupported", format!("not supported: {reason}")).label(annotation.span, ""));
            } else if !SILENT.contains(&word) && self.ignored.insert(word.to_owned()) {
                let what = if word.is_empty() {
                    "annotations that are expressions have".to_owned()
                } else {
                    format!("annotation `{word}` has")
                };
                let note = Diagnostic::note("ignored-annotation", format!("{what} no effect here")).label(annotation.span, "ignored");
                self.report(match word {
                    "Deadline" | "Cost" | "Critical" | "DataSize" | "Size" | "MaxSize" => {
                        note.with_note("time and resources are not modelled")
                    }
                    _ => note,
                });
            }
        }
    }
}
