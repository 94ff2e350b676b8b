//! What stands for a configuration and for all that it becomes if interchangeable actors change places.
//!
//! It is the least hash that the configuration can have with its actors in other places. Not every change of places has to be tried: the hash in which an actor is
//! marked, and those it could change places with are all the same, is the actor's *colour*. It does not depend on places, so actors are put in the order
//! of their colours, and only among those of one colour everything is tried.

use super::Symmetry;
use crate::delivery::Delivery;
use crate::erased::{ErasedActor, State};
use crate::hash::{Hash128, Tokens};
use crate::life::Life;
use crate::run::{Envelope, Run, Slot};
use crate::system::System;

/// So many changes of places are tried. Where more are possible, some configurations are not taken together that could be.
const MOST: usize = 5040;

/// What stands for interchangeable actors while colours are computed: no actor has such a number.
const MARKED: u64 = 1 << 40;
const ONE_OF_GROUP: u64 = 1 << 41;

/// What stands for a configuration up to changes of places.
#[derive(Clone, Copy)]
pub(super) struct Canonical {
    pub hash: u128,
    /// Whether all configurations that changes of places lead to have the same.
    pub exact: bool,
}

impl System {
    /// What stands for a configuration, whoever of the interchangeable actors is who.
    pub(super) fn canonical(&self, run: &Run) -> Canonical {
        let groups = &self.symmetry.groups;
        let mut tokens = self.plain_tokens();
        for (nth, group) in groups.iter().enumerate() {
            group.iter().for_each(|actor| tokens.0[*actor as usize] = ONE_OF_GROUP + nth as u64);
        }
        let mut coloured: Vec<Vec<(u64, u32)>> = self.colours(run, &mut tokens);
        if changes(&coloured) > 1 {
            // Once more, now that they are known by their colours.
            for &(colour, actor) in coloured.iter().flatten() {
                tokens.0[actor as usize] = Hash128::of((ONE_OF_GROUP, colour)) as u64;
            }
            coloured = self.colours(run, &mut tokens);
        }
        let exact = changes(&coloured) <= MOST;
        let mut least = u128::MAX;
        let mut tokens = self.plain_tokens();
        let mut arrangement = Arrangement::new(&coloured);
        loop {
            for (group, order) in groups.iter().zip(&arrangement.orders) {
                for (place, (_, actor)) in group.iter().zip(order) {
                    tokens.0[*actor as usize] = u64::from(*place);
                }
            }
            least = least.min(self.fingerprint_as(run, &tokens));
            if !exact || !arrangement.next() {
                return Canonical { hash: least, exact };
            }
        }
    }

    fn plain_tokens(&self) -> Tokens {
        Tokens((0..self.start.actors.len() as u64).collect())
    }

    /// The members of each group in the order of their colours.
    fn colours(&self, run: &Run, tokens: &mut Tokens) -> Vec<Vec<(u64, u32)>> {
        let mut colour = |actor: u32| {
            let unmarked = tokens.0[actor as usize];
            tokens.0[actor as usize] = MARKED;
            let colour = Hash128::of((unmarked, self.fingerprint_as(run, tokens))) as u64;
            tokens.0[actor as usize] = unmarked;
            (colour, actor)
        };
        let mut all: Vec<Vec<(u64, u32)>> = Vec::new();
        for group in &self.symmetry.groups {
            let mut members: Vec<(u64, u32)> = group.iter().map(|actor| colour(*actor)).collect();
            members.sort_unstable();
            all.push(members);
        }
        all
    }

    /// The hash of a configuration in which something else stands for each actor; see [`System::state_fingerprint`].
    fn fingerprint_as(&self, run: &Run, tokens: &Tokens) -> u128 {
        let mut sum: u128 = 0;
        for slot in &run.actors {
            sum = sum.wrapping_add(self.slot_as(run, slot, tokens));
        }
        let faults = self.faults.any();
        if faults {
            let side = |nth: usize| {
                let side = self.faults.partitions.as_ref().map_or(&[][..], |p| &p.sides[nth]);
                Hash128::of(side.iter().fold(0u128, |sum, a| sum.wrapping_add(Hash128::of(tokens.of(*a)))))
            };
            sum = sum.wrapping_add(run.network.hash_as(side));
        }
        if run.violated != 0 || !run.record.is_empty() {
            sum = sum.wrapping_add(Hash128::of((2u8, run.violated, run.record.hash_as(tokens))));
        }
        for (at, envelope) in run.pending.iter().enumerate() {
            let rank = self.delivery.rank(run, at);
            let sender = (faults || self.delivery == Delivery::PairFifo).then(|| tokens.of(envelope.sender));
            let doubled = faults && run.network.doubled.contains(&envelope.id);
            sum = sum.wrapping_add(Hash128::of((rank, sender, self.symmetry.route(envelope, tokens), doubled)));
        }
        sum
    }

    fn slot_as(&self, run: &Run, slot: &Slot, tokens: &Tokens) -> u128 {
        let state = self.symmetry.state(&slot.state, tokens);
        let life = slot.life.as_ref().map(|life| self.symmetry.life(life, run.now, tokens));
        match self.symmetry.moves(slot.id) {
            // All of a group have the same type, and a name is only shown.
            true => Hash128::of((1u8, tokens.of(slot.id), state, life)),
            false => Hash128::of((0u8, slot.identity, state, life)),
        }
    }
}

impl Symmetry {
    fn state(&self, state: &State<dyn ErasedActor>, tokens: &Tokens) -> u128 {
        match state.holds().iter().any(|actor| self.moves(*actor)) {
            true => state.actor.hash_as(tokens),
            false => state.hash(),
        }
    }

    fn route(&self, envelope: &Envelope, tokens: &Tokens) -> u128 {
        let content = match envelope.holds().iter().any(|actor| self.moves(*actor)) {
            true => envelope.content.hash_as(tokens),
            false if self.moves(envelope.receiver) => envelope.content.hash128(),
            false => return envelope.route_hash(),
        };
        Hash128::of((tokens.of(envelope.receiver), content))
    }

    /// What an actor has besides its state, and what it restarts from, which is not the same for all.
    fn life(&self, life: &Life, now: u64, tokens: &Tokens) -> u128 {
        let timers = life.timers.iter().map(|timer| {
            let left = timer.due.saturating_sub(now);
            timer.set.as_ref().map(|envelope| (self.route(envelope, tokens), left))
        });
        let created = life.crashes.map(|_| self.state(&life.created, tokens));
        Hash128::of((life.up, life.dead, timers.collect::<Vec<_>>(), created))
    }
}

/// How many changes of places keep the order of colours.
fn changes(coloured: &[Vec<(u64, u32)>]) -> usize {
    let same = coloured.iter().flat_map(|group| group.chunk_by(|a, b| a.0 == b.0));
    same.fold(1, |product, same| (2..=same.len()).fold(product, usize::saturating_mul))
}

/// Every order of the members of groups that agrees with their colours, one after the other.
struct Arrangement {
    orders: Vec<Vec<(u64, u32)>>,
}

impl Arrangement {
    fn new(coloured: &[Vec<(u64, u32)>]) -> Self {
        Arrangement { orders: coloured.to_vec() }
    }

    /// Goes on to the next; false after the last, and then the first is there again.
    fn next(&mut self) -> bool {
        let same = self.orders.iter_mut().flat_map(|group| group.chunk_by_mut(|a, b| a.0 == b.0));
        for members in same {
            if next_permutation(members) {
                return true;
            }
        }
        false
    }
}

/// The next permutation in lexicographic order; false after the last, and then the first is there again.
pub(super) fn next_permutation<T: Ord>(members: &mut [T]) -> bool {
    let Some(at) = members.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        members.reverse();
        return false;
    };
    let larger = members.iter().rposition(|m| *m > members[at]).expect("the next one is larger");
    members.swap(at, larger);
    members[at + 1..].reverse();
    true
}
