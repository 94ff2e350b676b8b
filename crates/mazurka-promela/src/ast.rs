//! The syntax of a model, as written: inlines are expanded, names not yet resolved.

use mazurka_diagnostics::Span;
use std::sync::Arc;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// The type of a variable or message field as written.
#[derive(Clone, Debug)]
pub enum BaseType {
    /// `bit` and `bool`.
    Bit,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned`, with the width given by the declared name.
    Unsigned,
    /// `mtype`, perhaps of a named family.
    Mtype(Option<Name>),
    /// `chan`.
    Chan,
    /// A record.
    Named(Name),
}

/// `byte x = 3, a[2]`.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The type.
    pub base: BaseType,
    /// The names.
    pub variables: Vec<Variable>,
    /// Declared `hidden`: no part of the state.
    pub hidden: bool,
}

/// One declared name.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: Name,
    /// The number of elements of an array.
    pub length: Option<Expr>,
    /// The width of an `unsigned`.
    pub bits: Option<(i32, Span)>,
    /// The first value.
    pub init: Option<Init>,
}

/// A first value.
#[derive(Clone, Debug)]
pub enum Init {
    /// A value.
    Value(Expr),
    /// `{ 1, 2, 3 }` for an array.
    List(Vec<Expr>),
    /// `[capacity] of { types }`.
    Channel(ChannelType),
}

/// `[capacity] of { types }`.
#[derive(Clone, Debug)]
pub struct ChannelType {
    /// How many messages fit; 0 for rendezvous.
    pub capacity: Expr,
    /// The message fields.
    pub fields: Vec<BaseType>,
    /// The whole of it.
    pub span: Span,
}

/// One piece of a model.
#[derive(Clone, Debug)]
pub enum Unit {
    /// Global variables.
    Declaration(Declaration),
    /// `mtype = { … }`.
    Mtype {
        /// The family, for `mtype:family = { … }`.
        family: Option<Name>,
        /// The names, in the order written.
        names: Vec<Name>,
    },
    /// `typedef name { … }`.
    Typedef {
        /// Its name.
        name: Name,
        /// Its fields.
        fields: Vec<Declaration>,
    },
    /// `proctype` or `init`.
    Proctype(Box<Proctype>),
    /// `never` or `ltl`.
    Claim(Box<Claim>),
}

/// A claim about executions without end.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it is, as a part of a sentence: `claim p1`.
    pub what: String,
    /// What to choose it by.
    pub said: Arc<str>,
    /// Its head.
    pub span: Span,
    /// What it says.
    pub body: ClaimBody,
}

/// What a claim says.
#[derive(Clone, Debug)]
pub enum ClaimBody {
    /// A formula that must hold.
    Formula(Formula),
    /// What must never happen, as a process that looks on, with its closing brace.
    Process(Vec<Stmt>, Span),
}

/// A formula of temporal logic.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Something that a state tells.
    Atom(Expr),
    /// An operator in front.
    Prefix(Prefix, Box<Formula>),
    /// An operator between two.
    Join(Join, Box<(Formula, Formula)>),
}

/// Operators in front of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Prefix {
    Not,
    Always,
    Eventually,
    Next,
}

/// Operators between formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Join {
    Implies,
    Equivalent,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
}

/// A process type.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name; `init` for the initial process.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Declaration>,
    /// How many instances exist from the start.
    pub active: Option<Expr>,
    /// The condition under which instances may move.
    pub provided: Option<Expr>,
    /// `priority n`: that of the instances that exist from the start.
    pub priority: Option<Expr>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// The closing brace, where the process ends.
    pub end: Span,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The statements of Promela.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A declaration between statements.
    Declaration(Declaration),
    /// `xr` and `xs`: assertions about channels that only matter to SPIN's reduction.
    Nothing,
    /// `label: statement`.
    Labeled(Name, Box<Stmt>),
    /// `x = e`, `x++`, `x--`.
    Assign(VarRef, Expr),
    /// `q!…` or `q!!…`.
    Send {
        /// The channel.
        channel: VarRef,
        /// The message.
        args: Vec<Expr>,
        /// `!!`: in order instead of at the end.
        sorted: bool,
    },
    /// `q?…` and its kin.
    Receive {
        /// The channel.
        channel: VarRef,
        /// What each field must be or where it goes.
        args: Vec<ReceiveArg>,
        /// `??`: the first message that fits, not only the oldest.
        random: bool,
        /// `?<…>`: the message stays.
        peek: bool,
    },
    /// An expression, executable when it is not zero.
    Condition(Expr),
    /// `else`.
    Else,
    /// `assert(e)`.
    Assert(Expr),
    /// `set_priority(pid, n)`.
    SetPriority(Expr, Expr),
    /// `printf("…", …)` or `printm(x)`.
    Print {
        /// The values.
        args: Vec<Expr>,
    },
    /// `goto label`.
    Goto(Name),
    /// `break`.
    Break,
    /// `if … fi`.
    If(Vec<Vec<Stmt>>),
    /// `do … od`.
    Do(Vec<Vec<Stmt>>),
    /// `for (x : from .. to) { … }`.
    For {
        /// The loop variable.
        variable: VarRef,
        /// The first value.
        from: Expr,
        /// The last value.
        to: Expr,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// `for (x in a) { … }`, over the indices of an array or the messages of a channel.
    ForIn {
        /// The loop variable.
        variable: VarRef,
        /// The array or channel.
        over: VarRef,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// `select (x : from .. to)`.
    Select {
        /// The variable.
        variable: VarRef,
        /// The least value.
        from: Expr,
        /// The greatest value.
        to: Expr,
    },
    /// `atomic { … }`.
    Atomic(Vec<Stmt>),
    /// `d_step { … }`.
    DStep(Vec<Stmt>),
    /// `{ … }`, also the body of an inline.
    Block(Vec<Stmt>),
    /// `main unless escape`.
    Unless(Box<Stmt>, Box<Stmt>),
}

/// One argument of a receive.
#[derive(Clone, Debug)]
pub enum ReceiveArg {
    /// The field must have this value: a constant or `eval(e)`.
    Match(Expr),
    /// The field goes here.
    Store(VarRef),
}

/// `a[i].b.c[j]`.
#[derive(Clone, Debug)]
pub struct VarRef {
    /// The names with their indices, outermost first; never empty.
    pub parts: Vec<(Name, Option<Expr>)>,
    /// The whole of it.
    pub span: Span,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: Box<ExprKind>,
    /// Where it stands.
    pub span: Span,
}

/// What `full`, `len` and their kin ask of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// The number of messages.
    Len,
    /// No room left.
    Full,
    /// No message.
    Empty,
    /// Room left.
    NotFull,
    /// A message there.
    NotEmpty,
}

/// The expressions of Promela.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i32),
    /// A variable, an `mtype` name, `_pid`, `_nr_pr`.
    Variable(VarRef),
    /// `!`, `-` or `~`.
    Unary(&'static str, Expr),
    /// A binary operator.
    Binary(&'static str, Expr, Expr),
    /// `(c -> a : b)`.
    Conditional(Expr, Expr, Expr),
    /// `run name(args)`, perhaps with a priority.
    Run(Name, Vec<Expr>, Option<Expr>),
    /// `get_priority(pid)`.
    Priority(Expr),
    /// `enabled(pid)`.
    Enabled(Expr),
    /// `len(q)`, `full(q)`, …
    Probe(Probe, VarRef),
    /// `q?[…]`.
    Poll {
        /// The channel.
        channel: VarRef,
        /// The pattern.
        args: Vec<ReceiveArg>,
        /// `??[…]`.
        random: bool,
    },
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `P[pid]@label`.
    RemoteLabel(Name, Option<Expr>, Name),
    /// `P[pid]:variable`.
    RemoteVariable(Name, Option<Expr>, Name, Option<Expr>),
}
