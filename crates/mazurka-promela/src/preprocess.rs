//! The preprocessor subset that models use: macros, file inclusion and conditional text.
//!
//! It works on tokens, not on characters, so every token keeps the place where the user wrote it.

use crate::condition;
use crate::lexer;
use crate::macros::{Macro, Macros};
use crate::token::{Token, TokenKind};
use mazurka_diagnostics::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use std::path::{Path, PathBuf};

/// Files including files deeper than this are taken to include themselves.
const MAX_INCLUDE_DEPTH: usize = 40;

/// How `#include` finds a text: given the path to open.
pub type Loader<'a> = dyn FnMut(&Path) -> std::io::Result<String> + 'a;

/// Reads the file `main` of `sources`, and what it includes, and returns the tokens that are left, the last one an end mark.
///
/// `settings` are macros given from outside: a `#define` of the same name in the text does not change them.
pub fn preprocess(
    sources: &mut SourceMap,
    main: FileId,
    path: &Path,
    settings: &[(String, String)],
    loader: &mut Loader<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor {
        sources,
        loader,
        diagnostics,
        macros: Macros::default(),
        text: Vec::new(),
        out: Vec::new(),
    };
    for (name, value) in settings {
        let span = Span::default();
        let mut body = lexer::tokens(value, 0, preprocessor.diagnostics);
        body.pop();
        for token in &mut body {
            token.span = span;
        }
        preprocessor.macros.pin(name, Macro::object(body, span));
    }
    preprocessor.file(main, path, 0);
    preprocessor.flush();
    let end = preprocessor.sources.file(main).span().after();
    let mut out = preprocessor.out;
    out.push(Token {
        kind: TokenKind::End,
        text: "".into(),
        span: end,
        first: true,
        spaced: true,
    });
    out
}

/// One `#if … #endif` that is open.
struct Conditional {
    /// Whether the text around it is read.
    outside: bool,
    /// Whether the text of the current branch is read.
    active: bool,
    /// Whether a branch was already taken.
    taken: bool,
    /// Whether `#else` has been seen.
    last: bool,
    opened: Span,
}

/// Whether text is read behind these conditionals.
fn is_reading(open: &[Conditional]) -> bool {
    open.last().is_none_or(|innermost| innermost.outside && innermost.active)
}

struct Preprocessor<'a, 'l> {
    sources: &'a mut SourceMap,
    loader: &'a mut Loader<'l>,
    diagnostics: &'a mut Diagnostics,
    macros: Macros,
    /// Tokens since the last directive, not yet expanded: a macro call may span lines.
    text: Vec<Token>,
    out: Vec<Token>,
}

impl Preprocessor<'_, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>, label: &str) {
        self.diagnostics.push(Diagnostic::error("preprocessor", message).label(span, label));
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let expanded = self.macros.expand(text, self.diagnostics);
        self.out.extend(expanded);
    }

    fn file(&mut self, file: FileId, path: &Path, depth: usize) {
        let source = self.sources.file(file);
        let (text, start) = (source.text().clone(), source.span().start);
        let mut complaints = Diagnostics::new();
        let mut tokens = lexer::tokens(&text, start, &mut complaints);
        tokens.pop();
        let mut open: Vec<Conditional> = Vec::new();
        let (mut skipped, mut skipping) = (Vec::new(), None);
        let mut i = 0;
        while i < tokens.len() {
            if tokens[i].first && tokens[i].is("#") {
                let end = (i + 1..tokens.len()).find(|&j| tokens[j].first).unwrap_or(tokens.len());
                self.directive(&tokens[i..end], &mut open, path, depth);
                if let Some(from) = skipping.take() {
                    skipped.push(from..tokens[i].span.start);
                }
                if !is_reading(&open) {
                    skipping = Some(tokens[i].span.start);
                }
                i = end;
            } else {
                if skipping.is_none() {
                    self.text.push(tokens[i].clone());
                }
                i += 1;
            }
        }
        skipped.extend(skipping.map(|from| from..u32::MAX));
        // Text that is left out may contain anything.
        let is_read = |d: &&Diagnostic| d.span().is_none_or(|at| !skipped.iter().any(|s| s.contains(&at.start)));
        complaints.iter().filter(is_read).for_each(|d| self.diagnostics.push(d.clone()));
        for conditional in open {
            self.error(conditional.opened, "this conditional is never closed", "`#endif` is missing");
        }
    }

    fn directive(&mut self, line: &[Token], open: &mut Vec<Conditional>, path: &Path, depth: usize) {
        let Some(word) = line.get(1) else { return };
        let reading = is_reading(open);
        match &*word.text {
            "ifdef" | "ifndef" | "if" => {
                let holds = reading && self.holds(word, line);
                open.push(Conditional {
                    outside: reading,
                    active: holds,
                    taken: holds,
                    last: false,
                    opened: line[0].span.to(word.span),
                });
            }
            "elif" | "else" => {
                let Some(conditional) = open.last() else {
                    return self.error(word.span, format!("`#{}` without `#if`", word.text), "");
                };
                if conditional.last {
                    return self.error(word.span, format!("`#{}` after `#else`", word.text), "");
                }
                let is_else = &*word.text == "else";
                let holds = conditional.outside && !conditional.taken && (is_else || self.holds(word, line));
                if let Some(conditional) = open.last_mut() {
                    conditional.active = holds;
                    conditional.taken |= holds;
                    conditional.last = is_else;
                }
            }
            "endif" => {
                if open.pop().is_none() {
                    self.error(word.span, "`#endif` without `#if`", "");
                }
            }
            _ if !reading => {}
            "define" => self.define(line),
            "undef" => match line.get(2) {
                Some(name) if name.kind == TokenKind::Name => {
                    self.flush();
                    self.macros.remove(&name.text);
                }
                _ => self.error(word.span, "`#undef` needs the name of a macro", ""),
            },
            "include" => self.include(line, path, depth),
            "error" => {
                let words: Vec<&str> = line[2..].iter().map(|t| &*t.text).collect();
                self.error(word.span, format!("#error {}", words.join(" ")), "");
            }
            "line" | "pragma" | "ident" => {}
            _ if matches!(word.kind, TokenKind::Number(_)) => {}
            other => {
                let names = ["define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif"];
                let message =
                    Diagnostic::error("preprocessor", format!("unknown directive `#{other}`")).label(word.span, "not a directive");
                self.diagnostics.push(message.did_you_mean(other, names));
            }
        }
    }

    /// Whether the condition of an `#if`, `#ifdef`, `#ifndef` or `#elif` line holds.
    fn holds(&mut self, word: &Token, line: &[Token]) -> bool {
        self.flush();
        if matches!(&*word.text, "ifdef" | "ifndef") {
            return match line.get(2) {
                Some(name) if name.kind == TokenKind::Name => self.macros.is_defined(&name.text) == (&*word.text == "ifdef"),
                _ => {
                    self.error(word.span, format!("`#{}` needs the name of a macro", word.text), "");
                    false
                }
            };
        }
        let tokens = condition::resolve_defined(&line[2..], |name| self.macros.is_defined(name));
        let tokens = self.macros.expand(tokens, self.diagnostics);
        match condition::evaluate(&tokens) {
            Ok(value) => value != 0,
            Err(message) => {
                self.error(word.span, message, "in this condition");
                false
            }
        }
    }

    fn define(&mut self, line: &[Token]) {
        let name = match line.get(2) {
            Some(name) if name.kind == TokenKind::Name => name.clone(),
            other => {
                let span = other.unwrap_or(&line[1]).span;
                return self.error(span, "`#define` needs a name", "expected a name here");
            }
        };
        self.flush();
        match Macro::parse(&line[3..], name.span) {
            Ok(new) => self.macros.define(&name.text, new, self.diagnostics),
            Err((span, message)) => self.error(span, message, ""),
        }
    }

    fn include(&mut self, line: &[Token], path: &Path, depth: usize) {
        self.flush();
        let span = line[1..].iter().fold(line[0].span, |a, t| a.to(t.span));
        let name: String = match line.get(2) {
            Some(token) if token.kind == TokenKind::Text => token.text.trim_matches('"').to_string(),
            Some(token) if token.is("<") => line[3..].iter().take_while(|t| !t.is(">")).map(|t| &*t.text).collect(),
            _ => return self.error(span, "`#include` needs a file name in quotes", ""),
        };
        if depth >= MAX_INCLUDE_DEPTH {
            return self.error(span, "files are included too deeply", "does this file include itself?");
        }
        let target: PathBuf = path.parent().unwrap_or(Path::new("")).join(&name);
        match (self.loader)(&target) {
            Ok(text) => match self.sources.add(target.display().to_string(), text) {
                Ok(file) => {
                    self.file(file, &target, depth + 1);
                    self.flush();
                }
                Err(too_large) => self.error(span, too_large.to_string(), ""),
            },
            Err(error) => self.error(span, format!("cannot read `{}`: {error}", target.display()), "included here"),
        }
    }
}
