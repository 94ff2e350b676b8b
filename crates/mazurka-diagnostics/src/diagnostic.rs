//! One message about the source.

use crate::Span;

/// How bad a message is; errors come first in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but something is probably not meant so.
    Warning,
    /// Something worth knowing.
    Note,
}

/// A message with the places it is about: the first label is the main place, the others explain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable short name of the kind of message, such as `unknown-name`.
    pub code: &'static str,
    /// What is the matter, in one sentence without a full stop.
    pub message: String,
    /// Places with what is to be said about each; the text may be empty.
    pub labels: Vec<(Span, String)>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What the user can do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A message without places yet.
    #[must_use]
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// An error.
    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    #[must_use]
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    #[must_use]
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// Points at a place; the first place is the main one.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds "did you mean `…`?" when `candidates` holds a name close to `name`.
    #[must_use]
    pub fn did_you_mean<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match crate::nearest(name, candidates) {
            Some(near) => self.with_help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// The main place.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|&(span, _)| span)
    }
}
