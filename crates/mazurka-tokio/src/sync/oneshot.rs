//! A channel for one message, as in `tokio::sync::oneshot`.

use mazurka_native::model::{After, Alone, Model, Rule, Ticket};
use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Whether the sender has sent or is gone.
const SENDING: u32 = 0;
/// Whether the receiver takes none any more.
const CLOSING: u32 = 1;

/// How often it was decided whether there is a message: at most once.
const SETTLED: usize = 0;
const CLOSED: usize = 0;

/// The answer is 1 if nobody receives it.
static SEND: Rule = Rule {
    name: "send to",
    touches: |t| {
        t.update(SENDING).read(CLOSING);
    },
    apply: |state, _| {
        state.counts[SETTLED] = 1;
        state.numbers[CLOSED]
    },
    ..Rule::STEP
};

static DROP_SENDER: Rule = Rule {
    name: "drop the sender of",
    touches: |t| {
        t.update(SENDING);
    },
    apply: |state, _| {
        state.counts[SETTLED] = 1;
        0
    },
    ..Rule::STEP
};

static RECEIVE: Rule = Rule {
    name: "receive from",
    awaits: "a message from",
    touches: |t| {
        t.guard(SENDING);
    },
    enabled: |state, _| state.counts[SETTLED] == 1 || state.numbers[CLOSED] == 1,
    apply: |state, _| state.counts[SETTLED],
    alone: Some(Alone {
        touches: |_| {},
        after: |_, _| After::Nth { counter: SETTLED, n: 0 },
    }),
    ..Rule::STEP
};

/// Who has closed it does not wait.
static RECEIVE_CLOSED: Rule = Rule { alone: None, ..RECEIVE };

static TRY_RECEIVE: Rule = Rule {
    name: "try to receive from",
    touches: |t| {
        t.read(SENDING);
    },
    apply: |state, _| state.counts[SETTLED],
    looks: true,
    ..Rule::STEP
};

static CLOSE: Rule = Rule {
    name: "close",
    touches: |t| {
        t.update(CLOSING);
    },
    apply: |state, _| {
        state.numbers[CLOSED] = 1;
        0
    },
    ..Rule::STEP
};

static AWAIT_CLOSED: Rule = Rule {
    name: "see the end of",
    awaits: "the end of",
    touches: |t| {
        t.guard(CLOSING);
    },
    enabled: |state, _| state.numbers[CLOSED] == 1,
    ..Rule::STEP
};

static IS_CLOSED: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(CLOSING);
    },
    apply: |state, _| state.numbers[CLOSED],
    looks: true,
    ..Rule::STEP
};

type Slot<T> = Model<Option<T>>;

/// Sends the message.
pub struct Sender<T> {
    slot: Option<Arc<Slot<T>>>,
    /// Of [`Sender::poll_closed`].
    ticket: Ticket,
}

/// Receives the message, as a future.
pub struct Receiver<T> {
    slot: Arc<Slot<T>>,
    ticket: Ticket,
    closed: bool,
    done: bool,
}

/// A channel for one message.
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let slot = Arc::new(Model::new("oneshot channel", 0, 1, None));
    let sender = Sender {
        slot: Some(Arc::clone(&slot)),
        ticket: Ticket::new(),
    };
    let receiver = Receiver {
        slot,
        ticket: Ticket::new(),
        closed: false,
        done: false,
    };
    (sender, receiver)
}

impl<T> Sender<T> {
    /// Sends the message.
    ///
    /// # Errors
    /// With the message, if nobody receives it.
    #[track_caller]
    pub fn send(mut self, message: T) -> Result<(), T> {
        let Some(slot) = self.slot.take() else { return Err(message) };
        slot.abandon(&mut self.ticket);
        slot.step(&SEND, 0, |closed, slot| {
            if closed == 1 {
                return Err(message);
            }
            *slot = Some(message);
            Ok(())
        })
    }

    /// Waits until nobody receives it.
    #[track_caller]
    pub fn closed(&mut self) -> impl Future<Output = ()> {
        let mut ticket = Ticket::new();
        let slot = self.slot.clone();
        async move {
            if let Some(slot) = slot {
                poll_fn(|context| slot.poll(&mut ticket, context, &AWAIT_CLOSED, 0)).await;
            }
        }
    }

    /// Whether nobody receives it.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.slot
            .as_ref()
            .is_none_or(|slot| slot.step(&IS_CLOSED, 0, |closed, _| closed == 1))
    }

    /// See [`Sender::closed`].
    pub fn poll_closed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        match &self.slot {
            Some(slot) => slot.poll(&mut self.ticket, context, &AWAIT_CLOSED, 0).map(|_| ()),
            None => Poll::Ready(()),
        }
    }
}

impl<T> Receiver<T> {
    /// Takes no message any more, but one that was sent.
    #[track_caller]
    pub fn close(&mut self) {
        if !self.closed {
            self.closed = true;
            self.slot.step(&CLOSE, 0, |_, _| ());
        }
    }

    /// The message, if it is there.
    ///
    /// # Errors
    /// If it is not, or there will be none.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<T, error::TryRecvError> {
        if self.done {
            return Err(error::TryRecvError::Closed);
        }
        let (settled, message) = self.slot.step(&TRY_RECEIVE, 0, |settled, slot| (settled == 1, slot.take()));
        self.done |= settled;
        match message {
            Some(message) => Ok(message),
            None if settled || self.closed => Err(error::TryRecvError::Closed),
            None => Err(error::TryRecvError::Empty),
        }
    }

    /// The message, blocking the thread.
    ///
    /// # Errors
    /// If there will be none.
    #[track_caller]
    pub fn blocking_recv(mut self) -> Result<T, error::RecvError> {
        self.done = true;
        self.slot.step(self.rule(), 0, |_, slot| slot.take()).ok_or(error::RecvError(()))
    }

    /// Whether it was received, or there is nothing to receive.
    pub fn is_terminated(&self) -> bool {
        self.done
    }

    /// Whether there is no message now.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.done || self.slot.step(&TRY_RECEIVE, 0, |_, slot| slot.is_none())
    }

    fn rule(&self) -> &'static Rule {
        if self.closed { &RECEIVE_CLOSED } else { &RECEIVE }
    }
}

impl<T> Unpin for Receiver<T> {}

impl<T> Future for Receiver<T> {
    type Output = Result<T, error::RecvError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        assert!(!this.done, "called after complete");
        let rule = this.rule();
        this.slot.poll(&mut this.ticket, context, rule, 0).map(|_| {
            this.done = true;
            this.slot.with(Option::take).ok_or(error::RecvError(()))
        })
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            slot.abandon(&mut self.ticket);
            slot.step(&DROP_SENDER, 0, |_, _| ());
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.slot.abandon(&mut self.ticket);
        // Once it has the message, nobody asks whether it takes one.
        if !self.done && !self.closed {
            self.slot.step(&CLOSE, 0, |_, _| ());
        }
        if !self.done {
            drop(self.slot.with(Option::take));
        }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

pub mod error {
    //! What can go wrong with a channel for one message.
    use super::{Error, fmt};

    /// The sender is gone.
    #[derive(Debug, PartialEq, Eq, Clone)]
    pub struct RecvError(pub(super) ());

    /// Why there is no message now.
    #[derive(Debug, PartialEq, Eq, Clone)]
    pub enum TryRecvError {
        /// There is none yet.
        Empty,
        /// There will be none.
        Closed,
    }

    impl fmt::Display for RecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("channel closed")
        }
    }

    impl Error for RecvError {}

    impl fmt::Display for TryRecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(match self {
                TryRecvError::Empty => "channel empty",
                TryRecvError::Closed => "channel closed",
            })
        }
    }

    impl Error for TryRecvError {}
}
