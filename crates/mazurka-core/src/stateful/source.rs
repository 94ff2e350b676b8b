//! Source sets computed statically: Theorem 3 of Abdulla et al., Comparing Source Sets and Persistent Sets.
//!
//! A set T of enabled transitions is a source set if each may-set T′ (one may-enabled transition per process) has a non-empty subset
//! T″ of T whose first accesses conflict with no future access of T′ ∖ T″. There are exponentially many may-sets. Instead of trying
//! them one by one we let an adversary who builds T′ throw out of T″ what can be thrown out: a process goes if it can start with a
//! transition outside T, or with one whose accesses conflict with the future of a process that went before. If some process of T
//! never goes, then for every execution either the first transition of a process that stayed is an initial of it, or all its
//! transitions are independent of those of that process: T is a source set. The adversary may use all futures of a process that went, so
//! the test is a little stronger than the theorem asks for. Which disabled transitions are may-enabled is decided on the way: those
//! whose guard conflicts with the future of a process that went.

use super::alternatives::Alternatives;
use super::movers::Movers;

/// Computes source sets; keeps its memory between states.
#[derive(Debug, Default)]
pub struct Source {
    went: Movers,
}

impl Source {
    /// Whether the chosen set is a source set as far as the static accesses tell.
    pub fn holds(&mut self, all: &Alternatives) -> bool {
        self.went.find(all, |a| a.enabled && !a.chosen, |a| !a.enabled || a.chosen);
        all.iter().any(|a| a.chosen && !self.went.moves(a.process))
    }

    /// Takes transitions out of the chosen source set, the last first, as long as what remains is a source set.
    pub(super) fn shrink(&mut self, all: &mut Alternatives) {
        for at in (0..all.len()).rev() {
            if all.get(at).chosen {
                all.set_chosen(at, false);
                if !self.holds(all) {
                    all.set_chosen(at, true);
                }
            }
        }
    }
}
