//! What a person sees of a program: names, positions, values. Never asked in the hot loop.

use crate::program::{Location, Pending, Process, Program, Transition};

/// A place in a source text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// As the user named it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One step as a person reads it, described before it is taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepText {
    /// What happens, in a few words: `take fork 0`, `x = 5`, `handle push(3)`.
    pub label: String,
    /// Where in the source.
    pub at: Option<Position>,
    /// Messages sent or tasks started by it: (receiver column, text).
    pub sends: Vec<(String, String)>,
}

/// Why a process cannot move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// Who waits.
    pub process: Process,
    /// Its name, if the engine sees several processes as this one.
    pub agent: Option<String>,
    /// For what: `fork 1`, `x >= 2`, `the result of Node.get(3)`.
    pub what: String,
    /// Who could end the wait, if known (holder of the lock, task of the future).
    pub on: Option<Process>,
    /// Where in the source.
    pub at: Option<Position>,
}

/// A program that can explain itself. Four methods are needed; the others have defaults that say the same less well.
pub trait Describe: Program {
    /// A name of the process that is stable across searches and builds; schedule files use it. Different processes have different keys.
    fn process_key(&self, process: Process) -> String;

    /// The step that `transition`, pending at `state`, is about to take.
    fn describe(&self, state: &Self::State, transition: Transition) -> StepText;

    /// What a person calls the location: `x`, `fork 1`, `Registry 2.count`. Where a location has a value that
    /// [`Describe::values`] shows, it has the same name there.
    fn location_name(&self, location: Location) -> String;

    /// The state as named values, in a fixed order: shared variables, object fields, locals worth showing.
    fn values(&self, state: &Self::State) -> Vec<(String, String)>;

    /// What a person calls the process: `philosopher 0`, `Node.push#3`.
    fn process_name(&self, state: &Self::State, process: Process) -> String {
        let _ = state;
        format!("process {}", self.process_key(process))
    }

    /// The column of a counterexample that shows its steps: the process itself, or the cog, actor or object it runs on.
    fn column(&self, state: &Self::State, process: Process) -> String {
        self.process_name(state, process)
    }

    /// Who takes the step, if the engine sees several processes as this one: its name, which is also its column.
    fn agent(&self, state: &Self::State, transition: Transition) -> Option<String> {
        let _ = (state, transition);
        None
    }

    /// Only the label of [`Describe::describe`], for lists of alternatives.
    fn label(&self, state: &Self::State, transition: Transition) -> String {
        self.describe(state, transition).label
    }

    /// Every process that is stuck, at a state where nothing is enabled. By default each waits for the steps that it has pending.
    fn waits(&self, state: &Self::State) -> Vec<Wait> {
        let mut pending = Vec::new();
        self.pending(state, &mut pending);
        let mut waits: Vec<Wait> = Vec::new();
        for Pending { transition, .. } in pending {
            let text = self.describe(state, transition);
            match waits.iter_mut().find(|wait| wait.process == transition.process) {
                Some(wait) => wait.what.push_str(&format!(" or {}", text.label)),
                None => waits.push(Wait {
                    process: transition.process,
                    agent: None,
                    what: text.label,
                    on: None,
                    at: text.at,
                }),
            }
        }
        waits
    }

    /// The results of a single run: the values, and what was computed on the way but is not part of the state.
    fn results(&self, state: &Self::State) -> Vec<(String, String)> {
        self.values(state)
    }

    /// What the program has found to be wrong with what it says about itself. Then a search of it says nothing, and there must be no verdict.
    fn objection(&self) -> Option<String> {
        None
    }

    /// What the program has printed so far. Output is not part of the state.
    fn output(&self, state: &Self::State) -> String {
        let _ = state;
        String::new()
    }
}
