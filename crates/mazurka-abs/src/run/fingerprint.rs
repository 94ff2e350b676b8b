//! 128 bits for all that the future of a run, or its verdict, depends on.
//!
//! Things are told apart by their names, never by the slots that they happen to have in this run. What follows from the rest is left out: the
//! holder of a cog and what else a task holds (from where the blocked tasks stand), the values that a guard captured (they are on the stack),
//! whether a guard holds (from fields and captured values), locations (from names). Outputs are no part of the state.

use super::chunks::Chunks;
use super::identity::Identities;
use super::state::{Cog, Future, NOBODY, Object, Run, Stopped, Task};
use crate::value::Ref;
use crate::value::hash::{self, Hasher};
use mazurka_core::Failure;
use num_rational::BigRational;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// What keeps hashes of different things apart.
mod tag {
    pub const OBJECT: u64 = 1;
    pub const TASK: u64 = 2;
    pub const MAIN: u64 = 3;
    pub const FUTURE: u64 = 4;
    pub const UNREAD: u64 = 5;
    pub const FAILED: u64 = 6;
    pub const UNTIL: u64 = 7;
    pub const DEADLINE: u64 = 8;
    pub const CLOCK: u64 = 9;
}

/// What is a part of the state only if somebody looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The main block's variables.
    pub main: bool,
    /// What time it is. If nobody asks, only how long it is to each moment that matters is a part of the state.
    pub clock: bool,
}

impl Object {
    /// Its hash, computed when it is first asked for after a change.
    fn hash(&self, ids: &Identities, cogs: &Chunks<Cog>) -> u128 {
        if self.hash.get() == 0 {
            let mut h = self.hash_of_identity(ids, cogs);
            let mut mentions = false;
            for field in &self.fields {
                hash::value(field, ids, &mut h);
                hash::futures(field, &mut |_| mentions = true);
            }
            self.mentions.set(mentions);
            self.hash.set(h.finish());
        }
        self.hash.get()
    }

    /// The hash of the object with these fields alone.
    fn hash_of(&self, fields: impl Iterator<Item = usize>, ids: &Identities, cogs: &Chunks<Cog>) -> u128 {
        let mut h = self.hash_of_identity(ids, cogs);
        for field in fields {
            h.word(field as u64);
            hash::value(&self.fields[field], ids, &mut h);
        }
        h.finish()
    }

    fn hash_of_identity(&self, ids: &Identities, cogs: &Chunks<Cog>) -> Hasher {
        let mut h = Hasher::new(tag::OBJECT);
        h.wide(ids.object_hash(self.id));
        // The same `new` may make a cog in one execution and stay in an old one in another.
        match cogs.get(self.cog).first {
            Some(first) => h.wide(ids.object_hash(first)),
            None => h.word(0),
        }
        h.word(u64::from(self.dead));
        h
    }
}

impl Task {
    fn hash(&self, ids: &Identities, objects: &Chunks<std::rc::Rc<Object>>) -> u128 {
        if self.hash.get() == 0 {
            let mut h = Hasher::new(tag::TASK);
            h.wide(ids.task_hash(self.id));
            h.word(u64::from(self.children) << 32 | u64::from(self.objects));
            h.word(self.returned.len() as u64);
            self.returned.iter().for_each(|name| h.word(u64::from(name.nth)));
            h.word(u64::from(self.observed) << 1 | u64::from(self.private));
            match &self.stopped {
                Stopped::Fresh => h.word(0),
                Stopped::Suspended => h.word(1),
                Stopped::Await(waiting) | Stopped::Look(waiting) => {
                    h.word(if self.stopped.holds() { 2 } else { 3 });
                    h.word(u64::from(waiting.guard));
                }
                Stopped::Get(future) => {
                    h.word(4);
                    h.wide(ids.task_hash(future.id));
                }
                Stopped::Choose(n) => {
                    h.word(5);
                    h.word(u64::from(*n));
                }
                Stopped::Sleep(_) => h.word(6),
            }
            h.word((self.frames.len() as u64) << 32 | self.stack.len() as u64);
            for frame in &self.frames {
                h.word(u64::from(frame.code) << 32 | u64::from(frame.pc));
                h.word(u64::from(frame.base));
                match frame.this {
                    NOBODY => h.word(0),
                    this => h.wide(ids.object_hash(objects.get(this).id)),
                }
            }
            for value in &self.stack {
                hash::value(value, ids, &mut h);
            }
            self.hash.set(h.finish());
        }
        self.hash.get()
    }
}

/// The hash of what went wrong in a task.
fn failure(tag: u64, task: u32, failure: &Failure, ids: &Identities) -> u128 {
    let mut h = Hasher::new(tag);
    h.wide(ids.task_hash(task));
    h.word(failure.kind as u64);
    h.bytes(failure.message.as_bytes());
    if let Some(at) = &failure.at {
        h.bytes(at.file.as_bytes());
        h.word(u64::from(at.line) << 32 | u64::from(at.column));
    }
    h.finish()
}

impl Run {
    /// The fingerprint: objects, live tasks, the results that somebody can still ask for, what went wrong; also the main block's variables
    /// if wanted.
    pub fn fingerprint(&self, ids: &Identities, seen: Seen) -> u128 {
        self.fingerprint_of(ids, seen, None)
    }

    /// The same, of objects only these fields: pairs of the object's slot and the field.
    pub fn fingerprint_of(&self, ids: &Identities, parts: Seen, fields: Option<&FxHashSet<(u32, u32)>>) -> u128 {
        let mut sum = 0u128;
        let mut futures: SmallVec<[Ref; 8]> = SmallVec::new();
        let seen = |r: Ref, futures: &mut SmallVec<[Ref; 8]>| {
            if !futures.iter().any(|f| f.slot == r.slot) {
                futures.push(r);
            }
        };
        for (slot, object) in self.objects.iter().enumerate() {
            if let Some(fields) = fields {
                let of_object = |field: &usize| fields.contains(&(slot as u32, *field as u32));
                let live = (0..object.fields.len()).filter(of_object);
                sum = sum.wrapping_add(object.hash_of(live.clone(), ids, &self.cogs));
                for field in live {
                    hash::futures(&object.fields[field], &mut |r| seen(r, &mut futures));
                }
                continue;
            }
            sum = sum.wrapping_add(object.hash(ids, &self.cogs));
            if object.mentions.get() {
                for field in &object.fields {
                    hash::futures(field, &mut |r| seen(r, &mut futures));
                }
            }
        }
        for live in self.live.iter() {
            sum = sum.wrapping_add(live.task.hash(ids, &self.objects));
            sum = sum.wrapping_add(self.times(&live.task, ids));
            for value in &live.task.stack {
                hash::futures(value, &mut |r| seen(r, &mut futures));
            }
            if let Stopped::Get(r) = &live.task.stopped {
                seen(*r, &mut futures);
            }
        }
        if let Some(main) = self.main.as_ref().filter(|_| parts.main) {
            let mut h = Hasher::new(tag::MAIN);
            for value in main.iter() {
                hash::value(value, ids, &mut h);
            }
            sum = sum.wrapping_add(h.finish());
        }
        let mut next = 0;
        while next < futures.len() {
            let r = futures[next];
            next += 1;
            let mut h = Hasher::new(tag::FUTURE);
            h.wide(ids.task_hash(r.id));
            let promise = self.futures.get(r.slot);
            h.word(u64::from(promise.free));
            match &promise.result {
                Future::Open => continue,
                Future::Forgotten => h.word(0),
                Future::Value(v) | Future::Failed(v) => {
                    h.word(if matches!(promise.result, Future::Failed(_)) { 2 } else { 1 });
                    hash::value(v, ids, &mut h);
                    hash::futures(v, &mut |r| seen(r, &mut futures));
                }
            }
            sum = sum.wrapping_add(h.finish());
        }
        if let Some(now) = self.clock.as_ref().filter(|_| parts.clock) {
            let mut h = Hasher::new(tag::CLOCK);
            time(now, &mut h);
            sum = sum.wrapping_add(h.finish());
        }
        for (r, unread) in &self.unread {
            sum = sum.wrapping_add(failure(tag::UNREAD, r.id, unread, ids));
        }
        for (task, failed) in &self.failed {
            sum = sum.wrapping_add(failure(tag::FAILED, *task, failed, ids));
        }
        sum
    }

    /// The hash of what a task has to do with time: how long it is to each moment, and whether that is past.
    fn times(&self, task: &Task, ids: &Identities) -> u128 {
        let mut sum = 0u128;
        if let Some(until) = task.stopped.until() {
            let mut h = Hasher::new(tag::UNTIL);
            h.wide(ids.task_hash(task.id));
            // The clock stops for the sake of a task only as long as it cannot go on.
            if !self.is_past(&until.earliest) {
                time(&(&until.earliest - self.now()), &mut h);
                time(&(&until.latest - self.now()), &mut h);
            }
            sum = sum.wrapping_add(h.finish());
        }
        if let Some(deadline) = &task.deadline {
            let mut h = Hasher::new(tag::DEADLINE);
            h.wide(ids.task_hash(task.id));
            if **deadline >= self.now() {
                time(&(&**deadline - self.now()), &mut h);
            }
            sum = sum.wrapping_add(h.finish());
        }
        sum
    }
}

fn time(time: &BigRational, h: &mut Hasher) {
    h.bytes(&time.numer().to_signed_bytes_le());
    h.bytes(&time.denom().to_signed_bytes_le());
}
