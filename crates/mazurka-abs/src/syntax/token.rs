//! The tokens of ABS.

use mazurka_diagnostics::Span;

/// What a token is. Keywords are identifiers here: most of them are reserved only in some places, and old files use many as names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A lower-case identifier or keyword.
    Ident,
    /// An identifier that starts with a capital.
    TypeIdent,
    /// Digits.
    Int,
    /// A floating-point number.
    Float,
    /// `"…"`.
    Str,
    /// `` `…` `` without expressions.
    TemplateWhole,
    /// `` `…$ ``.
    TemplateStart,
    /// `$…$`.
    TemplateMiddle,
    /// `` $…` ``.
    TemplateEnd,
    /// `_`.
    Underscore,
    /// `(`.
    LeftParen,
    /// `)`.
    RightParen,
    /// `[`.
    LeftBracket,
    /// `]`.
    RightBracket,
    /// `{`.
    LeftBrace,
    /// `}`.
    RightBrace,
    /// `;`.
    Semicolon,
    /// `,`.
    Comma,
    /// `.`.
    Dot,
    /// `:`.
    Colon,
    /// `?`.
    Question,
    /// `=`.
    Assign,
    /// `=>`.
    FatArrow,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `!`.
    Bang,
    /// `~`, the old `!`.
    Tilde,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Star,
    /// `/`.
    Slash,
    /// `%`.
    Percent,
    /// `&`.
    And,
    /// `&&`.
    AndAnd,
    /// `|`.
    Or,
    /// `||`.
    OrOr,
    /// Something that has no place in ABS; reported when the parser meets it outside skipped text.
    Unknown,
    /// After the last token.
    End,
}

impl TokenKind {
    /// How messages speak of the token when it is expected.
    pub fn describe(self) -> &'static str {
        match self {
            TokenKind::Ident => "a name that starts with a small letter",
            TokenKind::TypeIdent => "a name that starts with a capital",
            TokenKind::Int | TokenKind::Float => "a number",
            TokenKind::Str => "a string",
            TokenKind::TemplateWhole | TokenKind::TemplateStart => "a template string",
            TokenKind::TemplateMiddle | TokenKind::TemplateEnd => "`$`",
            TokenKind::Underscore => "`_`",
            TokenKind::LeftParen => "`(`",
            TokenKind::RightParen => "`)`",
            TokenKind::LeftBracket => "`[`",
            TokenKind::RightBracket => "`]`",
            TokenKind::LeftBrace => "`{`",
            TokenKind::RightBrace => "`}`",
            TokenKind::Semicolon => "`;`",
            TokenKind::Comma => "`,`",
            TokenKind::Dot => "`.`",
            TokenKind::Colon => "`:`",
            TokenKind::Question => "`?`",
            TokenKind::Assign => "`=`",
            TokenKind::FatArrow => "`=>`",
            TokenKind::Equal => "`==`",
            TokenKind::NotEqual => "`!=`",
            TokenKind::Bang => "`!`",
            TokenKind::Tilde => "`~`",
            TokenKind::Less => "`<`",
            TokenKind::LessEqual => "`<=`",
            TokenKind::Greater => "`>`",
            TokenKind::GreaterEqual => "`>=`",
            TokenKind::Plus => "`+`",
            TokenKind::Minus => "`-`",
            TokenKind::Star => "`*`",
            TokenKind::Slash => "`/`",
            TokenKind::Percent => "`%`",
            TokenKind::And => "`&`",
            TokenKind::AndAnd => "`&&`",
            TokenKind::Or => "`|`",
            TokenKind::OrOr => "`||`",
            TokenKind::Unknown => "an unknown character",
            TokenKind::End => "the end of the file",
        }
    }
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}
