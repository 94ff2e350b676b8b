//! What is declared to be interchangeable is checked, not believed.
//!
//! A property is asked in each configuration that a search stores, also with interchangeable actors listed in other orders: it must say the same. And of configurations
//! that are taken together the first ones, and later one in [`EVERY`] (under [`System::paranoid`] all), are both looked at one step further: they must have the same successors. That finds states with
//! a `Hash` that leaves something out, and handlers that depend on the order of a set of addresses.

use super::Symmetry;
use super::canonical::{Canonical, next_permutation};
use crate::hash::Hash128;
use crate::panics::catch;
use crate::promises::What;
use crate::run::Run;
use crate::states::SystemStates;
use crate::system::System;
use crate::world::World;
use mazurka_core::{Describe, States};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// Of so many actors in one group every order is tried; of more each exchange of two, and each rotation.
const ALL_ORDERS: usize = 6;
/// So many configurations are looked at further at the beginning.
const FIRST: usize = 256;
/// Later one in so many.
const EVERY: u128 = 32;

/// The successors of configurations that were looked at.
#[derive(Default)]
pub(super) struct Merges {
    known: RefCell<FxHashMap<u128, u128>>,
    /// Whether successors are being looked at: theirs are not.
    busy: Cell<bool>,
}

impl System {
    /// What stands for a configuration in a search that takes interchangeable actors together.
    pub(crate) fn symmetric_fingerprint(&self, run: &Run) -> u128 {
        let Canonical { hash, exact } = self.canonical(run);
        if exact && !self.symmetry.merges.busy.get() {
            self.check_merge(run, hash);
        }
        hash
    }

    fn check_merge(&self, run: &Run, hash: u128) {
        let merges = &self.symmetry.merges;
        let known = merges.known.borrow();
        let looked_at = known.len() < FIRST || known.contains_key(&hash) || hash.is_multiple_of(EVERY);
        drop(known);
        if !looked_at && !self.sampling.is_always() {
            return;
        }
        merges.busy.set(true);
        let (mut successors, mut exact) = (0u128, true);
        SystemStates::up_to_symmetry(self).successors(run, |successor| {
            let after = self.canonical(successor.after);
            let failure = successor.failure.map(|failure| failure.kind);
            exact &= after.exact;
            successors = successors.wrapping_add(Hash128::of((after.hash, failure)));
        });
        merges.busy.set(false);
        if !exact {
            return;
        }
        let before = *merges.known.borrow_mut().entry(hash).or_insert(successors);
        if before != successors {
            // It may be an invariant that fails in some of them.
            SystemStates::each(self).successors(run, |successor| self.check_symmetry(successor.after, false));
            let what = "in two configurations that differ only in which of the interchangeable actors is which, different things can happen: some state has a \
                        `Hash` that leaves out what its handler looks at, or a handler depends on the order of a set of addresses";
            self.accuse_symmetry(&format!("{what}; the second one is {}", self.in_words(run)));
        }
    }

    /// Asks every property also with the interchangeable actors listed in other orders.
    pub(crate) fn check_symmetry(&self, run: &Run, is_end: bool) {
        if self.symmetry.merges.busy.get() {
            return;
        }
        for invariant in &self.invariants {
            let name = format!("the invariant `{}`", invariant.name);
            self.check_property(run, &name, &|world| (invariant.holds)(world));
        }
        for promise in &self.promises {
            if let What::Sometimes(holds) = &promise.what {
                self.check_property(run, &format!("`{}`", promise.name), &|world| holds(world));
            }
        }
        if let Some(check) = self.at_end.as_ref().filter(|_| is_end) {
            self.check_property(run, "what is checked at the end", &|end| {
                check(end);
                true
            });
        }
    }

    fn check_property(&self, run: &Run, name: &str, holds: &dyn Fn(&World<'_>) -> bool) {
        let world = World::of(run, &self.tables);
        let ask = |world: &World<'_>| catch(|| holds(world)).unwrap_or(false);
        let first = ask(&world);
        // Who never lists them cannot tell them apart: it knows no address but those that it finds.
        if !world.listed.get() {
            return;
        }
        for swapped in self.symmetry.orders(self.start.actors.len() as u32) {
            let listed_otherwise = World {
                swapped: Some(&swapped),
                ..World::of(run, &self.tables)
            };
            if ask(&listed_otherwise) != first {
                let what = "tells interchangeable actors apart: what it says depends on the order in which they are listed";
                self.accuse_symmetry(&format!("{name} {what}; the configuration is {}", self.in_words(run)));
                return;
            }
        }
    }

    fn in_words(&self, run: &Run) -> String {
        let values = self.values(run);
        values
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl Symmetry {
    /// In which orders properties are asked, by the number that each of so many actors has in it.
    fn orders(&self, actors: u32) -> Vec<Vec<u32>> {
        let plain: Vec<u32> = (0..actors).collect();
        let mut all = Vec::new();
        for group in &self.groups {
            let mut add = |order: &[u32]| {
                let mut swapped = plain.clone();
                group.iter().zip(order).for_each(|(place, actor)| swapped[*place as usize] = *actor);
                all.push(swapped);
            };
            let mut order = group.clone();
            order.sort_unstable();
            if group.len() <= ALL_ORDERS {
                while next_permutation(&mut order) {
                    add(&order);
                }
                continue;
            }
            for one in 0..group.len() {
                for two in one + 1..group.len() {
                    order.clone_from(group);
                    order.swap(one, two);
                    add(&order);
                }
                order.clone_from(group);
                order.rotate_left(one);
                add(&order);
            }
        }
        all
    }
}
