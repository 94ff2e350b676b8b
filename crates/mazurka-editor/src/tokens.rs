//! Words and signs of a text in any of the languages, without comments and strings.

use std::ops::Range;

/// A word, a number or a sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token<'t> {
    pub text: &'t str,
    pub start: usize,
}

impl Token<'_> {
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// All of them, in order.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            string(rest)
        } else {
            let length = if in_word(first) {
                rest.find(|c| !in_word(c)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            found.push(Token {
                text: &rest[..length],
                start: at,
            });
            length
        };
        at += length;
    }
    found
}

/// The length of a string with its quotes; one that is not closed ends with its line.
fn string(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, c)) = letters.next() {
        match c {
            '\\' => drop(letters.next()),
            '"' => return at + 1,
            '\n' => return at,
            _ => {}
        }
    }
    rest.len()
}

/// The word at a place, which may be just behind it.
pub(crate) fn word_at<'t>(tokens: &[Token<'t>], at: usize) -> Option<Token<'t>> {
    tokens.iter().find(|t| t.is_word() && t.start <= at && at <= t.range().end).cloned()
}
