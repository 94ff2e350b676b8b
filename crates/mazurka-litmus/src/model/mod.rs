//! Programs as a person writes them: shared variables, and processes made of atomic steps.

mod atomic;
mod builder;
mod check;
mod expression;
mod locks;
mod tidy;

pub use atomic::{Declared, Never, Operation, order_name};
pub use builder::{Label, ProcessBuilder, Then, choose, end, goto, lock, skip, unlock, wait_until, when};
pub use check::ModelError;
pub(crate) use check::{MAX_CELLS, MAX_CHOICES};
#[cfg(test)]
pub(crate) use check::{MAX_NESTING, MAX_VALUES};
pub use expression::{Array, Binary, Expr, Local, Place, Var};

/// A shared variable or array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether it is an array: elements are then written `name[i]`.
    pub array: bool,
    /// Initial values; one for a variable that is no array.
    pub initial: Vec<i32>,
}

/// A local variable of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalVariable {
    /// Its name.
    pub name: String,
    /// Its value when the process starts, unless `spawn` gives another one.
    pub initial: i32,
}

/// One thing that a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `choose l 3`: as many transitions, each with another value of the local. Only as the first statement of a step.
    Choose(Local, u32),
    /// `await e`: the step is enabled only while `e` is not 0. Only before the statements that do something.
    Await(Expr),
    /// `lock m`: enabled while `m` is 0; sets `m` to a token of the process, which nobody can read. Only before the statements that do
    /// something.
    Lock(Place),
    /// `unlock m`: sets `m` to 0.
    Unlock(Place),
    /// `x = e`.
    Assign(Place, Expr),
    /// `x += e`: a read and a write.
    Add(Place, Expr),
    /// `x @+ e`: an addition that commutes with other such additions.
    Accumulate(Place, Expr),
    /// `if (e) { … } else { … }`.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// `assert e "message"`: a failure, and the end of the process, if `e` is 0.
    Assert(Expr, Option<String>),
    /// `spawn k(1, 2)`: starts a process with the body of that index; the values are those of its first locals.
    Spawn(usize, Vec<Expr>),
    /// `goto label`: ends this step; the labelled step is next.
    Goto(Label),
    /// `end`: ends this step and the process.
    End,
}

/// One atomic step. When it runs off its end the next step of the body follows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// What it does, in order.
    pub statements: Vec<Statement>,
}

/// A label and the step it stands before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelPosition {
    /// Its name.
    pub name: String,
    /// Index of the step; the number of steps stands for the end of the process. `None` as long as it was not placed.
    pub step: Option<usize>,
}

/// What a process does. A body that some `spawn` mentions starts only when spawned; every other body is one process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its locals; `spawn` gives values to the first ones.
    pub locals: Vec<LocalVariable>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// Its labels.
    pub labels: Vec<LabelPosition>,
    /// What its accesses promise, in the order of the steps.
    pub declared: Vec<Declared>,
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    pub(crate) variables: Vec<Variable>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) bounded: bool,
    pub(crate) nevers: Vec<Never>,
}

impl Model {
    /// A program without variables and processes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a shared variable.
    pub fn var(&mut self, name: impl Into<String>, initial: i32) -> Var {
        self.variables.push(Variable {
            name: name.into(),
            array: false,
            initial: vec![initial],
        });
        Var(self.variables.len() - 1)
    }

    /// Adds a shared array of `length` elements that all start as `initial`.
    pub fn array(&mut self, name: impl Into<String>, length: usize, initial: i32) -> Array {
        self.variables.push(Variable {
            name: name.into(),
            array: true,
            initial: vec![initial; length],
        });
        Array(self.variables.len() - 1)
    }

    /// Adds a process, or the body of one if it is spawned somewhere.
    pub fn process(&mut self, name: impl Into<String>) -> ProcessBuilder<'_> {
        self.bodies.push(Body {
            name: name.into(),
            ..Body::default()
        });
        let body = self.bodies.len() - 1;
        ProcessBuilder::new(&mut self.bodies[body], body)
    }

    /// Goes on with a process that was added before.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn body_mut(&mut self, body: usize) -> ProcessBuilder<'_> {
        ProcessBuilder::new(&mut self.bodies[body], body)
    }

    /// Promises that every execution is finite although there are loops or recursive spawns.
    pub fn set_bounded(&mut self, bounded: bool) {
        self.bounded = bounded;
    }

    /// Whether [`Model::set_bounded`] promised that every execution is finite.
    pub fn is_bounded(&self) -> bool {
        self.bounded
    }

    /// What may not be in the end. It is looked at under memory models only.
    pub fn nevers(&self) -> &[Never] {
        &self.nevers
    }

    /// The shared variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The bodies of all processes.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// For editing a program statement by statement, as a mutator or a shrinker does. [`crate::Machine::new`] checks the result.
    pub fn bodies_vec(&mut self) -> &mut Vec<Body> {
        &mut self.bodies
    }

    /// For editing the shared variables.
    pub fn variables_vec(&mut self) -> &mut Vec<Variable> {
        &mut self.variables
    }

    /// For each body, whether some step spawns it.
    pub fn spawned_bodies(&self) -> Vec<bool> {
        fn mark(statements: &[Statement], spawned: &mut [bool]) {
            for s in statements {
                match s {
                    Statement::Spawn(body, _) if *body < spawned.len() => spawned[*body] = true,
                    Statement::If(_, then, other) => {
                        mark(then, spawned);
                        mark(other, spawned);
                    }
                    _ => {}
                }
            }
        }
        let mut spawned = vec![false; self.bodies.len()];
        for step in self.bodies.iter().flat_map(|b| &b.steps) {
            mark(&step.statements, &mut spawned);
        }
        spawned
    }
}
