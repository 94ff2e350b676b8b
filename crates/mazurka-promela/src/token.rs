//! The words of Promela and of its preprocessor.

use mazurka_diagnostics::Span;
use std::sync::Arc;

/// What kind of word a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Name,
    /// A number; character constants are numbers too.
    Number(i32),
    /// A string, quotes included in the text.
    Text,
    /// An operator or a bracket, told by its text.
    Punct,
    /// The end of the input.
    End,
}

/// The binary operators with their strength; all of them bind to the left.
pub const BINARY_OPERATORS: &[(&str, u8)] = &[
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// A word with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What kind of word it is.
    pub kind: TokenKind,
    /// The word as written.
    pub text: Arc<str>,
    /// Where it stands; a word that a macro produced stands where the macro was called.
    pub span: Span,
    /// Whether it is the first word of its line: there `#` starts a directive.
    pub first: bool,
    /// Whether white space or a comment stands before it; decides if `#define f(x)` has parameters.
    pub spaced: bool,
}

impl Token {
    /// Whether the token is this operator or bracket.
    pub fn is(&self, punct: &str) -> bool {
        self.kind == TokenKind::Punct && &*self.text == punct
    }

    /// Whether the token is this name or keyword.
    pub fn is_name(&self, name: &str) -> bool {
        self.kind == TokenKind::Name && &*self.text == name
    }
}

/// The words that cannot be names of variables.
pub const KEYWORDS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "D_proctype",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Whether the word is a keyword.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}
