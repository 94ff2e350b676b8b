//! Channels with room for any number of messages.

use super::bounded::{Receiving, recv_many, try_recv};
use super::chan::{Chan, UNBOUNDED};
use super::error::{SendError, TryRecvError};
use mazurka_native::model::Ticket;
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};

/// Sends messages.
pub struct UnboundedSender<T>(Arc<Chan<T>>);

/// A sender that does not keep the channel open.
pub struct WeakUnboundedSender<T>(Weak<Chan<T>>);

/// Receives messages.
pub struct UnboundedReceiver<T> {
    chan: Arc<Chan<T>>,
    /// Of [`UnboundedReceiver::poll_recv`].
    ticket: Ticket,
}

/// A channel with room for any number of messages.
#[track_caller]
pub fn unbounded_channel<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
    let chan = Arc::new(Chan::new("channel", UNBOUNDED));
    (
        UnboundedSender(Arc::clone(&chan)),
        UnboundedReceiver {
            chan,
            ticket: Ticket::new(),
        },
    )
}

impl<T> UnboundedSender<T> {
    /// Sends a message.
    ///
    /// # Errors
    /// If nobody receives any more.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.0.send_at_once(message).map_err(SendError)
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

    /// Whether both send to the same receiver.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A sender that does not keep the channel open.
    #[must_use]
    pub fn downgrade(&self) -> WeakUnboundedSender<T> {
        WeakUnboundedSender(Arc::downgrade(&self.0))
    }
}

impl<T> WeakUnboundedSender<T> {
    /// A sender, if there are others.
    #[track_caller]
    pub fn upgrade(&self) -> Option<UnboundedSender<T>> {
        let chan = self.0.upgrade()?;
        if chan.has_no_senders() {
            return None;
        }
        chan.add_sender();
        Some(UnboundedSender(chan))
    }
}

impl<T> UnboundedReceiver<T> {
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

    /// Takes no more messages but those that were sent.
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

    /// See [`UnboundedReceiver::recv`].
    pub fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.chan.poll_receive(&mut self.ticket, context)
    }
}

impl<T> Clone for UnboundedSender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.0.add_sender();
        UnboundedSender(Arc::clone(&self.0))
    }
}

impl<T> Drop for UnboundedSender<T> {
    fn drop(&mut self) {
        self.0.drop_sender();
    }
}

impl<T> Drop for UnboundedReceiver<T> {
    fn drop(&mut self) {
        self.chan.stop_receiving(&mut self.ticket);
        self.chan.drop_receiver();
    }
}

impl<T> Clone for WeakUnboundedSender<T> {
    fn clone(&self) -> Self {
        WeakUnboundedSender(Weak::clone(&self.0))
    }
}

impl<T> fmt::Debug for UnboundedSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnboundedSender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for WeakUnboundedSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakUnboundedSender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for UnboundedReceiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnboundedReceiver").finish_non_exhaustive()
    }
}
