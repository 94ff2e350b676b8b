//! A reference interpreter for core ABS, written from the language's definition over the checked tree: small, slow, and sharing nothing
//! with what the searches run (no lowering, no footprints, no fingerprints, no engine). Whole states are compared by equality.
//!
//! # What a step is
//! The language's definition lets the cogs run side by side, each with at most one active task. What a task does between two places where
//! others matter touches its own cog only, so it is done in one go. Others matter where a task
//! * ends, suspends, or waits in an `await` that does not hold: another task of its cog may run;
//! * comes to an `await` of a future or a `get`: whether it is resolved depends on other cogs. It keeps its cog and looks in a step of its own.
//!
//! What lies between is indivisible, as in the papers. That can be seen where `await` does not release: a task that sends a message and ends in
//! the same step is never found running by whoever the message has woken.
//!
//! # What is left open by the definition, and how it is read here
//! * `await g` goes on without letting others run if `g` holds ([`AwaitSemantics::Formal`]), or lets them run first (`Release`).
//! * The futures of a guard are looked at before its conditions, those from left to right until one does not hold. A `null` future, like an
//!   exception of a condition, makes the task go on by throwing it; a `null` in a variable is noticed on arrival.
//! * An object is initialised by the task that makes it, before anybody else can call it; then its `run` is started like any other task.
//! * An exception that leaves a task ends it and is kept by its future. It is a failure if nobody asks for it until the end (`get`, a
//!   synchronous call, `await o!m()`); a failed assertion is one at once. The main block is a task like any other.
//! * Objects stay alive when a task of theirs fails.
//! * Time passes only when no task can move, up to the least `max` of all `duration(min, max)` whose `min` has not passed yet.
//!
//! Left out: floating-point numbers, `die`, `recover`, reading input.

mod births;
mod eval;
mod failure;
mod state;
mod step;
mod value;

use mazurka_abs::checked::CheckedModel;
use mazurka_abs::run::AwaitSemantics;
use mazurka_core::{Failure, FailureKind};
use mazurka_diagnostics::SourceMap;
use rustc_hash::FxHashSet;
use state::{Awaited, Ended, Frame, Interval, List, Raised, State, Status, Task, Work};
use std::collections::BTreeSet;
use std::rc::Rc;
use step::Step;
use value::{TaskName, Value};

/// A model and how it is read.
pub struct World<'m> {
    /// The model.
    pub model: &'m CheckedModel,
    /// The texts, for positions.
    pub sources: &'m SourceMap,
    /// What `await g` does when `g` holds.
    pub await_semantics: AwaitSemantics,
    /// Whether final states tell the time: they do if time passes in the model and somebody asks for it.
    pub tells_time: bool,
}

/// Why an evaluation did not come to its end.
pub(crate) enum Stop {
    /// An exception.
    Raised(Raised),
    /// One of so many numbers has to be chosen first.
    Choose(u32),
    /// The reference cannot do this.
    GiveUp(&'static str),
}

/// How an execution ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The fields of all objects, as reports print them.
    pub state: Vec<(String, String)>,
    /// The tasks that cannot go on, with where they wait.
    pub waits: Vec<(String, String)>,
}

/// A failure as it is compared: kind, message, place.
pub type Told = (FailureKind, String, String);

/// All there is to find.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    /// How executions end.
    pub ends: BTreeSet<End>,
    /// What can fail, deadlocks aside.
    pub failures: BTreeSet<Told>,
    /// How many states there are.
    pub states: usize,
}

impl Truth {
    /// The ends with tasks that cannot go on.
    pub fn deadlocks(&self) -> impl Iterator<Item = &End> {
        self.ends.iter().filter(|end| !end.waits.is_empty())
    }
}

/// A failure as it is compared.
pub fn told(failure: &Failure) -> Told {
    let at = failure
        .at
        .as_ref()
        .map(|at| format!("{}:{}", at.line, at.column))
        .unwrap_or_default();
    (failure.kind, failure.message.clone(), at)
}

impl<'m> World<'m> {
    /// Visits every state that the first main block can reach.
    ///
    /// # Errors
    /// If there are more than `most` states, or if the model uses what the reference does not know.
    pub fn explore(&self, most: usize) -> Result<Truth, &'static str> {
        let start = Rc::new(self.start().ok_or("no main block")?);
        let mut truth = Truth::default();
        let mut known: FxHashSet<Rc<State<'m>>> = FxHashSet::default();
        known.insert(start.clone());
        let mut todo = vec![start];
        while let Some(state) = todo.pop() {
            let mut moved = false;
            for name in state.tasks.keys() {
                if !self.enabled(&state, name)? {
                    continue;
                }
                moved = true;
                self.steps(&state, name, |next, failure| {
                    truth.failures.extend(failure.as_ref().map(told));
                    let next = Rc::new(next);
                    if known.insert(next.clone()) {
                        todo.push(next);
                    }
                })?;
            }
            if known.len() > most {
                return Err("too many states");
            }
            if moved {
                continue;
            }
            match state.after_waiting() {
                Some(later) => {
                    let later = Rc::new(later);
                    if known.insert(later.clone()) {
                        todo.push(later);
                    }
                }
                None => self.end(&state, &mut truth),
            }
        }
        truth.states = known.len();
        Ok(truth)
    }

    fn start(&self) -> Option<State<'m>> {
        let main = self.model.mains.first()?;
        let mut state = State::default();
        let frame = Frame {
            name: format!("{}.main", main.module).into(),
            this: None,
            locals: vec![Value::Null; main.body.locals.len()],
            work: vec![Work::Statements(List(&main.code.stmts))],
            at: main.span,
            initialises: false,
        };
        let task = Task {
            cog: None,
            deadline: None,
            children: 0,
            objects: 0,
            status: Status::Ready,
            frames: vec![frame],
        };
        state.tasks.insert(TaskName::main(), Rc::new(task));
        Some(state)
    }

    fn enabled(&self, state: &State<'m>, name: &TaskName) -> Result<bool, &'static str> {
        let task = &state.tasks[name];
        Ok(match &task.status {
            Status::Looks(_) => true,
            Status::Sleeps(Interval(earliest, _)) => *earliest <= state.clock,
            Status::Waits(Awaited::Guard(_, Some(Interval(earliest, _)))) if *earliest > state.clock => false,
            Status::Gets(future) => state.results.contains_key(future),
            Status::Ready => !state.is_held(&task.cog),
            Status::Waits(_) if state.is_held(&task.cog) => false,
            Status::Waits(awaited) => match Step::new(self, state, name, Vec::new()).holds(awaited) {
                Ok(holds) => holds,
                Err(Stop::Raised(_)) => true,
                Err(Stop::Choose(_)) => return Err("a choice in a guard"),
                Err(Stop::GiveUp(why)) => return Err(why),
            },
        })
    }

    /// Every step of an enabled task: one for each of its choices.
    fn steps(&self, state: &State<'m>, name: &TaskName, mut told: impl FnMut(State<'m>, Option<Failure>)) -> Result<(), &'static str> {
        let mut choices = vec![Vec::new()];
        while let Some(given) = choices.pop() {
            let mut step = Step::new(self, state, name, given.clone());
            match step.take() {
                Ok(()) => told(step.state, step.failure),
                Err(Stop::Choose(n)) => choices.extend((0..n).map(|choice| [&given[..], &[choice]].concat())),
                Err(Stop::GiveUp(why)) => return Err(why),
                Err(Stop::Raised(_)) => unreachable!("a step takes its exceptions out of the task"),
            }
        }
        Ok(())
    }

    /// Nothing can move any more.
    fn end(&self, state: &State<'m>, truth: &mut Truth) {
        for ended in state.results.values() {
            if let Ended::Exception(_, Some(unread)) = ended {
                truth.failures.insert(told(unread));
            }
        }
        let mut fields = Vec::new();
        if self.tells_time {
            fields.push(("time".to_owned(), state.clock.to_string()));
        }
        for (name, object) in &state.objects {
            let short = name.short(self.model);
            let class = &self.model.classes[name.class as usize];
            if class.fields.is_empty() {
                fields.push((short.clone(), "(no fields)".to_owned()));
            }
            for (field, value) in class.fields.iter().zip(&object.fields) {
                fields.push((format!("{short}.{}", field.name), value.quoted(self.model, true)));
            }
        }
        let place = |task: &Task<'_>| task.frames.last().map(|f| self.position(f.at));
        let wait = |(name, task): (&TaskName, &Rc<Task<'_>>)| {
            let at = place(task).map(|at| format!("{}:{}", at.line, at.column));
            (name.path(), at.unwrap_or_default())
        };
        truth.ends.insert(End {
            state: fields,
            waits: state.tasks.iter().map(wait).collect(),
        });
    }
}
