//! Persistent sets computed statically, in the classical way: from one process, close under conflicts with what the others may yet do.
//!
//! The set holds all enabled transitions of some processes. It is persistent if no execution outside it can touch what the set's
//! transitions access, nor enable further transitions of its processes (Definition 5 of Abdulla et al., Comparing Source Sets and
//! Persistent Sets; the algorithms of Overman, Valmari and Godefroid that it cites are of this kind).

use super::alternatives::Alternatives;
use super::movers::Movers;

/// Computes persistent sets; keeps its memory between states.
#[derive(Debug, Default)]
pub struct Persistent {
    movers: Movers,
    inside: Vec<bool>,
}

impl Persistent {
    /// Chooses a persistent set that contains the enabled transitions of the process of `seed`, which must have some.
    pub(super) fn close(&mut self, all: &mut Alternatives, seed: usize) {
        self.inside.clear();
        self.inside.resize(all.processes(), false);
        self.inside[seed] = true;
        while let Some(missing) = self.missing(all) {
            self.inside[missing] = true;
        }
        let inside = &self.inside;
        all.choose(|a| inside[a.process]);
    }

    /// A process with enabled transitions outside whose moves would show that the set is not persistent.
    fn missing(&mut self, all: &Alternatives) -> Option<usize> {
        let inside = &self.inside;
        self.movers.find(all, |a| a.enabled && !inside[a.process], |a| !a.enabled);
        let mut culprit = all.iter().filter(|a| inside[a.process]).find_map(|a| self.movers.conflicting(a))?;
        // A process that moves only because another enabled it cannot be kept still by adding it: the other one is added.
        while self.inside[culprit] || !all.iter().any(|a| a.enabled && a.process == culprit) {
            culprit = self.movers.cause(culprit);
        }
        Some(culprit)
    }

    /// Whether the chosen set is persistent as far as the static accesses tell. One that holds some but not all enabled transitions of a
    /// process never is.
    pub fn holds(&mut self, all: &Alternatives) -> bool {
        self.inside.clear();
        self.inside.resize(all.processes(), false);
        for a in all.iter().filter(|a| a.chosen) {
            self.inside[a.process] = true;
        }
        all.iter().all(|a| !a.enabled || a.chosen == self.inside[a.process]) && self.missing(all).is_none()
    }
}
