//! Running a schedule that was written down, perhaps of a program that has changed since.

use super::endless;
use super::properties::violation;
use super::race::deciding_race;
use super::record::Stage;
use super::recording::{Alternative, Recording};
use crate::describe::Describe;
use crate::outcome::{Failure, FailureKind};
use crate::program::Transition;

/// A schedule as it is written down: nothing in it depends on the numbers of one search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// The program, as the user named it.
    pub program: String,
    /// The options of the program that change what it does, as on the command line.
    pub arguments: Vec<String>,
    /// What it ends in.
    pub failure: Option<(FailureKind, String)>,
    /// The steps.
    pub steps: Vec<Planned>,
    /// For an execution that never ends: how many steps come before those that repeat for ever.
    pub repeats: Option<usize>,
}

/// One step of a schedule as it is written down.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Planned {
    /// The process, by [`Describe::process_key`].
    pub process: String,
    /// Which of its alternatives it takes.
    pub choice: u32,
    /// What the step did when it was written down; empty if nobody said.
    pub label: String,
}

/// How a replay went.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replay {
    /// What happened.
    pub recording: Recording,
    /// Where it was not what was written down, in order.
    pub divergences: Vec<Divergence>,
}

/// A step that was not what was written down.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Divergence {
    /// Its place in the written schedule, from 0.
    pub planned: usize,
    /// How many steps had been run before it.
    pub after: usize,
    /// What was expected.
    pub expected: Planned,
    /// What is the matter.
    pub reason: Reason,
    /// What was pending instead.
    pub instead: Vec<Alternative>,
}

/// Why a step is not what was written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There is no such process here (any more, or yet).
    NoProcess,
    /// The process has no such choice here.
    NoChoice,
    /// The process is there and waits.
    Disabled,
    /// The step was taken and does something else.
    OtherLabel(String),
}

/// The recording as something to write down.
pub fn plan(recording: &Recording) -> Vec<Planned> {
    recording
        .steps
        .iter()
        .map(|step| Planned {
            process: step.key.clone(),
            choice: step.transition.choice,
            label: step.text.label.clone(),
        })
        .collect()
}

/// Runs a schedule; a step that cannot be taken is reported and left out.
pub fn replay<P: Describe + ?Sized>(program: &P, schedule: &Schedule) -> Replay {
    let mut stage = Stage::new(program);
    let mut divergences = Vec::new();
    let mut taken: Vec<Transition> = Vec::new();
    let loops = schedule.failure.as_ref().is_some_and(|(kind, _)| *kind == FailureKind::Livelock);
    let asks = schedule.failure.as_ref().is_some_and(|(kind, _)| *kind == FailureKind::Property);
    let mut states = Vec::new();
    for (planned, expected) in schedule.steps.iter().enumerate() {
        let mut differs = |stage: &Stage<'_, P>, reason: Reason| {
            divergences.push(Divergence {
                planned,
                after: stage.recording().steps.len(),
                expected: expected.clone(),
                reason,
                instead: stage.alternatives(None),
            });
        };
        let mine = || {
            stage
                .pending()
                .iter()
                .filter(|p| program.process_key(p.transition.process) == expected.process)
        };
        let Some(found) = mine().find(|p| p.transition.choice == expected.choice).copied() else {
            let reason = if mine().next().is_some() {
                Reason::NoChoice
            } else {
                Reason::NoProcess
            };
            differs(&stage, reason);
            continue;
        };
        if !found.enabled {
            differs(&stage, Reason::Disabled);
            continue;
        }
        let label = program.describe(stage.state(), found.transition).label;
        if !expected.label.is_empty() && label != expected.label {
            differs(&stage, Reason::OtherLabel(label));
        }
        if loops {
            states.push(program.fingerprint(stage.state()));
        }
        stage.step(found.transition);
        taken.push(found.transition);
    }
    let end = loops.then(|| program.fingerprint(stage.state()));
    let likeness = |failure: &Failure| match &schedule.failure {
        Some((kind, message)) => u8::from(failure.kind == *kind) + u8::from(failure.message == *message),
        None => 0,
    };
    let mut recording = stage.finish(likeness);
    recording.race = deciding_race(program, &taken, &recording);
    if recording.failure.is_none()
        && let Some(prefix) = states.iter().rposition(|state| Some(*state) == end)
    {
        recording.failure = Some(endless::failure(prefix, taken.len()));
    }
    if asks && let Some(failure) = violation(program, &taken, schedule.repeats) {
        recording.failure = Some(failure);
        recording.race = None;
        recording.repeats = schedule.repeats;
    }
    Replay { recording, divergences }
}
