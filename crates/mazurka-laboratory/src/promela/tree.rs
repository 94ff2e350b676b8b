//! Promela models as trees: what is generated, looked at for its shapes, shrunk, and written as text.

use std::fmt::{self, Write};

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of Promela")]
pub enum Ex {
    Number(i32),
    /// A variable, a field, an `mtype` name, `_pid`, `_nr_pr`, `timeout`.
    Name(&'static str),
    /// `a[i]`, or `r.g[i]`.
    Element(&'static str, Box<Ex>),
    Not(Box<Ex>),
    Binary(&'static str, Box<(Ex, Ex)>),
    Conditional(Box<(Ex, Ex, Ex)>),
    /// `len(q)`, `nempty(q)`, …
    Probe(&'static str, &'static str),
    /// `q?[…]` and `q??[…]`.
    Poll(&'static str, bool, Vec<Ex>),
    /// `P1@here`.
    At(usize, &'static str),
}

impl Ex {
    /// A binary operation.
    pub fn binary(op: &'static str, left: Ex, right: Ex) -> Ex {
        Ex::Binary(op, Box::new((left, right)))
    }

    /// The variable that something is a part of.
    pub fn root(&self) -> &'static str {
        match self {
            Ex::Name(name) | Ex::Element(name, _) => name.split('.').next().unwrap_or(name),
            _ => "",
        }
    }

    /// Calls `f` for the expression and all its parts.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Ex)) {
        f(self);
        match self {
            Ex::Number(_) | Ex::Name(_) | Ex::Probe(..) | Ex::At(..) => {}
            Ex::Element(_, e) | Ex::Not(e) => e.visit(f),
            Ex::Binary(_, parts) => {
                parts.0.visit(f);
                parts.1.visit(f);
            }
            Ex::Conditional(parts) => {
                parts.0.visit(f);
                parts.1.visit(f);
                parts.2.visit(f);
            }
            Ex::Poll(_, _, args) => args.iter().for_each(|a| a.visit(f)),
        }
    }
}

impl fmt::Display for Ex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ex::Number(n) => write!(f, "{n}"),
            Ex::Name(name) => write!(f, "{name}"),
            Ex::Element(array, index) => write!(f, "{array}[{index}]"),
            Ex::Not(e) => write!(f, "!({e})"),
            Ex::Binary(op, parts) => write!(f, "({} {op} {})", parts.0, parts.1),
            Ex::Conditional(parts) => write!(f, "({} -> {} : {})", parts.0, parts.1, parts.2),
            Ex::Probe(probe, channel) => write!(f, "{probe}({channel})"),
            Ex::Poll(channel, random, args) => write!(f, "{channel}{}[{}]", if *random { "??" } else { "?" }, joined(args)),
            Ex::At(process, label) => write!(f, "P{process}@{label}"),
        }
    }
}

/// One argument of a receive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// The field must have this value.
    Match(Ex),
    /// The field goes there.
    Store(Ex),
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Match(Ex::Number(n)) => write!(f, "{n}"),
            Arg::Match(e) => write!(f, "eval({e})"),
            Arg::Store(e) => write!(f, "{e}"),
        }
    }
}

/// A sequence of statements.
pub type Body = Vec<Stmt>;

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of Promela")]
pub enum Stmt {
    Skip,
    Else,
    Break,
    Assign(Ex, Ex),
    Condition(Ex),
    Assert(Ex),
    /// Channel, `!!`, message.
    Send(&'static str, bool, Vec<Ex>),
    /// Channel, `?`, `??`, `?<` or `??<`, pattern.
    Receive(&'static str, &'static str, Vec<Arg>),
    /// Where the pid goes, and the argument.
    Run(Option<Ex>, &'static str, Vec<Ex>),
    /// A call of an inline.
    Inline(&'static str, Ex),
    Select(Ex),
    Label(&'static str, Box<Stmt>),
    Goto(&'static str),
    If(Vec<Body>),
    Do(Vec<Body>),
    For(Body),
    Atomic(Body),
    DStep(Body),
    Unless(Body, Body),
}

impl Stmt {
    /// The sequences inside.
    pub fn bodies(&self) -> Vec<&Body> {
        match self {
            Stmt::If(options) | Stmt::Do(options) => options.iter().collect(),
            Stmt::For(body) | Stmt::Atomic(body) | Stmt::DStep(body) => vec![body],
            Stmt::Unless(main, escape) => vec![main, escape],
            _ => Vec::new(),
        }
    }

    /// The sequences inside, to change them.
    pub fn bodies_mut(&mut self) -> Vec<&mut Body> {
        match self {
            Stmt::If(options) | Stmt::Do(options) => options.iter_mut().collect(),
            Stmt::For(body) | Stmt::Atomic(body) | Stmt::DStep(body) => vec![body],
            Stmt::Unless(main, escape) => vec![main, escape],
            _ => Vec::new(),
        }
    }

    /// Calls `f` for the statement and all inside, with the statements around it, outermost first.
    pub fn visit<'a>(&'a self, around: &mut Vec<&'a Stmt>, f: &mut dyn FnMut(&'a Stmt, &[&'a Stmt])) {
        f(self, around);
        around.push(self);
        if let Stmt::Label(_, inner) = self {
            inner.visit(around, f);
        }
        for stmt in self.bodies().into_iter().flatten() {
            stmt.visit(around, f);
        }
        around.pop();
    }

    /// The expressions of the statement itself.
    pub fn expressions(&self) -> Vec<&Ex> {
        match self {
            Stmt::Assign(place, value) => vec![place, value],
            Stmt::Condition(e) | Stmt::Assert(e) | Stmt::Inline(_, e) | Stmt::Select(e) => vec![e],
            Stmt::Send(_, _, args) => args.iter().collect(),
            Stmt::Receive(_, _, args) => args
                .iter()
                .map(|a| match a {
                    Arg::Match(e) | Arg::Store(e) => e,
                })
                .collect(),
            Stmt::Run(place, _, args) => place.iter().chain(args).collect(),
            _ => Vec::new(),
        }
    }
}

fn joined<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn sequence(body: &[Stmt]) -> String {
    if body.is_empty() {
        return "skip".to_owned();
    }
    body.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn options(options: &[Body]) -> String {
    options.iter().map(|o| format!(" :: {}", sequence(o))).collect()
}

impl fmt::Display for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stmt::Skip => write!(f, "skip"),
            Stmt::Else => write!(f, "else"),
            Stmt::Break => write!(f, "break"),
            Stmt::Assign(place, value) => write!(f, "{place} = {value}"),
            Stmt::Condition(e) => write!(f, "({e})"),
            Stmt::Assert(e) => write!(f, "assert({e})"),
            Stmt::Send(channel, sorted, args) => write!(f, "{channel}{}{}", if *sorted { "!!" } else { "!" }, joined(args)),
            Stmt::Receive(channel, how, args) => {
                write!(f, "{channel}{how}{}{}", joined(args), if how.ends_with('<') { ">" } else { "" })
            }
            Stmt::Run(None, proctype, args) => write!(f, "run {proctype}({})", joined(args)),
            Stmt::Run(Some(place), proctype, args) => write!(f, "{place} = run {proctype}({})", joined(args)),
            Stmt::Inline(name, arg) => write!(f, "{name}({arg})"),
            Stmt::Select(place) => write!(f, "select ({place} : 0 .. 2)"),
            Stmt::Label(label, inner) => write!(f, "{label}: {inner}"),
            Stmt::Goto(label) => write!(f, "goto {label}"),
            Stmt::If(inner) => write!(f, "if{} fi", options(inner)),
            Stmt::Do(inner) => write!(f, "do{} od", options(inner)),
            Stmt::For(body) => write!(f, "for (n : 0 .. 1) {{ {} }}", sequence(body)),
            Stmt::Atomic(body) => write!(f, "atomic {{ {} }}", sequence(body)),
            Stmt::DStep(body) => write!(f, "d_step {{ {} }}", sequence(body)),
            Stmt::Unless(main, escape) => write!(f, "{{ {} }} unless {{ {} }}", sequence(main), sequence(escape)),
        }
    }
}

/// A process type that is there from the start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proc {
    /// How many.
    pub copies: usize,
    /// `provided (…)`.
    pub provided: Option<Ex>,
    /// What it does.
    pub body: Body,
}

/// A model. Its names are always the same ones; only those that occur are declared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// `P0`, `P1`, …
    pub processes: Vec<Proc>,
    /// What the process type `C(byte v)` does, which others may start.
    pub child: Body,
    /// What the process type `D(chan v)` does, which others may start with a channel.
    pub listener: Body,
}

/// Names of globals with their declarations.
const GLOBALS: [(&str, &str); 14] = [
    ("red", "mtype = { red, green };"),
    ("x", "byte x;"),
    ("y", "byte y = 1;"),
    ("s", "short s;"),
    ("a", "byte a[2];"),
    ("e", "byte e[3];"),
    ("m", "mtype m = green;"),
    ("r", "typedef R { byte f; bit g[2] } R r;"),
    ("q", "chan q = [1] of { byte };"),
    ("w", "chan w = [2] of { byte, bit };"),
    ("h", "chan h = [0] of { byte };"),
    ("t", "chan t = [0] of { byte, byte };"),
    ("k", "chan k = [1] of { chan };"),
    ("u", "chan u;"),
];
const INLINES: [(&str, &str); 2] = [
    ("grow", "inline grow(v) { v = v + 1 }"),
    ("await", "inline await(v) { v > 0; v = v - 1 }"),
];
const LOCALS: [(&str, &str); 6] = [
    ("i", "byte i;"),
    ("l", "bit l;"),
    ("n", "byte n;"),
    ("b", "byte b[2];"),
    ("c", "chan c;"),
    ("own", "chan own = [1] of { byte };"),
];

/// Whether a word occurs in a text.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word)
}

fn declared(all: &[(&str, &str)], text: &str, separator: &str) -> String {
    let mut out = String::new();
    for (_, declaration) in all
        .iter()
        .filter(|(name, _)| mentions(text, name) || *name == "red" && mentions(text, "green"))
    {
        out.push_str(declaration);
        out.push_str(separator);
    }
    out
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bodies = String::new();
        for (n, process) in self.processes.iter().enumerate() {
            let text = sequence(&process.body);
            let copies = if process.copies > 1 {
                format!("[{}] ", process.copies)
            } else {
                String::new()
            };
            let provided = process.provided.as_ref().map_or_else(String::new, |e| format!(" provided ({e})"));
            let locals = declared(&LOCALS, &text, " ");
            writeln!(bodies, "active {copies}proctype P{n}(){provided} {{ {locals}{text} }}")?;
        }
        for (name, parameter, body) in [("C", "byte v", &self.child), ("D", "chan v", &self.listener)] {
            if mentions(&bodies, name) {
                let text = sequence(body);
                let locals = declared(&LOCALS, &text, " ");
                writeln!(bodies, "proctype {name}({parameter}) {{ {locals}{text} }}")?;
            }
        }
        let inlines = declared(&INLINES, &bodies, "\n");
        let mut globals = declared(&GLOBALS, &bodies, "\n");
        if mentions(&globals, "green") && !globals.contains("{ red") {
            globals.insert_str(0, "mtype = { red, green };\n");
        }
        write!(f, "{globals}{inlines}{bodies}")
    }
}
