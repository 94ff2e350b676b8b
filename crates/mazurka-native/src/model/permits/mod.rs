//! Permits that are given out in the order in which they are asked for: what semaphores and locks are made of.
//!
//! As long as everybody asks for one permit, the order in which they have come shows nowhere: whoever gets one may just as well have come last. So
//! asking is one step then. When somebody asks for more, which makes others wait before there is nothing left, the search begins again, and
//! to take a place in the queue is a step.

mod rules;

use super::{Model, Ticket, fresh_number};
use rules::{CLOSE, FORGET, LOOK, entry, parts};
pub use rules::{LOCK, SEMAPHORE, Words};
use std::future::Future;
use std::ops::Deref;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// More than there can be.
pub const MAX_PERMITS: usize = u32::MAX as usize >> 3;

/// Some permits.
pub struct Permits {
    model: Model<()>,
    words: &'static Words,
}

impl std::fmt::Debug for Permits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.model.fmt(f)
    }
}

/// Nobody gets permits any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

/// Why there was no permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPermit {
    /// Nobody gets any.
    Closed,
    /// There are not enough.
    TooFew,
}

impl Permits {
    /// So many, of what shows as this kind of thing.
    ///
    /// # Panics
    /// If there are more than [`MAX_PERMITS`].
    pub const fn new(kind: &'static str, permits: usize, words: &'static Words) -> Self {
        assert!(permits <= MAX_PERMITS, "too many permits");
        Permits {
            model: Model::new(kind, permits as u32, 1, ()),
            words,
        }
    }

    /// As [`Model::within`].
    #[track_caller]
    pub fn within<O: ?Sized>(&self, owner: &O) -> &Self {
        self.model.within(owner);
        self
    }

    /// Waits for so many, blocking the thread.
    ///
    /// # Errors
    /// If it was closed.
    pub fn acquire_blocking(&self, at: &'static Location<'static>, wanted: u32) -> Result<(), Closed> {
        self.queue_if_several(wanted);
        let argument = entry(fresh_number(), wanted);
        if self.model.looks_closer() && self.model.step_at(at, self.words.enter, argument, |answer, ()| answer) == 1 {
            return Ok(());
        }
        closed(self.model.step_at(at, self.words.acquire, argument, |answer, ()| answer))
    }

    /// Waits for one, for so long at most; false if the time is over.
    #[track_caller]
    pub fn acquire_within(&self, time: Duration) -> bool {
        self.model.step_within(time, self.words.acquire, entry(0, 1), |answer, ()| answer) == Some(0)
    }

    /// Takes so many if they are there.
    ///
    /// # Errors
    /// If they are not.
    #[track_caller]
    pub fn try_acquire(&self, wanted: u32) -> Result<(), NoPermit> {
        self.queue_if_several(wanted);
        match self.model.step(self.words.try_acquire, entry(0, wanted), |answer, ()| answer) {
            0 => Ok(()),
            1 => Err(NoPermit::Closed),
            _ => Err(NoPermit::TooFew),
        }
    }

    /// Gives so many back.
    ///
    /// # Panics
    /// If there would be more than [`MAX_PERMITS`].
    #[track_caller]
    pub fn release(&self, permits: u32) {
        self.release_at(Location::caller(), permits);
    }

    /// The same, for the code at another place.
    ///
    /// # Panics
    /// If there would be more than [`MAX_PERMITS`].
    pub fn release_at(&self, at: &'static Location<'static>, permits: u32) {
        let too_many = self.model.step_at(at, self.words.release, entry(0, permits), |answer, ()| answer);
        assert!(too_many == 0, "too many permits");
    }

    /// Takes as many of these out for ever as are there.
    #[track_caller]
    pub fn forget(&self, permits: u32) -> u32 {
        self.model.step(&FORGET, entry(0, permits), |gone, ()| gone)
    }

    /// How many are there.
    #[track_caller]
    pub fn available(&self) -> u32 {
        self.model.step(&LOOK, 0, |available, ()| available)
    }

    /// Nobody gets any from now on.
    #[track_caller]
    pub fn close(&self) {
        self.model.step(&CLOSE, 0, |_, ()| ());
    }

    /// Whether that was said.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.model.step(&LOOK, 1, |closed, ()| closed == 1)
    }

    fn queue_if_several(&self, wanted: u32) {
        if wanted > 1 {
            self.model.look_closer();
        }
    }
}

fn closed(answer: u32) -> Result<(), Closed> {
    if answer == 0 { Ok(()) } else { Err(Closed) }
}

/// Waits for permits. If it is dropped, it gives back what it got, and its place.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Acquire<P: Deref<Target = Permits>> {
    permits: P,
    argument: u64,
    ticket: Ticket,
    done: bool,
}

impl<P: Deref<Target = Permits>> Acquire<P> {
    /// For so many, at the place of the caller.
    #[track_caller]
    pub fn new(permits: P, wanted: u32) -> Self {
        permits.queue_if_several(wanted);
        Acquire {
            argument: entry(fresh_number(), wanted),
            ticket: Ticket::new().queues(permits.words.enter),
            permits,
            done: false,
        }
    }
}

impl<P: Deref<Target = Permits> + Unpin> Future for Acquire<P> {
    type Output = Result<(), Closed>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let (model, words) = (&this.permits.model, this.permits.words);
        if !this.done && !this.ticket.is_queued() && model.looks_closer() {
            this.ticket.set_queued();
            let entered = model.step_at(this.ticket.place(), words.enter, this.argument, |answer, ()| answer);
            this.done = entered == 1;
        }
        if this.done {
            return Poll::Ready(Ok(()));
        }
        let polled = model.poll(&mut this.ticket, context, words.acquire, this.argument);
        this.done = polled.is_ready();
        polled.map(closed)
    }
}

impl<P: Deref<Target = Permits>> Drop for Acquire<P> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let (model, words, at) = (&self.permits.model, self.permits.words, self.ticket.place());
        match model.abandon(&mut self.ticket) {
            Some(0) => self.permits.release_at(at, parts(self.argument).1),
            None if self.ticket.is_queued() => model.step_at(at, words.leave, self.argument, |_, ()| ()),
            _ => {}
        }
    }
}
