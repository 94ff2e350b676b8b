//! Why those who wait at the end wait: what their guards read, who changed that last, and whether the waiting goes round in a circle.

use super::recording::{Blocker, Recording, WaitRecord};
use crate::describe::Describe;
use crate::footprint::{Footprint, Mode};
use crate::program::{Pending, Process};
use std::collections::HashMap;

/// Says of each wait for which nobody is named what its guard reads and since which step that has its value, and who of the others that wait
/// could end it; then looks for a cycle.
pub(super) fn explain<P: Describe + ?Sized>(
    program: &P,
    state: &P::State,
    pending: &[Pending],
    values: &[(String, String)],
    processes: &[Process],
    recording: &mut Recording,
) {
    let family = Family::of(recording);
    let mut footprint = Footprint::new();
    for (at, &process) in processes.iter().enumerate() {
        if recording.waits[at].on.is_some() {
            continue;
        }
        let mut blockers: Vec<Blocker> = Vec::new();
        for p in pending.iter().filter(|p| p.transition.process == process) {
            footprint.clear();
            program.footprint(state, p.transition, &mut footprint);
            for access in footprint.accesses().iter().filter(|a| a.guard) {
                let location = program.location_name(access.location);
                if blockers.iter().any(|b| b.location == location) {
                    continue;
                }
                let value = values.iter().find(|(name, _)| *name == location).map(|(_, v)| v.clone());
                let since = last_change(recording, &location);
                if value.is_none() && since.is_none() {
                    continue;
                }
                blockers.push(Blocker { location, value, since });
            }
        }
        // A location without a value says little beside one that has one.
        if blockers.iter().any(|b| b.value.is_some()) {
            blockers.retain(|b| b.value.is_some());
        }
        let writers = blockers
            .iter()
            .filter(|b| !is_first_value(recording, b))
            .filter_map(|b| b.since)
            .max();
        let on = writers.and_then(|step| family.waiting(recording, step, at));
        recording.waits[at].on = on.or_else(|| blockers.iter().find_map(|b| family.sent_by(recording, &b.location, at)));
        recording.waits[at].blockers = blockers;
    }
    recording.cycle = cycle(&recording.waits);
}

/// The last step that changed the location.
fn last_change(recording: &Recording, location: &str) -> Option<usize> {
    let changed = recording.steps.iter().rposition(|s| s.changes.iter().any(|c| c.name == location));
    let is_shown = recording.initial.iter().any(|(name, _)| name == location);
    if changed.is_some() || is_shown {
        return changed;
    }
    // What the state does not show under that name is known by its accesses, some of which leave it as it was.
    let written = |a: &super::AccessText| a.location == location && a.mode != Mode::Read;
    recording.steps.iter().rposition(|step| step.accesses.iter().any(written))
}

/// Whether what the guard reads has still the value that it was made with: nobody holds it up.
fn is_first_value(recording: &Recording, blocker: &Blocker) -> bool {
    let changes = |step: usize| recording.steps[step].changes.iter().find(|c| c.name == blocker.location);
    blocker.since.and_then(changes).is_some_and(|change| change.before.is_none())
}

/// Who started whom, by keys.
struct Family {
    parent: HashMap<String, String>,
    column: HashMap<String, String>,
    children: HashMap<String, Vec<String>>,
}

impl Family {
    fn of(recording: &Recording) -> Self {
        let mut family = Family {
            parent: HashMap::new(),
            column: HashMap::new(),
            children: HashMap::new(),
        };
        for step in &recording.steps {
            for (child, ..) in &step.births {
                family.parent.insert(child.clone(), step.key.clone());
                family.column.insert(child.clone(), step.column.clone());
                family.children.entry(step.key.clone()).or_default().push(child.clone());
            }
        }
        family
    }

    /// What of that which waits, other than `waiter`, was sent by the actor: its answer may be what the actor waits for.
    fn sent_by(&self, recording: &Recording, actor: &str, waiter: usize) -> Option<(String, String, String)> {
        let own = &recording.waits[waiter].key;
        let sent = |w: &&WaitRecord| w.key != *own && self.column.get(&w.key).is_some_and(|c| c == actor);
        let wait = recording.waits.iter().find(sent)?;
        Some((wait.key.clone(), wait.process.clone(), wait.column.clone()))
    }

    /// Who of those that wait, other than `waiter`, took `step`; or started who took it, or was started from there: a task on whose behalf a
    /// fork was taken, the next message of a conversation. They would have to go on for the step to be undone.
    fn waiting(&self, recording: &Recording, step: usize, waiter: usize) -> Option<(String, String, String)> {
        let own = &recording.waits[waiter].key;
        let named = |key: &String| {
            let wait = recording.waits.iter().find(|w| w.key == *key && w.key != *own)?;
            Some((wait.key.clone(), wait.process.clone(), wait.column.clone()))
        };
        let writer = &recording.steps[step].key;
        let mut ancestor = Some(writer);
        while let Some(key) = ancestor {
            if let Some(found) = named(key) {
                return Some(found);
            }
            ancestor = self.parent.get(key);
        }
        let mut todo: Vec<&String> = vec![writer];
        while let Some(key) = todo.pop() {
            if let Some(found) = named(key) {
                return Some(found);
            }
            todo.extend(self.children.get(key).into_iter().flatten());
        }
        None
    }
}

/// The first cycle of waiting, as indices of waits.
fn cycle(waits: &[WaitRecord]) -> Vec<usize> {
    let next = |at: usize| -> Option<usize> {
        let (on, ..) = waits[at].on.as_ref()?;
        waits.iter().position(|w| w.key == *on)
    };
    for start in 0..waits.len() {
        let mut path = vec![start];
        while let Some(at) = next(path[path.len() - 1]) {
            if at == start {
                return path;
            }
            if path.contains(&at) {
                break;
            }
            path.push(at);
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::StepRecord;
    use crate::{StepText, Transition};

    fn wait(key: &str, on: Option<&str>) -> WaitRecord {
        WaitRecord {
            key: key.to_owned(),
            process: key.to_owned(),
            column: key.to_owned(),
            what: String::new(),
            on: on.map(|o| (o.to_owned(), o.to_owned(), o.to_owned())),
            blockers: Vec::new(),
            at: None,
        }
    }

    fn step(key: &str, births: &[&str]) -> StepRecord {
        StepRecord {
            transition: Transition {
                process: Process(0),
                choice: 0,
            },
            key: key.to_owned(),
            process: key.to_owned(),
            column: key.to_owned(),
            text: StepText::default(),
            accesses: Vec::new(),
            changes: Vec::new(),
            births: births.iter().map(|b| ((*b).to_owned(), String::new(), String::new())).collect(),
            causes: Vec::new(),
            alternatives: Vec::new(),
            failure: None,
        }
    }

    #[test]
    fn a_cycle_of_waits_is_found_behind_a_tail() {
        let waits = [wait("9", Some("1")), wait("1", Some("2")), wait("2", Some("1")), wait("4", None)];
        assert_eq!(cycle(&waits), [1, 2]);
        assert_eq!(cycle(&waits[..2]), [] as [usize; 0]);
    }

    #[test]
    fn who_took_the_step_or_asked_for_it_or_came_of_it_is_held_responsible() {
        let recording = Recording {
            steps: vec![step("main", &["task"]), step("task", &["reply"]), step("reply", &["next"])],
            waits: vec![wait("next", None), wait("main", None), wait("stranger", None)],
            ..Recording::default()
        };
        let family = Family::of(&recording);
        let on = |step: usize, waiter: usize| family.waiting(&recording, step, waiter).map(|(key, ..)| key);
        assert_eq!(on(0, 2).as_deref(), Some("main"), "itself");
        assert_eq!(on(1, 2).as_deref(), Some("main"), "who started it");
        assert_eq!(
            on(1, 1).as_deref(),
            Some("next"),
            "what came of it, when the starter is the one that waits"
        );
        assert_eq!(on(2, 0).as_deref(), Some("main"));
    }
}
