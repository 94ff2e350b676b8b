//! Observed equality: two states are the same if the explored future of one looks at nothing in which they differ.
//!
//! Each stored state keeps a *note*: the values that its future read before overwriting them, and the conditions of which only the value
//! was used, guards of pending steps included. Notes are computed backwards over each step, like weakest preconditions.

use super::bits::Bits;
use super::frame::{Edge, Unit};
use super::guard::{Change, Changes, Condition, GuardId};
use super::intern::Interner;
use super::memo::{NO_TESTS, TestSets, TestsId};
use super::view::{Draft, NoteId, View};
use crate::footprint::{Access, Mode};
use crate::insights::{Atom, Influence, Knowledge, Origin, Task};
use crate::program::{Fingerprint, Location, Process, Transition};
use crate::search::Observe;
use crate::world::{Equality, Facts, Situation};
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// The note of a state whose future looks at nothing.
const NOTHING: NoteId = 0;

/// What the future of a state looks at, with what it saw.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Note {
    values: Box<[(u32, i64)]>,
    tests: TestsId,
    /// The values of the locations that the tests depend on.
    given: Box<[i64]>,
}

impl Note {
    fn bytes(&self) -> usize {
        Interner::<Note>::bytes_per_item() + self.values.len() * 16 + self.given.len() * 8
    }
}

/// Sees values: guards are evaluated in the context where they would be, and states can be compared by what is observed of them.
pub(crate) struct ValueView<'p> {
    facts: Facts<'p>,
    observe: Observe,
    exchange_tasks: bool,
    conditions: Interner<Condition>,
    tests: TestSets,
    notes: Interner<Note>,
    bytes: usize,
    /// The locations that some guard reads.
    guarding: Bits,
    influence: Influence,
    locations: Vec<Location>,
}

impl<'p> ValueView<'p> {
    /// `exchange_tasks`: states that differ only in the names of interchangeable tasks are the same.
    pub fn new(facts: Facts<'p>, observe: Observe, exchange_tasks: bool) -> Self {
        let mut view = ValueView {
            facts,
            observe,
            exchange_tasks,
            conditions: Interner::default(),
            tests: TestSets::default(),
            notes: Interner::default(),
            bytes: 0,
            guarding: Bits::default(),
            influence: Influence::default(),
            locations: Vec::new(),
        };
        let (nothing, _) = view.notes.intern(Note::default());
        debug_assert_eq!(nothing, NOTHING);
        view
    }

    fn knowledge(&self) -> Knowledge {
        match self.observe {
            Observe::States => Knowledge::Everything,
            Observe::Finals | Observe::Outcomes => Knowledge::Locals,
            Observe::Failures => Knowledge::Positions,
        }
    }

    fn condition(&self, guard: GuardId) -> &Condition {
        self.conditions.get(guard.0 - GuardId::CONDITIONS)
    }

    /// The number of the note that a state's future looks at this.
    fn write_down(&mut self, state: &dyn Situation, draft: &Draft) -> NoteId {
        let tests = draft.tests;
        let value = |l: Location| state.value(l);
        let values: SmallVec<[(u32, i64); 16]> = draft.values.iter().map(|l| (l, value(Location(l)))).collect();
        let given: SmallVec<[i64; 8]> = self.tests.locations(tests).map(value).collect();
        let mut hasher = FxHasher::default();
        (&*values, tests, &*given).hash(&mut hasher);
        let hash = hasher.finish();
        let same = |n: &Note| *n.values == *values && n.tests == tests && *n.given == *given;
        self.notes.find(hash, same).unwrap_or_else(|| {
            let note = Note {
                values: values.as_slice().into(),
                tests,
                given: given.as_slice().into(),
            };
            self.bytes += note.bytes();
            self.notes.insert(hash, note)
        })
    }

    /// The number of a guard. What it reads, perhaps because it was copied to where the program reads it, is seen by guards from now on.
    fn guard_of(&mut self, condition: Condition) -> GuardId {
        for atom in &condition.atoms {
            if let Atom::Open(location, _) = atom {
                self.guarding.insert(location.0);
            }
        }
        GuardId(self.conditions.intern(condition).0 + GuardId::CONDITIONS)
    }

    fn is_condition(guard: GuardId) -> bool {
        guard.0 >= GuardId::CONDITIONS && guard != GuardId::COLLAPSED
    }
}

impl View for ValueView<'_> {
    fn is_exact(&self) -> bool {
        self.observe == Observe::States
    }

    fn key(&mut self, state: &dyn Situation, tasks: &mut Vec<Task>) -> Fingerprint {
        if self.is_exact() && !self.exchange_tasks {
            return state.fingerprint(Equality::Exact);
        }
        if !self.exchange_tasks {
            return state.control(self.knowledge(), None);
        }
        let key = state.control(self.knowledge(), Some(tasks));
        if tasks.len() > 1 {
            tasks.sort_unstable();
        }
        key
    }

    fn final_state(&self, state: &dyn Situation) -> Fingerprint {
        let tasks = &mut Vec::new();
        state.control(Knowledge::Everything, self.exchange_tasks.then_some(tasks))
    }

    fn matches(&mut self, state: &dyn Situation, note: NoteId) -> bool {
        let note = self.notes.get(note);
        let value = |at: u32| state.value(Location(at));
        note.values.iter().all(|&(at, seen)| value(at) == seen)
            && (note.tests == NO_TESTS || self.tests.agree(note.tests, &note.given, state))
    }

    fn carried_over(&mut self, state: &dyn Situation, note: NoteId) -> NoteId {
        let Note { values, tests, given } = self.notes.get(note);
        let shifted = match *tests {
            NO_TESTS => NO_TESTS,
            tests => self.tests.moved(tests, given, state),
        };
        if shifted == *tests {
            return note;
        }
        let draft = Draft {
            values: values.iter().map(|(l, _)| *l).collect(),
            tests: shifted,
        };
        self.write_down(state, &draft)
    }

    fn guard(&mut self, state: &dyn Situation, process: Process, _: &[Access]) -> GuardId {
        let mut atoms = SmallVec::new();
        let predicate = state.guard(process, &mut atoms);
        self.guard_of(Condition { predicate, atoms })
    }

    fn holds(&mut self, state: &dyn Situation, guard: GuardId, _: bool) -> bool {
        self.condition(guard).evaluate(state) != 0
    }

    fn extended(&mut self, guard: GuardId, changes: &Changes, _: bool, values: &mut Bits) -> GuardId {
        match self.condition(guard).extended(changes, |l| values.insert(l.0)) {
            Some(condition) => self.guard_of(condition),
            None => guard,
        }
    }

    fn of_guards(&self, changes: &Changes) -> Changes {
        changes.iter().filter(|c| self.guarding.contains(c.location.0)).cloned().collect()
    }

    fn arrive(&mut self, state: &dyn Situation, units: &[Unit], draft: &mut Draft) {
        if self.observe == Observe::Failures {
            for unit in units {
                state.addressing(unit.process, &mut self.locations);
            }
            self.locations.drain(..).for_each(|l| draft.values.insert(l.0));
        }
    }

    fn before(&mut self, state: &dyn Situation, transition: Transition, accesses: &[Access], edge: &mut Edge, draft: &mut Draft) {
        edge.changes.clear();
        if self.is_exact() {
            // The value before an accumulation is kept until it can be compared with the one after.
            for a in accesses.iter().filter(|a| a.mode != Mode::Read && self.facts.may_guard(a.location)) {
                let before = state.value(a.location);
                edge.changes.push(Change {
                    location: a.location,
                    source: match a.mode {
                        Mode::Accumulate => Origin::Copy(a.location, before),
                        _ => Origin::Constant,
                    },
                    after: before,
                });
            }
            return;
        }
        self.influence.clear();
        state.influence(transition, self.knowledge(), &mut self.influence);
        for (location, source) in self.influence.writes.drain(..) {
            edge.changes.push(Change {
                location,
                source,
                after: 0,
            });
        }
        self.influence.reads.iter().for_each(|l| draft.values.insert(l.0));
        for (predicate, atoms) in self.influence.tests.drain(..) {
            let condition = Condition { predicate, atoms };
            draft.tests = self.tests.with(draft.tests, &condition, state);
        }
    }

    fn after(&self, state: &dyn Situation, changes: &mut Changes) {
        for change in changes {
            let after = state.value(change.location);
            match &mut change.source {
                // What a copy is now says nothing that matters: the same steps from other values are the same changes.
                Origin::Copy(_, before) if self.is_exact() => {
                    *before = after.wrapping_sub(*before);
                    change.after = 0;
                }
                Origin::Copy(..) => {}
                Origin::Constant | Origin::Computed(_) => change.after = after,
            }
        }
    }

    fn resume(&mut self, note: NoteId, draft: &mut Draft) {
        let note = self.notes.get(note);
        note.values.iter().for_each(|&(at, _)| draft.values.insert(at));
        draft.tests = self.tests.unite(draft.tests, note.tests);
    }

    fn returned(&mut self, note: NoteId, changes: &Changes, draft: &mut Draft) {
        if note == NOTHING {
            return;
        }
        let note = self.notes.get(note);
        for &(at, _) in &note.values {
            match changes.iter().find(|c| c.location.0 == at) {
                None => draft.values.insert(at),
                Some(change) => look_at_origin(&change.source, &mut draft.values),
            }
        }
        if note.tests != NO_TESTS {
            let before = self.tests.before(note.tests, changes, &mut draft.values);
            draft.tests = self.tests.unite(draft.tests, before);
        }
    }

    fn note(&mut self, state: &dyn Situation, draft: &mut Draft, guards: &mut dyn Iterator<Item = GuardId>, ended: bool) -> NoteId {
        if self.is_exact() {
            return NOTHING;
        }
        if !self.guarding.is_empty() {
            for guard in guards.filter(|g| Self::is_condition(*g)) {
                let condition = self.conditions.get(guard.0 - GuardId::CONDITIONS);
                draft.tests = self.tests.with(draft.tests, condition, state);
            }
        }
        if ended && self.observe == Observe::Finals {
            state.shared_locations().for_each(|l| draft.values.insert(l));
        }
        draft.tests = self.tests.without_told(draft.tests, &draft.values);
        self.write_down(state, draft)
    }

    fn collapsed(&mut self, locations: &Bits, changes: &Changes, values: &mut Bits) {
        if self.is_exact() {
            return;
        }
        values.unite(locations);
        for change in changes.iter().filter(|c| locations.contains(c.location.0)) {
            look_at_origin(&change.source, values);
        }
    }

    fn sweep(&mut self, notes: &mut dyn Iterator<Item = NoteId>, drafts: &mut dyn Iterator<Item = &Draft>) {
        let mut live = vec![false; self.notes.bound()];
        live[NOTHING as usize] = true;
        notes.for_each(|n| live[n as usize] = true);
        let mut freed = 0;
        self.notes.sweep(|n| live[n as usize], |n| freed += n.bytes());
        self.bytes = self.bytes.saturating_sub(freed);
        let alive = |n: &usize| live[*n];
        let noted = (0..live.len()).filter(alive).map(|n| self.notes.get(n as u32));
        self.tests.sweep(noted.map(|n| n.tests).chain(drafts.map(|g| g.tests)));
    }

    fn bytes(&self) -> usize {
        self.bytes + self.tests.bytes()
    }
}

/// A value that was written is looked at: so is what it was made from.
fn look_at_origin(source: &Origin, values: &mut Bits) {
    match source {
        Origin::Constant => {}
        Origin::Copy(from, _) => values.insert(from.0),
        Origin::Computed(from) => from.iter().for_each(|l| values.insert(l.0)),
    }
}
