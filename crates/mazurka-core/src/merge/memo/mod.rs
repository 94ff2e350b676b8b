//! Everything that merging remembers to be fast, and nothing else.
//!
//! The same steps meet the same cones over and over. What became of them is remembered in three sizes: of whole sets ([`sets`]), of
//! single cones ([`cones`]), and of the last steps of cones ([`keys`]). The rule in [`edge`](super::edge) asks [`Memo`] before it computes
//! anything, and tells it what it computed. Observed equality keeps its tests in [`TestSets`], which knows what became of whole sets of them;
//! the rule for one test is in [`test`](super::test). Whatever is remembered may be forgotten at any time: that costs computing it again. The
//! fuzzer compares with a search that remembers nothing, `crates/mazurka-laboratory/src/merging`.

mod answers;
mod cones;
mod keys;
mod sets;
mod test_sets;

use super::cone_set::{Cones, SetId};
use super::cone_table::{ConeId, Masks};
use super::edge::{ConeBefore, Relation, SetBefore};
use super::frame::Edge;
use super::guard::Changes;
use super::view::View;
use cones::KnownCones;
use keys::KnownKeys;
pub(crate) use keys::StepId;
use sets::{KnownSets, Question};
pub(crate) use test_sets::{NO_TESTS, TestSets, TestsId};

/// What became of cones under the steps that were taken so far.
#[derive(Default)]
pub(crate) struct Memo {
    sets: KnownSets,
    cones: KnownCones,
    keys: KnownKeys,
}

impl Memo {
    /// Forgets everything about cones: their numbers are about to be used again.
    pub fn clear(&mut self) {
        self.sets.clear();
        self.cones.clear();
    }

    /// What the answer for the cones before and after a step depends on.
    #[inline]
    pub fn question<V: View>(&mut self, edge: &Edge, before: SetId, after: SetId, cones: &Cones, view: &V) -> Question {
        if self.keys.is_large() {
            self.keys = KnownKeys::default();
            self.clear();
        }
        // Without guards, nothing that the step changes matters.
        let matters = !edge.changes.is_empty() && cones.is_guarded(after);
        let extra = if !matters && edge.births.is_empty() {
            keys::NO_EXTRA
        } else {
            let changes = if matters { view.of_guards(&edge.changes) } else { Changes::new() };
            self.keys.extra(&edge.births, changes)
        };
        Question::new(edge, before, after, extra)
    }

    /// The number of the answer, if it is known.
    #[inline]
    pub fn set(&self, question: &Question) -> Option<u32> {
        self.sets.find(question)
    }

    /// The number of the step of a question.
    pub fn step(&mut self, question: &Question) -> StepId {
        self.cones.prepare();
        self.keys.step(question.step())
    }

    /// Remembers an answer; returns its number.
    pub fn remember_set(&mut self, question: Question, answer: SetBefore) -> u32 {
        if self.sets.is_large() {
            self.clear();
        }
        self.sets.insert(question, answer)
    }

    /// The answer with a number.
    #[inline]
    pub fn answer(&self, number: u32) -> &SetBefore {
        self.sets.get(number)
    }

    /// What a cone became, if it is known.
    #[inline]
    pub fn cone(&self, step: StepId, cone: ConeId, cones: &Cones, masks: &Masks) -> Option<ConeBefore> {
        self.cones.get(step, cone, || cones.table.kept(cone, masks))
    }

    /// Remembers what a cone became.
    #[inline]
    pub fn remember_cone(&mut self, step: StepId, cone: ConeId, before: ConeBefore, cones: &Cones, masks: &Masks) {
        // What passes keeps nothing that depends on anything else.
        let kept = cones.table.kept(cone, masks).or(before.longer.is_none().then_some(0));
        if let Some(kept) = kept {
            self.cones.put(step, cone, before, kept);
        }
    }

    /// How the last step of cones with a key stands to a step; `rule` is asked if it is not known.
    #[inline]
    pub fn relation(&mut self, step: StepId, key: u32, rule: impl FnOnce() -> Relation) -> Relation {
        self.keys.relation(step, key, rule)
    }

    /// The key of cones that grow by a step, if it is known. Its relation was asked for just before.
    #[inline]
    pub fn key(&self, step: StepId, key: u32) -> Option<u32> {
        self.keys.grown(step, key)
    }

    /// Remembers that key.
    #[inline]
    pub fn remember_key(&mut self, step: StepId, key: u32, grown: u32) {
        self.keys.remember(step, key, grown);
    }
}
