//! Visible operations: what each may touch, when it can be taken, and what it does to the objects it is about.
//!
//! A thread publishes its next operation and is suspended *before* it. So what a step may touch is a function of the thread's local state.
//! Footprint, enabledness and effect of every operation stand in this file, so that they cannot drift apart.

use super::channel::Channel;
use super::rule::{State, Taken, Touches};
use mazurka_core::{Footprint, Location};
use smallvec::SmallVec;
use std::ops::Deref;

/// A shared object: an atomic, a lock, a channel. Each has a few locations, for what must not conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Object(pub u32);

impl Object {
    /// The location of the object's main part.
    pub fn first(self) -> Location {
        Location(self.0 * 4)
    }

    /// The readers of a lock, the receiving end of a channel.
    pub fn second(self) -> Location {
        Location(self.0 * 4 + 1)
    }

    /// The sending ends of a channel.
    pub fn third(self) -> Location {
        Location(self.0 * 4 + 2)
    }

    /// The object that a location belongs to.
    pub fn of(location: Location) -> Self {
        Object(location.0 / 4)
    }
}

/// The objects that an operation is about.
#[derive(Clone, Copy)]
pub(crate) struct Objects {
    list: [Object; 2],
    len: u8,
}

impl Objects {
    fn one(object: Object) -> Self {
        Objects { list: [object; 2], len: 1 }
    }
}

impl Deref for Objects {
    type Target = [Object];

    fn deref(&self) -> &[Object] {
        &self.list[..self.len as usize]
    }
}

/// A visible operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// Reads an atomic.
    Load(Object),
    /// Replaces the value of an atomic.
    Store(Object),
    /// Reads an atomic and perhaps replaces its value.
    Update(Object),
    /// Takes a lock.
    Lock(Object),
    /// Takes a lock if it is free; the answer says whether.
    TryLock(Object),
    /// Gives a lock back.
    Unlock(Object),
    /// Takes a read-write lock for reading.
    Read(Object),
    /// The same if no writer has it.
    TryRead(Object),
    /// Ends reading.
    EndRead(Object),
    /// Begins to wait for writing, where that makes a difference: from now on nobody begins to read.
    ComeToWrite(Object),
    /// Takes a read-write lock for writing.
    Write(Object),
    /// The same if nobody has it.
    TryWrite(Object),
    /// Ends writing.
    EndWrite(Object),
    /// Gives a lock back and begins to wait for a condition variable, in one step.
    BeginWait {
        /// The condition variable.
        condvar: Object,
        /// The lock.
        lock: Object,
    },
    /// Begins to wait for a condition variable.
    Enqueue(Object),
    /// Waits to be notified. If `timed`, the second alternative is that the time is over; the answer is the alternative.
    EndWait {
        /// The condition variable.
        condvar: Object,
        /// Whether it may end by itself.
        timed: bool,
    },
    /// Notifies the thread that has waited longest.
    NotifyOne(Object),
    /// Notifies all that wait.
    NotifyAll(Object),
    /// Waits for the thread's token and takes it; with a second alternative if `timed`.
    Park {
        /// The token.
        token: Object,
        /// Whether it may end by itself.
        timed: bool,
    },
    /// Makes a token available.
    Unpark(Object),
    /// Sends a message through a channel without bound. The answer is 1 if nobody can receive it.
    Send(Object),
    /// Sends a message when there is room. The answer is 1 if nobody can receive it.
    SendBounded(Object),
    /// Sends a message if there is room: the answer is 0 if so, 1 if nobody can receive it, 2 if there is none.
    TrySend(Object),
    /// Hands a message to who waits for one: the answer is 0 if so, 1 if nobody can receive it, 2 if nobody waits.
    TryHand(Object),
    /// Waits until the message with this number was received; the answer is 1 if it never will be.
    Handed(Object, u32),
    /// The receiver begins to wait, where that makes a difference to [`Op::TryHand`].
    ComeToReceive(Object),
    /// Receives from a channel without bound that is not looked at in other ways. The answer is 1 if nobody can send any more.
    Receive(Object),
    /// Receives, where others see what is left; with a second alternative if `timed`. The answers are 0 for a message, 1 if nobody can send
    /// any more, 2 for the end of time.
    ReceiveGuarded {
        /// The channel.
        channel: Object,
        /// Whether it may end by itself.
        timed: bool,
    },
    /// Receives if there is something: the answer is 0 if so, 1 if nobody can send any more, 2 if there is nothing.
    TryReceive(Object),
    /// A sender goes away.
    DropSender(Object),
    /// The receiver goes away.
    DropReceiver(Object),
    /// Waits for the end of a thread, given by its process.
    Join(u32),
    /// The thread that the object stands for comes to its end.
    Finish(Object),
    /// Whether the thread that the object stands for has come to its end.
    IsFinished(Object),
    /// Comes to a barrier; the answer is how many came before. That is of interest only if who comes when makes a difference: `in_turn`.
    Arrive {
        /// The barrier.
        barrier: Object,
        /// Whether the order counts.
        in_turn: bool,
    },
    /// Leaves a barrier in its so-many-th round, when all have come.
    Leave(Object, u32),
    /// Waits until nobody runs an initialisation; the answer is 1 if it is still to be done, and then it is this thread's, and 2 if it was given up.
    Begin(Object),
    /// The same, but what was given up is begun again, by this thread.
    BeginAgain(Object),
    /// Waits until an initialisation is done. Unless it is to be waited for all the same, the answer is 1 if it was given up.
    AwaitDone(Object, bool),
    /// An initialisation is done (1), or was given up (0).
    End(Object, bool),
    /// Waits until one of the values that the thread has read since it last waited has changed.
    AwaitNews,
    /// One of so many numbers.
    Choose(u32),
    /// What a rule says.
    Rule {
        /// The object.
        object: Object,
        /// The rule.
        rule: Taken,
        /// What the rule is told.
        argument: u64,
        /// Whether it is all that the process waits for.
        alone: bool,
    },
    /// One of the so many operations that the process offers; the log has the one that was taken.
    Any(u32),
    /// A time has come, in nanoseconds.
    Time(u64),
    /// The task is cancelled.
    Cancel,
    /// Waits for nothing that there is, or would end the operating system's process.
    Never,
}

/// What is known of an object: as much as decides which operations on it can be taken, and what they answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Shape {
    /// Nothing was done with it yet, or nothing about it matters.
    #[default]
    Plain,
    /// A lock that is held, or a thread at its end.
    Locked,
    /// A read-write lock.
    Shared {
        /// How many read.
        readers: u32,
        /// Whether somebody writes.
        writer: bool,
        /// How many have said that they wait for that.
        waiting: u32,
    },
    /// Who waits for a condition variable, longest first, and who was notified.
    Waiting {
        /// Waiting.
        queue: SmallVec<[u32; 4]>,
        /// Notified.
        notified: SmallVec<[u32; 4]>,
    },
    /// A token that is available.
    Token,
    /// A channel.
    Channel(Channel),
    /// How many came to a barrier.
    Barrier(u32),
    /// An initialisation under way, or done.
    Once {
        /// Whether it is done.
        done: bool,
    },
    /// Of an object with rules.
    Ruled(State),
    /// An initialisation that was given up.
    GivenUp,
}

/// What never changes about an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Nature {
    /// Of a channel: how many messages it holds. Of a barrier: how many threads meet.
    pub size: u32,
}

/// What a rule may look at besides the shape.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub nature: Nature,
    /// Of a channel: how many senders there ever were.
    pub senders: u32,
}

impl Op {
    /// The objects that decide whether the operation can be taken or what it answers, and that it changes.
    #[inline]
    pub fn objects(self) -> Objects {
        use Op::*;
        match self {
            Load(o)
            | Store(o)
            | Update(o)
            | Lock(o)
            | TryLock(o)
            | Unlock(o)
            | Read(o)
            | TryRead(o)
            | EndRead(o)
            | ComeToWrite(o)
            | Write(o)
            | TryWrite(o)
            | EndWrite(o)
            | Enqueue(o)
            | NotifyOne(o)
            | NotifyAll(o)
            | Unpark(o)
            | Send(o)
            | SendBounded(o)
            | TrySend(o)
            | TryHand(o)
            | Handed(o, _)
            | ComeToReceive(o)
            | Finish(o)
            | IsFinished(o)
            | Receive(o)
            | TryReceive(o)
            | DropSender(o)
            | DropReceiver(o)
            | Arrive { barrier: o, .. }
            | Leave(o, _)
            | Begin(o)
            | Rule { object: o, .. }
            | BeginAgain(o)
            | AwaitDone(o, _)
            | End(o, _) => Objects::one(o),
            BeginWait { condvar, lock } => Objects {
                list: [condvar, lock],
                len: 2,
            },
            EndWait { condvar, .. } => Objects::one(condvar),
            Park { token, .. } => Objects::one(token),
            ReceiveGuarded { channel, .. } => Objects::one(channel),
            Join(_) | AwaitNews | Choose(_) | Any(_) | Time(_) | Cancel | Never => Objects {
                list: [Object(0); 2],
                len: 0,
            },
        }
    }

    /// Whether it is about the value of an atomic, which the code under test keeps itself.
    pub fn is_atomic(self) -> bool {
        matches!(self, Op::Load(_) | Op::Store(_) | Op::Update(_))
    }

    /// Whether it waits for others in some state.
    pub fn may_wait(self) -> bool {
        use Op::*;
        match self {
            Lock(_)
            | Read(_)
            | Write(_)
            | EndWait { .. }
            | Park { .. }
            | SendBounded(_)
            | Handed(..)
            | Receive(_)
            | ReceiveGuarded { .. }
            | Join(_)
            | Leave(..)
            | Begin(_)
            | BeginAgain(_)
            | AwaitDone(..)
            | AwaitNews
            | Any(_)
            | Never => true,
            Rule { rule, .. } => !rule.0.awaits.is_empty(),
            _ => false,
        }
    }

    /// How many alternatives the operation has.
    pub fn alternatives(self) -> u32 {
        match self {
            Op::Choose(n) | Op::Any(n) => n,
            Op::EndWait { timed: true, .. } | Op::Park { timed: true, .. } | Op::ReceiveGuarded { timed: true, .. } => 2,
            _ => 1,
        }
    }

    /// What the operation may touch, whatever its alternative.
    pub fn footprint(self, out: &mut Footprint) {
        use Op::*;
        match self {
            Load(o) | IsFinished(o) => out.read(o.first()),
            Store(o) => out.overwrite(o.first()),
            Update(o)
            | TryLock(o)
            | Unlock(o)
            | Enqueue(o)
            | NotifyOne(o)
            | NotifyAll(o)
            | Unpark(o)
            | ComeToReceive(o)
            | Finish(o)
            | End(o, _) => {
                out.update(o.first());
            }
            Lock(o) | Begin(o) | BeginAgain(o) => {
                out.guard(o.first());
                out.update(o.first());
            }
            // Readers only count themselves, so they commute; a writer waits for their count.
            Read(o) => {
                out.guard(o.first());
                out.accumulate(o.second());
            }
            TryRead(o) => {
                out.read(o.first());
                out.accumulate(o.second());
            }
            EndRead(o) => out.accumulate(o.second()),
            Write(o) => {
                out.guard(o.first());
                out.guard(o.second());
                out.update(o.first());
            }
            TryWrite(o) => {
                out.read(o.second());
                out.update(o.first());
            }
            EndWrite(o) | ComeToWrite(o) => out.update(o.first()),
            BeginWait { condvar, lock } => {
                out.update(condvar.first());
                out.update(lock.first());
            }
            EndWait { condvar: o, .. } | Park { token: o, .. } => {
                out.guard(o.first());
                out.update(o.first());
            }
            Send(o) => {
                out.update(o.first());
                out.read(o.second());
            }
            SendBounded(o) => {
                out.guard(o.first());
                out.guard(o.second());
                out.update(o.first());
            }
            TrySend(o) | TryHand(o) => {
                out.update(o.first());
                out.read(o.second());
            }
            Handed(o, _) => {
                out.guard(o.first());
                out.guard(o.second());
            }
            ReceiveGuarded { channel: o, .. } => {
                out.guard(o.first());
                out.guard(o.third());
                out.update(o.first());
            }
            TryReceive(o) => {
                out.update(o.first());
                out.read(o.third());
            }
            // Who receives nothing but messages waits for the sends themselves: see `Effects::after`.
            Receive(_) | Join(_) | Choose(_) | AwaitNews | Any(_) | Time(_) | Cancel | Never => {}
            Rule { object, rule, alone, .. } => match &rule.0.alone {
                Some(rule) if alone => (rule.touches)(&mut Touches { object, out }),
                _ => (rule.0.touches)(&mut Touches { object, out }),
            },
            DropSender(o) => out.accumulate(o.third()),
            DropReceiver(o) => out.overwrite(o.second()),
            Arrive { barrier: o, in_turn: true } => out.update(o.first()),
            Arrive { barrier: o, .. } => out.accumulate(o.first()),
            Leave(o, _) | AwaitDone(o, _) => out.guard(o.first()),
        }
    }

    /// Whether `alternative` of the operation can be taken by `process`, as far as the object of this shape decides.
    pub fn enabled(self, alternative: u32, process: u32, shape: &Shape, facts: Facts) -> bool {
        use Op::*;
        if alternative > 0 && !matches!(self, Choose(_)) {
            // The time is over only for who has to wait.
            return !self.enabled(0, process, shape, facts);
        }
        match (self, shape) {
            (Lock(_), shape) => *shape != Shape::Locked,
            (Read(_), Shape::Shared { writer, waiting, .. }) => !writer && *waiting == 0,
            (Write(_), Shape::Shared { readers, writer, .. }) => !writer && *readers == 0,
            (EndWait { .. }, shape) => matches!(shape, Shape::Waiting { notified, .. } if notified.contains(&process)),
            (Park { .. }, shape) => *shape == Shape::Token,
            (SendBounded(_), shape) => {
                let channel = shape.channel();
                channel.closed || channel.sent - channel.received < facts.nature.size
            }
            (Handed(_, number), shape) => shape.channel().closed || shape.channel().received > number,
            (Receive(_) | ReceiveGuarded { .. }, shape) => {
                let channel = shape.channel();
                channel.sent > channel.received || channel.dropped == facts.senders
            }
            (Leave(_, round), shape) => {
                let arrived = if let Shape::Barrier(n) = shape { *n } else { 0 };
                arrived >= (round + 1) * facts.nature.size
            }
            (AwaitDone(_, force), shape) => *shape == Shape::Once { done: true } || !force && *shape == Shape::GivenUp,
            (Begin(_) | BeginAgain(_), shape) => *shape != Shape::Once { done: false },
            (Rule { rule, argument, .. }, shape) => {
                let call = facts.call(argument, process);
                match shape {
                    Shape::Ruled(state) => (rule.0.enabled)(state, call),
                    _ => (rule.0.enabled)(&State::default(), call),
                }
            }
            (Never, _) => false,
            _ => true,
        }
    }
}

impl Shape {
    /// A number that changes when a thread that could not have a lock, or a message, might have it.
    pub fn value(&self) -> u64 {
        match self {
            Shape::Locked | Shape::Once { done: true } => 1,
            Shape::Shared { readers, writer, waiting } => u64::from(*waiting) << 32 | u64::from(*readers) << 1 | u64::from(*writer),
            Shape::Channel(channel) => channel.value(),
            Shape::Ruled(state) => state.value(),
            _ => 0,
        }
    }

    fn channel(&self) -> Channel {
        match self {
            Shape::Channel(channel) => *channel,
            _ => Channel::default(),
        }
    }

    /// What an operation does to an object that it is about, and what it answers.
    pub fn apply(&mut self, op: Op, alternative: u32, process: u32, object: Object, facts: Facts) -> u32 {
        use Op::*;
        match op {
            Handed(_, number) => {
                let channel = self.channel();
                u32::from(channel.closed && channel.received <= number)
            }
            Load(_) | Store(_) | Update(_) | Leave(..) | Join(_) | AwaitNews | Choose(_) | Any(_) | Time(_) | Cancel | Never => alternative,
            Rule { rule, argument, .. } => (rule.0.apply)(self.ruled(), facts.call(argument, process)),
            Lock(_) => {
                *self = Shape::Locked;
                0
            }
            TryLock(_) => {
                let free = *self != Shape::Locked;
                *self = Shape::Locked;
                u32::from(free)
            }
            Unlock(_) => {
                *self = Shape::Plain;
                0
            }
            Finish(_) => {
                *self = Shape::Locked;
                0
            }
            IsFinished(_) => u32::from(*self == Shape::Locked),
            Read(_) | TryRead(_) | EndRead(_) | ComeToWrite(_) | Write(_) | TryWrite(_) | EndWrite(_) => self.apply_shared(op),
            Enqueue(_) => {
                self.waiting().0.push(process);
                0
            }
            BeginWait { condvar, .. } if condvar == object => {
                self.waiting().0.push(process);
                0
            }
            BeginWait { .. } => {
                *self = Shape::Plain;
                0
            }
            EndWait { .. } => {
                let (queue, notified) = self.waiting();
                queue.retain(|p| *p != process);
                notified.retain(|p| *p != process);
                alternative
            }
            NotifyOne(_) => {
                let (queue, notified) = self.waiting();
                if !queue.is_empty() {
                    notified.push(queue.remove(0));
                }
                0
            }
            NotifyAll(_) => {
                let (queue, notified) = self.waiting();
                notified.append(queue);
                0
            }
            Park { .. } => {
                *self = Shape::Plain;
                alternative
            }
            Unpark(_) => {
                *self = Shape::Token;
                0
            }
            Send(_)
            | SendBounded(_)
            | TrySend(_)
            | TryHand(_)
            | ComeToReceive(_)
            | Receive(_)
            | ReceiveGuarded { .. }
            | TryReceive(_)
            | DropSender(_)
            | DropReceiver(_) => {
                let mut channel = self.channel();
                let answer = channel.apply(op, alternative, facts);
                *self = Shape::Channel(channel);
                answer
            }
            Arrive { .. } => {
                let arrived = if let Shape::Barrier(n) = self { *n } else { 0 };
                *self = Shape::Barrier(arrived + 1);
                arrived
            }
            AwaitDone(..) => u32::from(*self == Shape::GivenUp),
            Begin(_) | BeginAgain(_) => {
                let answer = match self {
                    Shape::Plain => 1,
                    Shape::GivenUp => 2,
                    _ => 0,
                };
                if answer == 1 || answer == 2 && matches!(op, BeginAgain(_)) {
                    *self = Shape::Once { done: false };
                }
                answer
            }
            End(_, done) => {
                *self = if done { Shape::Once { done } } else { Shape::GivenUp };
                0
            }
        }
    }

    fn apply_shared(&mut self, op: Op) -> u32 {
        let (mut readers, mut writer, mut waiting) = match self {
            Shape::Shared { readers, writer, waiting } => (*readers, *writer, *waiting),
            _ => (0, false, 0),
        };
        let free = match op {
            Op::TryRead(_) => !writer && waiting == 0,
            Op::TryWrite(_) => !writer && readers == 0,
            _ => true,
        };
        match op {
            Op::Read(_) | Op::TryRead(_) if free => readers += 1,
            Op::EndRead(_) => readers -= 1,
            Op::ComeToWrite(_) => waiting += 1,
            Op::Write(_) => (writer, waiting) = (true, waiting.saturating_sub(1)),
            Op::TryWrite(_) if free => writer = true,
            Op::EndWrite(_) => writer = false,
            _ => {}
        }
        *self = Shape::Shared { readers, writer, waiting };
        u32::from(free)
    }

    fn waiting(&mut self) -> (&mut SmallVec<[u32; 4]>, &mut SmallVec<[u32; 4]>) {
        if !matches!(self, Shape::Waiting { .. }) {
            *self = Shape::Waiting {
                queue: SmallVec::new(),
                notified: SmallVec::new(),
            };
        }
        match self {
            Shape::Waiting { queue, notified } => (queue, notified),
            _ => unreachable!("made above"),
        }
    }
}
