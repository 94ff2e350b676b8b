//! Waiting for the first of several futures.

use super::branches::{Biased, is_checked};
use crate::model::steps_so_far;
use crate::runtime::current;
use crate::runtime::offers::{Offer, Path};
use crate::runtime::op::Op;
use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::task::Poll;

/// What polling a branch gave.
#[derive(Debug)]
pub enum Branch<R> {
    /// It is ready.
    Ready(R),
    /// It is not.
    Pending,
    /// It does not take part.
    Off,
}

/// A selection of the first branch that is ready; if several are, of any of them, or of the first if it is biased.
///
/// Which branch is polled first makes a difference only if polling takes steps, or if one is ready at once. Where that happens, the search begins
/// again, and all orders are tried.
#[derive(Debug)]
pub struct Select {
    biased: Option<Biased>,
    polled: bool,
    at: &'static Location<'static>,
}

impl Select {
    /// At the place of the caller.
    #[track_caller]
    pub fn new(biased: bool) -> Self {
        Select {
            biased: biased.then(Biased::new),
            polled: false,
            at: Location::caller(),
        }
    }

    /// Polls the branches, by their numbers: what the first that is ready gave, or `None` if none takes part.
    pub fn poll<R>(&mut self, branches: u32, mut branch: impl FnMut(u32) -> Branch<R>) -> Poll<Option<R>> {
        let first = if self.biased.is_some() { 0 } else { self.first(branches) };
        let taken = std::mem::replace(&mut self.polled, true) && current::with(|execution| execution.running().polling.fresh) == Some(true);
        let steps = steps_so_far();
        let mut waits = false;
        for n in 0..branches {
            let nth = (first + n) % branches;
            let polled = match &mut self.biased {
                Some(biased) => biased.branch(nth, || branch(nth)),
                None => branch(nth),
            };
            match polled {
                Branch::Ready(result) => {
                    if !taken || steps != steps_so_far() {
                        self.order_matters();
                    }
                    current::with(|execution| {
                        execution.went_on_if_untried();
                        execution.running().polling.fresh = false;
                    });
                    return Poll::Ready(Some(result));
                }
                Branch::Pending => waits = true,
                Branch::Off => {}
            }
        }
        if steps != steps_so_far() {
            self.order_matters();
        }
        if waits { Poll::Pending } else { Poll::Ready(None) }
    }

    fn order_matters(&self) {
        if self.biased.is_none() {
            current::with(|execution| execution.try_at(self.at));
        }
    }

    /// The branch that is polled first.
    fn first(&self, branches: u32) -> u32 {
        static TURN: AtomicU32 = AtomicU32::new(0);
        if !is_checked() {
            return TURN.fetch_add(1, Relaxed) % branches;
        }
        if branches < 2 || current::with(|execution| execution.tries_at(self.at)) != Some(true) {
            return 0;
        }
        let offer = Offer {
            op: Op::Choose(1),
            key: 0,
            path: Path::new(),
            queues: None,
            queued: false,
            at: self.at,
        };
        current::with(|execution| execution.went_on_if_untried());
        current::take_one(vec![offer; branches as usize]).map_or(0, |(chosen, _)| chosen)
    }
}
