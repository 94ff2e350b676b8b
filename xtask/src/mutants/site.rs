//! A place in a source file where the program can be switched to do something else.

/// How the switch is written around the text from `start` to `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An expression, which has other expressions as alternatives.
    Expression,
    /// A statement that can be left out.
    Statement,
    /// Something that must be true besides, written before a condition: `start` and `end` are equal.
    Conjunct,
    /// The guard of a match arm, besides which something must be true.
    Guard,
    /// A guard of a match arm that has none: `start` and `end` are equal.
    NewGuard,
    /// The beginning of a function's body, where it can return early: `start` and `end` are equal.
    Entry,
}

/// One change of one program text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The line of the change, from 1.
    pub line: usize,
    /// The function it is in, with the type whose function it is.
    pub function: String,
    /// What is done, as in `a == b → a != b`.
    pub text: String,
    /// The code to run instead, where the shape has alternatives.
    pub code: String,
    /// Tells changes of the same function with the same words apart, and changes with that function's text.
    pub key: String,
}

/// A place with its changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// How the switch is written.
    pub shape: Shape,
    /// Where it begins in the source, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The alternatives; a statement, a conjunct and a guard have one.
    pub changes: Vec<Change>,
}
