//! From characters to tokens: one pass, comments and line continuations skipped, positions kept.

use crate::token::{Token, TokenKind};
use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};
use std::sync::Arc;

/// Operators and brackets, longer ones first so that the longest match wins.
const PUNCTUATION: &[&str] = &[
    "<->", "/\\", "\\/", "::", "->", "--", "++", "!!", "!=", "??", "<<", "<=", ">>", ">=", "==", "&&", "||", "..", "##", "(", ")", "[",
    "]", "{", "}", ",", ";", ":", "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", "<", ">", ".", "@", "#",
];

/// So many characters without a meaning are told one by one: a file of nothing else would fill the memory with messages.
const MOST_WRONG: usize = 20;

/// Cuts `text`, whose first byte has the global offset `start`, into tokens; the last one is [`TokenKind::End`].
pub fn tokens(text: &str, start: u32, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        start,
        at: 0,
        first: true,
        spaced: false,
        wrong: 0,
        out: Vec::new(),
        diagnostics,
    };
    while lexer.next() {}
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    start: u32,
    at: usize,
    first: bool,
    spaced: bool,
    /// How many characters have no meaning.
    wrong: usize,
    out: Vec<Token>,
    diagnostics: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.start + from as u32, self.start + to as u32)
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let text: Arc<str> = Arc::from(&self.text[self.at..self.at + length]);
        let span = self.span(self.at, self.at + length);
        self.out.push(Token {
            kind,
            text,
            span,
            first: self.first,
            spaced: self.spaced,
        });
        self.at += length;
        self.first = false;
        self.spaced = false;
    }

    /// Reads one token or one piece of white space; false at the end.
    fn next(&mut self) -> bool {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else {
            self.first = true;
            self.push(TokenKind::End, 0);
            return false;
        };
        if c == '\n' {
            self.at += 1;
            self.first = true;
            self.spaced = true;
        } else if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
            self.at += if rest.starts_with("\\\n") { 2 } else { 3 };
            self.spaced = true;
        } else if c.is_whitespace() {
            self.at += c.len_utf8();
            self.spaced = true;
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
            self.spaced = true;
        } else if rest.starts_with("/*") {
            self.comment();
        } else if c.is_ascii_alphabetic() || c == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            self.push(TokenKind::Name, length);
        } else if c.is_ascii_digit() {
            self.number();
        } else if c == '"' {
            self.string();
        } else if c == '\'' {
            self.character();
        } else if let Some(punct) = PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
            self.push(TokenKind::Punct, punct.len());
        } else {
            let span = self.span(self.at, self.at + c.len_utf8());
            self.wrong += 1;
            if self.wrong <= MOST_WRONG {
                self.diagnostics.push(
                    Diagnostic::error("character", format!("`{}` is no part of Promela", c.escape_default()))
                        .label(span, "unexpected character"),
                );
            } else if self.wrong == MOST_WRONG + 1 {
                // Without a place: text that is left out may contain anything, but this file is none at all.
                let message = format!("more than {MOST_WRONG} characters are no part of Promela");
                self.diagnostics
                    .push(Diagnostic::error("character", message).with_help("is this a Promela model?"));
            }
            self.at += c.len_utf8();
        }
        true
    }

    fn comment(&mut self) {
        self.spaced = true;
        match self.rest()[2..].find("*/") {
            Some(end) => self.at += end + 4,
            None => {
                let span = self.span(self.at, self.at + 2);
                self.diagnostics
                    .push(Diagnostic::error("comment", "this comment is never closed").label(span, "`*/` is missing"));
                self.at = self.text.len();
            }
        }
    }

    fn number(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let digits = &rest[..length];
        // SPIN reads `010` as ten; hexadecimal numbers are the C preprocessor's habit and harmless.
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => u32::from_str_radix(hex, 16).ok().map(|v| v as i32),
            None => digits.parse::<i32>().ok(),
        };
        if value.is_none() {
            let span = self.span(self.at, self.at + length);
            let message = if digits.bytes().all(|b| b.is_ascii_digit()) {
                format!("`{digits}` is too large: numbers go up to {}", i32::MAX)
            } else {
                format!("`{digits}` is not a number")
            };
            self.diagnostics.push(Diagnostic::error("number", message).label(span, ""));
        }
        self.push(TokenKind::Number(value.unwrap_or(0)), length);
    }

    fn string(&mut self) {
        let bytes = self.rest().as_bytes();
        let mut i = 1;
        while i < bytes.len() && bytes[i] != b'"' && bytes[i] != b'\n' {
            i += if bytes[i] == b'\\' && i + 1 < bytes.len() { 2 } else { 1 };
        }
        let mut length = i.min(bytes.len());
        if bytes.get(i) == Some(&b'"') {
            length = i + 1;
        } else {
            while !self.rest().is_char_boundary(length) {
                length += 1;
            }
            let span = self.span(self.at, self.at + 1);
            self.diagnostics
                .push(Diagnostic::error("string", "this string does not end on its line").label(span, "it starts here"));
        }
        self.push(TokenKind::Text, length);
    }

    fn character(&mut self) {
        let mut chars = self.rest().chars().skip(1);
        let (value, length) = match (chars.next(), chars.next(), chars.next()) {
            (Some('\\'), Some(c), Some('\'')) => {
                let value = match c {
                    'n' => 10,
                    't' => 9,
                    'r' => 13,
                    'f' => 12,
                    '0' => 0,
                    other => other as i32,
                };
                (Some(value), 3 + c.len_utf8())
            }
            (Some(c), Some('\''), _) if c != '\\' => (Some(c as i32), 2 + c.len_utf8()),
            _ => (None, 1),
        };
        if value.is_none() {
            let span = self.span(self.at, self.at + 1);
            self.diagnostics
                .push(Diagnostic::error("character", "a character constant has the form 'c'").label(span, ""));
        }
        self.push(TokenKind::Number(value.unwrap_or(0)), length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut diagnostics = Diagnostics::new();
        let tokens = tokens(text, 0, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        tokens.iter().map(|t| t.text.to_string()).collect()
    }

    #[test]
    fn the_longest_operator_wins() {
        assert_eq!(words("a::b c??[x] q!!3 x--").join(" "), "a :: b c ?? [ x ] q !! 3 x -- ");
    }

    #[test]
    fn comments_and_continuations_vanish() {
        assert_eq!(words("a /* b\n c */ d // e\nf \\\n g").join(" "), "a d f g ");
        let tokens = tokens("x\n# y \\\n z\nw", 0, &mut Diagnostics::new());
        let first: Vec<bool> = tokens.iter().map(|t| t.first).collect();
        assert_eq!(first, [true, true, false, false, true, true]);
    }

    #[test]
    fn numbers_are_decimal_even_with_a_leading_zero() {
        let tokens = tokens("010 0x10 'a' '\\n'", 0, &mut Diagnostics::new());
        let values: Vec<TokenKind> = tokens.iter().map(|t| t.kind).collect();
        assert_eq!(values[..4], [10, 16, 97, 10].map(TokenKind::Number));
    }
}
