//! Channels with room for so many messages.

use super::chan::{Chan, Refused};
use super::error::{SendError, SendTimeoutError, TryRecvError, TrySendError};
use super::permit::{OwnedPermit, Permit};
use mazurka_native::model::Ticket;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

/// Sends messages.
pub struct Sender<T>(Arc<Chan<T>>);

/// A sender that does not keep the channel open.
pub struct WeakSender<T>(Weak<Chan<T>>);

/// Receives messages.
pub struct Receiver<T> {
    pub(super) chan: Arc<Chan<T>>,
    /// Of [`Receiver::poll_recv`].
    pub(super) ticket: Ticket,
}

/// A channel with room for so many messages.
///
/// # Panics
/// If that is none.
#[track_caller]
pub fn channel<T>(buffer: usize) -> (Sender<T>, Receiver<T>) {
    assert!(buffer > 0, "mpsc bounded channel requires buffer > 0");
    let chan = Arc::new(Chan::new("channel", u32::try_from(buffer).unwrap_or(super::chan::UNBOUNDED)));
    (
        Sender(Arc::clone(&chan)),
        Receiver {
            chan,
            ticket: Ticket::new(),
        },
    )
}

/// A message on its way.
struct Sending<'a, T> {
    chan: &'a Chan<T>,
    name: u32,
    ticket: Ticket,
    done: bool,
}

impl<T> Future for Sending<'_, T> {
    type Output = Result<(), SendError<T>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.chan.poll_send(&mut this.ticket, context, this.name).map(|answer| {
            this.done = true;
            match answer {
                0 => Ok(()),
                _ => Err(SendError(this.chan.take(this.name).expect("what was put aside"))),
            }
        })
    }
}

impl<T> Drop for Sending<'_, T> {
    fn drop(&mut self) {
        // If it was sent already, it stays so: whoever waited does not learn of it.
        if !self.done && self.chan.abandon(&mut self.ticket) != Some(0) {
            drop(self.chan.take(self.name));
        }
    }
}

impl<T> Sender<T> {
    pub(super) fn chan(&self) -> &Chan<T> {
        &self.0
    }

    /// Sends a message when there is room.
    ///
    /// # Errors
    /// If nobody receives any more.
    #[track_caller]
    pub fn send(&self, message: T) -> impl Future<Output = Result<(), SendError<T>>> {
        let ticket = Ticket::new();
        async move {
            let sending = Sending {
                name: self.0.put_aside(message),
                chan: &self.0,
                ticket,
                done: false,
            };
            sending.await
        }
    }

    /// Sends a message when there is room, if that is within this time.
    ///
    /// # Errors
    /// If it was not, or nobody receives any more.
    #[track_caller]
    pub fn send_timeout(&self, message: T, time: Duration) -> impl Future<Output = Result<(), SendTimeoutError<T>>> {
        let reserve = crate::time::timeout(time, self.reserve());
        async move {
            match reserve.await {
                Err(_) => Err(SendTimeoutError::Timeout(message)),
                Ok(Err(_)) => Err(SendTimeoutError::Closed(message)),
                Ok(Ok(permit)) => {
                    permit.send(message);
                    Ok(())
                }
            }
        }
    }

    /// Sends a message if there is room.
    ///
    /// # Errors
    /// If there is not, or nobody receives any more.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        self.0.try_send(message).map_err(|(why, message)| match why {
            Refused::Closed => TrySendError::Closed(message),
            Refused::Full => TrySendError::Full(message),
        })
    }

    /// Sends a message when there is room, blocking the thread.
    ///
    /// # Errors
    /// If nobody receives any more.
    #[track_caller]
    pub fn blocking_send(&self, message: T) -> Result<(), SendError<T>> {
        self.0.send_blocking(message).map_err(SendError)
    }

    /// Waits for room for a message.
    ///
    /// # Errors
    /// If nobody receives any more.
    #[track_caller]
    pub fn reserve(&self) -> impl Future<Output = Result<Permit<'_, T>, SendError<()>>> {
        let at = Location::caller();
        async move {
            Reserving::new(&self.0, at).await?;
            Ok(Permit { chan: &self.0, at })
        }
    }

    /// Waits for room for a message; the permit has the sender.
    ///
    /// # Errors
    /// If nobody receives any more.
    #[track_caller]
    pub fn reserve_owned(self) -> impl Future<Output = Result<OwnedPermit<T>, SendError<()>>> {
        let at = Location::caller();
        async move {
            Reserving::new(&self.0, at).await?;
            Ok(OwnedPermit { sender: Some(self), at })
        }
    }

    /// Keeps room for a message if there is any.
    ///
    /// # Errors
    /// If there is not, or nobody receives any more.
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Permit<'_, T>, TrySendError<()>> {
        match self.0.try_reserve() {
            Ok(()) => Ok(Permit {
                chan: &self.0,
                at: Location::caller(),
            }),
            Err(Refused::Closed) => Err(TrySendError::Closed(())),
            Err(Refused::Full) => Err(TrySendError::Full(())),
        }
    }

    /// Waits until nobody receives any more.
    #[track_caller]
    pub fn closed(&self) -> impl Future<Output = ()> {
        let mut ticket = Ticket::new();
        async move {
            poll_fn(|context| self.0.poll_closed(&mut ticket, context)).await;
        }
    }

    /// Whether nobody receives any more.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// How much room there is.
    #[track_caller]
    pub fn capacity(&self) -> usize {
        self.0.room()
    }

    /// How much room there is when it is empty.
    pub fn max_capacity(&self) -> usize {
        self.0.size() as usize
    }

    /// Whether both send to the same receiver.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A sender that does not keep the channel open.
    #[must_use]
    pub fn downgrade(&self) -> WeakSender<T> {
        WeakSender(Arc::downgrade(&self.0))
    }
}

/// Waits for room.
struct Reserving<'a, T> {
    chan: &'a Chan<T>,
    ticket: Ticket,
}

impl<'a, T> Reserving<'a, T> {
    fn new(chan: &'a Chan<T>, at: &'static Location<'static>) -> Self {
        Reserving {
            chan,
            ticket: Ticket::at(at),
        }
    }
}

impl<T> Future for Reserving<'_, T> {
    type Output = Result<(), SendError<()>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let polled = this.chan.poll_reserve(&mut this.ticket, context);
        polled.map(|answer| if answer == 0 { Ok(()) } else { Err(SendError(())) })
    }
}

impl<T> Drop for Reserving<'_, T> {
    fn drop(&mut self) {
        if self.chan.abandon(&mut self.ticket) == Some(0) {
            self.chan.give_back(self.ticket.place());
        }
    }
}

impl<T> WeakSender<T> {
    /// A sender, if there are others.
    #[track_caller]
    pub fn upgrade(&self) -> Option<Sender<T>> {
        let chan = self.0.upgrade()?;
        if chan.has_no_senders() {
            return None;
        }
        chan.add_sender();
        Some(Sender(chan))
    }
}

impl<T> Receiver<T> {
    /// The next message; `None` if there are no more.
    #[track_caller]
    pub fn recv(&mut self) -> impl Future<Output = Option<T>> {
        let ticket = Ticket::new();
        Receiving { chan: &self.chan, ticket }
    }

    /// Waits for a message, and takes up to `limit` that are there: how many. None if there are no more.
    #[track_caller]
    pub fn recv_many(&mut self, buffer: &mut Vec<T>, limit: usize) -> impl Future<Output = usize> {
        let ticket = Ticket::new();
        async move { recv_many(&self.chan, ticket, buffer, limit).await }
    }

    /// The next message if it is there.
    ///
    /// # Errors
    /// If it is not.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        try_recv(&self.chan)
    }

    /// The next message, blocking the thread.
    #[track_caller]
    pub fn blocking_recv(&mut self) -> Option<T> {
        self.chan.receive_blocking()
    }

    /// Takes no more messages but those that were sent, and those that have room reserved.
    #[track_caller]
    pub fn close(&mut self) {
        self.chan.close();
    }

    /// Whether no more can be sent.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.chan.has_no_senders()
    }

    /// Whether there is no message.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.chan.len() == 0
    }

    /// How many messages there are.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.chan.len()
    }

    /// How much room there is.
    #[track_caller]
    pub fn capacity(&self) -> usize {
        self.chan.room()
    }

    /// How much room there is when it is empty.
    pub fn max_capacity(&self) -> usize {
        self.chan.size() as usize
    }

    /// See [`Receiver::recv`].
    pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.chan.poll_receive(&mut self.ticket, context)
    }
}

/// Waits for a message.
pub(super) struct Receiving<'a, T> {
    pub(super) chan: &'a Chan<T>,
    pub(super) ticket: Ticket,
}

impl<T> Future for Receiving<'_, T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let this = self.get_mut();
        this.chan.poll_receive(&mut this.ticket, context)
    }
}

impl<T> Drop for Receiving<'_, T> {
    fn drop(&mut self) {
        self.chan.stop_receiving(&mut self.ticket);
    }
}

pub(super) async fn recv_many<T>(chan: &Chan<T>, ticket: Ticket, buffer: &mut Vec<T>, limit: usize) -> usize {
    if limit == 0 {
        return 0;
    }
    let Some(first) = (Receiving { chan, ticket }).await else {
        return 0;
    };
    buffer.push(first);
    let mut count = 1;
    while count < limit
        && let Ok(Some(message)) = chan.try_receive()
    {
        buffer.push(message);
        count += 1;
    }
    count
}

#[track_caller]
pub(super) fn try_recv<T>(chan: &Chan<T>) -> Result<T, TryRecvError> {
    match chan.try_receive() {
        Ok(Some(message)) => Ok(message),
        Ok(None) => Err(TryRecvError::Disconnected),
        Err(()) => Err(TryRecvError::Empty),
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.0.add_sender();
        Sender(Arc::clone(&self.0))
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.drop_sender();
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.chan.stop_receiving(&mut self.ticket);
        self.chan.drop_receiver();
    }
}

impl<T> Clone for WeakSender<T> {
    fn clone(&self) -> Self {
        WeakSender(Weak::clone(&self.0))
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for WeakSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakSender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}
