//! From a [`Model`] back to its text. Reading the text again gives the same program.

use crate::model::{Binary, Body, Expr, Label, LocalVariable, Model, Operation, Place, Statement, Step, order_name};
use mazurka_weak::Order;
use std::fmt::{self, Display, Formatter, Write};

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.bounded {
            f.write_str("bounded;\n")?;
        }
        for (i, v) in self.variables.iter().enumerate() {
            f.write_str(if i == 0 { "init " } else { ", " })?;
            f.write_str(&v.name)?;
            let first = v.initial.first().copied().unwrap_or(0);
            if v.array {
                write!(f, "[{}]", v.initial.len())?;
                if v.initial.iter().any(|x| *x != first) {
                    let values: Vec<String> = v.initial.iter().map(i32::to_string).collect();
                    write!(f, "={{{}}}", values.join(","))?;
                    continue;
                }
                if first == 0 {
                    continue;
                }
            }
            write!(f, "={first}")?;
        }
        if !self.variables.is_empty() {
            f.write_str(";\n")?;
        }
        for body in &self.bodies {
            f.write_str(&body.name)?;
            for (i, local) in body.locals.iter().enumerate() {
                write!(f, "{}{}={}", if i == 0 { "(" } else { ", " }, local.name, local.initial)?;
            }
            f.write_str(if body.locals.is_empty() { ":" } else { "):" })?;
            let printer = Printer { model: self, body };
            for (i, step) in body.steps.iter().enumerate() {
                printer.labels(f, i)?;
                f.write_char('[')?;
                printer.step(f, step)?;
                f.write_char(']')?;
            }
            printer.labels(f, body.steps.len())?;
            f.write_char('\n')?;
        }
        for never in &self.nevers {
            let local = |(process, local): &(usize, usize)| {
                let body = self.bodies.get(*process)?;
                let name = format!("{}.{}", body.name, body.locals.get(*local)?.name);
                Some(LocalVariable { name, initial: 0 })
            };
            let body = Body {
                locals: never.locals.iter().filter_map(local).collect(),
                ..Body::default()
            };
            f.write_str("never (")?;
            Printer { model: self, body: &body }.expression(f, &never.condition, 0)?;
            f.write_str(")")?;
            if let Some(message) = &never.message {
                write!(f, " \"{message}\"")?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

/// One step as text, without its brackets.
pub fn step_text(model: &Model, body: &Body, step: &Step) -> String {
    struct One<'a>(Printer<'a>, &'a Step);
    impl Display for One<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            self.0.step(f, self.1)
        }
    }
    One(Printer { model, body }, step).to_string()
}

/// An expression as text.
pub(crate) fn expression_text(model: &Model, body: &Body, e: &Expr) -> String {
    struct One<'a>(Printer<'a>, &'a Expr);
    impl Display for One<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            self.0.expression(f, self.1, 0)
        }
    }
    One(Printer { model, body }, e).to_string()
}

struct Printer<'a> {
    model: &'a Model,
    body: &'a Body,
}

impl Printer<'_> {
    fn labels(&self, f: &mut Formatter<'_>, step: usize) -> fmt::Result {
        self.body
            .labels
            .iter()
            .filter(|l| l.step == Some(step))
            .try_for_each(|l| write!(f, " #{}", l.name))
    }

    /// A step, its access with an ordering as it is written.
    fn step(&self, f: &mut Formatter<'_>, step: &Step) -> fmt::Result {
        let index = self.body.steps.iter().position(|s| std::ptr::eq(s, step));
        let Some(declared) = self.body.declared.iter().find(|d| Some(d.step) == index) else {
            return self.statements(f, &step.statements);
        };
        let (before, after) = (&step.statements[..declared.at], &step.statements[declared.at + declared.count..]);
        self.statements(f, before)?;
        f.write_str(if before.is_empty() { "" } else { "; " })?;
        self.operation(f, &declared.operation)?;
        f.write_str(if after.is_empty() { "" } else { "; " })?;
        self.statements(f, after)
    }

    fn operation(&self, f: &mut Formatter<'_>, operation: &Operation) -> fmt::Result {
        let access = |f: &mut Formatter<'_>, place: &Place, name: &str, values: &[&Expr], orders: &[Order]| {
            if let Some(result) = operation.result() {
                write!(f, "{}=", self.local(result.0))?;
            }
            self.place(f, place)?;
            write!(f, ".{name}(")?;
            for value in values {
                self.expression(f, value, 0)?;
                f.write_str(", ")?;
            }
            let orders: Vec<&str> = orders.iter().map(|order| order_name(*order)).collect();
            write!(f, "{})", orders.join(", "))
        };
        match operation {
            Operation::Load { from, order, .. } => access(f, from, "load", &[], &[*order]),
            Operation::Store { to, value, order } => access(f, to, "store", &[value], &[*order]),
            Operation::Swap { place, value, order, .. } => access(f, place, "swap", &[value], &[*order]),
            Operation::FetchAdd { place, by, order, .. } => access(f, place, "fetch_add", &[by], &[*order]),
            Operation::CompareExchange {
                place,
                expected,
                new,
                success,
                failure,
                ..
            } => access(f, place, "cas", &[expected, new], &[*success, *failure]),
            Operation::Fence(order) => write!(f, "fence({})", order_name(*order)),
        }
    }

    fn statements(&self, f: &mut Formatter<'_>, statements: &[Statement]) -> fmt::Result {
        for (i, s) in statements.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            self.statement(f, s)?;
        }
        Ok(())
    }

    fn statement(&self, f: &mut Formatter<'_>, statement: &Statement) -> fmt::Result {
        match statement {
            Statement::Choose(local, n) => write!(f, "choose {} {n}", self.local(local.0)),
            Statement::Await(e) => {
                f.write_str("await ")?;
                self.expression(f, e, 0)
            }
            Statement::Lock(p) => {
                f.write_str("lock ")?;
                self.place(f, p)
            }
            Statement::Unlock(p) => {
                f.write_str("unlock ")?;
                self.place(f, p)
            }
            Statement::Assign(p, e) => self.assignment(f, p, "=", e),
            Statement::Add(p, e) => self.assignment(f, p, " += ", e),
            Statement::Accumulate(p, e) => self.assignment(f, p, " @+ ", e),
            Statement::If(e, then, other) => {
                f.write_str("if (")?;
                self.expression(f, e, 0)?;
                f.write_str(") ")?;
                // A single plain statement needs no braces; an inner `if` would swallow the `else`.
                self.block(f, then)?;
                if !other.is_empty() {
                    f.write_str(" else ")?;
                    self.block(f, other)?;
                }
                Ok(())
            }
            Statement::Assert(e, message) => {
                f.write_str("assert ")?;
                self.expression(f, e, 0)?;
                match message {
                    Some(m) => write!(f, " \"{}\"", m.replace(['"', '\n'], "'")),
                    None => Ok(()),
                }
            }
            Statement::Spawn(k, values) => {
                f.write_str("spawn ")?;
                f.write_str(self.model.bodies.get(*k).map_or("?", |b| &b.name))?;
                for (i, value) in values.iter().enumerate() {
                    f.write_str(if i == 0 { "(" } else { ", " })?;
                    self.expression(f, value, 0)?;
                }
                f.write_str(if values.is_empty() { "" } else { ")" })
            }
            Statement::Goto(Label(l)) => write!(f, "goto {}", self.body.labels.get(*l).map_or("?", |l| &l.name)),
            Statement::End => f.write_str("end"),
        }
    }

    fn block(&self, f: &mut Formatter<'_>, statements: &[Statement]) -> fmt::Result {
        match statements {
            [one] if !matches!(one, Statement::If(..)) => self.statement(f, one),
            _ => {
                f.write_char('{')?;
                self.statements(f, statements)?;
                f.write_char('}')
            }
        }
    }

    fn assignment(&self, f: &mut Formatter<'_>, place: &Place, sign: &str, value: &Expr) -> fmt::Result {
        self.place(f, place)?;
        f.write_str(sign)?;
        self.expression(f, value, 0)
    }

    fn local(&self, local: usize) -> &str {
        self.body.locals.get(local).map_or("?", |l| &l.name)
    }

    fn place(&self, f: &mut Formatter<'_>, place: &Place) -> fmt::Result {
        match place {
            Place::Local(local) => f.write_str(self.local(local.0)),
            Place::Shared(v, index) => self.shared(f, *v, index.as_deref()),
        }
    }

    fn shared(&self, f: &mut Formatter<'_>, v: usize, index: Option<&Expr>) -> fmt::Result {
        f.write_str(self.model.variables.get(v).map_or("?", |v| &v.name))?;
        match index {
            None => Ok(()),
            Some(i) => {
                f.write_char('[')?;
                self.expression(f, i, 0)?;
                f.write_char(']')
            }
        }
    }

    /// `least` is the binding strength that the surroundings demand.
    fn expression(&self, f: &mut Formatter<'_>, e: &Expr, least: u8) -> fmt::Result {
        match e {
            Expr::Int(v) => write!(f, "{v}"),
            Expr::Local(local) => f.write_str(self.local(local.0)),
            Expr::Shared(v, index) => self.shared(f, *v, index.as_deref()),
            Expr::Not(a) => {
                f.write_char('!')?;
                self.expression(f, a, 6)
            }
            Expr::Negate(a) => {
                f.write_char('-')?;
                // `-3` would be read as a constant.
                if matches!(**a, Expr::Int(_)) {
                    self.in_parentheses(f, a)
                } else {
                    self.expression(f, a, 6)
                }
            }
            Expr::Binary(op, a, b) => {
                let (sign, strength) = sign(*op);
                if strength < least {
                    return self.in_parentheses(f, e);
                }
                self.expression(f, a, strength)?;
                f.write_str(sign)?;
                self.expression(f, b, strength + 1)
            }
        }
    }

    fn in_parentheses(&self, f: &mut Formatter<'_>, e: &Expr) -> fmt::Result {
        f.write_char('(')?;
        self.expression(f, e, 0)?;
        f.write_char(')')
    }
}

fn sign(op: Binary) -> (&'static str, u8) {
    match op {
        Binary::Or => (" || ", 1),
        Binary::And => (" && ", 2),
        Binary::Equal => ("==", 3),
        Binary::NotEqual => ("!=", 3),
        Binary::Less => ("<", 3),
        Binary::AtMost => ("<=", 3),
        Binary::More => (">", 3),
        Binary::AtLeast => (">=", 3),
        Binary::Add => ("+", 4),
        Binary::Subtract => ("-", 4),
        Binary::Multiply => ("*", 5),
        Binary::Divide => ("/", 5),
        Binary::Remainder => ("%", 5),
    }
}
