//! Everything that there is to say about one run of the tool.

use crate::tree::{End, Tree};
use mazurka_core::Outcome;
use mazurka_core::schedule::Recording;
use std::collections::BTreeSet;
use std::time::Duration;

/// One search and what it found.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The program, as the user named it.
    pub program: String,
    /// The options that change what the program does, as on the command line.
    pub arguments: Vec<String>,
    /// The algorithm.
    pub algorithm: String,
    /// The order in which processes are tried.
    pub order: String,
    /// How fine dependencies are.
    pub dependency: String,
    /// The verdict and the counts.
    pub outcome: Outcome,
    /// The failures of the outcome, in the same order, made readable.
    pub counterexamples: Vec<Counterexample>,
    /// An execution that never ends, if none does and that is no failure: its last steps repeat.
    pub endless: Option<Recording>,
    /// The distinct final states, if they were asked for.
    pub final_states: Option<Vec<FinalState>>,
    /// The time that the search took.
    pub elapsed: Duration,
    /// The most memory that the tool ever held, where the system tells.
    pub peak_memory: Option<u64>,
    /// How far from the limit the run was, if that was asked for.
    pub stats: Option<Stats>,
    /// The exploration tree, if it was recorded.
    pub tree: Option<Tree>,
    /// The algorithms side by side, if they were compared.
    pub comparison: Vec<Comparison>,
    /// The texts of the program.
    pub sources: Vec<Source>,
    /// What else a reader must know, such as what the verdict preserves.
    pub notes: Vec<String>,
    /// Properties of the program that were not checked, each as a part of a sentence: `claim p1`.
    pub unchecked: Vec<String>,
    /// What an independent checker found out, if the verdict was checked.
    pub verified: Option<String>,
    /// Executions worth looking at besides the failures.
    pub samples: Vec<Recording>,
    /// How and when this was found out, if that is to be shown.
    pub made: Option<Made>,
}

/// How and when something was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The command, as it was given.
    pub command: String,
    /// When, in seconds since 1970.
    pub at: u64,
}

impl Made {
    /// By this command, now.
    pub fn now(command: impl Into<String>) -> Self {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        Made {
            command: command.into(),
            at: since.as_secs(),
        }
    }
}

/// A failure that can be shown.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The execution that fails.
    pub recording: Recording,
    /// How many executions had been completed when it was found.
    pub after_executions: u64,
    /// What it was made from, if it was minimised.
    pub reduced: Option<Reduced>,
    /// The file in which the schedule was saved.
    pub schedule_file: Option<String>,
    /// The command that runs it again.
    pub replay_command: Option<String>,
}

impl Counterexample {
    /// The texts that it speaks of, as far as `read` finds them.
    pub fn sources(&self, read: impl Fn(&str) -> Option<String>) -> Vec<Source> {
        let steps = self.recording.steps.iter();
        let failures = steps
            .clone()
            .filter_map(|step| step.failure.as_ref())
            .chain(&self.recording.failure);
        let places = steps
            .filter_map(|step| step.text.at.as_ref())
            .chain(failures.filter_map(|f| f.at.as_ref()));
        let names: BTreeSet<&str> = places.map(|at| at.file.as_str()).collect();
        let source = |name: &str| {
            let text = read(name)?;
            Some(Source {
                name: name.to_owned(),
                text,
            })
        };
        names.into_iter().filter_map(source).collect()
    }
}

/// What a schedule was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// Steps before.
    pub from_steps: usize,
    /// Context switches before.
    pub from_switches: usize,
    /// Whether no other schedule is better.
    pub best: bool,
}

/// A state in which executions end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalState {
    /// The named values.
    pub values: Vec<(String, String)>,
    /// How many explored executions ended in it.
    pub executions: u64,
    /// How they ended: finished, with a deadlock, or with a failure.
    pub end: End,
    /// Whether processes wait for ever there, also where something failed before.
    pub deadlock: bool,
    /// What failed on the way. States may differ in nothing else.
    pub failures: Vec<String>,
    /// The execution that leads there, by index into [`Summary::samples`], if it is shown.
    pub sample: Option<usize>,
}

/// A text of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its name, as positions have it.
    pub name: String,
    /// The text.
    pub text: String,
}

/// The three ratios of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stats {
    /// R1: time to explore / time to run the same new steps with all bookkeeping off.
    pub bookkeeping: Option<f64>,
    /// R2: steps run / steps in the union tree.
    pub reexecution: f64,
    /// R3: (executions + blocked + cut) / traces, where the number of traces is known.
    pub redundancy: Option<f64>,
    /// Executions per second.
    pub executions_per_second: f64,
    /// Steps per second.
    pub steps_per_second: f64,
}

/// One algorithm of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Its name.
    pub algorithm: String,
    /// What it found, or why it was not run.
    pub result: Result<(Outcome, Duration), String>,
}

impl Summary {
    /// The number of failing executions of all kinds.
    pub fn failed_executions(&self) -> u64 {
        self.outcome.failure_counts.iter().sum()
    }

    /// What the verdict does not speak of, to be put behind it: `, without its claim p1`.
    pub fn without(&self) -> String {
        without(&self.unchecked)
    }

    /// The program with its options.
    pub fn title(&self) -> String {
        if self.arguments.is_empty() {
            self.program.clone()
        } else {
            format!("{} {}", self.program, self.arguments.join(" "))
        }
    }
}

/// Properties that were not checked, to be put behind something about those that were: `, without its claim p1`.
pub fn without(unchecked: &[String]) -> String {
    match unchecked {
        [] => String::new(),
        [one] => format!(", without its {one}"),
        [rest @ .., last] => format!(", without its {} and {last}", rest.join(", ")),
    }
}
