//! What calls of inlines stand for: their bodies with the arguments in place, which are written nowhere.
//!
//! Each call gets offsets of its own, behind those of all files, so that whatever is said of a statement can tell its text, where it
//! is written, and which call it comes from.

use crate::token::Token;
use mazurka_diagnostics::{SourceMap, Span};

/// The texts of all calls together are no longer than this.
const MAX_TEXT: u32 = 64 << 20;

/// The bodies of all calls of inlines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expansions {
    /// By their offsets.
    list: Vec<Expansion>,
}

/// One call of an inline.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Expansion {
    call: Span,
    start: u32,
    text: String,
    /// By their offsets.
    pieces: Vec<Piece>,
}

/// A word of the body, or words of an argument in place of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    start: u32,
    /// Where the word stands in the body; the parameter, for an argument.
    place: Span,
    /// Where the argument stands.
    argument: Option<Span>,
}

/// A word of an expanded body.
pub(crate) struct Word {
    pub token: Token,
    /// The parameter that it replaces, alone or with others.
    pub parameter: Option<Span>,
    /// Whether white space stands before it.
    pub gap: bool,
}

impl Expansions {
    /// Writes the body of a call; its words then stand there. `None` if there is too much text.
    pub(crate) fn add(&mut self, sources: &SourceMap, call: Span, body: Vec<Word>) -> Option<Vec<Token>> {
        let files = sources.files().last().map_or(0, |(_, file)| file.span().end);
        let start = self.list.last().map_or(files, Expansion::end) + 1;
        let mut expansion = Expansion {
            call,
            start,
            text: String::new(),
            pieces: Vec::new(),
        };
        let mut tokens: Vec<Token> = Vec::with_capacity(body.len() + 1);
        let (mut last, mut here) = (None, Span::default());
        for Word { mut token, parameter, gap } in body {
            // The words that a macro stands for all stand where it is called.
            if last != Some((token.span, parameter)) || token.span.is_empty() {
                last = Some((token.span, parameter));
                if gap && !expansion.text.is_empty() {
                    expansion.text.push(' ');
                }
                let from = expansion.end();
                match self.text(sources, token.span) {
                    "" => expansion.text.push_str(&token.text),
                    text => expansion.text.push_str(text),
                }
                here = Span::new(from, expansion.end());
                expansion.pieces.push(Piece {
                    start: from,
                    place: parameter.unwrap_or(token.span),
                    argument: parameter.map(|_| token.span),
                });
            }
            token.span = here;
            tokens.push(token);
        }
        if expansion.end() - files > MAX_TEXT {
            return None;
        }
        self.list.push(expansion);
        Some(tokens)
    }

    fn at(&self, span: Span) -> Option<&Expansion> {
        let after = self.list.partition_point(|e| e.start <= span.start);
        self.list.get(after.checked_sub(1)?)
    }

    /// The text of a span.
    pub(crate) fn text<'a>(&'a self, sources: &'a SourceMap, span: Span) -> &'a str {
        match self.at(span) {
            None => sources.text(span),
            Some(expansion) => {
                let local = |offset: u32| (offset - expansion.start) as usize;
                expansion.text.get(local(span.start)..local(span.end.max(span.start))).unwrap_or("")
            }
        }
    }

    /// Where a span is written: in the body of the inline, or in the call if it is part of an argument.
    pub(crate) fn origin(&self, span: Span) -> Span {
        let Some(expansion) = self.at(span) else { return span };
        let pieces = &expansion.pieces;
        let first = pieces.partition_point(|p| p.start <= span.start).saturating_sub(1);
        let end = pieces.partition_point(|p| p.start < span.end).max(first + 1);
        let (Some(from), Some(to)) = (pieces.get(first), pieces.get(end - 1)) else {
            return self.origin(expansion.call);
        };
        let origin = match (from.argument, to.argument) {
            (Some(start), Some(end)) if from.place == to.place => self.origin(start.to(end)),
            _ => from.place.to(to.place),
        };
        if span.is_empty() { origin.after() } else { origin }
    }

    /// The calls that a span comes from, the innermost first.
    pub(crate) fn calls(&self, span: Span) -> impl Iterator<Item = Span> {
        std::iter::successors(self.at(span).map(|e| e.call), |&call| self.at(call).map(|e| e.call))
    }

    /// Whether no inline is called.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Expansion {
    fn end(&self) -> u32 {
        self.start + self.text.len() as u32
    }
}
