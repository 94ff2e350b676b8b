//! What a person sees of a program: names, positions, values. Never asked in the hot loop.

use crate::program::{Location, Process, Program, Transition};

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

/// A program that can explain itself.
pub trait Describe: Program {
    /// A name of the process that is stable across searches and builds; schedule files use it.
    fn process_key(&self, process: Process) -> String;

    /// What a person calls the process: `philosopher 0`, `Node.push#3`.
    fn process_name(&self, run: &Self::Run, process: Process) -> String;

    /// The column of a counterexample that shows its steps: the process itself, or the cog, actor or object it runs on.
    fn column(&self, run: &Self::Run, process: Process) -> String {
        self.process_name(run, process)
    }

    /// Who takes the step, if the engine sees several processes as this one: its name, which is also its column.
    fn agent(&self, run: &Self::Run, transition: Transition) -> Option<String> {
        let _ = (run, transition);
        None
    }

    /// The step that `transition` is about to take.
    fn describe(&self, run: &Self::Run, transition: Transition) -> StepText;

    /// Only the label of [`Describe::describe`], for lists of alternatives.
    fn label(&self, run: &Self::Run, transition: Transition) -> String {
        self.describe(run, transition).label
    }

    /// What a person calls the location: `x`, `fork 1`, `Registry 2.count`.
    fn location_name(&self, location: Location) -> String;

    /// Every process that is stuck, at a state where nothing is enabled.
    fn waits(&self, run: &Self::Run) -> Vec<Wait>;

    /// The state as named values, in a fixed order: shared variables, object fields, locals worth showing.
    fn state(&self, run: &Self::Run) -> Vec<(String, String)>;

    /// The results of a single run: the state, and what was computed on the way but is not part of it.
    fn results(&self, run: &Self::Run) -> Vec<(String, String)> {
        self.state(run)
    }

    /// What the program has printed so far. Output is not part of the state.
    fn output(&self, run: &Self::Run) -> String {
        let _ = run;
        String::new()
    }
}
