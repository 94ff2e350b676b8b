//! A lock for many readers or one writer, which is given to those who wait in the order in which they have come.
//!
//! A writer that waits keeps later readers out. That can be seen only if a reader does something while it has the lock, or if somebody tries to have
//! it without waiting. Until then, who waits has no place in a queue, and to take the lock is one step; readers commute. When that turns
//! out, the search begins again, and to come is a step before the one that takes the lock, for who has to wait.

mod rules;

use super::{Model, Rule, Ticket, fresh_number, steps_so_far};
use rules::*;
use std::future::Future;
use std::ops::Deref;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// To read with others.
    Read,
    /// To write alone.
    Write,
    /// To read with others, perhaps to write later; only one has that at a time.
    Upgradable,
}

impl Access {
    fn entry(self, id: u32) -> u64 {
        u64::from(id)
            | match self {
                Access::Read => 0,
                Access::Write => WRITES,
                Access::Upgradable => UPGRADES,
            }
    }

    fn take(self) -> &'static Rule {
        match self {
            Access::Read => &READ,
            Access::Write => &WRITE,
            Access::Upgradable => &READ_UPGRADABLY,
        }
    }

    fn enter(self) -> &'static Rule {
        match self {
            Access::Read => &COME_TO_READ,
            Access::Write | Access::Upgradable => &COME_TO_WRITE,
        }
    }

    fn give_back(self) -> &'static Rule {
        match self {
            Access::Read => &END_READ,
            Access::Write => &END_WRITE,
            Access::Upgradable => &END_UPGRADABLE,
        }
    }
}

/// The lock.
#[derive(Debug)]
pub struct SharedLock(Model<()>);

/// How far its holder was when it took the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held((u32, u32));

impl Held {
    /// From now on.
    pub fn now() -> Self {
        Held(steps_so_far())
    }
}

impl SharedLock {
    /// That nobody has, of what shows as this kind of thing.
    pub const fn new(kind: &'static str) -> Self {
        SharedLock(Model::new(kind, 0, 1, ()))
    }

    /// As [`Model::within`].
    #[track_caller]
    pub fn within<O: ?Sized>(&self, owner: &O) -> &Self {
        self.0.within(owner);
        self
    }

    /// Waits for it, blocking the thread. If `recursive`, whoever waits to write does not come first.
    pub fn take(&self, access: Access, recursive: bool, at: &'static Location<'static>) -> Held {
        let entry = access.entry(fresh_number());
        if recursive {
            self.0.step_at(at, &READ_RECURSIVELY, entry, |_, ()| ());
        } else if !self.0.looks_closer() || self.0.step_at(at, access.enter(), entry, |answer, ()| answer) == 0 {
            self.0.step_at(at, access.take(), entry, |_, ()| ());
        }
        Held::now()
    }

    /// Waits for it, for so long at most.
    #[track_caller]
    pub fn take_within(&self, access: Access, time: Duration) -> Option<Held> {
        self.0.look_closer();
        let entry = access.entry(fresh_number());
        self.0.step_within(time, access.take(), entry, |_, ()| ())?;
        Some(Held::now())
    }

    /// Takes it if it is free.
    #[track_caller]
    pub fn try_take(&self, access: Access) -> Option<Held> {
        self.0.look_closer();
        let rule = if access == Access::Read { &TRY_READ } else { &TRY_WRITE };
        let taken = self.0.step(rule, access.entry(fresh_number()), |answer, ()| answer == 1);
        taken.then(Held::now)
    }

    /// Gives it back.
    pub fn give_back(&self, access: Access, held: Held, at: &'static Location<'static>) {
        if access != Access::Write && held != Held::now() {
            self.0.look_closer();
        }
        self.0.step_at(at, access.give_back(), 0, |_, ()| ());
    }

    /// From upgradable to writing.
    #[track_caller]
    pub fn upgrade(&self) {
        self.0.step(&UPGRADE, 0, |_, ()| ());
    }

    /// The same if nobody else reads.
    #[track_caller]
    pub fn try_upgrade(&self) -> bool {
        self.0.step(&TRY_UPGRADE, 0, |answer, ()| answer == 1)
    }

    /// From writing to reading, or what else is less.
    #[track_caller]
    pub fn downgrade(&self, to: Access) -> Held {
        self.0.step(&DOWNGRADE, to.entry(0), |_, ()| ());
        Held::now()
    }

    /// Whether somebody reads, and whether somebody writes.
    #[track_caller]
    pub fn look(&self) -> (bool, bool) {
        self.0.step(&LOOK, 0, |answer, ()| (answer == 1, answer == 2))
    }
}

/// Waits for the lock. If it is dropped, it gives back what it got, and its place.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Take<L: Deref<Target = SharedLock>> {
    lock: L,
    access: Access,
    entry: u64,
    ticket: Ticket,
    done: bool,
}

impl<L: Deref<Target = SharedLock>> Take<L> {
    /// At the place of the caller.
    #[track_caller]
    pub fn new(lock: L, access: Access) -> Self {
        Take {
            lock,
            access,
            entry: access.entry(fresh_number()),
            ticket: Ticket::new().queues(access.enter()),
            done: false,
        }
    }
}

impl<L: Deref<Target = SharedLock> + Unpin> Future for Take<L> {
    type Output = Held;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Held> {
        let this = self.get_mut();
        let (model, access) = (&this.lock.0, this.access);
        if !this.ticket.is_queued() && model.looks_closer() {
            this.ticket.set_queued();
            this.done = model.step_at(this.ticket.place(), access.enter(), this.entry, |answer, ()| answer) == 1;
        }
        this.done = this.done || model.poll(&mut this.ticket, context, access.take(), this.entry).is_ready();
        if this.done { Poll::Ready(Held::now()) } else { Poll::Pending }
    }
}

impl<L: Deref<Target = SharedLock>> Drop for Take<L> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let (model, at) = (&self.lock.0, self.ticket.place());
        if model.abandon(&mut self.ticket).is_some() {
            model.step_at(at, self.access.give_back(), 0, |_, ()| ());
        } else if self.ticket.is_queued() {
            model.step_at(at, &LEAVE, self.entry, |_, ()| ());
        }
    }
}
