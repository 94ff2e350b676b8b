//! From characters to tokens. Never fails: what cannot be read is reported and skipped or becomes [`TokenKind::Unknown`].

use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};

use super::token::{Token, TokenKind};

/// Reads a whole text that starts at the global offset `base`.
pub fn lex(text: &str, base: u32, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
        base,
        templates: Vec::new(),
        tokens: Vec::with_capacity(text.len() / 4),
        diagnostics,
    };
    lexer.run();
    lexer.tokens
}

/// What surrounds the expressions in a template string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    /// `$…$`, as today.
    Dollars,
    /// `«…»`, as for a while before.
    Guillemets,
}

/// The bytes of `«` and `»`.
const OPENING: &[u8] = "«".as_bytes();
const CLOSING: &[u8] = "»".as_bytes();

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    base: u32,
    /// The template strings that are open around this place: only inside one does `$` or `»` mean something.
    templates: Vec<Marks>,
    tokens: Vec<Token>,
    diagnostics: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let start = self.at;
            if let Some(kind) = self.token() {
                self.tokens.push(Token {
                    kind,
                    span: self.span(start),
                });
            }
        }
        self.tokens.push(Token {
            kind: TokenKind::End,
            span: self.span(self.at),
        });
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Goes past the bytes that satisfy `keep`.
    fn skip_while(&mut self, keep: impl Fn(u8) -> bool) {
        while self.at < self.bytes.len() && keep(self.bytes[self.at]) {
            self.at += 1;
        }
    }

    /// Reads one token, or white space or a comment, for which there is none.
    fn token(&mut self) -> Option<TokenKind> {
        use TokenKind as T;
        let byte = self.peek(0);
        let (kind, length) = match (byte, self.peek(1)) {
            (b' ' | b'\t' | b'\r' | b'\n' | 0x0c, _) => {
                self.skip_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0c));
                return None;
            }
            // A byte order mark at the very beginning is the editor's business.
            (0xef, _) if self.at == 0 && self.bytes.starts_with(b"\xef\xbb\xbf") => {
                self.at = 3;
                return None;
            }
            (b'/', b'/') => {
                self.skip_while(|b| b != b'\n');
                return None;
            }
            (b'/', b'*') => {
                self.block_comment();
                return None;
            }
            (b'a'..=b'z', _) => return Some(self.word(T::Ident)),
            (b'A'..=b'Z', _) => return Some(self.word(T::TypeIdent)),
            (b'0'..=b'9', _) | (b'.', b'0'..=b'9') => return Some(self.number()),
            (b'"', _) => return Some(self.string()),
            (b'`', _) => return Some(self.template(true)),
            (b'$', _) if self.templates.last() == Some(&Marks::Dollars) => return Some(self.template(false)),
            (0xc2, 0xbb) if self.templates.last() == Some(&Marks::Guillemets) => return Some(self.template(false)),
            (b'_', next) if !(next.is_ascii_alphanumeric() || next == b'_') => (T::Underscore, 1),
            (b'(', _) => (T::LeftParen, 1),
            (b')', _) => (T::RightParen, 1),
            (b'[', _) => (T::LeftBracket, 1),
            (b']', _) => (T::RightBracket, 1),
            (b'{', _) => (T::LeftBrace, 1),
            (b'}', _) => (T::RightBrace, 1),
            (b';', _) => (T::Semicolon, 1),
            (b',', _) => (T::Comma, 1),
            (b'.', _) => (T::Dot, 1),
            (b':', _) => (T::Colon, 1),
            (b'?', _) => (T::Question, 1),
            (b'=', b'>') => (T::FatArrow, 2),
            (b'=', b'=') => (T::Equal, 2),
            (b'=', _) => (T::Assign, 1),
            (b'!', b'=') => (T::NotEqual, 2),
            (b'!', _) => (T::Bang, 1),
            (b'~', _) => (T::Tilde, 1),
            (b'<', b'=') => (T::LessEqual, 2),
            (b'<', _) => (T::Less, 1),
            (b'>', b'=') => (T::GreaterEqual, 2),
            (b'>', _) => (T::Greater, 1),
            (b'+', _) => (T::Plus, 1),
            (b'-', _) => (T::Minus, 1),
            (b'*', _) => (T::Star, 1),
            (b'/', _) => (T::Slash, 1),
            (b'%', _) => (T::Percent, 1),
            (b'&', b'&') => (T::AndAnd, 2),
            (b'&', _) => (T::And, 1),
            (b'|', b'|') => (T::OrOr, 2),
            (b'|', _) => (T::Or, 1),
            _ => {
                self.unknown();
                return Some(T::Unknown);
            }
        };
        self.at += length;
        Some(kind)
    }

    fn word(&mut self, kind: TokenKind) -> TokenKind {
        self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        kind
    }

    /// A run of bytes that no token starts with is one token, so that it gives one message.
    fn unknown(&mut self) {
        if self.peek(0) == b'_' {
            self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        } else if self.peek(0).is_ascii() {
            self.at += 1;
        } else {
            self.skip_while(|b| !b.is_ascii());
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        while self.at < self.bytes.len() {
            if self.peek(0) == b'*' && self.peek(1) == b'/' {
                self.at += 2;
                return;
            }
            self.at += 1;
        }
        let open = Span::new(self.base + start as u32, self.base + start as u32 + 2);
        self.diagnostics.push(
            Diagnostic::error("unclosed-comment", "this comment is never closed")
                .label(open, "opened here")
                .with_help("close it with `*/`; comments do not nest"),
        );
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        self.skip_while(|b| b.is_ascii_digit());
        let digits = self.at - start;
        let mut kind = TokenKind::Int;
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            kind = TokenKind::Float;
            self.at += 1;
            self.skip_while(|b| b.is_ascii_digit());
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if matches!(self.peek(0), b'e' | b'E') && self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.skip_while(|b| b.is_ascii_digit());
            }
        }
        if digits > 1 && self.bytes[start] == b'0' {
            self.diagnostics.push(
                Diagnostic::error("bad-number", "a number must not start with a superfluous 0")
                    .label(self.span(start), "remove the leading zeros"),
            );
        } else if digits > MAX_DIGITS {
            self.diagnostics.push(
                Diagnostic::error("bad-number", format!("this number has more than {MAX_DIGITS} digits"))
                    .label(self.span(start), "too long"),
            );
        } else if matches!(self.peek(0), b'a'..=b'z' | b'A'..=b'Z' | b'_') {
            let word = self.at;
            self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
            self.diagnostics.push(
                Diagnostic::error("bad-number", "letters must not follow a number directly")
                    .label(self.span(word), "these letters")
                    .with_help("names start with a letter; put a space or an operator between a number and a name"),
            );
        }
        kind
    }

    fn string(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'\\' if self.at + 1 < self.bytes.len() && self.peek(1) != b'\n' => {
                    if !matches!(self.peek(1), b'\\' | b'"' | b'n' | b't' | b'r') {
                        let from = self.at;
                        let mut to = self.at + 2;
                        while to < self.bytes.len() && !is_boundary(self.bytes[to]) {
                            to += 1;
                        }
                        let span = Span::new(self.base + from as u32, self.base + to as u32);
                        self.diagnostics.push(
                            Diagnostic::error("bad-escape", "unknown escape in a string")
                                .label(span, "")
                                .with_help("the escapes are \\\\, \\\", \\n, \\t and \\r"),
                        );
                    }
                    self.at += 2;
                }
                byte if self.at >= self.bytes.len() || byte == b'\n' => {
                    self.diagnostics.push(
                        Diagnostic::error("unclosed-string", "this string is not closed on its line")
                            .label(Span::new(self.base + start as u32, self.base + start as u32 + 1), "opened here")
                            .with_help("write \\n for a line break, or use a template string `…`"),
                    );
                    break;
                }
                _ => self.at += 1,
            }
        }
        TokenKind::Str
    }

    /// The literal part of a template string, from a backquote (`opening`) or from the mark that ends an expression.
    fn template(&mut self, opening: bool) -> TokenKind {
        let start = self.at;
        let marks = match self.templates.last() {
            Some(&marks) if !opening => marks,
            _ => self.marks_ahead(),
        };
        let (ends, begins): (&[u8], &[u8]) = match marks {
            Marks::Dollars => (b"$", b"$"),
            Marks::Guillemets => (CLOSING, OPENING),
        };
        self.at += if opening { 1 } else { ends.len() };
        loop {
            let rest = &self.bytes[self.at..];
            match rest.first() {
                Some(b'\\') if rest[1..].starts_with(b"`") || rest[1..].starts_with(begins) => self.at += 2,
                Some(b'`') => {
                    self.at += 1;
                    if opening {
                        return TokenKind::TemplateWhole;
                    }
                    self.templates.pop();
                    return TokenKind::TemplateEnd;
                }
                Some(_) if rest.starts_with(begins) => {
                    self.at += begins.len();
                    if opening {
                        self.templates.push(marks);
                        return TokenKind::TemplateStart;
                    }
                    return TokenKind::TemplateMiddle;
                }
                Some(_) => self.at += 1,
                None => {
                    let open = Span::new(self.base + start as u32, self.base + start as u32 + 1);
                    self.diagnostics.push(
                        Diagnostic::error("unclosed-template", "this template string is never closed")
                            .label(open, "this part starts here")
                            .with_help("close it with a backquote; inside, `$` starts and ends an expression and \\$ stands for itself"),
                    );
                    if opening {
                        return TokenKind::TemplateWhole;
                    }
                    self.templates.pop();
                    return TokenKind::TemplateEnd;
                }
            }
        }
    }

    /// Which marks the template string that opens here uses: guillemets if they come in pairs and no pair of dollars does.
    fn marks_ahead(&self) -> Marks {
        let (mut dollars, mut open, mut pairs) = (0_usize, 0_usize, 0_usize);
        let mut at = self.at + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'`' => break,
                b'\\' => at += 1,
                b'$' => dollars += 1,
                _ if self.bytes[at..].starts_with(OPENING) => open += 1,
                _ if self.bytes[at..].starts_with(CLOSING) && open > 0 => {
                    open -= 1;
                    pairs += 1;
                }
                _ => {}
            }
            at += 1;
        }
        if pairs > 0 && open == 0 && dollars < 2 {
            Marks::Guillemets
        } else {
            Marks::Dollars
        }
    }
}

/// Longer numbers are surely a mistake, and reading them takes quadratic time.
const MAX_DIGITS: usize = 10_000;

/// Whether a byte starts a character in UTF-8.
fn is_boundary(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind as T;

    fn kinds(text: &str) -> (Vec<TokenKind>, Vec<&'static str>) {
        let mut diagnostics = Diagnostics::new();
        let tokens = lex(text, 0, &mut diagnostics);
        (
            tokens.iter().map(|t| t.kind).collect(),
            diagnostics.iter().map(|d| d.code).collect(),
        )
    }

    #[test]
    fn operators_take_the_longest_match() {
        let (tokens, errors) = kinds("a==b=>c<=d!=e&&f&g||h|i");
        let operators: Vec<_> = tokens.into_iter().filter(|t| *t != T::Ident).collect();
        assert_eq!(
            operators,
            [
                T::Equal,
                T::FatArrow,
                T::LessEqual,
                T::NotEqual,
                T::AndAnd,
                T::And,
                T::OrOr,
                T::Or,
                T::End
            ]
        );
        assert!(errors.is_empty());
    }

    #[test]
    fn numbers() {
        assert_eq!(
            kinds("0 12 1.5 .5 1.0e-3 x.get").0,
            [T::Int, T::Int, T::Float, T::Float, T::Float, T::Ident, T::Dot, T::Ident, T::End]
        );
        assert_eq!(kinds("007").1, ["bad-number"]);
        assert_eq!(kinds("3x").1, ["bad-number"]);
    }

    #[test]
    fn templates_nest() {
        let (tokens, errors) = kinds("`a $x$ b $`c $y$`$ \\$` \"$\"");
        assert_eq!(
            tokens,
            [
                T::TemplateStart,
                T::Ident,
                T::TemplateMiddle,
                T::TemplateStart,
                T::Ident,
                T::TemplateEnd,
                T::TemplateEnd,
                T::Str,
                T::End
            ]
        );
        assert!(errors.is_empty());
    }

    #[test]
    fn guillemets_were_the_marks_once() {
        let (tokens, errors) = kinds("`a «x» b «y»»` `\\«` `«$x$»` »");
        assert_eq!(
            tokens,
            [
                T::TemplateStart,
                T::Ident,
                T::TemplateMiddle,
                T::Ident,
                T::TemplateEnd,
                T::TemplateWhole,
                T::TemplateStart,
                T::Ident,
                T::TemplateEnd,
                T::Unknown,
                T::End
            ]
        );
        assert!(errors.is_empty());
    }

    #[test]
    fn what_is_not_closed_is_reported_once() {
        assert_eq!(kinds("\"abc\n x").1, ["unclosed-string"]);
        assert_eq!(kinds("/* abc").1, ["unclosed-comment"]);
        assert_eq!(kinds("`abc").1, ["unclosed-template"]);
        assert_eq!(kinds("`abc $x$ d").1, ["unclosed-template"]);
        assert_eq!(kinds("\"a\\qb\"").1, ["bad-escape"]);
    }

    #[test]
    fn foreign_characters_make_one_token() {
        assert_eq!(kinds("äöü x").0, [T::Unknown, T::Ident, T::End]);
        assert_eq!(kinds("_x _").0, [T::Unknown, T::Underscore, T::End]);
    }
}
