//! What is wrong with a text: in one line, or with an excerpt.

use mazurka_core::Position;
use mazurka_diagnostics::{Diagnostic, Diagnostics, SourceMap, Span};
use std::fmt;

/// Where a text is wrong, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where; the beginning of the file if it is about no place of the text.
    pub at: Position,
    /// What is wrong.
    pub message: String,
    /// What can be done about it.
    pub help: Vec<String>,
    code: &'static str,
    /// Nothing if it is about no place of the text.
    span: Option<Span>,
}

impl ParseError {
    /// An error at a place of the text.
    pub(crate) fn new(file: &str, text: &str, code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let before = text.get(..span.start as usize).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or(before);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        ParseError {
            at: Position {
                file: file.to_string(),
                line: number(before.matches('\n').count() + 1),
                column: number(line.chars().count() + 1),
            },
            message: message.into(),
            help: Vec::new(),
            code,
            span: Some(span),
        }
    }

    /// An error about something that is not in the text.
    pub(crate) fn without_place(file: &str, code: &'static str, message: String) -> Self {
        ParseError {
            span: None,
            ..ParseError::new(file, "", code, Span::default(), message)
        }
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds "did you mean `…`?" when `candidates` holds a name close to `name`.
    #[must_use]
    pub(crate) fn did_you_mean<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match mazurka_diagnostics::nearest(name, candidates) {
            Some(near) => self.with_help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// The message with the lines of `text` it is about, the place underlined; `text` is what was read.
    pub fn render(&self, text: &str, color: bool) -> String {
        let mut sources = SourceMap::new();
        if sources.add(&*self.at.file, text).is_err() {
            return format!("error: {self}");
        }
        Diagnostics::from(self.diagnostic()).render(&sources, color)
    }

    /// The same as a message; its place is in bytes of the text that was read.
    pub fn diagnostic(&self) -> Diagnostic {
        let message = Diagnostic::error(self.code, &self.message);
        let message = self.span.into_iter().fold(message, |message, span| message.label(span, ""));
        self.help.iter().fold(message, Diagnostic::with_help)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.span.is_some() {
            write!(f, "{}: ", self.at)?;
        }
        f.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ParseError {}
