//! Data races: accesses to plain data of which one writes, and neither happens before the other.
//!
//! Plain data has no scheduling points. Whether two accesses are ordered is a function of the trace, so every execution that is explored tells it
//! for all executions of its trace.

use super::execution::{Event, Execution};
use super::happens_before::{HappensBefore, Touch, acquires, releases};
use super::op::{Object, Op};
use mazurka_core::{Failure, FailureKind, Position};
use std::panic::Location;
use std::sync::atomic::Ordering;

/// What is known about plain data in an execution. It is there only if the code under test uses cells: see [`super::execution::Care`].
#[derive(Default)]
pub(crate) struct Watch {
    pub(super) order: HappensBefore,
    /// Accesses to each object that later ones may race with.
    accesses: Vec<Vec<Access>>,
    /// The orderings of the atomic operations, by their place in the log.
    declared: Vec<(u32, Ordering)>,
}

/// An access to plain data, or to an atomic whose value is also read as plain data.
#[derive(Clone, Copy)]
struct Access {
    kind: Kind,
    lane: u32,
    epoch: u32,
    /// Where; `None` if it is the making of the data.
    at: Option<&'static Location<'static>>,
    /// How many steps had been taken.
    position: u32,
    /// How many closures or pointers of the lane are using it.
    open: u32,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Read,
    Write,
    /// An atomic read: only plain writes race with it.
    AtomicRead,
    /// An atomic write: plain reads and writes race with it.
    AtomicWrite,
}

impl Kind {
    fn conflicts(self, other: Kind) -> bool {
        use Kind::*;
        let writes = |kind| matches!(kind, Write | AtomicWrite);
        let atomic = |kind| matches!(kind, AtomicRead | AtomicWrite);
        (writes(self) || writes(other)) && !(atomic(self) && atomic(other))
    }

    fn verb(self) -> &'static str {
        match self {
            Kind::Read => "reads",
            Kind::Write => "writes",
            Kind::AtomicRead => "atomically reads",
            Kind::AtomicWrite => "atomically writes",
        }
    }
}

impl Watch {
    /// Forgets all, for the next execution.
    pub fn clear(&mut self) {
        self.order.clear();
        self.accesses.clear();
        self.declared.clear();
    }

    fn of(&mut self, object: Object) -> &mut Vec<Access> {
        let index = object.0 as usize;
        if self.accesses.len() <= index {
            self.accesses.resize_with(index + 1, Vec::new);
        }
        &mut self.accesses[index]
    }

    /// Notes an access: the earlier one that it races with, if there is one.
    fn note(&mut self, object: Object, slot: usize, kind: Kind, at: &'static Location<'static>, position: u32) -> Option<Access> {
        let (lane, epoch) = (self.order.lane(slot), self.order.epoch(slot));
        self.of(object);
        let Watch { order, accesses, .. } = self;
        let list = &mut accesses[object.0 as usize];
        let unordered = |a: &&Access| a.open > 0 || !order.is_before(a.lane, a.epoch, slot);
        let racing = list
            .iter()
            .filter(|a| a.lane != lane && a.kind.conflicts(kind))
            .find(unordered)
            .copied();
        if kind == Kind::Write && racing.is_none() {
            // Whoever races with what was before this races with this, too.
            list.retain(|a| a.open > 0);
        }
        match list.iter_mut().find(|a| (a.lane, a.kind) == (lane, kind)) {
            Some(own) => (own.epoch, own.at, own.position) = (epoch, Some(at), position),
            None => list.push(Access {
                kind,
                lane,
                epoch,
                at: Some(at),
                position,
                open: 0,
            }),
        }
        racing
    }
}

impl Execution {
    /// Whether accesses to plain data are watched. If not, they will be: the search must begin again.
    fn watches(&mut self) -> bool {
        if self.watch.is_none() {
            let mut shared = self.shared.borrow_mut();
            shared.begin_again |= !shared.care.races;
            shared.care.races = true;
        }
        self.watch.is_some()
    }

    /// The running thread accesses plain data. With `open` it goes on doing so until [`Self::close`].
    pub fn access(&mut self, object: Object, kind: Kind, open: bool, at: &'static Location<'static>) {
        if !self.watches() {
            return;
        }
        let (slot, position) = (self.running, self.log.len() as u32);
        let Some(watch) = &mut self.watch else { return };
        let racing = watch.note(object, slot, kind, at, position);
        if open {
            let lane = watch.order.lane(slot);
            if let Some(own) = watch.of(object).iter_mut().find(|a| (a.lane, a.kind) == (lane, kind)) {
                own.open += 1;
            }
        }
        if let Some(other) = racing {
            self.races(object, kind, at, other);
        }
    }

    /// The running thread has ended an access.
    pub fn close(&mut self, object: Object, kind: Kind, at: &'static Location<'static>) {
        let (slot, position) = (self.running, self.log.len() as u32);
        let Some(watch) = &mut self.watch else { return };
        let lane = watch.order.lane(slot);
        if let Some(own) = watch.of(object).iter_mut().find(|a| (a.lane, a.kind) == (lane, kind) && a.open > 0) {
            own.open -= 1;
        }
        // It may have taken steps meanwhile, and only now nothing more of it comes.
        if let Some(other) = watch.note(object, slot, kind, at, position) {
            self.races(object, kind, at, other);
        }
    }

    /// Plain data at this address is used for the first time. Whoever allocated the memory has also made it.
    pub fn first_access(&mut self, object: Object, address: usize) {
        let Some((which, _, epoch)) = self.allocations.find(address) else {
            return;
        };
        let slot = self.slot(which.process);
        let Some((watch, slot)) = self.watch.as_mut().zip(slot) else {
            return;
        };
        let lane = watch.order.lane(slot);
        if self.running != slot && watch.of(object).is_empty() {
            watch.of(object).push(Access {
                kind: Kind::Write,
                lane,
                epoch,
                at: None,
                position: 0,
                open: 0,
            });
        }
    }

    /// The running thread has taken a step on an atomic, with this ordering.
    pub fn declared(&mut self, object: Object, touch: Touch, order: Ordering) {
        let (slot, position) = (self.running, self.log.len() as u32);
        let guided = self.weak.is_some();
        let Some(watch) = &mut self.watch else { return };
        if !guided {
            watch.order.touch(slot, object, touch, order);
        }
        watch.declared.push((position.saturating_sub(1), order));
        let at = self.threads[slot].at;
        let kind = match touch {
            Touch::Load => Kind::AtomicRead,
            Touch::Store | Touch::Update => Kind::AtomicWrite,
        };
        if let Some(other) = watch.note(object, slot, kind, at, position) {
            self.races(object, kind, at, other);
        }
        self.event_is_over();
    }

    /// A fence of the running thread.
    pub fn fenced(&mut self, order: Ordering) {
        let slot = self.running;
        if let Some(watch) = &mut self.watch {
            watch.order.fence(slot, order);
        }
    }

    /// Whether accesses to plain data are watched.
    pub fn watched(&self) -> bool {
        self.watch.is_some()
    }

    /// The running thread gives up a reference to something shared. If it is the last one, the destructor runs now: the lane to go back to afterwards,
    /// if it runs in one of its own.
    pub fn drops(&mut self, object: Object, last: bool) -> Option<u32> {
        let (slot, steps) = (self.running, self.drops_matter());
        let watch = self.watch.as_mut()?;
        watch.order.give_up(slot, object);
        match (last, steps) {
            (true, true) => {
                watch.order.acquire(slot, object);
                None
            }
            (true, false) => watch.order.destroy(slot, object),
            (false, _) => None,
        }
    }

    /// The destructor that ran in a lane of its own has ended.
    pub fn dropped(&mut self, lane: u32) {
        let slot = self.running;
        if let Some(watch) = &mut self.watch {
            watch.order.back_to(slot, lane);
        }
    }

    /// The running thread has heard what is to be heard through an object.
    pub fn heard(&mut self, object: Object) {
        let slot = self.running;
        if let Some(watch) = &mut self.watch {
            watch.order.acquire(slot, object);
        }
    }

    /// Two accesses race: the one that was now made, and an earlier one.
    fn races(&mut self, object: Object, kind: Kind, at: &'static Location<'static>, other: Access) {
        let Some(watch) = &self.watch else { return };
        let (slot, other_slot) = (self.running, watch.order.slot(other.lane));
        let name = self.shared.borrow().identities.describe(object);
        let (one, two) = (self.thread_name(slot), self.thread_name(other_slot));
        let earlier = match other.at {
            None => format!("{two}, which made it"),
            Some(at) => format!("{two}, which {} it at {at}", other.kind.verb()),
        };
        let advice = self.advice(slot, other_slot, other.position);
        self.failure.get_or_insert(Failure {
            kind: FailureKind::DataRace,
            message: format!("{one} {} {name}, and nothing orders that after {earlier}{advice}", kind.verb()),
            at: Some(Position {
                file: at.file().to_owned(),
                line: at.line(),
                column: at.column(),
            }),
        });
    }

    /// Which stronger orderings would have ordered what the thread in `slot` does now after what the one in `before` did at `position`.
    fn advice(&self, slot: usize, before: usize, position: u32) -> String {
        let (process, other) = (self.threads[slot].process, self.threads[before].process);
        let mut stores: Vec<(Object, usize, &Event)> = Vec::new();
        let mut found = None;
        for (at, event) in self.log.iter().enumerate().skip(position as usize) {
            match event.op {
                Op::Load(object) | Op::Update(object) if event.process == process => {
                    let store = stores.iter().rev().find(|(o, ..)| *o == object);
                    found = store.map(|(_, stored, store)| (object, *stored, *store, at, event)).or(found);
                }
                Op::Store(object) | Op::Update(object) if event.process == other => stores.push((object, at, event)),
                _ => {}
            }
        }
        let Some((object, stored, store, loaded, load)) = found else {
            return String::new();
        };
        let (Some(written), Some(read)) = (self.ordering(stored), self.ordering(loaded)) else {
            return String::new();
        };
        let name = self.shared.borrow().identities.describe(object);
        let weak = match (releases(written), acquires(read)) {
            (true, true) => return String::new(),
            (false, true) => format!("the one at {} is {written:?}; Release would do", store.at),
            (true, false) => format!("the one at {} is {read:?}; Acquire would do", load.at),
            (false, false) => format!(
                "the one at {} is {written:?}, and the one at {} is {read:?}; Release and Acquire would do",
                store.at, load.at
            ),
        };
        format!(". The operations on {name} between them do not order them: {weak}")
    }

    fn ordering(&self, position: usize) -> Option<Ordering> {
        let declared = &self.watch.as_ref()?.declared;
        let found = declared.binary_search_by_key(&(position as u32), |(at, _)| *at).ok()?;
        Some(declared[found].1)
    }
}
