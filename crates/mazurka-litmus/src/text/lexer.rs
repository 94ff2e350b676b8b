//! From characters to tokens with their positions.

use super::ParseError;
use mazurka_diagnostics::Span;

/// A word, number, string or sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Name(String),
    Int(i64),
    Text(String),
    Sign(&'static str),
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Name(name) => write!(f, "`{}`", shortened(name)),
            Token::Int(value) => write!(f, "`{value}`"),
            Token::Text(_) => write!(f, "a text in quotes"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => write!(f, "the end of the program"),
        }
    }
}

/// A token, its place in the text, and the line and column where it starts, from 1.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub token: Token,
    pub span: Span,
    pub line: u32,
    pub column: u32,
}

/// Longer signs first, so that `==` is not read as `=`.
const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "@+", "=", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")", "[", "]", "{", "}", ";",
    ",", ":", "#", ".",
];

/// The beginning of a word that is too long for a message.
pub(super) fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_string(),
    }
}

/// A character in a message, by its number where a terminal would not show it as it is.
fn visible(c: char) -> String {
    if c.is_ascii_graphic() || c.is_alphanumeric() {
        format!("`{c}`")
    } else {
        format!("U+{:04X}", c as u32)
    }
}

pub(super) fn tokens(file: &str, text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut out = Vec::new();
    let (mut line, mut column) = (1, 1);
    // What is missing at the end is missing after the last token, not below the last empty line.
    let mut end = (0, line, column);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let start = text.len() - rest.len();
        let fail = |code, length, message: String| Err(ParseError::new(file, text, code, span(start, start + length), message));
        let length = if c == '\n' {
            (line, column) = (line + 1, 0);
            1
        } else if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            let (token, length) = if c.is_ascii_alphabetic() || c == '_' {
                let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                (Token::Name(rest[..length].to_string()), length)
            } else if c.is_ascii_digit() {
                let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                let digits = &rest[..length];
                if !digits.bytes().all(|c| c.is_ascii_digit()) {
                    let message = format!("`{}` is neither a number nor a name: names begin with a letter", shortened(digits));
                    return fail("syntax", length, message);
                }
                let Ok(value) = digits.parse() else {
                    let shown = shortened(digits);
                    let message = format!("{shown} is too large; numbers go from {} to {}", i32::MIN, i32::MAX);
                    return fail("too-large", length, message);
                };
                (Token::Int(value), length)
            } else if c == '"' {
                let inner = &rest[1..];
                let line = inner.find('\n').unwrap_or(inner.len());
                let Some(close) = inner[..line].find('"') else {
                    return fail("syntax", 1 + line, "this text has no closing quote on its line".to_string());
                };
                (Token::Text(inner[..close].to_string()), close + 2)
            } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
                (Token::Sign(sign), sign.len())
            } else {
                let message = format!("the character {} has no meaning here", visible(c));
                return fail("syntax", c.len_utf8(), message);
            };
            out.push(Placed {
                token,
                span: span(start, start + length),
                line,
                column,
            });
            length
        };
        column += u32::try_from(rest[..length].chars().count()).unwrap_or(u32::MAX);
        if out.last().is_some_and(|last| last.span.end as usize == start + length) {
            end = (start + length, line, column);
        }
        rest = &rest[length..];
    }
    let (after, line, column) = end;
    out.push(Placed {
        token: Token::End,
        span: span(after, after),
        line,
        column,
    });
    Ok(out)
}

/// Offsets beyond 4 GiB all stand for the last one; no such text is ever shown.
fn span(start: usize, end: usize) -> Span {
    let cut = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(cut(start), cut(end))
}

#[cfg(test)]
mod tests {
    use super::{span, tokens};
    use crate::text::ParseError;

    #[test]
    fn a_text_that_is_not_closed_is_wrong_up_to_the_end_of_its_line() {
        let text = "[assert x \"open]\n[y=1]";
        let expected = ParseError::new("t", text, "syntax", span(10, 16), "this text has no closing quote on its line");
        assert_eq!(tokens("t", text).err(), Some(expected));
    }
}
