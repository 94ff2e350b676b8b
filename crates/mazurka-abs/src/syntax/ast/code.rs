//! Statements, guards, expressions and patterns.

use std::sync::Arc;

use mazurka_diagnostics::Span;

use super::{Annotation, Name, Param, QName, Type};

/// `{ statements }`.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement with its annotations.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The annotations before it.
    pub annotations: Vec<Annotation>,
    /// Which statement.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// Which statement. Right-hand sides may be effectful; the checker says where they may not.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `T x;` or `T x = e;`
    Declare(Type, Name, Option<Expr>),
    /// `x = e;` or `this.x = e;`
    Assign(Target, Expr),
    /// `skip;`
    Skip,
    /// `return e;`
    Return(Expr),
    /// `assert e;`
    Assert(Expr),
    /// `{ … }`
    Block(Block),
    /// `if (c) s else t`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while (c) s`
    While(Expr, Box<Stmt>),
    /// `switch (e) { p => s }`, or the old `case` statement.
    Switch(Expr, Vec<StmtBranch>),
    /// `foreach (x, i in e) s`
    Foreach(Name, Option<Name>, Expr, Box<Stmt>),
    /// `try s catch { p => s } finally s`
    Try(Box<Stmt>, Vec<StmtBranch>, Option<Box<Stmt>>),
    /// `await g;`
    Await(Guard),
    /// `suspend;`
    Suspend,
    /// `duration(min, max);`; without `max` it is `min`.
    Duration(Expr, Option<Expr>),
    /// `throw e;`
    Throw(Expr),
    /// `die e;`
    Die(Expr),
    /// `e;`
    Expr(Expr),
    /// A statement that could not be parsed or is not supported; the reason has been reported.
    Error,
}

/// The left-hand side of an assignment.
#[derive(Clone, Debug)]
pub struct Target {
    /// Whether `this.` stands before the name.
    pub this: bool,
    /// The name.
    pub name: Name,
}

/// `p => s`.
#[derive(Clone, Debug)]
pub struct StmtBranch {
    /// What is matched.
    pub pattern: Pattern,
    /// What is done.
    pub body: Stmt,
}

/// What `await` waits for.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Which guard.
    pub kind: GuardKind,
    /// The whole guard.
    pub span: Span,
}

/// Which guard.
#[derive(Clone, Debug)]
pub enum GuardKind {
    /// `f?`
    Future(Expr),
    /// A condition.
    Condition(Expr),
    /// `duration(min, max)`; without `max` it is `min`.
    Duration(Expr, Option<Expr>),
    /// `g & h`
    And(Box<Guard>, Box<Guard>),
    /// A guard that could not be parsed or is not supported; the reason has been reported.
    Error,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which expression.
    pub kind: ExprKind,
    /// The whole expression.
    pub span: Span,
}

/// Which expression; pure ones first.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Digits.
    Int(Arc<str>),
    /// A floating-point number.
    Float(f64),
    /// A string, its escapes resolved.
    Str(Arc<str>),
    /// A template string: literal pieces and expressions.
    Template(Vec<TemplatePart>),
    /// `x`, `M.x`.
    Var(QName),
    /// `this.x`.
    Field(Name),
    /// `this`.
    This,
    /// `destiny`.
    Destiny,
    /// `null`.
    Null,
    /// `f(…)`.
    Call(QName, Vec<Expr>),
    /// `f(g, (T x) => e)(…)`.
    PartialCall(QName, Vec<FunctionArg>, Vec<Expr>),
    /// `f[…]`.
    VariadicCall(QName, Vec<Expr>),
    /// `C` or `C(…)`.
    Construct(QName, Vec<Expr>),
    /// `!e`, `-e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and the like.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `when c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `case e { p => e; }`.
    Case(Box<Expr>, Vec<ExprBranch>),
    /// `let T x = e in b`; several bindings nest.
    Let(Type, Name, Box<Expr>, Box<Expr>),
    /// `e implements I`.
    Implements(Box<Expr>, QName),
    /// `e as I`.
    As(Box<Expr>, QName),
    /// `e.get`.
    Get(Box<Expr>),
    /// `new C(…)`.
    New(NewKind, QName, Vec<Expr>),
    /// `o!m(…)`.
    AsyncCall(Box<Expr>, Name, Vec<Expr>),
    /// `await o!m(…)`.
    AwaitCall(Box<Expr>, Name, Vec<Expr>),
    /// `o.m(…)`.
    SyncCall(Box<Expr>, Name, Vec<Expr>),
    /// `original(…)`.
    Original(Vec<Expr>),
    /// An expression that could not be parsed; the reason has been reported.
    Error,
}

/// The words between `new` and the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewKind {
    /// `new C()`.
    Plain,
    /// `new local C()`.
    Local,
    /// `new cog C()`.
    Cog,
}

/// A piece of a template string.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Letters.
    Text(Arc<str>),
    /// `$e$`.
    Expr(Expr),
}

/// What may be passed for a function parameter.
#[derive(Clone, Debug)]
pub enum FunctionArg {
    /// A function by name.
    Named(QName),
    /// `(T x) => e`.
    Lambda(Vec<Param>, Expr, Span),
}

/// `p => e`.
#[derive(Clone, Debug)]
pub struct ExprBranch {
    /// What is matched.
    pub pattern: Pattern,
    /// The value.
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Which pattern.
    pub kind: PatternKind,
    /// The whole pattern.
    pub span: Span,
}

/// Which pattern.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// A whole number, with its sign.
    Int(Arc<str>),
    /// A string.
    Str(Arc<str>),
    /// A variable, bound or compared.
    Var(Name),
    /// A constructor.
    Construct(QName, Vec<Pattern>),
    /// A pattern that could not be parsed; the reason has been reported.
    Error,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!` or `~`.
    Not,
    /// `-`.
    Negate,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `<=`.
    LessEqual,
    /// `>=`.
    GreaterEqual,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `&&`.
    And,
    /// `||`.
    Or,
}
