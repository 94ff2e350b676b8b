//! Channels: messages that were put aside, and the steps by which they change hands.
//!
//! A message is put aside before the step that sends it, and the step only names it. So it is there for who receives it, whatever the sender does next.

use crate::rules::*;
use mazurka_native::model::{Case, Model, Rule, fresh_number, steps_so_far};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// No room is needed for this.
pub(crate) const UNBOUNDED: u32 = u32::MAX >> 1;

/// A channel.
pub(crate) struct Chan<T> {
    model: Model<Messages<T>>,
    /// In a channel without room: whether somebody tried to send, and whether somebody selected it. Both at once cannot be checked.
    tried: AtomicBool,
    selected: AtomicBool,
}

/// What was put aside, and who was the first to receive.
struct Messages<T> {
    list: Vec<(u32, T)>,
    receiver: Option<u32>,
}

/// Why nothing was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    Disconnected,
    Full,
}

/// Why nothing was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nothing {
    Disconnected,
    Now,
}

impl<T> Chan<T> {
    /// With room for so many messages, one sender and one receiver.
    pub fn new(size: u32) -> Self {
        let messages = Messages {
            list: Vec::new(),
            receiver: None,
        };
        Chan {
            model: Model::new("channel", size, 1 + RECEIVER, messages),
            tried: AtomicBool::new(false),
            selected: AtomicBool::new(false),
        }
    }

    pub fn size(&self) -> u32 {
        self.model.size()
    }

    pub fn add_sender(&self) {
        self.model.add_members(1);
    }

    pub fn add_receiver(&self) {
        self.model.add_members(RECEIVER);
    }

    #[track_caller]
    pub fn drop_sender(&self) {
        self.model.step(&DROP_SENDER, 0, |_, _| ());
    }

    #[track_caller]
    pub fn drop_receiver(&self) {
        if !std::mem::needs_drop::<T>() {
            return self.model.step(&DROP_RECEIVER, 0, |_, _| ());
        }
        for _ in 0..self.model.step(&DROP_RECEIVER_IN_TURN, 0, |left, _| left) {
            drop(self.try_receive());
        }
    }

    fn put_aside(&self, message: T) -> u32 {
        let name = fresh_number();
        self.model.with(|messages| messages.list.push((name, message)));
        name
    }

    fn take(&self, name: u32) -> Option<T> {
        self.model.with(|messages| {
            let at = messages.list.iter().position(|(n, _)| *n == name)?;
            Some(messages.list.remove(at).1)
        })
    }

    /// A message that was put aside and not sent.
    fn back(&self, name: u32) -> T {
        match self.take(name) {
            Some(message) => message,
            None => unreachable!("a message that was put aside is there until it is sent"),
        }
    }

    /// Waits for room, or for who takes it, perhaps not for ever.
    #[track_caller]
    pub fn send(&self, message: T, within: Option<Duration>) -> Result<(), (Refused, T)> {
        let name = self.put_aside(message);
        let argument = u64::from(name);
        let answer = match self.size() {
            0 => match self.model.step(&SEND_AT_ONCE, argument, |answer, _| answer) {
                0 => match self.step_within(within, &TAKEN, argument) {
                    Some(answer) => answer,
                    None if self.model.step(&WITHDRAW, argument, |answer, _| answer) == 1 => 2,
                    None => 0,
                },
                refused => refused,
            },
            UNBOUNDED => self.model.step(&SEND_AT_ONCE, argument, |answer, _| answer),
            _ => self.step_within(within, &SEND, argument).unwrap_or(2),
        };
        self.sent(name, answer)
    }

    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), (Refused, T)> {
        let name = self.put_aside(message);
        let rule = match self.size() {
            0 => {
                // Whether somebody waits makes a difference now.
                self.model.look_closer();
                self.tried.store(true, Relaxed);
                self.refuse_both();
                &TRY_HAND
            }
            _ => &TRY_SEND,
        };
        let answer = self.model.step(rule, u64::from(name), |answer, _| answer);
        self.sent(name, answer)
    }

    fn sent(&self, name: u32, answer: u32) -> Result<(), (Refused, T)> {
        match answer {
            0 => Ok(()),
            1 => Err((Refused::Disconnected, self.back(name))),
            _ => Err((Refused::Full, self.back(name))),
        }
    }

    #[track_caller]
    fn step_within(&self, within: Option<Duration>, rule: &'static Rule, argument: u64) -> Option<u32> {
        match within {
            None => Some(self.model.step(rule, argument, |answer, _| answer)),
            Some(time) => self.model.step_within(time, rule, argument, |answer, _| answer),
        }
    }

    /// Waits for a message, perhaps not for ever.
    #[track_caller]
    pub fn receive(&self, within: Option<Duration>) -> Result<T, Nothing> {
        let announced = self.size() == 0 && self.model.looks_closer();
        let rule = self.receive_rule();
        let name = if announced {
            self.model.step(&ANNOUNCE, 0, |_, _| ());
            self.step_within(within, rule, ANNOUNCED)
                .unwrap_or_else(|| self.model.step(&STOP_WAITING, 0, |answer, _| answer))
        } else {
            self.step_within(within, rule, 0).unwrap_or(0)
        };
        self.received(name)
    }

    #[track_caller]
    pub fn try_receive(&self) -> Result<T, Nothing> {
        self.receive_rule();
        let name = self.model.step(&TRY_RECEIVE, 0, |name, _| name);
        self.received(name)
    }

    /// What a step has received.
    pub fn received(&self, name: u32) -> Result<T, Nothing> {
        match name {
            0 => Err(Nothing::Now),
            NO_MORE => Err(Nothing::Disconnected),
            name => self.take(name).ok_or(Nothing::Disconnected),
        }
    }

    /// One receiver waits for nothing but sends. Of several, each may take what another one waits for.
    #[track_caller]
    fn receive_rule(&self) -> &'static Rule {
        if self.size() == 0 {
            return &RECEIVE_AMONG_OTHERS;
        }
        let me = steps_so_far().0;
        if self.model.with(|messages| *messages.receiver.get_or_insert(me)) != me {
            self.model.look_closer();
        }
        match self.model.looks_closer() {
            true => &RECEIVE_AMONG_OTHERS,
            false => &RECEIVE,
        }
    }

    #[track_caller]
    pub fn len(&self) -> usize {
        match self.size() {
            0 => 0,
            _ => self.model.step(&LOOK, 0, |n, _| n as usize),
        }
    }

    /// To receive as one of several things.
    #[track_caller]
    pub fn receive_case(&self) -> Case<'_> {
        if self.size() == 0 {
            self.selected.store(true, Relaxed);
            self.refuse_both();
        }
        self.model.case(self.receive_rule(), 0)
    }

    /// To see that something can be received as one of several things.
    #[track_caller]
    pub fn receivable_case(&self) -> Case<'_> {
        self.receive_case();
        // Who looks without receiving may find that others do.
        if self.size() > 0 {
            self.model.look_closer();
        }
        self.model.case(&READY_TO_RECEIVE, 0)
    }

    /// To see that there is room as one of several things.
    #[track_caller]
    pub fn sendable_case(&self) -> Case<'_> {
        self.send_case();
        self.model.case(&READY_TO_SEND, 0)
    }

    /// To have room for a message as one of several things.
    #[track_caller]
    pub fn send_case(&self) -> Case<'_> {
        assert!(
            self.size() > 0,
            "to select a send to a channel without room cannot be checked; give the channel room for one message"
        );
        self.model.case(&RESERVE, 0)
    }

    /// Sends where there is room reserved, unless the answer to that was that nobody receives any more.
    #[track_caller]
    pub fn send_reserved(&self, answer: u32, message: T) -> Result<(), T> {
        if answer == 1 {
            return Err(message);
        }
        let name = self.put_aside(message);
        let answer = self.model.step(&SEND_RESERVED, u64::from(name), |answer, _| answer);
        self.sent(name, answer).map_err(|(_, message)| message)
    }

    #[track_caller]
    fn refuse_both(&self) {
        assert!(
            !(self.tried.load(Relaxed) && self.selected.load(Relaxed)),
            "`try_send` on a channel without room that is also selected cannot be checked; give the channel room for one message"
        );
    }
}

impl<T> std::fmt::Debug for Chan<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.model.fmt(f)
    }
}
