//! The steps that can be taken in a state, and where they lead.

use super::Failed;
use super::evaluate::{Fault, Scene};
use super::print;
use super::state::{Name, Process, State, Value};
use mazurka_litmus::Model;
use mazurka_litmus::model::{Expr, Label, Place, Statement};

/// A step that was taken.
pub struct Taken {
    /// The state after it.
    pub next: State,
    /// How the process failed in it, if it did.
    pub failed: Option<Failed>,
}

/// How a statement ends.
enum Flow {
    /// The next statement follows.
    On,
    /// The step ends; this one is next, or none if the process ends too.
    Jump(Option<usize>),
}

/// Every step that can be taken, and how many processes have not ended.
pub fn steps(model: &Model, state: &State) -> (Vec<Taken>, usize) {
    let mut taken = Vec::new();
    let mut unfinished = 0;
    for (name, process) in &state.processes {
        let Some(step) = process.next else { continue };
        unfinished += 1;
        let statements = &model.bodies()[process.body].steps[step].statements;
        let choices = match statements.first() {
            Some(Statement::Choose(_, n)) => *n as i32,
            _ => 1,
        };
        for choice in 0..choices {
            let mut next = state.clone();
            if let (Some(Statement::Choose(local, _)), Some(own)) = (statements.first(), next.processes.get_mut(name)) {
                own.locals[local.0] = choice;
            }
            taken.extend(take(model, next, name, step, statements));
        }
    }
    (taken, unfinished)
}

/// The step, with the choice already made; `None` if it cannot be taken.
fn take(model: &Model, state: State, name: &Name, step: usize, statements: &[Statement]) -> Option<Taken> {
    let mut stage = Stage { model, state, name };
    let outcome = match stage.guard(statements) {
        Ok(false) => return None,
        Ok(true) => stage.run(statements),
        Err(fault) => Err(fault),
    };
    let body = name.body();
    let failed = outcome.as_ref().err().map(|fault| Failed {
        place: Some((body, step)),
        ..print::failed(stage.scene(), fault)
    });
    let after = (step + 1 < model.bodies()[body].steps.len()).then_some(step + 1);
    stage.own().next = match outcome {
        Ok(Flow::On) => after,
        Ok(Flow::Jump(to)) => to,
        Err(_) => None,
    };
    Some(Taken { next: stage.state, failed })
}

/// A state that a process is changing.
struct Stage<'s> {
    model: &'s Model,
    state: State,
    name: &'s Name,
}

impl Stage<'_> {
    fn own(&mut self) -> &mut Process {
        self.state.processes.get_mut(self.name).expect("the process that runs exists")
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            model: self.model,
            state: &self.state,
            process: &self.state.processes[self.name],
        }
    }

    /// Whether everything that the front of the step demands holds.
    fn guard(&self, statements: &[Statement]) -> Result<bool, Fault> {
        for s in statements {
            let holds = match s {
                Statement::Choose(..) => continue,
                Statement::Await(e) => self.scene().value(e)? != 0,
                Statement::Lock(place) => self.scene().value(&Expr::from(place.clone()))? == 0,
                _ => break,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn run(&mut self, statements: &[Statement]) -> Result<Flow, Fault> {
        for s in statements {
            if let Flow::Jump(to) = self.statement(s)? {
                return Ok(Flow::Jump(to));
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, Fault> {
        match statement {
            Statement::Choose(..) | Statement::Await(_) => {}
            Statement::Lock(place) => {
                let token = Value::Token(self.name.clone());
                self.assign(place, |_| Ok(token))?;
            }
            Statement::Unlock(place) => self.assign(place, |_| Ok(Value::Number(0)))?,
            Statement::Assign(place, e) => self.assign(place, |scene| scene.value(e).map(Value::Number))?,
            Statement::Add(place, e) | Statement::Accumulate(place, e) => self.assign(place, |scene| {
                let old = scene.value(&Expr::from(place.clone()))?;
                Ok(Value::Number(old.wrapping_add(scene.value(e)?)))
            })?,
            Statement::If(condition, then, other) => {
                let branch = if self.scene().value(condition)? != 0 { then } else { other };
                return self.run(branch);
            }
            Statement::Assert(condition, message) => {
                if self.scene().value(condition)? == 0 {
                    return Err(Fault::Assertion(condition.clone(), message.clone()));
                }
            }
            Statement::Spawn(body, values) => self.spawn(*body, values)?,
            Statement::Goto(Label(l)) => {
                let own = &self.model.bodies()[self.name.body()];
                return Ok(Flow::Jump(own.labels[*l].step.filter(|to| *to < own.steps.len())));
            }
            Statement::End => return Ok(Flow::Jump(None)),
        }
        Ok(Flow::On)
    }

    /// The index first, then the value, then the store.
    fn assign(&mut self, place: &Place, value: impl FnOnce(&Scene<'_>) -> Result<Value, Fault>) -> Result<(), Fault> {
        match place {
            Place::Local(l) => {
                if let Value::Number(n) = value(&self.scene())? {
                    self.own().locals[l.0] = n;
                }
            }
            Place::Shared(v, index) => {
                let at = self.scene().index(index.as_deref())?;
                let value = value(&self.scene())?;
                let element = self.scene().element(*v, at)?;
                self.state.shared[*v][element] = value;
            }
        }
        Ok(())
    }

    fn spawn(&mut self, body: usize, values: &[Expr]) -> Result<(), Fault> {
        let values: Vec<i32> = values.iter().map(|e| self.scene().value(e)).collect::<Result<_, _>>()?;
        let nth = self.own().spawned;
        self.own().spawned += 1;
        let child = Process::new(self.model, body, &values);
        self.state.processes.insert(self.name.child(nth, body), child);
        Ok(())
    }
}
