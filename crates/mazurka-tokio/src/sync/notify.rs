//! Notifications, as `tokio::sync::Notify`.
//!
//! `notify_one` wakes who has waited longest; if nobody waits, the next one does not have to. `notify_waiters` wakes all who wait, and whose futures were
//! made before. A future that is waited for alone needs no place in the queue: it may as well have come last. Others have one.

use mazurka_native::model::{Model, Rule, State, Ticket, fresh_number};
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

const PERMIT: usize = 0;
/// How often all were notified.
const ROUNDS: usize = 1;

/// In the queue: notified alone, or with all.
const ONE: u64 = 1 << 32;
const ALL: u64 = 1 << 33;

/// Who waits, and how often all had been notified when it began.
fn parts(argument: u64) -> (u64, u32) {
    (argument & 0xffff_ffff, (argument >> 32) as u32)
}

fn notify_one(state: &mut State, last: bool) {
    let mut waiting = state.list.iter_mut().filter(|e| **e & (ONE | ALL) == 0);
    match if last { waiting.last() } else { waiting.next() } {
        Some(entry) => *entry |= ONE,
        None => state.numbers[PERMIT] = 1,
    }
}

static NOTIFY_ONE: Rule = Rule {
    name: "notify one of",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        notify_one(state, call.argument == 1);
        0
    },
    signals: true,
    ..Rule::STEP
};

static NOTIFY_WAITERS: Rule = Rule {
    name: "notify all of",
    touches: |t| {
        t.update(0);
    },
    apply: |state, _| {
        state.numbers[ROUNDS] += 1;
        state.list.iter_mut().filter(|e| **e & ONE == 0).for_each(|e| *e |= ALL);
        0
    },
    signals: true,
    ..Rule::STEP
};

static BEGIN: Rule = Rule {
    name: "begin to wait for",
    touches: |t| {
        t.read(0);
    },
    apply: |state, _| state.numbers[ROUNDS],
    looks: true,
    ..Rule::STEP
};

/// Takes a place in the queue; the answer is 1 if there is nothing to wait for.
static QUEUE: Rule = Rule {
    name: "queue up for",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        let (id, since) = parts(call.argument);
        if state.numbers[ROUNDS] > since {
            return 1;
        }
        if state.numbers[PERMIT] == 1 {
            state.numbers[PERMIT] = 0;
            return 1;
        }
        state.list.push(id);
        0
    },
    idles: true,
    ..Rule::STEP
};

/// The answer is 1 if all were notified.
static WAIT: Rule = Rule {
    name: "be notified by",
    awaits: "a notification of",
    touches: |t| {
        t.guard(0).update(0);
    },
    enabled: |state, call| {
        let (id, since) = parts(call.argument);
        match state.list.iter().find(|e| parts(**e).0 == id) {
            Some(entry) => entry & (ONE | ALL) != 0,
            None => state.numbers[ROUNDS] > since || state.numbers[PERMIT] == 1,
        }
    },
    apply: |state, call| {
        let (id, since) = parts(call.argument);
        if let Some(at) = state.list.iter().position(|e| parts(*e).0 == id) {
            return u32::from(state.list.remove(at) & ALL != 0);
        }
        if state.numbers[ROUNDS] > since {
            return 1;
        }
        state.numbers[PERMIT] = 0;
        0
    },
    ..Rule::STEP
};

/// Whoever was notified alone and does not use it passes it on.
static LEAVE: Rule = Rule {
    name: "give up",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        let (id, _) = parts(call.argument);
        if let Some(at) = state.list.iter().position(|e| parts(*e).0 == id)
            && state.list.remove(at) & ONE != 0
        {
            notify_one(state, false);
        }
        0
    },
    idles: true,
    ..Rule::STEP
};

/// Notifies tasks.
#[derive(Debug)]
pub struct Notify(Model<()>);

impl Notify {
    /// Of which nobody was notified.
    pub const fn new() -> Self {
        Notify(Model::new("Notify", 0, 1, ()))
    }

    /// The same.
    pub const fn const_new() -> Self {
        Notify::new()
    }

    /// Waits for a notification.
    #[track_caller]
    pub fn notified(&self) -> Notified<'_> {
        Notified(Waiting::new(self))
    }

    /// Waits for a notification, and keeps this alive.
    #[track_caller]
    pub fn notified_owned(self: Arc<Self>) -> OwnedNotified {
        OwnedNotified(Waiting::new(self))
    }

    /// Wakes the task that has waited longest, or the next one that waits.
    #[track_caller]
    pub fn notify_one(&self) {
        self.0.step(&NOTIFY_ONE, 0, |_, ()| ());
    }

    /// Wakes the task that has waited shortest, or the next one that waits.
    #[track_caller]
    pub fn notify_last(&self) {
        self.0.step(&NOTIFY_ONE, 1, |_, ()| ());
    }

    /// Wakes all that wait.
    #[track_caller]
    pub fn notify_waiters(&self) {
        self.0.look_closer();
        self.0.step(&NOTIFY_WAITERS, 0, |_, ()| ());
    }
}

impl Default for Notify {
    fn default() -> Self {
        Notify::new()
    }
}

/// Waits for a notification.
struct Waiting<N: Deref<Target = Notify>> {
    notify: N,
    argument: u64,
    ticket: Ticket,
    done: bool,
}

impl<N: Deref<Target = Notify>> Waiting<N> {
    #[track_caller]
    fn new(notify: N) -> Self {
        let ticket = Ticket::new().queues(&QUEUE);
        // That matters only to those who notify all.
        let since = match notify.0.looks_closer() || !mazurka_native::is_checking() {
            true => notify.0.step_at(ticket.place(), &BEGIN, 0, |rounds, ()| rounds),
            false => 0,
        };
        Waiting {
            argument: u64::from(fresh_number()) | u64::from(since) << 32,
            notify,
            ticket,
            done: false,
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.done {
            return Poll::Ready(());
        }
        let polled = self.notify.0.poll(&mut self.ticket, context, &WAIT, self.argument);
        self.done = polled.is_ready();
        polled.map(|_| ())
    }

    /// Takes its place; whether it was notified.
    fn enable(&mut self) -> bool {
        if !self.done && !self.ticket.is_queued() {
            self.ticket.set_queued();
            self.done = self
                .notify
                .0
                .step_at(self.ticket.place(), &QUEUE, self.argument, |answer, ()| answer)
                == 1;
        }
        self.done
    }

    fn leave(&mut self) {
        if self.done {
            return;
        }
        let (model, at) = (&self.notify.0, self.ticket.place());
        match model.abandon(&mut self.ticket) {
            Some(0) => model.step_at(at, &NOTIFY_ONE, 0, |_, ()| ()),
            None if self.ticket.is_queued() => model.step_at(at, &LEAVE, self.argument, |_, ()| ()),
            _ => {}
        }
    }
}

/// See [`Notify::notified`].
#[must_use = "futures do nothing unless polled"]
pub struct Notified<'a>(Waiting<&'a Notify>);

/// See [`Notify::notified_owned`].
#[must_use = "futures do nothing unless polled"]
pub struct OwnedNotified(Waiting<Arc<Notify>>);

impl Notified<'_> {
    /// Takes its place among those who wait, without waiting: whether it was notified already.
    pub fn enable(self: Pin<&mut Self>) -> bool {
        self.get_mut().0.enable()
    }
}

impl OwnedNotified {
    /// As [`Notified::enable`].
    pub fn enable(self: Pin<&mut Self>) -> bool {
        self.get_mut().0.enable()
    }
}

impl Future for Notified<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.get_mut().0.poll(context)
    }
}

impl Future for OwnedNotified {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.get_mut().0.poll(context)
    }
}

impl Drop for Notified<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Drop for OwnedNotified {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl fmt::Debug for Notified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notified").finish_non_exhaustive()
    }
}

impl fmt::Debug for OwnedNotified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedNotified").finish_non_exhaustive()
    }
}
