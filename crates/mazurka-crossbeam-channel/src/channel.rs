//! Both ends of channels, as in crossbeam-channel.

use crate::chan::{Chan, Nothing, Refused, UNBOUNDED};
use crate::errors::{RecvError, RecvTimeoutError, SendError, SendTimeoutError, TryRecvError, TrySendError};
use crate::timer::{Timer, wait_for_nothing};
use std::fmt;
use std::iter::FusedIterator;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The end that sends.
pub struct Sender<T>(pub(crate) Arc<Chan<T>>);

/// The end that receives.
pub struct Receiver<T>(pub(crate) Flavor<T>);

/// Where messages come from.
pub(crate) enum Flavor<T> {
    Channel(Arc<Chan<T>>),
    /// The clock, with what makes a message of an instant.
    Timer(Arc<Timer>, fn(Instant) -> T),
    /// Nowhere.
    Never,
}

impl<T> UnwindSafe for Sender<T> {}
impl<T> RefUnwindSafe for Sender<T> {}
impl<T> UnwindSafe for Receiver<T> {}
impl<T> RefUnwindSafe for Receiver<T> {}

fn channel<T>(size: u32) -> (Sender<T>, Receiver<T>) {
    let channel = Arc::new(Chan::new(size));
    (Sender(Arc::clone(&channel)), Receiver(Flavor::Channel(channel)))
}

/// A channel without bound.
#[track_caller]
pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    channel(UNBOUNDED)
}

/// A channel with room for so many messages; without any, messages are handed over.
#[track_caller]
pub fn bounded<T>(cap: usize) -> (Sender<T>, Receiver<T>) {
    channel(u32::try_from(cap).unwrap_or(UNBOUNDED).min(UNBOUNDED - 1))
}

/// Delivers one message after this time. In a check it may come at any moment for who waits.
pub fn after(duration: Duration) -> Receiver<Instant> {
    Receiver(Flavor::Timer(Arc::new(Timer::once(duration)), |instant| instant))
}

/// Delivers one message then.
pub fn at(when: Instant) -> Receiver<Instant> {
    after(when.saturating_duration_since(Instant::now()))
}

/// Delivers a message again and again, as [`after`] does one.
pub fn tick(duration: Duration) -> Receiver<Instant> {
    Receiver(Flavor::Timer(Arc::new(Timer::again(duration)), |instant| instant))
}

/// Never delivers anything.
pub fn never<T>() -> Receiver<T> {
    Receiver(Flavor::Never)
}

impl<T> Sender<T> {
    /// Sends a message if that is possible at once.
    ///
    /// # Errors
    /// If it is not.
    #[track_caller]
    pub fn try_send(&self, msg: T) -> Result<(), TrySendError<T>> {
        self.0.try_send(msg).map_err(|(why, message)| match why {
            Refused::Full => TrySendError::Full(message),
            Refused::Disconnected => TrySendError::Disconnected(message),
        })
    }

    /// Waits for room, and sends a message. Without room at all, waits until it was received.
    ///
    /// # Errors
    /// If nobody can receive it.
    #[track_caller]
    pub fn send(&self, msg: T) -> Result<(), SendError<T>> {
        self.0.send(msg, None).map_err(|(_, message)| SendError(message))
    }

    /// The same, but no longer than this time.
    ///
    /// # Errors
    /// If the time is over, or nobody can receive it.
    #[track_caller]
    pub fn send_timeout(&self, msg: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        self.0.send(msg, Some(timeout)).map_err(|(why, message)| match why {
            Refused::Full => SendTimeoutError::Timeout(message),
            Refused::Disconnected => SendTimeoutError::Disconnected(message),
        })
    }

    /// The same, until then.
    ///
    /// # Errors
    /// If the time is over, or nobody can receive it.
    #[track_caller]
    pub fn send_deadline(&self, msg: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        self.send_timeout(msg, deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether two senders are of the same channel.
    pub fn same_channel(&self, other: &Sender<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn chan(&self) -> Option<&Chan<T>> {
        Some(&self.0)
    }
}

/// What both ends can tell.
macro_rules! looks {
    ($end:ident) => {
        impl<T> $end<T> {
            /// Whether there is no message.
            #[track_caller]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Whether there is no room.
            #[track_caller]
            pub fn is_full(&self) -> bool {
                self.chan().is_some_and(|chan| chan.len() >= chan.size() as usize)
            }

            /// How many messages there are.
            #[track_caller]
            pub fn len(&self) -> usize {
                self.chan().map_or(0, Chan::len)
            }

            /// For how many messages there is room, if that is bounded.
            pub fn capacity(&self) -> Option<usize> {
                let size = self.chan()?.size();
                (size < UNBOUNDED).then_some(size as usize)
            }
        }

        impl<T> fmt::Debug for $end<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(concat!(stringify!($end), " { .. }"))
            }
        }
    };
}

looks!(Sender);
looks!(Receiver);

impl<T> Clone for Sender<T> {
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

impl<T> Receiver<T> {
    /// Takes a message if there is one.
    ///
    /// # Errors
    /// If there is none.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        let received = match &self.0 {
            Flavor::Channel(chan) => chan.try_receive(),
            Flavor::Timer(timer, message) => timer.try_receive().map(message),
            Flavor::Never => Err(Nothing::Now),
        };
        received.map_err(|why| match why {
            Nothing::Disconnected => TryRecvError::Disconnected,
            Nothing::Now => TryRecvError::Empty,
        })
    }

    /// Waits for a message.
    ///
    /// # Errors
    /// If there is none, and all senders are gone.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.receive(None).map_err(|_| RecvError)
    }

    /// Waits for a message, but no longer than this time.
    ///
    /// # Errors
    /// If the time is over, or there is none and all senders are gone.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        self.receive(Some(timeout)).map_err(|why| match why {
            Nothing::Disconnected => RecvTimeoutError::Disconnected,
            Nothing::Now => RecvTimeoutError::Timeout,
        })
    }

    /// The same, until then.
    ///
    /// # Errors
    /// If the time is over, or there is none and all senders are gone.
    #[track_caller]
    pub fn recv_deadline(&self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        self.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }

    #[track_caller]
    fn receive(&self, within: Option<Duration>) -> Result<T, Nothing> {
        match &self.0 {
            Flavor::Channel(chan) => chan.receive(within),
            Flavor::Timer(timer, message) => timer.receive(within).map(message),
            Flavor::Never => {
                wait_for_nothing(within);
                Err(Nothing::Now)
            }
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

    /// Whether two receivers are of the same channel.
    pub fn same_channel(&self, other: &Receiver<T>) -> bool {
        match (&self.0, &other.0) {
            (Flavor::Channel(one), Flavor::Channel(other)) => Arc::ptr_eq(one, other),
            (Flavor::Timer(one, _), Flavor::Timer(other, _)) => Arc::ptr_eq(one, other),
            (Flavor::Never, Flavor::Never) => true,
            _ => false,
        }
    }

    fn chan(&self) -> Option<&Chan<T>> {
        match &self.0 {
            Flavor::Channel(chan) => Some(chan),
            _ => None,
        }
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        Receiver(match &self.0 {
            Flavor::Channel(chan) => {
                chan.add_receiver();
                Flavor::Channel(Arc::clone(chan))
            }
            Flavor::Timer(timer, message) => Flavor::Timer(Arc::clone(timer), *message),
            Flavor::Never => Flavor::Never,
        })
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        if let Flavor::Channel(chan) = &self.0 {
            chan.drop_receiver();
        }
    }
}

/// The messages of a receiver.
#[derive(Debug)]
pub struct Iter<'a, T>(&'a Receiver<T>);

/// The messages of a receiver that are there.
#[derive(Debug)]
pub struct TryIter<'a, T>(&'a Receiver<T>);

/// The messages of a receiver that nobody else needs.
#[derive(Debug)]
pub struct IntoIter<T>(Receiver<T>);

macro_rules! iterates {
    ($($name:ident)::+ <$($generic:tt),*> by $receive:ident) => {
        impl<$($generic),*> Iterator for $($name)::+<$($generic),*> {
            type Item = T;

            #[track_caller]
            fn next(&mut self) -> Option<T> {
                self.0.$receive().ok()
            }
        }
    };
}

iterates!(Iter<'a, T> by recv);
iterates!(TryIter<'a, T> by try_recv);
iterates!(IntoIter<T> by recv);

impl<T> FusedIterator for Iter<'_, T> {}
impl<T> FusedIterator for IntoIter<T> {}

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
