//! Running transitions while writing down what they do.

use super::causes::Causes;
use super::events::Signature;
use super::race::deciding_race;
use super::recording::{AccessText, Alternative, Change, Recording, StepRecord, WaitRecord};
use super::waits;
use crate::describe::Describe;
use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::outcome::{Failure, FailureKind};
use crate::program::{Pending, Process, Transition};

/// A program in the middle of an execution that is being written down.
pub struct Stage<'p, P: Describe + ?Sized> {
    program: &'p P,
    state: P::State,
    values: Vec<(String, String)>,
    causes: Causes,
    recording: Recording,
    pending: Vec<Pending>,
    footprint: Footprint,
    effects: Effects,
}

impl<'p, P: Describe + ?Sized> Stage<'p, P> {
    /// The start of the program.
    pub fn new(program: &'p P) -> Self {
        let state = program.start();
        let values = program.values(&state);
        let mut stage = Stage {
            program,
            recording: Recording {
                initial: values.clone(),
                ..Recording::default()
            },
            state,
            values,
            causes: Causes::new(),
            pending: Vec::new(),
            footprint: Footprint::new(),
            effects: Effects {
                report_touched: true,
                ..Effects::default()
            },
        };
        stage.program.pending(&stage.state, &mut stage.pending);
        stage
    }

    /// What could be done next.
    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// The current state of the program.
    pub fn state(&self) -> &P::State {
        &self.state
    }

    /// The program.
    pub fn program(&self) -> &'p P {
        self.program
    }

    /// What was written down so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Whether `transition` can be taken now.
    pub fn is_enabled(&self, transition: Transition) -> bool {
        self.pending.iter().any(|p| p.transition == transition && p.enabled)
    }

    /// Takes an enabled transition.
    pub fn step(&mut self, transition: Transition) {
        let program = self.program;
        let process = transition.process;
        let alternatives = self.alternatives(Some(transition));
        self.footprint.clear();
        program.footprint(&self.state, transition, &mut self.footprint);
        let text = program.describe(&self.state, transition);
        let (name, column) = match program.agent(&self.state, transition) {
            Some(agent) => (agent.clone(), agent),
            None => (program.process_name(&self.state, process), program.column(&self.state, process)),
        };
        self.effects.clear();
        program.step(&mut self.state, transition, &mut self.effects);
        let touched = if self.effects.touched.accesses().is_empty() {
            &self.footprint
        } else {
            &self.effects.touched
        };
        let accesses = touched
            .accesses()
            .iter()
            .map(|access| {
                let location = program.location_name(access.location);
                let value = self.values.iter().find(|(name, _)| *name == location).map(|(_, v)| v.clone());
                AccessText {
                    location,
                    mode: access.mode,
                    guard: access.guard,
                    value,
                }
            })
            .collect();
        self.causes
            .push(process, self.footprint.accesses(), &self.effects.births, &self.effects.after);
        let after = program.values(&self.state);
        let changes = changes(&self.values, &after);
        self.values = after;
        let births = self.effects.births.iter().map(|&child| self.named(child)).collect();
        self.recording.steps.push(StepRecord {
            transition,
            key: program.process_key(process),
            process: name,
            column,
            text,
            accesses,
            changes,
            births,
            causes: self.causes.direct(self.causes.len() - 1).to_vec(),
            alternatives,
            failure: self.effects.failure.take(),
        });
        self.pending.clear();
        program.pending(&self.state, &mut self.pending);
    }

    /// Every pending transition but `taken`.
    pub fn alternatives(&self, taken: Option<Transition>) -> Vec<Alternative> {
        self.pending
            .iter()
            .filter(|p| Some(p.transition) != taken)
            .map(|p| Alternative {
                process: self
                    .program
                    .agent(&self.state, p.transition)
                    .unwrap_or_else(|| self.program.process_name(&self.state, p.transition.process)),
                choice: p.transition.choice,
                label: self.program.label(&self.state, p.transition),
                enabled: p.enabled,
            })
            .collect()
    }

    /// Ends the recording: adds who waits, and the failure that it tells of. An execution may fail more than once: that is the one with
    /// the greatest `likeness` to what is wanted; of equals the last one of a step, else one of the end.
    pub fn finish(mut self, likeness: impl Fn(&Failure) -> u8) -> Recording {
        let mut failures: Vec<Failure> = Vec::new();
        self.recording.unfinished = self.pending.iter().any(|p| p.enabled);
        if !self.recording.unfinished {
            self.program.failures_at_end(&self.state, &mut failures);
            if !failures.is_empty() && !self.pending.is_empty() {
                self.add_waits();
            }
            failures = failures.into_iter().map(|failure| self.with_names(failure)).collect();
        }
        let of_steps: Vec<Failure> = self.recording.steps.iter().rev().filter_map(|s| s.failure.clone()).collect();
        failures.splice(0..0, of_steps);
        // `max_by_key` takes the last of equals.
        self.recording.failure = failures.into_iter().rev().max_by_key(likeness);
        self.recording
    }

    /// The engine knows no names: a deadlock that it describes by a number is described by who waits for what.
    fn with_names(&self, failure: Failure) -> Failure {
        let waits = &self.recording.waits;
        if failure.kind != FailureKind::Deadlock || failure.at.is_some() || waits.is_empty() {
            return failure;
        }
        Failure {
            message: deadlock_message(&self.recording),
            at: waits.iter().find_map(|w| w.at.clone()),
            ..failure
        }
    }

    fn named(&self, process: Process) -> (String, String, String) {
        (
            self.program.process_key(process),
            self.program.process_name(&self.state, process),
            self.program.column(&self.state, process),
        )
    }

    fn add_waits(&mut self) {
        let waits = self.program.waits(&self.state);
        let processes: Vec<Process> = waits.iter().map(|w| w.process).collect();
        self.recording.waits = waits
            .into_iter()
            .map(|wait| {
                let (key, process, column) = match wait.agent {
                    Some(agent) => (self.program.process_key(wait.process), agent.clone(), agent),
                    None => self.named(wait.process),
                };
                WaitRecord {
                    key,
                    process,
                    column,
                    what: wait.what,
                    on: wait.on.map(|p| self.named(p)),
                    blockers: Vec::new(),
                    at: wait.at,
                }
            })
            .collect();
        waits::explain(
            self.program,
            &self.state,
            &self.pending,
            &self.values,
            &processes,
            &mut self.recording,
        );
    }
}

/// Runs `schedule` and writes it down, up to the first transition that cannot be taken, and finds the race that decides its failure: the
/// `wanted` one, where it fails more than once.
pub fn record<P: Describe + ?Sized>(program: &P, schedule: &[Transition], wanted: Option<&Failure>) -> Recording {
    let mut recording = record_steps(program, schedule, wanted);
    recording.race = deciding_race(program, schedule, &recording);
    recording
}

/// As [`record`], without looking for the race: every step is run once.
pub fn record_steps<P: Describe + ?Sized>(program: &P, schedule: &[Transition], wanted: Option<&Failure>) -> Recording {
    let mut stage = Stage::new(program);
    for &transition in schedule {
        if !stage.is_enabled(transition) {
            break;
        }
        stage.step(transition);
    }
    stage.finish(|failure| match wanted {
        Some(wanted) => u8::from(signature(failure) == signature(wanted)) + u8::from(failure == wanted),
        None => 0,
    })
}

/// What makes two failures the same one: kind, place, and the message without numbers and without the values that were met. One statement
/// may fail in several ways (an index outside of an array, a division by zero): these are different. All deadlocks are the same.
pub fn signature(failure: &Failure) -> Signature {
    if failure.kind == FailureKind::Deadlock {
        return (failure.kind, String::new());
    }
    let end = [", but ", ", where "]
        .iter()
        .filter_map(|values| failure.message.find(values))
        .min();
    let message = &failure.message[..end.unwrap_or(failure.message.len())];
    let place = failure.at.as_ref().map(ToString::to_string).unwrap_or_default();
    let rest = message.chars().filter(|c| !c.is_ascii_digit()).chain(place.chars()).collect();
    (failure.kind, rest)
}

/// What differs between two states.
fn changes(before: &[(String, String)], after: &[(String, String)]) -> Vec<Change> {
    // States mostly keep their names and order, so the same place is looked at first.
    let find = |list: &[(String, String)], name: &str, near: usize| -> Option<usize> {
        match list.get(near) {
            Some((n, _)) if n == name => Some(near),
            _ => list.iter().position(|(n, _)| n == name),
        }
    };
    let mut found = Vec::new();
    for (at, (name, value)) in after.iter().enumerate() {
        let old = find(before, name, at).map(|i| &before[i].1);
        if old != Some(value) {
            found.push(Change {
                name: name.clone(),
                before: old.cloned(),
                after: Some(value.clone()),
            });
        }
    }
    for (at, (name, value)) in before.iter().enumerate() {
        if find(after, name, at).is_none() {
            found.push(Change {
                name: name.clone(),
                before: Some(value.clone()),
                after: None,
            });
        }
    }
    found
}

fn deadlock_message(recording: &Recording) -> String {
    let one = |w: &WaitRecord| format!("{} waits for {}", w.process, w.what);
    match recording.waits.as_slice() {
        [] => "some process waits for ever and nothing can move".to_owned(),
        waits if waits.len() <= 4 => waits.iter().map(one).collect::<Vec<_>>().join(", "),
        waits => format!(
            "{} and {} more wait for ever",
            waits[..3].iter().map(one).collect::<Vec<_>>().join(", "),
            waits.len() - 3
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(values: &[(&str, &str)]) -> Vec<(String, String)> {
        values.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn changes_are_found_by_name_wherever_they_stand() {
        let before = named(&[("x", "0"), ("y", "1"), ("gone", "7")]);
        let after = named(&[("new", "5"), ("x", "0"), ("y", "2")]);
        let found: Vec<_> = changes(&before, &after)
            .into_iter()
            .map(|c| (c.name, c.before.unwrap_or_default(), c.after.unwrap_or_default()))
            .collect();
        let expected = [("new", "", "5"), ("y", "1", "2"), ("gone", "7", "")].map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(found, expected);
    }
}
