//! What bounded and unbounded channels have in common: messages in the order in which they were sent, for one receiver.
//!
//! A message is put aside before the step that sends it, and the step only names it. So it is there for who receives it, whatever the sender does
//! next.

use super::rules::*;
use mazurka_native::model::{Model, Rule, Ticket, fresh_number, steps_so_far};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll};

/// A channel.
pub(crate) struct Chan<T>(Model<Messages<T>>, AtomicBool);

/// What was put aside, and who did.
struct Messages<T> {
    list: Vec<(u32, T)>,
    by: Option<u32>,
}

/// Why nothing was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    Closed,
    Full,
}

/// No room is needed for this.
pub(crate) const UNBOUNDED: u32 = u32::MAX >> 1;

impl<T> Chan<T> {
    /// With room for so many messages, and one sender.
    pub fn new(kind: &'static str, size: u32) -> Self {
        let messages = Messages {
            list: Vec::new(),
            by: None,
        };
        Chan(Model::new(kind, size, 1, messages), AtomicBool::new(false))
    }

    pub fn size(&self) -> u32 {
        self.0.size()
    }

    /// One sender more.
    #[track_caller]
    pub fn add_sender(&self) {
        self.0.add_member();
    }

    #[track_caller]
    pub fn drop_sender(&self) {
        self.0.step(&DROP_SENDER, 0, |_, _| ());
    }

    /// A message is put aside: its name.
    pub fn put_aside(&self, message: T) -> u32 {
        let name = fresh_number();
        let me = steps_so_far().0;
        let first = self.0.with(|messages| {
            messages.list.push((name, message));
            *messages.by.get_or_insert(me)
        });
        // If several tasks send, it is not known for whom there is room.
        if first != me && self.size() < UNBOUNDED {
            self.0.look_closer();
        }
        name
    }

    /// A message that was put aside.
    pub fn take(&self, name: u32) -> Option<T> {
        self.0.with(|messages| {
            let at = messages.list.iter().position(|(n, _)| *n == name)?;
            Some(messages.list.remove(at).1)
        })
    }

    /// Without bound.
    #[track_caller]
    pub fn send_at_once(&self, message: T) -> Result<(), T> {
        let name = self.put_aside(message);
        match self.0.step(&SEND_AT_ONCE, u64::from(name), |answer, _| answer) {
            0 => Ok(()),
            _ => Err(self.take(name).expect("what was put aside")),
        }
    }

    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), (Refused, T)> {
        let name = self.put_aside(message);
        let why = match self.0.step(&TRY_SEND, u64::from(name), |answer, _| answer) {
            0 => return Ok(()),
            1 => Refused::Closed,
            _ => Refused::Full,
        };
        Err((why, self.take(name).expect("what was put aside")))
    }

    /// Waits for room in the thread.
    #[track_caller]
    pub fn send_blocking(&self, message: T) -> Result<(), T> {
        let name = self.put_aside(message);
        match self.0.step(self.send_rule(), u64::from(name), |answer, _| answer) {
            0 => Ok(()),
            _ => Err(self.take(name).expect("what was put aside")),
        }
    }

    pub fn poll_send(&self, ticket: &mut Ticket, context: &mut Context<'_>, name: u32) -> Poll<u32> {
        self.0.poll(ticket, context, self.send_rule(), u64::from(name))
    }

    fn send_rule(&self) -> &'static Rule {
        if self.0.looks_closer() { &SEND_AMONG_OTHERS } else { &SEND }
    }

    /// Whoever sends is dropped: whether its message is sent all the same.
    pub fn abandon(&self, ticket: &mut Ticket) -> Option<u32> {
        self.0.abandon(ticket)
    }

    /// Waits for room, to be used later: 1 if nobody receives any more.
    pub fn poll_reserve(&self, ticket: &mut Ticket, context: &mut Context<'_>) -> Poll<u32> {
        self.0.look_closer();
        self.0.poll(ticket, context, &RESERVE, 0)
    }

    #[track_caller]
    pub fn try_reserve(&self) -> Result<(), Refused> {
        self.0.look_closer();
        match self.0.step(&TRY_RESERVE, 0, |answer, _| answer) {
            0 => Ok(()),
            1 => Err(Refused::Closed),
            _ => Err(Refused::Full),
        }
    }

    #[track_caller]
    pub fn send_reserved(&self, message: T) {
        let name = self.put_aside(message);
        self.0.step(&SEND_RESERVED, u64::from(name), |_, _| ());
    }

    pub fn give_back(&self, at: &'static Location<'static>) {
        self.0.step_at(at, &GIVE_BACK, 0, |_, _| ());
    }

    fn receive_rule(&self) -> &'static Rule {
        if self.1.load(Relaxed) { &RECEIVE_AMONG_OTHERS } else { &RECEIVE }
    }

    pub fn poll_receive(&self, ticket: &mut Ticket, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.0.poll(ticket, context, self.receive_rule(), 0).map(|name| self.take(name))
    }

    /// Whoever receives is dropped, and leaves what was received for it.
    pub fn stop_receiving(&self, ticket: &mut Ticket) {
        if let Some(name) = self.0.abandon(ticket) {
            self.0.step_at(ticket.place(), &PUT_BACK, u64::from(name) << 32, |_, _| ());
        }
    }

    #[track_caller]
    pub fn receive_blocking(&self) -> Option<T> {
        let name = self.0.step(self.receive_rule(), 0, |name, _| name);
        self.take(name)
    }

    /// The message, `None` if there will be no more; an error if there is none now.
    #[track_caller]
    pub fn try_receive(&self) -> Result<Option<T>, ()> {
        match self.0.step(&TRY_RECEIVE, 0, |name, _| name) {
            0 => Err(()),
            name => Ok(self.take(name)),
        }
    }

    #[track_caller]
    pub fn close(&self) {
        // Who receives waits for what is reserved then, too. Nobody else asks for this.
        self.1.store(true, Relaxed);
        self.0.step(&CLOSE, 0, |_, _| ());
    }

    /// The receiver is gone: what was sent in vain is dropped.
    #[track_caller]
    pub fn drop_receiver(&self) {
        for _ in 0..self.0.step(&CLOSE, 0, |left, _| left) {
            drop(self.try_receive());
        }
    }

    pub fn poll_closed(&self, ticket: &mut Ticket, context: &mut Context<'_>) -> Poll<u32> {
        self.0.poll(ticket, context, &AWAIT_CLOSED, 0)
    }

    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.0.step(&IS_CLOSED, 0, |closed, _| closed == 1)
    }

    #[track_caller]
    pub fn has_no_senders(&self) -> bool {
        self.0.step(&LOOK_FOR_SENDERS, 0, |closed, _| closed == 1)
    }

    /// How many messages there are.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.0.step(&LOOK, 0, |n, _| n as usize)
    }

    /// How much room there is.
    #[track_caller]
    pub fn room(&self) -> usize {
        self.0.step(&LOOK, 1, |n, _| n as usize)
    }
}

impl<T> std::fmt::Debug for Chan<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
