//! From tokens to tree, by recursive descent.
//!
//! The parser never gives up on a file: a piece that cannot be parsed is reported, skipped up to the next statement or declaration, and
//! parsing goes on. It never recurses deeper than [`MAX_DEPTH`] and never builds a tree that is taller, so no input overflows the stack here or
//! in a later phase.

mod annotation;
mod class;
mod decl;
mod expr;
mod module;
mod pattern;
mod stmt;
mod text;
mod types;
mod unsupported;
mod variants;

use std::sync::Arc;

use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;

use super::ast::{Dialect, Expr, File, Name};
use super::lexer::lex;
use super::token::{Token, TokenKind};

/// How deeply things may nest.
pub const MAX_DEPTH: u32 = 256;

/// After so many errors a file is not worth reading on.
const MAX_ERRORS: usize = 500;

/// Parses a text that starts at the global offset `base`. The tree covers all that could be understood, whatever the messages say.
pub fn parse_file(text: &str, base: u32) -> (File, Diagnostics) {
    let mut parser = Parser::new(text, base);
    let dialect = parser.detect_dialect();
    let (modules, variants) = parser.modules();
    let file = File {
        dialect,
        modules,
        variants,
    };
    (file, parser.finish())
}

/// Parses a text that is one pure expression, such as a property.
pub fn parse_expr(text: &str, base: u32) -> (Option<Expr>, Diagnostics) {
    let mut parser = Parser::new(text, base);
    let expr = parser.expr().and_then(|expr| {
        if parser.at_end() {
            Ok(expr)
        } else {
            Err(parser.unexpected("an operator or the end"))
        }
    });
    (expr.ok(), parser.finish())
}

/// An error has been reported; the caller recovers or passes it on.
#[derive(Debug)]
struct Reported;

type Parse<T> = Result<T, Reported>;

struct Parser<'a> {
    text: &'a str,
    base: u32,
    tokens: Vec<Token>,
    at: usize,
    diagnostics: Vec<Diagnostic>,
    /// How many constructs are open around this place.
    depth: u32,
    /// The height of the tallest expression completed since the innermost open one was begun.
    tallest: u32,
    names: FxHashMap<&'a str, Arc<str>>,
    /// The token at which the last error was reported: one error per place is enough.
    last_error: Option<usize>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, base: u32) -> Self {
        let mut diagnostics = Diagnostics::new();
        let tokens = lex(text, base, &mut diagnostics);
        Parser {
            text,
            base,
            tokens,
            at: 0,
            diagnostics: diagnostics.into_iter().collect(),
            depth: 0,
            tallest: 0,
            names: FxHashMap::default(),
            last_error: None,
        }
    }

    fn finish(self) -> Diagnostics {
        self.diagnostics.into_iter().collect::<Diagnostics>().sorted()
    }

    /// Only the old dialect has `new cog`.
    fn detect_dialect(&self) -> Dialect {
        let old = self.tokens.windows(3).any(|w| {
            w[0].kind == TokenKind::Ident
                && w[1].kind == TokenKind::Ident
                && w[2].kind == TokenKind::TypeIdent
                && self.text_at(w[0].span) == "new"
                && self.text_at(w[1].span) == "cog"
        });
        if old { Dialect::Old } else { Dialect::Current }
    }

    fn text_at(&self, span: Span) -> &'a str {
        &self.text[(span.start - self.base) as usize..(span.end - self.base) as usize]
    }

    fn token(&self) -> Token {
        self.ahead(0)
    }

    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn kind_ahead(&self, n: usize) -> TokenKind {
        self.ahead(n).kind
    }

    fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    /// The identifier at the current place, or nothing.
    fn word(&self) -> &'a str {
        self.word_ahead(0)
    }

    fn word_ahead(&self, n: usize) -> &'a str {
        let token = self.ahead(n);
        if token.kind == TokenKind::Ident {
            self.text_at(token.span)
        } else {
            ""
        }
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The last token before the current place.
    fn previous(&self) -> Span {
        if self.at == 0 {
            Span::at(self.base)
        } else {
            self.tokens[self.at - 1].span
        }
    }

    /// From `start` to the last token read.
    fn since(&self, start: Span) -> Span {
        let end = self.previous().end;
        Span::new(start.start, end.max(start.start))
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.at += usize::from(kind != TokenKind::End);
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.at += 1;
        }
        found
    }

    fn want(&mut self, kind: TokenKind) -> Parse<Token> {
        if self.kind() == kind {
            Ok(self.bump())
        } else {
            Err(self.unexpected(kind.describe()))
        }
    }

    fn want_word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{word}`")))
        }
    }

    /// A closing bracket, with the opening one shown when it is missing.
    fn close(&mut self, kind: TokenKind, open: Span) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let message = self.expected_message(kind.describe());
        let label = self.missing_place();
        Err(self.report(Diagnostic::error("syntax", message).label(label, "").label(open, "to close this")))
    }

    fn expected_message(&self, what: &str) -> String {
        format!("expected {what}, found {}", self.found())
    }

    /// How messages speak of the current token.
    fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Str => "a string".to_owned(),
            TokenKind::TemplateWhole | TokenKind::TemplateStart => "a template string".to_owned(),
            TokenKind::TemplateMiddle | TokenKind::TemplateEnd => "the `$` that ends an expression of a template string".to_owned(),
            TokenKind::Ident if is_reserved(self.word()) => format!("the keyword `{}`", self.word()),
            _ => {
                let text: String = self.text_at(token.span).chars().take(40).collect();
                format!("`{text}`")
            }
        }
    }

    /// Where something missing should have been: at the current token, or at the end of the line before it.
    fn missing_place(&self) -> Span {
        let (previous, here) = (self.previous(), self.span());
        let between = &self.text[(previous.end.saturating_sub(self.base)) as usize..(here.start - self.base) as usize];
        if self.at > 0 && (between.contains('\n') || self.at_end()) {
            previous.after()
        } else {
            here
        }
    }

    /// Where something else was expected: before what closes, right behind the previous token; otherwise what stands here.
    fn here(&self) -> Span {
        match self.kind() {
            TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::RightParen | TokenKind::RightBracket => self.missing_place(),
            _ if self.at_end() => self.missing_place(),
            _ => self.span(),
        }
    }

    /// Reports that something else was expected here.
    fn unexpected(&mut self, what: &str) -> Reported {
        let diagnostic = Diagnostic::error("syntax", self.expected_message(what)).label(self.here(), "");
        self.report(diagnostic)
    }

    fn unexpected_with_help(&mut self, what: &str, help: &str) -> Reported {
        let diagnostic = Diagnostic::error("syntax", self.expected_message(what))
            .label(self.here(), "")
            .with_help(help);
        self.report(diagnostic)
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.last_error == Some(self.at) {
            return Reported;
        }
        self.last_error = Some(self.at);
        if self.kind() == TokenKind::Unknown && diagnostic.code == "syntax" {
            let text = self.text_at(self.span());
            let what = if text.starts_with('_') {
                "names must not start with an underscore"
            } else {
                "this has no meaning in ABS"
            };
            self.diagnostics
                .push(Diagnostic::error("bad-character", what).label(self.span(), ""));
        } else {
            self.diagnostics.push(diagnostic);
        }
        if self.diagnostics.len() > MAX_ERRORS && !self.at_end() {
            let message = "too many errors: the rest of the file has not been read";
            self.diagnostics
                .push(Diagnostic::error("too-many-errors", message).label(self.span(), ""));
            self.stop();
        }
        Reported
    }

    /// Goes to the end of the file: nothing more can be understood.
    fn stop(&mut self) {
        self.at = self.tokens.len() - 1;
        self.last_error = Some(self.at);
    }

    /// After an error: goes past the statement or member. A block that is met on the way belongs to it.
    fn skip_item(&mut self) {
        let mut depth = 0_u32;
        while !self.at_end() && !self.declaration_keyword() {
            match self.kind() {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace if depth == 0 => return,
                TokenKind::RightBrace => {
                    depth -= 1;
                    if depth == 0 {
                        self.bump();
                        return;
                    }
                }
                TokenKind::Semicolon if depth == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let outer = std::mem::take(&mut self.tallest);
        let result = parse(self);
        self.depth -= 1;
        self.tallest = outer.max(self.tallest + 1);
        if self.tallest > MAX_DEPTH { Err(self.too_deep()) } else { result }
    }

    fn too_deep(&mut self) -> Reported {
        let diagnostic = Diagnostic::error("nested-too-deeply", format!("this is nested more than {MAX_DEPTH} levels deep"))
            .label(self.span(), "")
            .with_help("split it into functions, methods or variables; `list[…]` makes long lists")
            .with_note("the rest of the file has not been read");
        self.report(diagnostic);
        self.stop();
        Reported
    }

    fn intern(&mut self, text: &'a str) -> Arc<str> {
        Arc::clone(self.names.entry(text).or_insert_with(|| Arc::from(text)))
    }

    /// A lower-case name for a variable, function or method.
    fn ident(&mut self, what: &str) -> Parse<Name> {
        match self.kind() {
            TokenKind::Ident if !is_reserved(self.word()) => Ok(self.name()),
            TokenKind::Ident => Err(self.unexpected_with_help(what, "keywords cannot be used as names")),
            TokenKind::TypeIdent => Err(self.unexpected_with_help(what, "such names start with a small letter")),
            _ => Err(self.unexpected(what)),
        }
    }

    /// A name that starts with a capital.
    fn type_ident(&mut self, what: &str) -> Parse<Name> {
        match self.kind() {
            TokenKind::TypeIdent => Ok(self.name()),
            TokenKind::Ident => Err(self.unexpected_with_help(what, "such names start with a capital")),
            _ => Err(self.unexpected(what)),
        }
    }

    /// The current token as a name.
    fn name(&mut self) -> Name {
        let span = self.bump().span;
        Name {
            text: self.intern(self.text_at(span)),
            span,
        }
    }

    /// A comma-separated list up to (and without) the token `end`.
    fn comma_list<T>(&mut self, end: TokenKind, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        if self.kind() == end {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat(TokenKind::Comma) {
                return Ok(items);
            }
        }
    }
}

/// The words that can never be names.
fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "assert"
            | "await"
            | "case"
            | "catch"
            | "class"
            | "def"
            | "destiny"
            | "die"
            | "else"
            | "export"
            | "extends"
            | "finally"
            | "foreach"
            | "if"
            | "implements"
            | "import"
            | "in"
            | "interface"
            | "let"
            | "module"
            | "new"
            | "null"
            | "original"
            | "return"
            | "skip"
            | "suspend"
            | "switch"
            | "then"
            | "this"
            | "throw"
            | "try"
            | "when"
            | "while"
    )
}
