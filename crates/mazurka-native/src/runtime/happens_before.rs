//! What happens before what, by the orderings that the code under test declares.
//!
//! An execution is sequentially consistent, so everything in it has an order; but only releases that are acquired order the plain data of threads.
//! All of this is a function of the trace: which store a load reads from, who had a lock before, who was joined.

use super::clock::Clock;
use super::op::{Object, Op, Shape};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;

/// The clocks of an execution.
#[derive(Default)]
pub(crate) struct HappensBefore {
    lanes: Vec<Lane>,
    /// The lane of the thread in each slot.
    lane_of: Vec<u32>,
    objects: Vec<Messages>,
}

/// What a thread, or a destructor that any of several threads may run, has heard of.
#[derive(Default)]
struct Lane {
    now: Clock,
    /// What its relaxed loads have read, which an acquire fence makes heard.
    read: Clock,
    /// What it had heard at its last release fence, which its relaxed stores pass on.
    fenced: Clock,
    /// Of a destructor: it is over for those who have heard that everybody has given up the reference.
    over: Option<Clock>,
    /// Whose it is.
    slot: u32,
}

/// Where an execution graph says what was heard, times are numbers of events, shifted so that what is done between two events has times, too.
const EVENT: u32 = 12;
/// All times after an event and before the next one.
const AFTER: u32 = (1 << EVENT) - 1;

/// What can be heard through an object.
#[derive(Default)]
struct Messages {
    /// Through the value of an atomic, or from who had a lock, set a token, initialised, came to a barrier.
    first: Clock,
    /// From readers of a lock, from who receives.
    second: Clock,
    /// From senders and receivers that went away.
    gone: Clock,
    /// With every message under way.
    queue: VecDeque<Clock>,
    /// The times at which references to it were given up.
    dropped: Clock,
}

/// What an operation on an atomic does to its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touch {
    Load,
    Store,
    /// Load and store in one.
    Update,
}

/// Whether a load with this ordering acquires.
pub(crate) fn acquires(order: Ordering) -> bool {
    matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

/// Whether a store with this ordering releases.
pub(crate) fn releases(order: Ordering) -> bool {
    matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}

impl HappensBefore {
    /// Forgets all, for the next execution.
    pub fn clear(&mut self) {
        self.lanes.clear();
        self.lane_of.clear();
        self.objects.clear();
    }

    /// The lane that runs in a slot.
    pub fn lane(&self, slot: usize) -> u32 {
        self.lane_of[slot]
    }

    /// The slot of a lane.
    pub fn slot(&self, lane: u32) -> usize {
        self.lanes[lane as usize].slot as usize
    }

    /// The time in the lane that runs in a slot.
    pub fn epoch(&self, slot: usize) -> u32 {
        let lane = self.lane_of[slot];
        self.lanes[lane as usize].now.get(lane)
    }

    /// Whether what happened in a lane at that time is before what happens in a slot now.
    pub fn is_before(&self, lane: u32, epoch: u32, slot: usize) -> bool {
        let now = &self.lanes[self.lane_of[slot] as usize].now;
        match &self.lanes[lane as usize].over {
            Some(over) => now.covers(over),
            None => now.get(lane) >= epoch,
        }
    }

    /// The thread in `slot` begins; what was done before by the one that started it is heard.
    pub fn spawn(&mut self, parent: Option<usize>, slot: usize) {
        let mut now = Clock::default();
        if let Some(parent) = parent {
            now.join(&self.now(parent).now);
            self.tick(parent);
        }
        self.new_lane(slot, now);
    }

    /// The thread in `slot` has heard all that the one in `ended` did.
    pub fn join(&mut self, slot: usize, ended: usize) {
        let heard = self.now(ended).now.clone();
        self.now(slot).now.join(&heard);
    }

    /// The thread in `slot` is about to do what comes with its event of this number, and has heard so many events of the thread in each slot.
    /// What it has heard otherwise it does not forget.
    pub fn guide(&mut self, slot: usize, number: u32, heard: impl Iterator<Item = (usize, u32)>) {
        let own = self.lane_of[slot];
        for (other, events) in heard {
            let lane = self.lane_of[other];
            if lane != own && events > 0 {
                self.lanes[own as usize].now.raise(lane, events << EVENT | AFTER);
            }
        }
        self.lanes[own as usize].now.raise(own, (number + 1) << EVENT);
    }

    /// A fence.
    pub fn fence(&mut self, slot: usize, order: Ordering) {
        let lane = self.now(slot);
        if acquires(order) {
            let read = std::mem::take(&mut lane.read);
            lane.now.join(&read);
        }
        if releases(order) {
            lane.fenced = lane.now.clone();
            self.tick(slot);
        }
    }

    /// An operation on an atomic.
    pub fn touch(&mut self, slot: usize, object: Object, touch: Touch, order: Ordering) {
        let value = std::mem::take(&mut self.messages(object).first);
        let lane = self.now(slot);
        if touch != Touch::Store {
            let heard = if acquires(order) { &mut lane.now } else { &mut lane.read };
            heard.join(&value);
        }
        let stored = if releases(order) { &lane.now } else { &lane.fenced };
        let value = match touch {
            Touch::Load => value,
            // What was to be heard through the old value is not to be heard through the new one.
            Touch::Store => stored.clone(),
            // A read-modify-write goes on with the release sequence.
            Touch::Update => {
                let mut value = value;
                value.join(stored);
                value
            }
        };
        self.messages(object).first = value;
        if touch != Touch::Load && releases(order) {
            self.tick(slot);
        }
    }

    /// Hears what is to be heard through an object.
    pub fn acquire(&mut self, slot: usize, object: Object) {
        self.hear(slot, object, |messages| &messages.first);
    }

    /// Lets who acquires the object hear everything that was done so far.
    pub fn release(&mut self, slot: usize, object: Object) {
        self.tell(slot, object, |messages| &mut messages.first);
    }

    /// The thread gives up a reference to something shared.
    pub fn give_up(&mut self, slot: usize, object: Object) {
        self.release(slot, object);
        let (lane, epoch) = (self.lane_of[slot], self.epoch(slot));
        self.messages(object).dropped.raise(lane, epoch);
    }

    /// It was the last reference. The destructor comes after all who have given up theirs. But unless this thread was the last one in any case, somebody
    /// else would have been in another execution of this trace: then the destructor runs in a lane of its own. The lane to go back to, if so.
    pub fn destroy(&mut self, slot: usize, object: Object) -> Option<u32> {
        let messages = self.messages(object);
        let (others, over) = (messages.first.clone(), messages.dropped.clone());
        let lane = self.now(slot);
        if lane.now.covers(&others) {
            return None;
        }
        let mut now = lane.now.clone();
        now.join(&others);
        let before = self.lane_of[slot];
        self.new_lane(slot, now);
        self.now(slot).over = Some(over);
        Some(before)
    }

    /// Goes back to the lane of the thread.
    pub fn back_to(&mut self, slot: usize, lane: u32) {
        self.lane_of[slot] = lane;
    }

    /// An operation that is not about the value of an atomic was taken, with this answer; the object is in this shape now.
    pub fn step(&mut self, slot: usize, op: Op, answer: u32, object: Object, shape: &Shape) {
        use Op::*;
        match op {
            Lock(_) | Begin(_) | BeginAgain(_) | AwaitDone(..) | Leave(..) => self.acquire(slot, object),
            Park { .. } if answer == 0 => self.acquire(slot, object),
            TryLock(_) | Read(_) | TryRead(_) | IsFinished(_) if answer == 1 => self.acquire(slot, object),
            Write(_) | TryWrite(_) if answer == 1 => {
                self.acquire(slot, object);
                self.hear(slot, object, |messages| &messages.second);
            }
            Unlock(_) | EndWrite(_) | End(..) | Unpark(_) | Arrive { .. } | Finish(_) => self.release(slot, object),
            // What a model orders is not known; it is taken to order everything about one object.
            Rule { .. } => {
                self.acquire(slot, object);
                self.release(slot, object);
            }
            EndRead(_) => self.tell(slot, object, |messages| &mut messages.second),
            BeginWait { lock, .. } if lock == object => self.release(slot, object),
            // Whether something was initialised: only if it was, is there something to hear.
            Load(_) if *shape == (Shape::Once { done: true }) => self.acquire(slot, object),
            Send(_) | SendBounded(_) | TrySend(_) | TryHand(_) if answer == 0 => {
                if !matches!(op, Send(_)) {
                    // Who made room was there before.
                    self.hear(slot, object, |messages| &messages.second);
                }
                let now = self.now(slot).now.clone();
                self.messages(object).queue.push_back(now);
                self.tick(slot);
            }
            Handed(..) if answer == 0 => self.hear(slot, object, |messages| &messages.second),
            Receive(_) | ReceiveGuarded { .. } | TryReceive(_) if answer == 0 => {
                if let Some(message) = self.messages(object).queue.pop_front() {
                    self.now(slot).now.join(&message);
                }
                self.tell(slot, object, |messages| &mut messages.second);
            }
            Send(_) | SendBounded(_) | TrySend(_) | TryHand(_) | Handed(..) | Receive(_) | ReceiveGuarded { .. } | TryReceive(_)
                if answer == 1 =>
            {
                self.hear(slot, object, |messages| &messages.gone);
            }
            DropSender(_) | DropReceiver(_) => self.tell(slot, object, |messages| &mut messages.gone),
            _ => {}
        }
    }

    fn new_lane(&mut self, slot: usize, mut now: Clock) {
        let lane = self.lanes.len() as u32;
        now.tick(lane);
        self.lanes.push(Lane {
            now,
            slot: slot as u32,
            ..Lane::default()
        });
        if self.lane_of.len() <= slot {
            self.lane_of.resize(slot + 1, 0);
        }
        self.lane_of[slot] = lane;
    }

    fn now(&mut self, slot: usize) -> &mut Lane {
        &mut self.lanes[self.lane_of[slot] as usize]
    }

    fn tick(&mut self, slot: usize) {
        let lane = self.lane_of[slot];
        self.lanes[lane as usize].now.tick(lane);
    }

    fn messages(&mut self, object: Object) -> &mut Messages {
        let index = object.0 as usize;
        if self.objects.len() <= index {
            self.objects.resize_with(index + 1, Messages::default);
        }
        &mut self.objects[index]
    }

    fn hear(&mut self, slot: usize, object: Object, which: impl Fn(&Messages) -> &Clock) {
        let lane = self.lane_of[slot] as usize;
        self.messages(object);
        self.lanes[lane].now.join(which(&self.objects[object.0 as usize]));
    }

    fn tell(&mut self, slot: usize, object: Object, which: impl Fn(&mut Messages) -> &mut Clock) {
        let lane = self.lane_of[slot] as usize;
        self.messages(object);
        which(&mut self.objects[object.0 as usize]).join(&self.lanes[lane].now);
        self.tick(slot);
    }
}
