//! The part of a configuration that is no actor and no message: what faults have done, and may still do.

use crate::faults::{Fault, Faults};
use crate::hash::Hash128;
use crate::run::Envelope;
use std::rc::Rc;

/// What faults have done, and may still do.
#[derive(Clone, Default)]
pub(crate) struct Network {
    /// How many faults of each kind may still happen, in the order of [`Fault::ALL`].
    budgets: [u32; 4],
    /// Whether no fault happens any more.
    pub calm: bool,
    /// The partitions that are there now, one bit for each.
    cut: u64,
    /// Messages that are delivered or lost and could have been the other: their processes wait for ever.
    pub gone: Vec<Gone>,
    /// Messages that were doubled, whether they are still under way or not.
    pub doubled: Vec<u32>,
}

/// A message that is not under way any more.
#[derive(Clone)]
pub(crate) struct Gone {
    pub envelope: Rc<Envelope>,
    pub lost: bool,
}

impl Network {
    pub fn new(faults: &Faults) -> Self {
        Network {
            budgets: Fault::ALL.map(|fault| faults.budget(fault)),
            ..Network::default()
        }
    }

    /// Whether a fault of this kind may happen now.
    pub fn may(&self, fault: Fault) -> bool {
        !self.calm && self.budgets[fault as usize] > 0
    }

    /// A fault of this kind happens.
    pub fn spend(&mut self, fault: Fault) {
        self.budgets[fault as usize] -= 1;
    }

    /// Whether a partition is there.
    pub fn is_cut(&self, partition: usize) -> bool {
        self.cut >> partition & 1 == 1
    }

    pub fn set_cut(&mut self, partition: usize, cut: bool) {
        self.cut = self.cut & !(1 << partition) | u64::from(cut) << partition;
    }

    /// A message is not under way any more.
    pub fn forget(&mut self, envelope: &Rc<Envelope>, lost: bool) {
        self.gone.push(Gone {
            envelope: Rc::clone(envelope),
            lost,
        });
    }

    /// What the future depends on. What may happen to a message under way is said with the message.
    pub fn future_hash(&self) -> u128 {
        let budgets = if self.calm { [0; 4] } else { self.budgets };
        Hash128::of((budgets, self.calm, self.cut))
    }

    /// As [`Network::future_hash`], where something else stands for each partition.
    pub fn hash_as(&self, side: impl Fn(usize) -> u128) -> u128 {
        let budgets = if self.calm { [0; 4] } else { self.budgets };
        let cut = (0..64).filter(|nth| self.is_cut(*nth)).map(side).fold(0u128, u128::wrapping_add);
        Hash128::of((budgets, self.calm, cut))
    }

    /// What the future depends on, and who waits for ever.
    pub fn hash(&self) -> u128 {
        let gone = self.gone.iter().map(|gone| Hash128::of((gone.envelope.hash(), gone.lost)));
        let doubled = self.doubled.iter().map(|message| Hash128::of((1u8, *message)));
        let who = gone.chain(doubled).fold(0u128, u128::wrapping_add);
        Hash128::of((self.budgets, self.calm, self.cut, who))
    }
}
