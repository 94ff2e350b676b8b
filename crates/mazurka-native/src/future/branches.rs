//! What `select!`, `join!` and other futures that poll several ones need to tell a check.
//!
//! A future that is polled in a check only offers what it waits for, so it is never ready at once. That makes no difference as long as nothing else
//! happens in the task before it waits. Where a future polls others whose code may do something, it must find out, by [`settle`],
//! whether what was polled before them would have been ready at once.

use crate::runtime::current;
use crate::runtime::offers::Offer;
use crate::runtime::offers::Path;
use crate::runtime::op::Op;
use std::panic::Location;

/// A selection that prefers its first branches, in a check.
#[derive(Debug, Default)]
pub struct Biased(u32);

impl Biased {
    /// One that was not polled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `poll` as its so-many-th branch: what is offered in it is taken only if nothing of earlier branches can be.
    pub fn branch<R>(&mut self, nth: u32, poll: impl FnOnce() -> R) -> R {
        if self.0 == 0 {
            self.0 = current::with(|execution| {
                let polling = &mut execution.running().polling;
                polling.selections += 1;
                polling.selections
            })
            .unwrap_or_default();
        }
        let selection = self.0;
        current::with(|execution| execution.running().polling.path.push((selection, nth)));
        let result = poll();
        current::with(|execution| execution.running().polling.path.pop());
        result
    }
}

/// Whether a check is running.
pub fn is_checked() -> bool {
    current::is_active()
}

/// Tries what was polled in the running task since it last waited or tried: true if something of it was ready, and must be polled again. If `perhaps`,
/// it may also be left for later though it is ready.
#[track_caller]
pub fn settle(perhaps: bool) -> bool {
    let at = Location::caller();
    // Futures with a place in a queue take it.
    while let Some((key, op, at)) = current::with(|execution| execution.next_to_queue()).flatten() {
        current::with(|execution| execution.has_queued(key));
        if current::publish_quietly(op, at) == Some(1) {
            current::with(|execution| execution.was_taken(key, 0));
            return true;
        }
    }
    let offers = current::with(|execution| {
        let polling = &mut execution.running().polling;
        let untried = std::mem::take(&mut polling.untried);
        let mut offers: Vec<Offer> = polling.offers.iter().filter(|o| untried.contains(&o.key)).cloned().collect();
        offers.retain(|o| !matches!(o.op, Op::Time(_)));
        if !offers.is_empty() {
            // Not ready is what it is if nothing else can be taken.
            for offer in offers.iter_mut().filter(|_| !perhaps) {
                offer.path.push((u32::MAX, 0));
            }
            let path = if perhaps { Path::new() } else { Path::from_slice(&[(u32::MAX, 1)]) };
            offers.push(Offer {
                op: Op::Choose(1),
                key: 0,
                path,
                queues: None,
                queued: false,
                at,
            });
        }
        offers
    });
    let Some(offers) = offers.filter(|o| !o.is_empty()) else {
        return false;
    };
    let keys: Vec<u32> = offers.iter().map(|o| o.key).collect();
    match current::take_one(offers) {
        Some((chosen, answer)) if keys[chosen as usize] != 0 => {
            current::with(|execution| execution.was_taken(keys[chosen as usize], answer));
            true
        }
        _ => false,
    }
}
