//! What a program must satisfy before it can be compiled.

use super::{Body, Expr, Label, Local, Model, Place, Statement};
use rustc_hash::FxHashSet;
use std::fmt;

/// Expressions nested deeper than this are refused, so that evaluation needs a small fixed stack.
pub(crate) const MAX_NESTING: usize = 24;
/// A task is given at most this many values: while the last one is computed, the others are on that stack.
pub(crate) const MAX_VALUES: usize = 100;
/// `choose` offers at most this many alternatives.
pub(crate) const MAX_CHOICES: u32 = 1000;
/// Shared cells of a program.
pub(crate) const MAX_CELLS: usize = 100_000;

/// Why a program makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelError {
    /// The process, if it is about one.
    pub body: Option<String>,
    /// The step, if it is about one, from 0.
    pub step: Option<usize>,
    /// The statement of that step, if it is about one, from 0; an `if` is one statement with all that is in it.
    pub statement: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Some(body) => write!(f, "process {body}")?,
            None => f.write_str("the program")?,
        }
        if let Some(step) = self.step {
            write!(f, ", step {}", step + 1)?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for ModelError {}

impl Model {
    /// Checks everything that the notation and the builder leave open.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ModelError> {
        let global = |what: String| ModelError {
            body: None,
            step: None,
            statement: None,
            what,
        };
        if self.bodies.is_empty() {
            return Err(global("it has no process".into()));
        }
        let mut cells = 0;
        let mut variables = FxHashSet::default();
        for v in &self.variables {
            if !variables.insert(v.name.as_str()) {
                return Err(global(format!("variable {} is declared twice", v.name)));
            }
            if v.initial.is_empty() || (!v.array && v.initial.len() != 1) {
                return Err(global(format!("variable {} has {} initial values", v.name, v.initial.len())));
            }
            cells += v.initial.len();
        }
        if cells > MAX_CELLS {
            return Err(global(format!(
                "it has {cells} shared variables, at most {MAX_CELLS} are supported"
            )));
        }
        if self.spawned_bodies().iter().all(|&spawned| spawned) {
            return Err(global("every process waits to be spawned, so none ever starts".into()));
        }
        let mut bodies = FxHashSet::default();
        for body in &self.bodies {
            if !bodies.insert(body.name.as_str()) {
                return Err(global(format!("process {} is defined twice", body.name)));
            }
            self.check_body(body, &variables)?;
        }
        self.check_locks()
    }

    fn check_locks(&self) -> Result<(), ModelError> {
        let locks = self.locks();
        for body in &self.bodies {
            for (s, step) in body.steps.iter().enumerate() {
                let reads = |s| self.lock_read_in(std::slice::from_ref(s), &locks);
                if let Some((statement, v)) = step.statements.iter().enumerate().find_map(|(i, s)| Some((i, reads(s)?))) {
                    let name = &self.variables[v].name;
                    return Err(ModelError {
                        body: Some(body.name.clone()),
                        step: Some(s),
                        statement: Some(statement),
                        what: format!(
                            "{name} is a lock: it is taken and given back, its value cannot be read; note in another variable what must be known of it"
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    fn check_body(&self, body: &Body, variables: &FxHashSet<&str>) -> Result<(), ModelError> {
        let mut locals = FxHashSet::default();
        for local in &body.locals {
            if !locals.insert(local.name.as_str()) {
                return Err(ModelError {
                    body: Some(body.name.clone()),
                    step: None,
                    statement: None,
                    what: format!("local {} is declared twice", local.name),
                });
            }
            if variables.contains(local.name.as_str()) {
                return Err(ModelError {
                    body: Some(body.name.clone()),
                    step: None,
                    statement: None,
                    what: format!("{} is both a local and a shared variable", local.name),
                });
            }
        }
        for (s, step) in body.steps.iter().enumerate() {
            let mut front = true;
            for (i, statement) in step.statements.iter().enumerate() {
                let fail = |what: String| ModelError {
                    body: Some(body.name.clone()),
                    step: Some(s),
                    statement: Some(i),
                    what,
                };
                match statement {
                    Statement::Choose(local, n) => {
                        if i > 0 {
                            return Err(fail("choose must be the first statement of its step".into()));
                        }
                        if *n == 0 || *n > MAX_CHOICES {
                            return Err(fail(format!("choose offers 1 to {MAX_CHOICES} alternatives, not {n}")));
                        }
                        self.check_local(body, *local).map_err(fail)?;
                    }
                    Statement::Await(_) | Statement::Lock(_) if !front => {
                        return Err(fail(
                            "await and lock must stand before the statements that do something; begin a new step".into(),
                        ));
                    }
                    Statement::Await(_) | Statement::Lock(_) => self.check_statement(body, statement).map_err(fail)?,
                    _ => {
                        front = false;
                        self.check_statement(body, statement).map_err(fail)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn check_statement(&self, body: &Body, statement: &Statement) -> Result<(), String> {
        match statement {
            Statement::Choose(..) => Err("choose must be the first statement of its step".into()),
            Statement::Await(e) | Statement::Assert(e, _) => self.check_expression(body, e, 0),
            Statement::Lock(p) | Statement::Unlock(p) => match p {
                Place::Local(_) => Err("a lock must be a shared variable".into()),
                Place::Shared(..) => self.check_place(body, p),
            },
            Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => {
                self.check_place(body, p)?;
                self.check_expression(body, e, 0)
            }
            Statement::If(e, then, other) => {
                self.check_expression(body, e, 0)?;
                for s in then.iter().chain(other) {
                    if matches!(s, Statement::Await(_) | Statement::Lock(_)) {
                        return Err("await and lock cannot stand inside if; begin a new step".into());
                    }
                    self.check_statement(body, s)?;
                }
                Ok(())
            }
            Statement::Spawn(k, values) => {
                let Some(child) = self.bodies.get(*k) else {
                    return Err(format!("spawn of body {k}, but there are {}", self.bodies.len()));
                };
                if values.len() > child.locals.len() {
                    return Err(format!(
                        "{} takes {} values, {} are given",
                        child.name,
                        child.locals.len(),
                        values.len()
                    ));
                }
                if values.len() > MAX_VALUES {
                    return Err(format!("{} values are given, but no more than {MAX_VALUES} can be", values.len()));
                }
                values.iter().try_for_each(|e| self.check_expression(body, e, 0))
            }
            Statement::Goto(Label(l)) => match body.labels.get(*l) {
                Some(label) if label.step.is_some_and(|s| s <= body.steps.len()) => Ok(()),
                Some(label) => Err(format!("there is no step labelled {}", label.name)),
                None => Err("goto an unknown label".into()),
            },
            Statement::End => Ok(()),
        }
    }

    fn check_local(&self, body: &Body, local: Local) -> Result<(), String> {
        if local.0 < body.locals.len() {
            Ok(())
        } else {
            Err(format!("there is no local {}", local.0))
        }
    }

    fn check_place(&self, body: &Body, place: &Place) -> Result<(), String> {
        match place {
            Place::Local(local) => self.check_local(body, *local),
            Place::Shared(v, index) => self.check_shared(body, *v, index.as_deref(), 0),
        }
    }

    fn check_shared(&self, body: &Body, v: usize, index: Option<&Expr>, nesting: usize) -> Result<(), String> {
        let Some(variable) = self.variables.get(v) else {
            return Err(format!("there is no shared variable {v}"));
        };
        match (variable.array, index) {
            (true, None) => Err(format!("{} is an array: write {}[i]", variable.name, variable.name)),
            (false, Some(_)) => Err(format!("{} is no array", variable.name)),
            (false, None) => Ok(()),
            (true, Some(Expr::Int(i))) if usize::try_from(*i).is_ok_and(|i| i < variable.initial.len()) => Ok(()),
            (true, Some(Expr::Int(i))) => Err(format!(
                "{}[{i}] is outside the array of {} elements",
                variable.name,
                variable.initial.len()
            )),
            (true, Some(e)) => self.check_expression(body, e, nesting + 1),
        }
    }

    fn check_expression(&self, body: &Body, e: &Expr, nesting: usize) -> Result<(), String> {
        if nesting > MAX_NESTING {
            return Err(format!("an expression is nested more than {MAX_NESTING} deep"));
        }
        match e {
            Expr::Int(_) => Ok(()),
            Expr::Local(local) => self.check_local(body, *local),
            Expr::Shared(v, index) => self.check_shared(body, *v, index.as_deref(), nesting),
            Expr::Not(a) | Expr::Negate(a) => self.check_expression(body, a, nesting + 1),
            Expr::Binary(_, a, b) => {
                self.check_expression(body, a, nesting + 1)?;
                self.check_expression(body, b, nesting + 1)
            }
        }
    }
}
