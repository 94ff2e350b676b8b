//! Writing processes in Rust.
//!
//! ```
//! use mazurka_litmus::model::{Model, when};
//!
//! let mut m = Model::new();
//! let (x, done) = (m.var("x", 0), m.var("done", 0));
//! m.process("writer").step([x.set(7)]).step([done.set(1)]);
//! let mut reader = m.process("reader");
//! let seen = reader.local("seen", 0);
//! reader.step([seen.set(x), when(seen.is(0), [done.set(2)])]);
//! assert_eq!(m.to_string(), "init x=0, done=0;\nwriter:[x=7][done=1]\nreader(seen=0):[seen=x; if (seen==0) done=2]\n");
//! ```

use super::{Body, Expr, LabelPosition, Local, LocalVariable, Place, Statement, Step, Var};

/// A name for a step that `goto` can lead to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label(pub usize);

/// Adds steps to one process.
#[derive(Debug)]
pub struct ProcessBuilder<'m> {
    body: &'m mut Body,
    index: usize,
}

impl<'m> ProcessBuilder<'m> {
    pub(super) fn new(body: &'m mut Body, index: usize) -> Self {
        ProcessBuilder { body, index }
    }

    /// The index of the body, for [`Statement::Spawn`].
    pub fn index(&self) -> usize {
        self.index
    }

    /// Adds a local variable.
    pub fn local(&mut self, name: impl Into<String>, initial: i32) -> Local {
        self.body.locals.push(LocalVariable {
            name: name.into(),
            initial,
        });
        Local(self.body.locals.len() - 1)
    }

    /// Adds an atomic step.
    pub fn step(&mut self, statements: impl IntoIterator<Item = Statement>) -> &mut Self {
        self.body.steps.push(Step {
            statements: statements.into_iter().collect(),
        });
        self
    }

    /// Adds statements to the step that was added last.
    pub fn extend_last(&mut self, statements: impl IntoIterator<Item = Statement>) -> &mut Self {
        match self.body.steps.last_mut() {
            Some(step) => step.statements.extend(statements),
            None => self.body.steps.push(Step {
                statements: statements.into_iter().collect(),
            }),
        }
        self
    }

    /// A label that is placed later, for jumps forward.
    pub fn label(&mut self) -> Label {
        let id = self.body.labels.len();
        self.body.labels.push(LabelPosition {
            name: format!("s{id}"),
            step: None,
        });
        Label(id)
    }

    /// Puts a label before the step that is added next.
    pub fn place(&mut self, label: Label) -> &mut Self {
        self.body.labels[label.0].step = Some(self.body.steps.len());
        self
    }

    /// A label of the step that is added next.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }
}

/// Assignments, for whatever can be assigned to.
macro_rules! assignments {
    ($($type:ty),*) => { $(
        impl $type {
            /// `self = value`.
            pub fn set(self, value: impl Into<Expr>) -> Statement { Statement::Assign(self.into(), value.into()) }
            /// `self += value`.
            pub fn increase(self, value: impl Into<Expr>) -> Statement { Statement::Add(self.into(), value.into()) }
            /// `self @+ value`: commutes with other such additions.
            pub fn accumulate(self, value: impl Into<Expr>) -> Statement { Statement::Accumulate(self.into(), value.into()) }
        }
    )* };
}
assignments!(Place, Var, Local);

/// `if (condition) { statements }`; [`Then::otherwise`] adds the other branch.
pub fn when(condition: impl Into<Expr>, statements: impl IntoIterator<Item = Statement>) -> Statement {
    Statement::If(condition.into(), statements.into_iter().collect(), Vec::new())
}

/// Gives an `if` its `else`.
pub trait Then {
    /// What happens if the condition does not hold.
    fn otherwise(self, statements: impl IntoIterator<Item = Statement>) -> Statement;
}

impl Then for Statement {
    fn otherwise(self, statements: impl IntoIterator<Item = Statement>) -> Statement {
        match self {
            Statement::If(condition, then, _) => Statement::If(condition, then, statements.into_iter().collect()),
            other => other,
        }
    }
}

/// `await condition`.
pub fn wait_until(condition: impl Into<Expr>) -> Statement {
    Statement::Await(condition.into())
}

/// `lock m`.
pub fn lock(mutex: impl Into<Place>) -> Statement {
    Statement::Lock(mutex.into())
}

/// `unlock m`.
pub fn unlock(mutex: impl Into<Place>) -> Statement {
    Statement::Unlock(mutex.into())
}

/// `choose local n`: the step is taken with any value from 0 to n−1.
pub fn choose(local: Local, alternatives: u32) -> Statement {
    Statement::Choose(local, alternatives)
}

/// `goto label`.
pub fn goto(label: Label) -> Statement {
    Statement::Goto(label)
}

/// `end`.
pub fn end() -> Statement {
    Statement::End
}

/// No statement at all: for steps that only take time.
pub fn skip() -> [Statement; 0] {
    []
}

impl Expr {
    /// `assert self`.
    pub fn check(self) -> Statement {
        Statement::Assert(self, None)
    }

    /// `assert self "message"`.
    pub fn check_or(self, message: impl Into<String>) -> Statement {
        Statement::Assert(self, Some(message.into()))
    }
}
