//! The states whose futures are known.

use super::cone::{Cones, Numbers};
use super::explore::Rules;
use super::note::Note;
use super::state::At;
use super::step::Processes;
use mazurka_core::{Fingerprint, Observe, Process, Program, Task};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A state whose future was explored.
pub struct Entry<'p, P: Program> {
    /// The state.
    pub state: At<'p, P>,
    /// Its control part.
    pub control: Fingerprint,
    /// Its tasks that may be exchanged, sorted by what they do.
    pub tasks: Vec<Process>,
    /// What slept.
    pub sleep: Processes,
    /// What `Explore` returned.
    pub future: (Cones, Note),
}

/// A stored state, with the names of the state it was found for.
pub struct Found {
    /// What slept.
    pub sleep: Processes,
    cones: Cones,
    /// What its future looks at.
    pub note: Note,
    names: BTreeMap<Process, Process>,
}

impl Found {
    /// The cones, renamed.
    pub fn cones(&self, numbers: &mut Numbers) -> Cones {
        let mut renamed = Cones::default();
        for cone in self.cones.iter() {
            renamed.add(Rc::new(cone.renamed(&|p| new_name(&self.names, p))), numbers);
        }
        renamed
    }
}

fn new_name(names: &BTreeMap<Process, Process>, process: Process) -> Process {
    names.get(&process).copied().unwrap_or(process)
}

/// The stored states.
pub struct Store<'p, P: Program> {
    rules: Rules,
    entries: FxHashMap<Fingerprint, Vec<Entry<'p, P>>>,
}

impl<'p, P> Store<'p, P>
where
    P: Program,
    P::State: Clone,
{
    /// Nothing is stored.
    pub fn new(rules: Rules) -> Self {
        Store {
            rules,
            entries: FxHashMap::default(),
        }
    }

    /// How many states are stored.
    pub fn count(&self) -> usize {
        self.entries.values().map(Vec::len).sum()
    }

    /// A stored state that is the same: the first one where nothing slept but what sleeps now, or else the first one.
    pub fn find(&self, s: &At<'p, P>, control: Fingerprint, tasks: &[Task], sleep: &Processes) -> Option<Found> {
        let same = |m: &&Entry<'p, P>| m.future.1.agree(&m.state, s);
        let mut same = self.entries.get(&control)?.iter().filter(same);
        let first = same.next()?;
        let all = std::iter::once(first).chain(same);
        let entry = all.into_iter().find(|m| m.sleep.is_subset(sleep)).unwrap_or(first);
        let names: BTreeMap<Process, Process> = entry.tasks.iter().copied().zip(tasks.iter().map(|t| t.process)).collect();
        let (cones, note) = &entry.future;
        Some(Found {
            sleep: entry.sleep.iter().map(|p| new_name(&names, *p)).collect(),
            cones: cones.clone(),
            note: note.clone(),
            names,
        })
    }

    /// Stores a state. One that is equal takes the place of the one before; one that agrees on what was looked at is another state.
    pub fn insert(&mut self, entry: Entry<'p, P>) {
        let entries = self.entries.entry(entry.control).or_default();
        if self.rules.observe == Observe::States {
            entries.clear();
        }
        entries.push(entry);
    }
}
