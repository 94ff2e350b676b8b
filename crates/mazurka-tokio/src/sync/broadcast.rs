//! Channels whose messages all receivers get, as in `tokio::sync::broadcast`. Who is too slow learns how many it has missed.
//!
//! As long as no more messages were sent than there is room for, nobody misses one, and a receive is ordered by the send that it had to wait for. If more
//! are sent, the search begins again, and every receive depends on how many there are. In a check, messages are dropped with the channel.

use mazurka_native::model::{After, Alone, Call, Model, Rule, State, Ticket};
use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::Arc;

pub mod error;

use error::{RecvError, SendError, TryRecvError};

/// The order of the messages.
const SENDS: u32 = 0;
/// How many receive.
const RECEIVERS: u32 = 1;
/// Which senders are gone.
const SENDERS: u32 = 2;

const SENT: usize = 0;
const DROPPED: usize = 1;
const SUBSCRIBED: usize = 0;
const LEFT: usize = 1;

const RECEIVED: u32 = 0;
const CLOSED: u32 = 1;
const EMPTY: u32 = u32::MAX;

/// The answer is how many receive it.
static SEND: Rule = Rule {
    name: "send to",
    touches: |t| {
        t.update(SENDS).read(RECEIVERS);
    },
    apply: |state, _| {
        let receivers = state.numbers[SUBSCRIBED] - state.numbers[LEFT];
        if receivers > 0 {
            state.counts[SENT] += 1;
        }
        receivers
    },
    ..Rule::STEP
};

/// From the place that the argument says. The answer is one more than what was missed, if anything.
fn receive(state: &mut State, call: Call) -> u32 {
    let ahead = state.counts[SENT] - call.argument as u32;
    match ahead {
        0 => CLOSED,
        n if n > call.size => n - call.size + 1,
        _ => RECEIVED,
    }
}

static RECEIVE: Rule = Rule {
    name: "receive from",
    awaits: "a message from",
    touches: |t| {
        t.guard(SENDS).guard(SENDERS);
    },
    enabled: |state, call| state.counts[SENT] > call.argument as u32 || state.counts[DROPPED] == call.members,
    apply: receive,
    alone: Some(Alone {
        touches: |_| {},
        after: |state, call| match state.counts[SENT] > call.argument as u32 {
            true => After::Nth {
                counter: SENT,
                n: call.argument as u32,
            },
            false => After::All { counter: DROPPED },
        },
    }),
    ..Rule::STEP
};

/// The same where messages may be missed.
static RECEIVE_OR_MISS: Rule = Rule { alone: None, ..RECEIVE };

static TRY_RECEIVE: Rule = Rule {
    name: "try to receive from",
    touches: |t| {
        t.read(SENDS).read(SENDERS);
    },
    apply: |state, call| match receive(state, call) {
        CLOSED if state.counts[DROPPED] < call.members => EMPTY,
        answer => answer,
    },
    looks: true,
    ..Rule::STEP
};

/// The answer is where it begins.
static SUBSCRIBE: Rule = Rule {
    name: "subscribe to",
    touches: |t| {
        t.read(SENDS).accumulate(RECEIVERS);
    },
    apply: |state, _| {
        state.numbers[SUBSCRIBED] += 1;
        state.counts[SENT]
    },
    ..Rule::STEP
};

static LEAVE: Rule = Rule {
    name: "drop a receiver of",
    touches: |t| {
        t.accumulate(RECEIVERS);
    },
    apply: |state, _| {
        state.numbers[LEFT] += 1;
        0
    },
    ..Rule::STEP
};

static DROP_SENDER: Rule = Rule {
    name: "drop a sender of",
    touches: |t| {
        t.accumulate(SENDERS);
    },
    apply: |state, _| {
        state.counts[DROPPED] += 1;
        0
    },
    ..Rule::STEP
};

static LOOK: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(SENDS);
    },
    apply: |state, _| state.counts[SENT],
    looks: true,
    ..Rule::STEP
};

static COUNT: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(RECEIVERS);
    },
    apply: |state, _| state.numbers[SUBSCRIBED] - state.numbers[LEFT],
    looks: true,
    ..Rule::STEP
};

/// Messages, and the place of the first.
struct Messages<T> {
    first: u32,
    list: VecDeque<T>,
}

type Chan<T> = Model<Messages<T>>;

/// Sends messages.
pub struct Sender<T>(Arc<Chan<T>>);

/// Receives all messages.
pub struct Receiver<T> {
    chan: Arc<Chan<T>>,
    next: u32,
}

/// A channel with room for so many messages, or up to twice as many: their number is a power of two.
///
/// # Panics
/// If that is none, or too many.
#[track_caller]
pub fn channel<T: Clone>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    let sender = Sender::new(capacity);
    let receiver = sender.subscribe();
    (sender, receiver)
}

impl<T> Sender<T> {
    /// Without receivers.
    ///
    /// # Panics
    /// If there is room for no message, or for too many.
    #[track_caller]
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "broadcast channel capacity cannot be zero");
        assert!(capacity <= usize::MAX >> 1, "broadcast channel capacity exceeded `usize::MAX / 2`");
        let room = u32::try_from(capacity.next_power_of_two()).unwrap_or(1 << 31);
        let messages = Messages {
            first: 0,
            list: VecDeque::new(),
        };
        Sender(Arc::new(Model::new("broadcast channel", room, 1, messages)))
    }

    /// Sends a message: how many will receive it.
    ///
    /// # Errors
    /// If nobody will.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<usize, SendError<T>> {
        let room = self.0.size() as usize;
        let (result, sent) = self.0.step(&SEND, 0, |receivers, messages| {
            if receivers == 0 {
                return (Err(SendError(message)), 0);
            }
            messages.list.push_back(message);
            if !mazurka_native::is_checking() && messages.list.len() > room {
                messages.list.pop_front();
                messages.first += 1;
            }
            (Ok(receivers as usize), messages.list.len())
        });
        if sent > room {
            self.0.look_closer();
        }
        result
    }

    /// Another receiver, for what is sent from now on.
    #[track_caller]
    pub fn subscribe(&self) -> Receiver<T> {
        subscribe(&self.0)
    }

    /// How many receive.
    #[track_caller]
    pub fn receiver_count(&self) -> usize {
        self.0.step(&COUNT, 0, |n, _| n as usize)
    }

    /// Whether both send to the same receivers.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[track_caller]
fn subscribe<T>(chan: &Arc<Chan<T>>) -> Receiver<T> {
    Receiver {
        next: chan.step(&SUBSCRIBE, 0, |next, _| next),
        chan: Arc::clone(chan),
    }
}

impl<T> Receiver<T> {
    /// Another receiver, for what is sent from now on.
    #[track_caller]
    pub fn resubscribe(&self) -> Self {
        subscribe(&self.chan)
    }

    /// How many messages it has not received.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.chan.step(&LOOK, 0, |sent, _| (sent - self.next) as usize)
    }

    /// Whether it has received all.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both receive from the same senders.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.chan, &other.chan)
    }
}

impl<T: Clone> Receiver<T> {
    /// The next message.
    ///
    /// # Errors
    /// If messages were missed, or there will be no more.
    #[track_caller]
    pub fn recv(&mut self) -> impl Future<Output = Result<T, RecvError>> {
        let mut wait = Waiting {
            chan: Arc::clone(&self.chan),
            ticket: Ticket::new(),
        };
        async move {
            loop {
                let rule = if wait.chan.looks_closer() { &RECEIVE_OR_MISS } else { &RECEIVE };
                let next = u64::from(self.next);
                let answer = poll_fn(|context| wait.chan.poll(&mut wait.ticket, context, rule, next)).await;
                if let Some(result) = self.received(answer) {
                    return result;
                }
            }
        }
    }

    /// The next message if it is there.
    ///
    /// # Errors
    /// If it is not, or messages were missed.
    #[track_caller]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        loop {
            let answer = self.chan.step(&TRY_RECEIVE, u64::from(self.next), |answer, _| answer);
            if answer == EMPTY {
                return Err(TryRecvError::Empty);
            }
            if let Some(result) = self.received(answer) {
                return result.map_err(Into::into);
            }
        }
    }

    /// The next message, blocking the thread.
    ///
    /// # Errors
    /// If messages were missed, or there will be no more.
    #[track_caller]
    pub fn blocking_recv(&mut self) -> Result<T, RecvError> {
        loop {
            let rule = if self.chan.looks_closer() { &RECEIVE_OR_MISS } else { &RECEIVE };
            let answer = self.chan.step(rule, u64::from(self.next), |answer, _| answer);
            if let Some(result) = self.received(answer) {
                return result;
            }
        }
    }

    /// What an answer means; `None` if the message was overwritten since.
    fn received(&mut self, answer: u32) -> Option<Result<T, RecvError>> {
        match answer {
            CLOSED => Some(Err(RecvError::Closed)),
            RECEIVED => {
                let next = self.next;
                let message = self.chan.with(|messages| {
                    let at = next.checked_sub(messages.first)?;
                    messages.list.get(at as usize).cloned()
                })?;
                self.next += 1;
                Some(Ok(message))
            }
            missed => {
                self.next += missed - 1;
                Some(Err(RecvError::Lagged(u64::from(missed - 1))))
            }
        }
    }
}

/// Gives its ticket back.
struct Waiting<T> {
    chan: Arc<Chan<T>>,
    ticket: Ticket,
}

impl<T> Drop for Waiting<T> {
    fn drop(&mut self) {
        // The message is not taken out, so there is nothing to put back.
        self.chan.abandon(&mut self.ticket);
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.0.add_member();
        Sender(Arc::clone(&self.0))
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.step(&DROP_SENDER, 0, |_, _| ());
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.chan.step(&LEAVE, 0, |_, _| ());
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
