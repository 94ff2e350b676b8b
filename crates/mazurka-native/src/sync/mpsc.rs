//! Channels, as in [`std::sync::mpsc`].

use crate::runtime::current::{self, visible};
use crate::runtime::op::{Nature, Object, Op};
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc as real;
use std::time::Duration;

pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

/// A channel in a check: what is in it. The rules are those of [`Op::Send`] and the others.
struct Channel<T> {
    object: Object,
    /// How many messages it holds.
    bound: Option<u32>,
    messages: UnsafeCell<VecDeque<T>>,
}

// SAFETY: messages are touched only within steps that send or receive, and code under test runs in one thread of the operating system.
unsafe impl<T: Send> Send for Channel<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Channel<T> {}

impl<T> Channel<T> {
    fn new(bound: Option<u32>) -> Option<Arc<Self>> {
        let nature = Nature {
            // Who hands a message over waits until it was taken: there is always room for it.
            size: bound.filter(|n| *n > 0).unwrap_or(u32::MAX),
        };
        let object = current::with(|execution| {
            let object = execution.make("channel", nature);
            execution.add_sender(object);
            object
        })?;
        Some(Arc::new(Channel {
            object,
            bound,
            messages: UnsafeCell::default(),
        }))
    }

    fn push(&self, message: T) {
        // SAFETY: this is the step that sends; nobody else touches the messages in it.
        unsafe { (*self.messages.get()).push_back(message) };
    }

    fn pop(&self) -> Option<T> {
        // SAFETY: this is the step that receives; nobody else touches the messages in it.
        unsafe { (*self.messages.get()).pop_front() }
    }
}

/// As [`std::sync::mpsc::Sender`].
pub struct Sender<T>(End<T, real::Sender<T>>);

/// As [`std::sync::mpsc::SyncSender`].
pub struct SyncSender<T>(End<T, real::SyncSender<T>>);

/// As [`std::sync::mpsc::Receiver`].
pub struct Receiver<T>(End<T, real::Receiver<T>>);

enum End<T, R> {
    Real(R),
    Checked(Arc<Channel<T>>),
}

/// A channel without bound, as [`std::sync::mpsc::channel`].
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    match Channel::new(None) {
        Some(channel) => (Sender(End::Checked(Arc::clone(&channel))), Receiver(End::Checked(channel))),
        None => {
            let (sender, receiver) = real::channel();
            (Sender(End::Real(sender)), Receiver(End::Real(receiver)))
        }
    }
}

/// A channel that holds so many messages, as [`std::sync::mpsc::sync_channel`].
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    match Channel::new(Some(u32::try_from(bound).unwrap_or(u32::MAX))) {
        Some(channel) => (SyncSender(End::Checked(Arc::clone(&channel))), Receiver(End::Checked(channel))),
        None => {
            let (sender, receiver) = real::sync_channel(bound);
            (SyncSender(End::Real(sender)), Receiver(End::Real(receiver)))
        }
    }
}

impl<T> Sender<T> {
    /// Sends a message.
    ///
    /// # Errors
    /// If the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.0 {
            End::Real(sender) => sender.send(message),
            End::Checked(channel) => {
                if visible(Op::Send(channel.object)) == Some(1) {
                    return Err(SendError(message));
                }
                channel.push(message);
                Ok(())
            }
        }
    }
}

impl<T> SyncSender<T> {
    /// Waits until there is room, and sends a message. Without room at all, waits until it was received.
    ///
    /// # Errors
    /// If the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.0 {
            End::Real(sender) => sender.send(message),
            End::Checked(channel) => {
                if visible(Op::SendBounded(channel.object)) == Some(1) {
                    return Err(SendError(message));
                }
                channel.push(message);
                if channel.bound == Some(0) {
                    let number = current::with(|execution| execution.sent(channel.object)).unwrap_or(1) - 1;
                    if visible(Op::Handed(channel.object, number)) == Some(1)
                        && let Some(message) = channel.pop()
                    {
                        return Err(SendError(message));
                    }
                }
                Ok(())
            }
        }
    }

    /// Sends a message if there is room.
    ///
    /// # Errors
    /// If there is none, or the receiver is gone.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        match &self.0 {
            End::Real(sender) => sender.try_send(message),
            End::Checked(channel) => {
                let op = if channel.bound == Some(0) {
                    // Whether somebody waits to receive makes a difference.
                    current::with(|execution| execution.look_closer(channel.object));
                    Op::TryHand(channel.object)
                } else {
                    Op::TrySend(channel.object)
                };
                match visible(op) {
                    Some(1) => Err(TrySendError::Disconnected(message)),
                    Some(2) => {
                        current::with(|execution| execution.found(channel.object));
                        Err(TrySendError::Full(message))
                    }
                    _ => {
                        current::with(|execution| execution.was_busy());
                        channel.push(message);
                        Ok(())
                    }
                }
            }
        }
    }
}

impl<T> Receiver<T> {
    /// Waits for a message.
    ///
    /// # Errors
    /// If there is none, and all senders are gone.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        match &self.0 {
            End::Real(receiver) => receiver.recv(),
            End::Checked(channel) => {
                channel.come_to_receive();
                let op = match channel.bound {
                    None => Op::Receive(channel.object),
                    Some(_) => Op::ReceiveGuarded {
                        channel: channel.object,
                        timed: false,
                    },
                };
                visible(op);
                channel.pop_if_answered().ok_or(RecvError)
            }
        }
    }

    /// Waits for a message, at most so long. In a check the time may be over at any moment.
    ///
    /// # Errors
    /// If the time is over, or there is none and all senders are gone.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        match &self.0 {
            End::Real(receiver) => receiver.recv_timeout(timeout),
            End::Checked(channel) => {
                channel.come_to_receive();
                let op = Op::ReceiveGuarded {
                    channel: channel.object,
                    timed: true,
                };
                match visible(op) {
                    Some(0) => channel.pop().ok_or(RecvTimeoutError::Disconnected),
                    Some(1) => Err(RecvTimeoutError::Disconnected),
                    _ => {
                        crate::time::pass(timeout);
                        Err(RecvTimeoutError::Timeout)
                    }
                }
            }
        }
    }

    /// Takes a message if there is one.
    ///
    /// # Errors
    /// If there is none.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        match &self.0 {
            End::Real(receiver) => receiver.try_recv(),
            End::Checked(channel) => match visible(Op::TryReceive(channel.object)) {
                Some(0) => {
                    current::with(|execution| execution.was_busy());
                    channel.pop().ok_or(TryRecvError::Disconnected)
                }
                Some(1) => Err(TryRecvError::Disconnected),
                _ => {
                    current::with(|execution| execution.found(channel.object));
                    Err(TryRecvError::Empty)
                }
            },
        }
    }

    /// The messages, until all senders are gone.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self)
    }

    /// The messages that are there.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter(self)
    }
}

impl<T> Channel<T> {
    /// The receiver begins to wait: a step where others see it, which is where they hand over only if it does.
    #[track_caller]
    fn come_to_receive(&self) {
        if self.bound == Some(0) && current::with(|execution| execution.looks_closer(self.object)) == Some(true) {
            visible(Op::ComeToReceive(self.object));
        }
    }

    /// The message that the last step has received, if it was one.
    fn pop_if_answered(&self) -> Option<T> {
        let message = current::with(|execution| execution.running().answer == 0)?;
        if message { self.pop() } else { None }
    }
}

/// As [`std::sync::mpsc::Iter`].
#[derive(Debug)]
pub struct Iter<'a, T>(&'a Receiver<T>);

/// As [`std::sync::mpsc::TryIter`].
#[derive(Debug)]
pub struct TryIter<'a, T>(&'a Receiver<T>);

/// As [`std::sync::mpsc::IntoIter`].
#[derive(Debug)]
pub struct IntoIter<T>(Receiver<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.try_recv().ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}

fn clone<T, R: Clone>(end: &End<T, R>) -> End<T, R> {
    match end {
        End::Real(sender) => End::Real(sender.clone()),
        End::Checked(channel) => {
            current::with(|execution| execution.add_sender(channel.object));
            End::Checked(Arc::clone(channel))
        }
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Sender(clone(&self.0))
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> Self {
        SyncSender(clone(&self.0))
    }
}

fn leave<T, R>(end: &End<T, R>, op: fn(Object) -> Op) {
    if let End::Checked(channel) = end {
        visible(op(channel.object));
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        leave(&self.0, Op::DropSender);
    }
}

impl<T> Drop for SyncSender<T> {
    fn drop(&mut self) {
        leave(&self.0, Op::DropSender);
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        leave(&self.0, Op::DropReceiver);
        if let End::Checked(channel) = &self.0
            && channel.bound != Some(0)
        {
            // What was not received is gone, and so are the senders in it. Those who hand over take it back.
            while let Some(message) = channel.pop() {
                drop(message);
            }
        }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}
