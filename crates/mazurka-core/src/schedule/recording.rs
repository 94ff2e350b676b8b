//! A recording: one execution in words and values. It outlives the program it came from, so a report needs nothing else.

use crate::describe::{Position, StepText};
use crate::footprint::Mode;
use crate::outcome::Failure;
use crate::program::Transition;

/// One execution, or the beginning of one.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The values before the first step.
    pub initial: Vec<(String, String)>,
    /// What happened.
    pub steps: Vec<StepRecord>,
    /// Who cannot go on after the last step, when nothing is enabled there.
    pub waits: Vec<WaitRecord>,
    /// The waits (by index) that form a cycle, in the order of waiting; empty when there is none.
    pub cycle: Vec<usize>,
    /// What went wrong.
    pub failure: Option<Failure>,
    /// The two steps to look at.
    pub race: Option<Race>,
    /// For an execution that never ends: how many steps come before those that repeat for ever. As many as there are if its last state stays
    /// for ever.
    pub repeats: Option<usize>,
    /// Whether some process can still move after the last step.
    pub unfinished: bool,
}

/// One step of a recording.
#[derive(Clone, Debug)]
pub struct StepRecord {
    /// What was run.
    pub transition: Transition,
    /// The process, as schedules name it.
    pub key: String,
    /// The process, as people name it.
    pub process: String,
    /// The column in which the step stands.
    pub column: String,
    /// What it does, where, and what it sends.
    pub text: StepText,
    /// What it touched.
    pub accesses: Vec<AccessText>,
    /// The values that are different after the step.
    pub changes: Vec<Change>,
    /// The processes that it started: (key, name, column).
    pub births: Vec<(String, String, String)>,
    /// The steps that must come before this one because it depends on them directly.
    pub causes: Vec<usize>,
    /// What else could have happened, or could not, instead of this step.
    pub alternatives: Vec<Alternative>,
    /// What went wrong in this step.
    pub failure: Option<Failure>,
}

/// A location that a step touched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessText {
    /// Its name.
    pub location: String,
    /// How it was touched.
    pub mode: Mode,
    /// Whether it decides if the step can be taken.
    pub guard: bool,
    /// The value before the step, where the state shows one under that name.
    pub value: Option<String>,
}

/// A value that a step changed. `None` stands for a name that does not exist on that side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The name of the value.
    pub name: String,
    /// Before the step.
    pub before: Option<String>,
    /// After the step.
    pub after: Option<String>,
}

/// A transition that was pending at a step and not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// Whose it is.
    pub process: String,
    /// Its choice, when the process has several.
    pub choice: u32,
    /// What it would do.
    pub label: String,
    /// Whether it could have been taken.
    pub enabled: bool,
}

/// A process that cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitRecord {
    /// The process, as schedules name it.
    pub key: String,
    /// The process, as people name it.
    pub process: String,
    /// Its column.
    pub column: String,
    /// What it waits for.
    pub what: String,
    /// Who could end the wait: (key, name, column).
    pub on: Option<(String, String, String)>,
    /// What its guard reads, where the program does not name who could end the wait.
    pub blockers: Vec<Blocker>,
    /// Where in the source.
    pub at: Option<Position>,
}

/// Something that a guard reads which does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocker {
    /// Its name.
    pub location: String,
    /// Its value at the end, where the state shows one under that name.
    pub value: Option<String>,
    /// The last step that changed it; `None` when it is as it was at the start.
    pub since: Option<usize>,
}

/// Two steps of different processes that touch the same thing and could have come in the other order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The one that came first.
    pub first: usize,
    /// The one that came second, or still waits to.
    pub second: RaceEnd,
    /// The locations that both touch.
    pub locations: Vec<String>,
    /// True when the failure was seen to go away with the two in the other order; false when no such pair was found and this is the last
    /// race before the failure.
    pub decisive: bool,
    /// What fails instead with the two in the other order, if something else does: the same assertion in another process, for example.
    pub instead: Option<String>,
}

/// The later end of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaceEnd {
    /// A step, by index.
    Step(usize),
    /// A process that waits at the end, by index into [`Recording::waits`].
    Wait(usize),
}

impl Recording {
    /// The step that fails in the way the recording tells of; `None` if the failure is one of the whole execution.
    pub fn failing_step(&self) -> Option<usize> {
        let failure = self.failure.as_ref()?;
        self.steps.iter().rposition(|s| s.failure.as_ref() == Some(failure))
    }

    /// The values after the first `steps` steps, in the order in which they first appeared.
    pub fn state_after(&self, steps: usize) -> Vec<(String, String)> {
        let mut state = self.initial.clone();
        for step in &self.steps[..steps.min(self.steps.len())] {
            for change in &step.changes {
                let known = state.iter().position(|(name, _)| *name == change.name);
                match (known, &change.after) {
                    (Some(at), Some(value)) => state[at].1.clone_from(value),
                    (Some(at), None) => {
                        state.remove(at);
                    }
                    (None, Some(value)) => state.push((change.name.clone(), value.clone())),
                    (None, None) => {}
                }
            }
        }
        state
    }

    /// The columns in the order in which they first move, wait or are started.
    pub fn columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = Vec::new();
        let mut add = |column: &str| {
            if !columns.iter().any(|c| c == column) {
                columns.push(column.to_owned());
            }
        };
        for step in &self.steps {
            add(&step.column);
        }
        for wait in &self.waits {
            add(&wait.column);
        }
        columns
    }

    /// How often the next step is another process's, as people count them.
    pub fn switches(&self) -> usize {
        let who = |step: &StepRecord| (step.key.clone(), step.process.clone());
        self.steps.windows(2).filter(|w| who(&w[0]) != who(&w[1])).count()
    }
}
