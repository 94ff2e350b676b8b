//! A state, as the definition of the language has it.

use mazurka_litmus::Model;
use std::collections::BTreeMap;

/// The place of birth: for a process of the start its body, then for each generation how many siblings were born before, and the body.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub Vec<(u32, usize)>);

/// What a shared variable holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A number.
    Number(i32),
    /// The token of the process that locked it.
    Token(Name),
}

/// A process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Process {
    /// What it runs.
    pub body: usize,
    /// The step it takes next; `None` if it has ended.
    pub next: Option<usize>,
    /// Its locals.
    pub locals: Vec<i32>,
    /// How many processes it has spawned.
    pub spawned: u32,
}

/// A whole state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// For each variable its elements, one if it is no array.
    pub shared: Vec<Vec<Value>>,
    /// Every process that was ever born.
    pub processes: BTreeMap<Name, Process>,
}

impl State {
    /// The state in which a program begins.
    pub fn start(model: &Model) -> State {
        let numbers = |initial: &[i32]| initial.iter().map(|v| Value::Number(*v)).collect();
        let spawned = model.spawned_bodies();
        let roots = (0..model.bodies().len()).filter(|b| !spawned[*b]);
        State {
            shared: model.variables().iter().map(|v| numbers(&v.initial)).collect(),
            processes: roots.map(|b| (Name(vec![(0, b)]), Process::new(model, b, &[]))).collect(),
        }
    }
}

impl Process {
    /// A new process; `values` are those of its first locals.
    pub fn new(model: &Model, body: usize, values: &[i32]) -> Process {
        let declared = model.bodies()[body].locals.iter().map(|l| l.initial);
        let locals = declared.enumerate().map(|(i, initial)| values.get(i).copied().unwrap_or(initial));
        Process {
            body,
            next: (!model.bodies()[body].steps.is_empty()).then_some(0),
            locals: locals.collect(),
            spawned: 0,
        }
    }
}

impl Name {
    /// The next child of `parent`.
    pub fn child(&self, nth: u32, body: usize) -> Name {
        let mut path = self.0.clone();
        path.push((nth, body));
        Name(path)
    }

    /// The index of its body.
    pub fn body(&self) -> usize {
        self.0.last().map_or(0, |(_, body)| *body)
    }
}
