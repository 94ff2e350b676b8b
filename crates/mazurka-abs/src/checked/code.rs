//! The code of a checked model: expressions, right-hand sides, statements.

use std::sync::Arc;

use mazurka_diagnostics::Span;
use num_bigint::BigInt;

use super::{AccessorId, ClassId, ConstructorId, FieldId, FunctionId, InterfaceId, LocalId, Selector, Type};

/// A pure expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which expression.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

/// Which pure expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Literal(Literal),
    /// A variable. Reading a reference variable that has not been assigned gives `null`.
    Local(LocalId),
    /// A field of `this`.
    Field(FieldId),
    /// `this`; `null` in a main block.
    This,
    /// The future of the running task.
    Destiny,
    /// `null`.
    Null,
    /// A data value.
    Construct(ConstructorId, Vec<Expr>),
    /// A list given by its elements: the argument of `list[…]`, `set[…]`, `map[…]` and other `f[…]`.
    List(Vec<Expr>),
    /// An accessor applied to a data value.
    Access(AccessorId, Box<Expr>),
    /// A function call. The first arguments are closures when the function has function parameters.
    Call(FunctionId, Vec<Expr>),
    /// A call of a function parameter.
    CallClosure(LocalId, Vec<Expr>),
    /// A function as an argument for a function parameter: the function and the captured values, which come before the arguments of a call.
    /// Occurs only directly among the arguments of a [`ExprKind::Call`].
    Closure(FunctionId, Vec<Expr>),
    /// A function parameter passed on. Occurs only directly among the arguments of a [`ExprKind::Call`] or a [`ExprKind::Closure`].
    ClosureLocal(LocalId),
    /// An accessor as an argument for a function parameter; otherwise as [`ExprKind::Closure`].
    ClosureAccess(AccessorId),
    /// A constructor as an argument for a function parameter; otherwise as [`ExprKind::Closure`].
    ClosureConstruct(ConstructorId),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands; `&&` and `||` do not evaluate the right one when the left one decides.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The pieces of a template string, each converted as by `toString`, put together.
    Concat(Vec<Expr>),
    /// `when c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The first branch that matches; none: `PatternMatchFailException`.
    Case(Box<Expr>, Vec<Branch<Expr>>),
    /// The variable gets the first value in the second.
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// Whether the object has the interface; false for `null`.
    Implements(Box<Expr>, InterfaceId),
    /// The object if it has the interface, else `null`.
    As(Box<Expr>, InterfaceId),
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A whole number.
    Int(BigInt),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Str(Arc<str>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// Of a `Bool`.
    Not,
    /// Of a number.
    Negate,
}

/// An operator with two operands. The operands' types tell numbers, floats and strings apart; an `Int` operand may meet a `Rat` one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// Product.
    Multiply,
    /// Exact quotient of rationals, or quotient of floats.
    Divide,
    /// Quotient of integers rounded towards zero (old dialect).
    DivideTruncating,
    /// Remainder with the sign of the dividend.
    Remainder,
    /// Sum, or concatenation of strings.
    Add,
    /// Difference.
    Subtract,
    /// In the total order of values.
    Less,
    /// In the total order of values.
    Greater,
    /// In the total order of values.
    LessEqual,
    /// In the total order of values.
    GreaterEqual,
    /// Structural equality.
    Equal,
    /// Its negation.
    NotEqual,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
}

/// A pattern with what it leads to.
#[derive(Clone, Debug)]
pub struct Branch<B> {
    /// What is matched.
    pub pattern: Pattern,
    /// What it leads to.
    pub body: B,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Which pattern.
    pub kind: PatternKind,
    /// Its place.
    pub span: Span,
}

/// Which pattern. Arguments are matched from left to right, so a variable bound in one is known in the next.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// Everything.
    Wildcard,
    /// This constant.
    Literal(Literal),
    /// Everything; the variable gets the value.
    Bind(LocalId),
    /// A value equal to that of a variable or field that was in scope before, or bound further left in the same pattern. The expression is
    /// [`ExprKind::Local`] or [`ExprKind::Field`].
    Equal(Box<Expr>),
    /// This constructor with these arguments.
    Construct(ConstructorId, Vec<Pattern>),
}

/// What may stand on the right of an assignment: a pure expression or one effect whose operands are pure.
#[derive(Clone, Debug)]
pub struct RightSide {
    /// Which right-hand side.
    pub kind: RightSideKind,
    /// The deadline of the task that it starts, a `Duration`.
    pub deadline: Option<Box<Expr>>,
    /// Its type.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

/// Which right-hand side.
#[derive(Clone, Debug)]
pub enum RightSideKind {
    /// A pure expression.
    Pure(Expr),
    /// A new object, in a cog of its own or in the creator's.
    New {
        /// The class.
        class: ClassId,
        /// The values of the class parameters.
        args: Vec<Expr>,
        /// Whether it gets a cog of its own.
        cog: bool,
    },
    /// `o!m(…)`: starts a task, gives its future.
    AsyncCall(Expr, Selector, Vec<Expr>),
    /// `await o!m(…)`: starts a task, awaits its future without blocking the cog, gives its value. As a statement it does not rethrow.
    AwaitCall(Expr, Selector, Vec<Expr>),
    /// `o.m(…)`: runs inline when the object is in the same cog (always, when the callee is `this`), else starts a task and blocks.
    SyncCall(Expr, Selector, Vec<Expr>),
    /// `f.get`: blocks the cog until the future is resolved.
    Get(Expr),
}

/// `{ … }`.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which statement.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// Which statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A variable comes into being; without a value it is `null` (again, in a loop).
    Declare(LocalId, Option<RightSide>),
    /// A variable gets a value.
    AssignLocal(LocalId, RightSide),
    /// A field of `this` gets a value.
    AssignField(FieldId, RightSide),
    /// Nothing.
    Skip,
    /// The method, or main block, ends with this value. May stand anywhere.
    Return(RightSide),
    /// `AssertionFailException` unless true.
    Assert(RightSide),
    /// A block.
    Block(Block),
    /// A choice.
    If(Expr, Block, Block),
    /// A loop.
    While(Expr, Block),
    /// The first branch that matches; none: `PatternMatchFailException`.
    Switch(Expr, Vec<Branch<Block>>),
    /// The body for every element of a list, the optional second variable counting from 0.
    Foreach(LocalId, Option<LocalId>, Expr, Block),
    /// The body; if it throws, the first branch that matches, else the exception goes on; in the end the last block, in any case.
    Try(Block, Vec<Branch<Block>>, Option<Block>),
    /// Waits without blocking the cog.
    Await(Guard),
    /// Lets other tasks of the cog run.
    Suspend,
    /// Blocks the cog until at least the first and at most the second of these times has passed.
    Duration(Expr, Expr),
    /// Throws.
    Throw(Expr),
    /// Ends the object with an exception.
    Die(Expr),
    /// A right-hand side whose value is not used.
    Expr(RightSide),
}

/// What `await` waits for.
#[derive(Clone, Debug)]
pub enum Guard {
    /// The future is resolved. The expression reads a variable or field, as a rule.
    Future(Expr),
    /// The condition holds.
    Condition(Expr),
    /// At least the first of these times has passed since the `await` was reached, and the clock does not go past the second before.
    Duration(Expr, Expr),
    /// Both.
    And(Box<Guard>, Box<Guard>),
}
