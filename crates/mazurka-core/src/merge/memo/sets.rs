//! What became of sets of cones.

use super::super::bits::Bits;
use super::super::cone_set::SetId;
use super::super::edge::SetBefore;
use super::super::frame::Edge;
use super::super::intern::Interner;
use super::keys::ExtraId;
use crate::footprints::FootprintId;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Answers are forgotten when there are so many.
const MOST: usize = 1 << 16;

/// What an answer depends on: the cones before and after the step, and what matters of the step itself.
#[derive(PartialEq, Eq, Default)]
pub(crate) struct Question {
    before: SetId,
    after: SetId,
    process: u32,
    footprint: FootprintId,
    extra: ExtraId,
    independent: Bits,
}

impl Question {
    #[inline]
    pub fn new(edge: &Edge, before: SetId, after: SetId, extra: ExtraId) -> Self {
        Question {
            before,
            after,
            process: edge.process,
            footprint: edge.footprint,
            extra,
            independent: edge.independent.clone(),
        }
    }

    /// What matters of the step, but for what is independent of it.
    pub fn step(&self) -> (u32, FootprintId, ExtraId) {
        (self.process, self.footprint, self.extra)
    }

    #[inline]
    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u64(u64::from(self.before) << 32 | u64::from(self.after));
        hasher.write_u64(u64::from(self.process) << 32 | u64::from(self.extra));
        self.footprint.hash(&mut hasher);
        self.independent.hash(&mut hasher);
        hasher.finish()
    }
}

/// The answers that are known.
#[derive(Default)]
pub(crate) struct KnownSets(Interner<(Question, SetBefore)>);

impl KnownSets {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0 = Interner::default();
    }

    /// Whether it is time to forget.
    pub fn is_large(&self) -> bool {
        self.0.bound() >= MOST
    }

    #[inline]
    pub fn find(&self, question: &Question) -> Option<u32> {
        self.0.find(question.hash(), |(q, _)| q == question)
    }

    pub fn insert(&mut self, question: Question, answer: SetBefore) -> u32 {
        self.0.insert(question.hash(), (question, answer))
    }

    #[inline]
    pub fn get(&self, number: u32) -> &SetBefore {
        &self.0.get(number).1
    }
}
