//! From characters to tokens with their positions.

use super::ParseError;
use mazurka_core::Position;

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

/// A token and where it starts, line and column from 1.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub token: Token,
    pub line: u32,
    pub column: u32,
}

/// Longer signs first, so that `==` is not read as `=`.
const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "@+", "=", "<", ">", "+", "-", "*", "/", "%", "!", "(", ")", "[", "]", "{", "}", ";",
    ",", ":", "#",
];

/// The beginning of a word that is too long for a message.
fn shortened(word: &str) -> String {
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
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let fail = |message: String| ParseError {
            at: Position {
                file: file.to_string(),
                line,
                column,
            },
            message,
        };
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
                let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let digits = &rest[..length];
                let value = digits.parse().map_err(|_| {
                    let shown = shortened(digits);
                    fail(format!("{shown} is too large; numbers go from {} to {}", i32::MIN, i32::MAX))
                })?;
                (Token::Int(value), length)
            } else if c == '"' {
                let inner = &rest[1..];
                let close = inner.find(['"', '\n']).filter(|&i| inner[i..].starts_with('"'));
                let close = close.ok_or_else(|| fail("this text has no closing quote on its line".to_string()))?;
                (Token::Text(inner[..close].to_string()), close + 2)
            } else {
                let sign = SIGNS.iter().find(|s| rest.starts_with(**s));
                let sign = sign.ok_or_else(|| fail(format!("the character {} has no meaning here", visible(c))))?;
                (Token::Sign(sign), sign.len())
            };
            out.push(Placed { token, line, column });
            length
        };
        column += u32::try_from(rest[..length].chars().count()).unwrap_or(u32::MAX);
        rest = &rest[length..];
    }
    out.push(Placed {
        token: Token::End,
        line,
        column,
    });
    Ok(out)
}
