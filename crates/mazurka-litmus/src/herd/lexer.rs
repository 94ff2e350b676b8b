//! From characters to tokens.

use crate::text::ParseError;
use mazurka_diagnostics::Span;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Name(String),
    Int(i32),
    Sign(&'static str),
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Name(name) => write!(f, "`{}`", name.chars().take(40).collect::<String>()),
            Token::Int(value) => write!(f, "`{value}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub token: Token,
    pub span: Span,
    pub line: u32,
    pub column: u32,
}

/// Longer signs first.
const SIGNS: &[&str] = &[
    "/\\", "\\/", "==", "!=", "<=", ">=", "&&", "||", "=>", "<<", ">>", "++", "--", "+=", "-=", "->", "=", "<", ">", "+", "-", "*", "/",
    "%", "!", "~", "&", "|", "^", "(", ")", "[", "]", "{", "}", ";", ",", ":", ".", "\"", "?", "#",
];

/// The tokens of what comes after the header, which is as it likes.
pub(super) fn tokens(file: &str, text: &str, from: usize) -> Result<Vec<Placed>, ParseError> {
    let mut out = Vec::new();
    let mut at = from;
    // Within threads, `(*` is C; before and after them it begins a comment.
    let (mut open, mut blocks) = (0u32, 0u32);
    let fail = |start: usize, length: usize, message: &str| ParseError::new(file, text, "syntax", span(start, start + length), message);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let comment = [("(*", "*)"), ("/*", "*/"), ("//", "\n")]
            .into_iter()
            .find(|(begin, _)| rest.starts_with(begin));
        let length = if c.is_whitespace() {
            c.len_utf8()
        } else if let Some((begin, close)) = comment.filter(|(begin, _)| *begin != "(*" || open == 0 || blocks == 0) {
            match rest[begin.len()..].find(close) {
                Some(end) => begin.len() + end + close.len(),
                None if begin == "//" => rest.len(),
                None => return Err(fail(at, begin.len(), "this comment has no end")),
            }
        } else {
            let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (token, length) = if c.is_ascii_digit() {
                let value = match rest[..word].strip_prefix("0x") {
                    Some(digits) => i32::from_str_radix(digits, 16),
                    None => rest[..word].parse(),
                };
                let value = value.map_err(|_| fail(at, word, "this is no number of 32 bits"))?;
                (Token::Int(value), word)
            } else if word > 0 {
                (Token::Name(rest[..word].to_owned()), word)
            } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                (Token::Sign(sign), sign.len())
            } else {
                return Err(fail(at, c.len_utf8(), "this character has no meaning here"));
            };
            match token {
                Token::Sign("{") => open += 1,
                Token::Sign("}") => {
                    open = open.saturating_sub(1);
                    blocks += u32::from(open == 0);
                }
                _ => {}
            }
            out.push(placed(text, token, at, length));
            length
        };
        at += length;
    }
    let end = out.last().map_or(from, |last| last.span.end as usize);
    out.push(placed(text, Token::End, end, 0));
    Ok(out)
}

fn placed(text: &str, token: Token, at: usize, length: usize) -> Placed {
    let before = &text[..at];
    let line = before.rsplit('\n').next().unwrap_or(before);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Placed {
        token,
        span: span(at, at + length),
        line: number(before.matches('\n').count() + 1),
        column: number(line.chars().count() + 1),
    }
}

fn span(start: usize, end: usize) -> Span {
    let cut = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(cut(start), cut(end))
}
