//! How much of a state the search can see: when two states are the same, and when a waiting step could go on.

use super::bits::Bits;
use super::frame::{Edge, Unit};
use super::guard::{Changes, GuardId};
use super::memo::{NO_TESTS, TestsId};
use crate::footprint::Access;
use crate::insights::Task;
use crate::program::{Fingerprint, Process, Transition};
use crate::search::Observe;
use crate::world::{Equality, Situation};

/// The number of what the explored future of a state looked at.
pub(crate) type NoteId = u32;

/// The draft of a note: what the future of a state was found to look at, while it is being explored.
#[derive(Default)]
pub(crate) struct Draft {
    /// Locations whose values matter.
    pub values: Bits,
    /// Tests of which only what they say matters.
    pub tests: TestsId,
}

impl Draft {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.tests = NO_TESTS;
    }
}

/// What the search can see.
///
/// The search asks in this order. On arrival at a state: `key`; `matches` for each stored state with that key; `carried_over` for the one
/// that it is merged with. If there is none, `arrive` and `guard` for each process that waits; if it is woken, `resume`. For each step:
/// `before` and `after`, then everything for the state after it, then `returned`, and for the cones that come back `of_guards`, `extended`
/// or `collapsed`, and `holds` where there is a race. In the end `note`.
pub(crate) trait View {
    /// Whether equal keys mean equal states, so that nothing need be noted.
    fn is_exact(&self) -> bool {
        true
    }

    /// Equal states have equal keys. Tasks that may be exchanged are appended to `tasks`.
    fn key(&mut self, state: &dyn Situation, tasks: &mut Vec<Task>) -> Fingerprint;

    /// What a final state is counted by.
    fn final_state(&self, state: &dyn Situation) -> Fingerprint {
        state.fingerprint(Equality::Exact)
    }

    /// Whether a state with the same key is the same as far as `note` goes.
    fn matches(&mut self, state: &dyn Situation, note: NoteId) -> bool {
        let _ = (state, note);
        true
    }

    /// The note of a state that is the same as one with that note.
    fn carried_over(&mut self, state: &dyn Situation, note: NoteId) -> NoteId {
        let _ = state;
        note
    }

    /// What is known of the guard of the step that `process` takes next.
    fn guard(&mut self, state: &dyn Situation, process: Process, accesses: &[Access]) -> GuardId;

    /// Whether the step can be taken after `u` from the state; true if that is not known. `enabled` says whether its process is enabled
    /// in the state.
    fn holds(&mut self, state: &dyn Situation, guard: GuardId, enabled: bool) -> bool;

    /// The guard when a step is put before everything else in `u`; `touches` says whether that step touches what the guard reads, or
    /// is of the same process, or its birth. Locations whose values matter for it are added to `values`.
    fn extended(&mut self, guard: GuardId, changes: &Changes, touches: bool, values: &mut Bits) -> GuardId;

    /// The changes that guards can see.
    fn of_guards(&self, changes: &Changes) -> Changes {
        changes.clone()
    }

    /// A new state with these unfinished processes.
    fn arrive(&mut self, state: &dyn Situation, units: &[Unit], draft: &mut Draft) {
        let _ = (state, units, draft);
    }

    /// A step is about to be taken from the state.
    fn before(&mut self, state: &dyn Situation, transition: Transition, accesses: &[Access], edge: &mut Edge, draft: &mut Draft) {
        let _ = (state, transition, accesses, edge, draft);
    }

    /// The step was taken.
    fn after(&self, state: &dyn Situation, changes: &mut Changes) {
        let _ = (state, changes);
    }

    /// A state that was met before is explored further: its future looks at what `note` says, and perhaps at more.
    fn resume(&mut self, note: NoteId, draft: &mut Draft) {
        let _ = (note, draft);
    }

    /// The future of the state after the step looked at what `note` says.
    fn returned(&mut self, note: NoteId, changes: &Changes, draft: &mut Draft) {
        let _ = (note, changes, draft);
    }

    /// Everything that the future of the state looks at; `guards` are those of its cones, `ended` says that it is a final state.
    fn note(&mut self, state: &dyn Situation, draft: &mut Draft, guards: &mut dyn Iterator<Item = GuardId>, ended: bool) -> NoteId {
        let _ = (state, draft, guards, ended);
        0
    }

    /// A collapsed cone of the state after the step stands for steps whose guards read these locations; what matters of the state before
    /// it is added to `values`.
    fn collapsed(&mut self, locations: &Bits, changes: &Changes, values: &mut Bits) {
        let _ = (locations, changes, values);
    }

    /// Forgets what none of these notes and drafts has.
    fn sweep(&mut self, notes: &mut dyn Iterator<Item = NoteId>, drafts: &mut dyn Iterator<Item = &Draft>) {
        let _ = (notes, drafts);
    }

    /// Roughly the bytes held.
    fn bytes(&self) -> usize {
        0
    }
}

/// Sees no values: a guard that something in `u` touches is taken to hold. That is sound, since a reversal that turns out to be
/// impossible only costs explorations.
///
/// States that differ only in values that nobody can read any more have the same future, step by step, so they may be taken for one and
/// the same state where nobody asks for final shared values.
pub(crate) struct OpaqueView {
    equality: Equality,
}

impl OpaqueView {
    /// Keeps apart what is observed.
    pub fn new(observe: Observe) -> Self {
        OpaqueView {
            equality: match observe {
                Observe::States | Observe::Finals => Equality::Exact,
                Observe::Outcomes | Observe::Failures => Equality::Live,
            },
        }
    }
}

impl View for OpaqueView {
    fn key(&mut self, state: &dyn Situation, _: &mut Vec<Task>) -> Fingerprint {
        state.fingerprint(self.equality)
    }

    fn guard(&mut self, _: &dyn Situation, _: Process, _: &[Access]) -> GuardId {
        GuardId::FRESH
    }

    fn holds(&mut self, _: &dyn Situation, guard: GuardId, enabled: bool) -> bool {
        guard == GuardId::AFFECTED || enabled
    }

    fn extended(&mut self, guard: GuardId, _: &Changes, touches: bool, _: &mut Bits) -> GuardId {
        if touches { GuardId::AFFECTED } else { guard }
    }
}
