//! Actions: transitions with their static footprints, as dense numbers, and which of them conflict. In the proofs: `action`, `actor`,
//! `conflict`, `writes_guard` (`proofs/Programs.v`).

use mazurka_core::{Access, Process, Transition, conflict, writes_guard};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// The number of an action.
pub(crate) type Action = u32;

/// For so many actions the answers are kept; for the others they are computed each time.
const KEPT: usize = 4096;

/// A relation between actions, a row of bits for each.
#[derive(Default)]
struct Matrix {
    bits: Vec<u64>,
    row: usize,
}

impl Matrix {
    #[inline]
    fn get(&self, a: Action, b: Action) -> bool {
        self.bits[a as usize * self.row + b as usize / 64] >> (b % 64) & 1 == 1
    }

    fn set(&mut self, a: Action, b: Action) {
        self.bits[a as usize * self.row + b as usize / 64] |= 1 << (b % 64);
    }

    /// Room for so many actions.
    fn widen(&mut self, actions: usize) {
        if actions <= self.row * 64 {
            return;
        }
        let row = (self.row * 2).max(1);
        let mut bits = vec![0; row * 64 * row];
        for (at, old) in self.bits.chunks_exact(self.row.max(1)).enumerate() {
            bits[at * row..at * row + old.len()].copy_from_slice(old);
        }
        (self.bits, self.row) = (bits, row);
    }
}

/// All actions met so far.
#[derive(Default)]
pub(crate) struct Actions {
    transitions: Vec<Transition>,
    accesses: Vec<Box<[Access]>>,
    guarded: Vec<bool>,
    /// The actions of each hash.
    numbers: FxHashMap<u64, SmallVec<[Action; 2]>>,
    conflicts: Matrix,
    guard_writes: Matrix,
}

fn hash(transition: Transition, accesses: &[Access]) -> u64 {
    let mut hasher = FxHasher::default();
    (transition, accesses).hash(&mut hasher);
    hasher.finish()
}

impl Actions {
    /// The number of an action that was met before.
    pub fn known(&self, transition: Transition, accesses: &[Access]) -> Option<Action> {
        let candidates = self.numbers.get(&hash(transition, accesses))?;
        let same = |a: &&Action| self.transition(**a) == transition && self.accesses(**a) == accesses;
        candidates.iter().find(same).copied()
    }

    /// The number of an action.
    pub fn number(&mut self, transition: Transition, accesses: &[Access]) -> Action {
        if let Some(known) = self.known(transition, accesses) {
            return known;
        }
        let new = self.transitions.len() as Action;
        self.transitions.push(transition);
        self.accesses.push(Box::from(accesses));
        self.guarded.push(accesses.iter().any(|a| a.guard));
        self.numbers.entry(hash(transition, accesses)).or_default().push(new);
        if self.transitions.len() <= KEPT {
            self.conflicts.widen(self.transitions.len());
            self.guard_writes.widen(self.transitions.len());
            for other in 0..=new {
                let (one, two) = (&self.accesses[new as usize], &self.accesses[other as usize]);
                if conflict(one, two) {
                    self.conflicts.set(new, other);
                    self.conflicts.set(other, new);
                }
                if writes_guard(one, two) {
                    self.guard_writes.set(new, other);
                }
                if writes_guard(two, one) {
                    self.guard_writes.set(other, new);
                }
            }
        }
        new
    }

    /// The actions after the first ones.
    pub fn after(&self, first: usize) -> impl Iterator<Item = (Transition, &[Access])> {
        let accesses = self.accesses[first..].iter().map(|accesses| &**accesses);
        self.transitions[first..].iter().copied().zip(accesses)
    }

    #[inline]
    pub fn transition(&self, action: Action) -> Transition {
        self.transitions[action as usize]
    }

    #[inline]
    pub fn process(&self, action: Action) -> Process {
        self.transitions[action as usize].process
    }

    /// What the action may touch.
    pub fn accesses(&self, action: Action) -> &[Access] {
        &self.accesses[action as usize]
    }

    /// Whether something decides if it is enabled.
    #[inline]
    pub fn is_guarded(&self, action: Action) -> bool {
        self.guarded[action as usize]
    }

    /// Whether the footprints of two actions conflict.
    #[inline]
    pub fn conflict(&self, a: Action, b: Action) -> bool {
        if (a.max(b) as usize) < KEPT {
            self.conflicts.get(a, b)
        } else {
            conflict(self.accesses(a), self.accesses(b))
        }
    }

    /// Whether `writer` writes or accumulates what decides if `guarded` is enabled.
    #[inline]
    pub fn writes_guard(&self, writer: Action, guarded: Action) -> bool {
        if (writer.max(guarded) as usize) < KEPT {
            self.guard_writes.get(writer, guarded)
        } else {
            writes_guard(self.accesses(writer), self.accesses(guarded))
        }
    }

    /// Whether two actions may not be swapped: of one process, or in conflict.
    #[inline]
    pub fn dependent(&self, a: Action, b: Action) -> bool {
        self.process(a) == self.process(b) || self.conflict(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::{Footprint, Location};

    #[test]
    fn kept_and_computed_answers_agree() {
        let mut actions = Actions::default();
        let all: Vec<Footprint> = (0..KEPT as u32 + 70)
            .map(|n| {
                let mut footprint = Footprint::new();
                footprint.read(Location(n % 11));
                match n % 5 {
                    0 => footprint.overwrite(Location(n % 7)),
                    1 => footprint.accumulate(Location(n % 9)),
                    2 => footprint.guard(Location(n % 13)),
                    _ => {}
                }
                footprint
            })
            .collect();
        let numbers: Vec<Action> = all
            .iter()
            .zip(0..)
            .map(|(f, n)| actions.number(Transition::of(Process(n)), f.accesses()))
            .collect();
        for a in (0..all.len()).step_by(97).chain(KEPT - 5..KEPT + 5) {
            for b in (0..all.len()).step_by(31).chain(KEPT - 5..KEPT + 5) {
                let (one, two) = (all[a].accesses(), all[b].accesses());
                assert_eq!(actions.conflict(numbers[a], numbers[b]), conflict(one, two), "{a} {b}");
                assert_eq!(actions.writes_guard(numbers[a], numbers[b]), writes_guard(one, two), "{a} {b}");
            }
        }
    }
}
