//! From tokens to syntax: recursive descent with recovery, every error reported, depth bounded.

mod claims;
mod declarations;
mod expressions;
mod inlines;
mod statements;

use crate::ast::{Name, Unit, VarRef};
use crate::expansion::Expansions;
use crate::source::Asked;
use crate::token::{Token, TokenKind, is_keyword};
use inlines::Inline;
use mazurka_diagnostics::{Diagnostic, Diagnostics, SourceMap, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Statements and expressions nested deeper than this are refused, so that no input exhausts the stack.
const MAX_DEPTH: usize = 120;

/// Whether the text says something about priorities.
pub fn mentions_priorities(tokens: &[Token]) -> bool {
    let words = ["priority", "_priority", "get_priority", "set_priority"];
    tokens.iter().any(|t| words.iter().any(|w| t.is_name(w)))
}

/// What a text says.
pub struct Text {
    /// Its pieces.
    pub units: Vec<Unit>,
    /// What calls of inlines stand for.
    pub expansions: Expansions,
    /// The claims that were left out, as a part of a sentence.
    pub left_out: Vec<String>,
}

/// Reads a whole model; what could not be understood is in `diagnostics`.
pub fn parse(tokens: Vec<Token>, sources: &SourceMap, asked: &Asked, diagnostics: &mut Diagnostics) -> Text {
    // Names are known before they are used: `run P()` may stand before `proctype P`, as may `P[0]@label`.
    let proctypes = tokens
        .windows(2)
        .filter(|w| w[0].is_name("proctype") || w[0].is_name("D_proctype"))
        .map(|w| w[1].text.clone())
        .collect();
    let mut parser = Parser {
        tokens: tokens.into(),
        at: 0,
        sources,
        diagnostics,
        asked,
        claims: Vec::new(),
        nameless: 0,
        depth: 0,
        parentheses: 0,
        inlines: FxHashMap::default(),
        expanding: Vec::new(),
        expanded_tokens: 0,
        expansions: Expansions::default(),
        proctypes,
        typedefs: FxHashSet::default(),
        returns_to: None,
        panicking: false,
        gave_up: false,
        left_out: Vec::new(),
    };
    let units = parser.units();
    for name in claims::unknown(asked, &parser.claims) {
        let message = Diagnostic::error("unknown-claim", format!("the model has no claim `{name}`"));
        let known: Vec<Arc<str>> = parser.named_claims();
        parser.diagnostics.push(message.did_you_mean(name, known.iter().map(|n| &**n)));
    }
    Text {
        units,
        expansions: parser.expansions,
        left_out: parser.left_out,
    }
}

/// Parsing went wrong and has been reported; the caller skips to a place where it can go on.
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

pub(crate) struct Parser<'a> {
    tokens: Arc<[Token]>,
    at: usize,
    sources: &'a SourceMap,
    diagnostics: &'a mut Diagnostics,
    asked: &'a Asked,
    /// The names of the claims that were read.
    claims: Vec<Arc<str>>,
    /// How many claims have no name.
    nameless: u32,
    depth: usize,
    /// Parentheses around the expression being read.
    parentheses: usize,
    inlines: FxHashMap<Arc<str>, Arc<Inline>>,
    /// The inlines whose bodies are being read now, outermost first.
    expanding: Vec<Arc<str>>,
    expanded_tokens: usize,
    expansions: Expansions,
    proctypes: FxHashSet<Arc<str>>,
    typedefs: FxHashSet<Arc<str>>,
    /// Where `return e` of the inline being read puts its value.
    returns_to: Option<VarRef>,
    /// Set after an error until something is read again: one mistake gives one message.
    panicking: bool,
    /// Set when the text is more than can be read: nothing follows, and nothing more is said.
    gave_up: bool,
    left_out: Vec<String>,
}

impl Parser<'_> {
    /// The names of all claims, read or not.
    fn named_claims(&self) -> Vec<Arc<str>> {
        let pairs = self.tokens.windows(2).filter(|w| w[0].is_name("ltl") || w[0].is_name("never"));
        pairs.filter(|w| w[1].kind == TokenKind::Name).map(|w| w[1].text.clone()).collect()
    }

    fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    fn peek_at(&self, offset: usize) -> &Token {
        let end = self.tokens.len() - 1;
        &self.tokens[if self.gave_up { end } else { end.min(self.at + offset) }]
    }

    fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    /// The place right after the last token read.
    fn last_span(&self) -> Span {
        match self.at {
            0 => self.peek().span,
            n => self.tokens[n - 1].span,
        }
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.peek().is(punct);
        if found {
            self.at += 1;
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_name(word);
        if found {
            self.at += 1;
        }
        found
    }

    /// Reports `diagnostic` unless an error was just reported.
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if !self.panicking {
            self.report(diagnostic);
        }
        self.panicking = true;
        Err(Failed)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that the text goes beyond what can be read, and reads no more of it: what follows would only be misunderstood.
    fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.report(diagnostic);
        self.gave_up = true;
        Failed
    }

    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.peek().clone();
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_string(),
            _ => format!("`{}`", token.text),
        };
        let mut message =
            Diagnostic::error("syntax", format!("expected {expected}, found {found}")).label(token.span, format!("expected {expected}"));
        if token.kind == TokenKind::Name && is_keyword(&token.text) && expected.contains("name") {
            message = message.with_note(format!("`{}` is a keyword", token.text));
        }
        self.fail(message)
    }

    fn want(&mut self, punct: &str) -> Parsed<Span> {
        if self.peek().is(punct) {
            return Ok(self.next().span);
        }
        self.unexpected(&format!("`{punct}`"))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        if token.kind == TokenKind::Name && !is_keyword(&token.text) {
            let token = self.next();
            return Ok(Name {
                text: token.text,
                span: token.span,
            });
        }
        self.unexpected(what)
    }

    /// Runs `inner` one level deeper, or fails if that is too deep.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek().span;
            let too_deep = Diagnostic::error("nesting", format!("nested deeper than {MAX_DEPTH} levels"))
                .label(span, "here it becomes too deep")
                .with_help("split the expression or the block");
            return Err(self.give_up(too_deep));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Says that the model uses something that this checker leaves out on purpose.
    fn refuse<T>(&mut self, span: Span, what: &str, why: &str) -> Parsed<T> {
        self.fail(Diagnostic::error("not-supported", format!("not supported: {what}; {why}")).label(span, ""))
    }

    /// Skips a bracketed piece of text, the opening brace being next.
    fn skip_braces(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            let token = self.next();
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return;
                }
            }
        }
    }
}
