//! Expressions over shared variables and locals, with Rust's operators for building them.

/// A local variable of the process at hand, by its index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Local(pub usize);

/// A shared variable that is no array, by its index in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Var(pub usize);

/// A shared array, by its index in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Array(pub usize);

/// Operators with two operands. Arithmetic wraps; comparisons and connectives give 1 or 0. The left operand is evaluated first; the right
/// one of a connective only if the left one does not decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Binary {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Binary {
    /// Whether it fails if its right operand is 0.
    pub(crate) fn divides(self) -> bool {
        matches!(self, Binary::Divide | Binary::Remainder)
    }
}

/// A value computed from shared variables, locals and constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Int(i32),
    /// A local of the process.
    Local(Local),
    /// A shared variable, or an element of a shared array.
    Shared(usize, Option<Box<Expr>>),
    /// 1 if the operand is 0, else 0.
    Not(Box<Expr>),
    /// The operand with the opposite sign.
    Negate(Box<Expr>),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
}

/// What can be assigned to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A local of the process.
    Local(Local),
    /// A shared variable, or an element of a shared array.
    Shared(usize, Option<Box<Expr>>),
}

impl Array {
    /// The element at `index`.
    pub fn at(self, index: impl Into<Expr>) -> Place {
        Place::Shared(self.0, Some(Box::new(index.into())))
    }
}

impl From<i32> for Expr {
    fn from(value: i32) -> Self {
        Expr::Int(value)
    }
}

impl From<Local> for Expr {
    fn from(local: Local) -> Self {
        Expr::Local(local)
    }
}

impl From<Var> for Expr {
    fn from(var: Var) -> Self {
        Expr::Shared(var.0, None)
    }
}

impl From<Place> for Expr {
    fn from(place: Place) -> Self {
        match place {
            Place::Local(local) => Expr::Local(local),
            Place::Shared(var, index) => Expr::Shared(var, index),
        }
    }
}

impl From<Local> for Place {
    fn from(local: Local) -> Self {
        Place::Local(local)
    }
}

impl From<Var> for Place {
    fn from(var: Var) -> Self {
        Place::Shared(var.0, None)
    }
}

impl Expr {
    fn binary(op: Binary, left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
        Expr::Binary(op, Box::new(left.into()), Box::new(right.into()))
    }

    /// Whether its value is 0 or 1 by its form.
    pub(crate) fn is_truth(&self) -> bool {
        use Binary::*;
        match self {
            Expr::Not(_) => true,
            Expr::Binary(op, ..) => matches!(op, Or | And | Equal | NotEqual | Less | AtMost | More | AtLeast),
            _ => false,
        }
    }
}

macro_rules! operators {
    ($($type:ty),*) => { $(
        impl<R: Into<Expr>> std::ops::Add<R> for $type {
            type Output = Expr;
            fn add(self, right: R) -> Expr { Expr::binary(Binary::Add, self, right) }
        }
        impl<R: Into<Expr>> std::ops::Sub<R> for $type {
            type Output = Expr;
            fn sub(self, right: R) -> Expr { Expr::binary(Binary::Subtract, self, right) }
        }
        impl<R: Into<Expr>> std::ops::Mul<R> for $type {
            type Output = Expr;
            fn mul(self, right: R) -> Expr { Expr::binary(Binary::Multiply, self, right) }
        }
        impl<R: Into<Expr>> std::ops::Rem<R> for $type {
            type Output = Expr;
            fn rem(self, right: R) -> Expr { Expr::binary(Binary::Remainder, self, right) }
        }
        impl $type {
            /// `self == right`.
            pub fn is(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::Equal, self, right) }
            /// `self != right`.
            pub fn is_not(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::NotEqual, self, right) }
            /// `self < right`.
            pub fn less(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::Less, self, right) }
            /// `self <= right`.
            pub fn at_most(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::AtMost, self, right) }
            /// `self > right`.
            pub fn more(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::More, self, right) }
            /// `self >= right`.
            pub fn at_least(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::AtLeast, self, right) }
            /// `self && right`.
            pub fn and(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::And, self, right) }
            /// `self || right`.
            pub fn or(self, right: impl Into<Expr>) -> Expr { Expr::binary(Binary::Or, self, right) }
        }
    )* };
}
operators!(Expr, Local, Var, Place);
