//! What the library under test asks the running execution for.

use super::execution::{Event, Execution, Known};
use super::id::{Id, Stranger};
use super::names::{Allocated, Home};
use super::op::{Nature, Object, Op};
use super::statics;
use super::thread::{Panic, Thread, fresh_stack};
use super::watch;
use corosensei::Yielder;
use mazurka_core::{Failure, FailureKind, Position};
use std::panic::Location;

/// A thread goes round so often in a loop without anything new before it waits for news.
pub(crate) const FRUITLESS_ROUNDS: u32 = 3;
/// The same for a loop in which it looks at nothing: it goes on for ever, or as good as.
const IDLE_ROUNDS: u32 = 10_000;

impl Execution {
    /// The thread that is running.
    pub fn running(&mut self) -> &mut Thread {
        &mut self.threads[self.running]
    }

    /// The same, to be looked at.
    pub fn thread_that_runs(&self) -> &Thread {
        &self.threads[self.running]
    }

    /// The process of the thread that is running.
    pub fn process(&self) -> u32 {
        self.threads[self.running].process
    }

    /// The running thread has allocated memory.
    pub fn allocated(&mut self, start: usize, size: usize) {
        let thread = &mut self.threads[self.running];
        let nth = match thread.sizes.iter_mut().find(|(s, _)| *s == size) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                thread.sizes.push((size, 0));
                0
            }
        };
        let which = Allocated {
            process: thread.process,
            steps: thread.steps,
            size,
            nth,
        };
        self.addresses.forget(start, size);
        let epoch = self.watch.as_ref().map_or(0, |watch| watch.order.epoch(self.running));
        self.allocations.note(start, which, epoch);
    }

    /// A thread is started by the one that is running: its process.
    pub fn spawn(&mut self, name: Option<String>, main: Box<dyn FnOnce()>) -> u32 {
        let parent = self.running();
        let (process, nth, clock) = (parent.process, parent.children, parent.polling.now);
        parent.children += 1;
        let (parent, after) = (process, parent.steps);
        let process = self.shared.borrow_mut().identities.child(process, nth);
        self.born(process, parent, after);
        self.add_thread(process, name, main);
        if let Some(child) = self.threads.last_mut() {
            child.polling.now = clock;
        }
        process
    }

    /// A task is started by the running thread; this object stands for it.
    pub fn spawn_task(&mut self, object: Object, daemon: bool, main: Box<dyn FnOnce()>) {
        let now = self.running().polling.now;
        let process = self.spawn(None, main);
        if let Some(task) = self.threads.last_mut() {
            task.is_daemon = daemon;
            task.polling.now = now;
        }
        self.shared.borrow_mut().identities.is_task(process, object);
    }

    /// Adds a thread that has not run yet.
    pub(super) fn add_thread(&mut self, process: u32, name: Option<String>, main: Box<dyn FnOnce()>) {
        let mut shared = self.shared.borrow_mut();
        let stack = shared.stacks.pop().unwrap_or_else(fresh_stack);
        if shared.named <= process {
            shared.named = process + 1;
            watch::name(process, name.clone().unwrap_or_else(|| shared.identities.thread(process)));
        }
        drop(shared);
        let slot = self.threads.len();
        if self.slots.len() <= process as usize {
            self.slots.resize(process as usize + 1, u32::MAX);
        }
        self.slots[process as usize] = slot as u32;
        if let Some(watch) = &mut self.watch {
            watch.order.spawn((slot > 0).then_some(self.running), slot);
        }
        self.newborn.push(slot);
        let thread = Thread::new(process, name, stack, main);
        let (limit, base) = thread.stack();
        self.addresses.forget(limit, base - limit);
        self.threads.push(thread);
    }

    /// The object with this name tag at this address.
    ///
    /// # Errors
    /// If it was not made in this execution.
    pub fn object(&mut self, known: &Id, address: *const u8, size: usize, kind: &'static str) -> Result<Object, Stranger> {
        if let Some(object) = known.get(self.number) {
            return Ok(object);
        }
        let home = self.home(address as usize).ok_or(Stranger::Older)?;
        if let Home::Static { .. } = home {
            if known.was_outside() {
                return Err(Stranger::UsedOutside);
            }
            // SAFETY: `address` and `size` are those of a static that is made of cells and was used in checks only. Nobody else looks at it
            // now: one check runs at a time, its code in one thread of the operating system, and this is the first use in this execution.
            unsafe { statics::reset(address, size) };
        }
        let object = self.resident(home, kind);
        if known.set(self.number, object) {
            Ok(object)
        } else {
            Err(Stranger::OneTooMany)
        }
    }

    /// The object without a name tag at this address, which is so large and has this value. What is at the same place with another value than
    /// was last seen or written there is another object: the place was used again.
    ///
    /// # Errors
    /// If it was not made in this execution.
    pub fn object_at(&mut self, address: *const u8, size: usize, value: u64, kind: &'static str) -> Result<Object, Stranger> {
        if let Some(object) = self.addresses.get(address as usize) {
            let known = &self.objects[object.0 as usize];
            let bits = u64::MAX >> (64 - 8 * size);
            if !known.used || (known.value ^ value) & bits == 0 {
                return Ok(object);
            }
        }
        let home = self.home(address as usize).ok_or(Stranger::Older)?;
        if let Home::Static { .. } = home
            && self.addresses.get(address as usize).is_none()
        {
            // SAFETY: as in `object`; whether it was used outside is not known, but its bytes own nothing.
            unsafe { statics::reset(address, size) };
        }
        let object = self.resident(home, kind);
        self.addresses.set(address as usize, object);
        Ok(object)
    }

    /// Whether an object with this name tag was used in this execution.
    pub fn knows(&self, known: &Id) -> bool {
        known.get(self.number).is_some()
    }

    /// A thing that the running thread makes through the library.
    pub fn make(&mut self, kind: &'static str, nature: Nature) -> Object {
        let thread = self.running();
        let home = Home::Made {
            process: thread.process,
            nth: thread.made,
        };
        thread.made += 1;
        let object = self.resident(home, kind);
        self.objects[object.0 as usize].nature = nature;
        object
    }

    /// The token of a process.
    pub fn token(&mut self, process: u32) -> Object {
        let object = self.shared.borrow_mut().identities.object(Home::Token { process }, 0, "token");
        self.known(object);
        object
    }

    /// The running thread is about to try to read-lock, or to wait for whatever it may be while it reads: then it matters that a writer that waits
    /// keeps readers out. If that turns out late, the search must begin again.
    pub fn writers_must_matter(&mut self) {
        let mut shared = self.shared.borrow_mut();
        shared.begin_again |= !shared.care.writers;
        shared.care.writers = true;
    }

    /// Whether writers say that they wait.
    pub fn writers_matter(&self) -> bool {
        self.shared.borrow().care.writers
    }

    /// The end of a process, for who looks for it: then every end of a thread is a step. If that turns out late, the search must begin again.
    pub fn end_to_look_for(&mut self, process: u32) -> Object {
        let mut shared = self.shared.borrow_mut();
        shared.begin_again |= !shared.care.ends;
        shared.care.ends = true;
        let object = shared.identities.end(process);
        drop(shared);
        self.known(object);
        object
    }

    /// The end of the running thread, if it is a step.
    pub fn own_end(&mut self) -> Option<Object> {
        let process = self.process();
        if !self.shared.borrow().care.ends {
            return None;
        }
        let object = self.shared.borrow_mut().identities.end(process);
        self.known(object);
        Some(object)
    }

    /// Where an address is; `None` if it was there before the execution, and is no static.
    fn home(&self, address: usize) -> Option<Home> {
        for (slot, thread) in self.threads.iter().enumerate() {
            // The stack of a thread that has ended is another's.
            if (slot == self.running || !thread.finished())
                && let Some(offset) = thread.on_stack(address)
            {
                return Some(Home::Stack {
                    process: thread.process,
                    offset,
                });
            }
        }
        match self.allocations.find(address) {
            Some((which, offset, _)) => Some(Home::Heap(which, offset)),
            None => statics::is_static(address).then_some(Home::Static { address }),
        }
    }

    fn resident(&mut self, home: Home, kind: &'static str) -> Object {
        let earlier = self.residents.entry(home).or_insert(0);
        let object = self.shared.borrow_mut().identities.object(home, *earlier, kind);
        *earlier += 1;
        self.known(object);
        object
    }

    /// What is known of an object.
    pub(super) fn known(&mut self, object: Object) -> &mut Known {
        let index = object.0 as usize;
        if self.objects.len() <= index {
            self.objects.resize_with(index + 1, Known::default);
        }
        &mut self.objects[index]
    }

    /// A channel has one sender more.
    pub fn add_sender(&mut self, channel: Object) {
        self.known(channel).senders += 1;
    }

    /// The running thread is about to come to a barrier where so many meet: whether it matters who comes when. It does as soon as more threads
    /// than that come there; if that turns out late, the search must begin again.
    pub fn meets_in_turn(&mut self, barrier: Object, size: u32) -> bool {
        let process = self.process();
        self.known(barrier).nature.size = size;
        let users = &mut self.known(barrier).users;
        if !users.contains(&process) {
            users.push(process);
        }
        let more = users.len() > size as usize;
        if more {
            self.turns_must_matter();
        }
        self.shared.borrow().care.barriers
    }

    /// Who comes to a barrier when makes a difference to the code under test.
    pub fn turns_must_matter(&mut self) {
        let mut shared = self.shared.borrow_mut();
        shared.begin_again |= !shared.care.barriers;
        shared.care.barriers = true;
    }

    /// The barrier in the next round of the running thread: an object of its own, so that rounds do not disturb each other.
    pub fn next_round(&mut self, barrier: Object, size: u32) -> Object {
        let nth = {
            let rounds = &mut self.running().rounds;
            match rounds.iter_mut().find(|(b, _)| *b == barrier) {
                Some((_, nth)) => {
                    *nth += 1;
                    *nth
                }
                None => {
                    rounds.push((barrier, 0));
                    0
                }
            }
        };
        let round = self
            .shared
            .borrow_mut()
            .identities
            .object(Home::Round { barrier, nth }, 0, "round of a barrier");
        self.known(round).nature.size = size;
        round
    }

    /// Whether the running thread is the leader of those that meet at a barrier.
    pub fn leads(&self, barrier: Object) -> bool {
        self.arrivals(barrier).max() == Some(self.process())
    }

    fn arrivals(&self, at: Object) -> impl Iterator<Item = u32> + '_ {
        let arrives = move |e: &&Event| matches!(e.op, Op::Arrive { barrier, .. } if barrier == at);
        self.log.iter().filter(arrives).map(|event| event.process)
    }

    /// How many messages were sent through a channel.
    pub fn sent(&mut self, channel: Object) -> u32 {
        self.known(channel).sends.len() as u32
    }

    /// Whether the last reference to something shared matters: its destructor takes steps, so who drops it last makes a difference.
    pub fn drops_matter(&self) -> bool {
        self.shared.borrow().care.drops
    }

    /// The code under test counts references: then every drop of one is a step.
    pub fn drops_must_matter(&mut self) {
        let mut shared = self.shared.borrow_mut();
        shared.begin_again |= !shared.care.drops;
        shared.care.drops = true;
    }

    /// The running thread drops what may be the last reference to something shared, or has done so.
    pub fn dropping(&mut self, begins: bool) {
        let thread = self.running();
        thread.dropping = if begins {
            thread.dropping + 1
        } else {
            thread.dropping.saturating_sub(1)
        };
    }

    /// The running thread has read this value.
    pub fn saw(&mut self, object: Object, value: u64) {
        let known = self.known(object);
        if !known.used {
            known.first_value = value;
        }
        (known.used, known.value) = (true, value);
        self.looked_at(object, value);
    }

    /// The running thread has looked at something. If that has changed within one round of a loop, there was news.
    pub(super) fn looked_at(&mut self, object: Object, value: u64) {
        let thread = self.running();
        match thread.seen.iter().find(|(o, _)| *o == object) {
            Some((_, before)) => thread.busy |= *before != value,
            None => thread.seen.push((object, value)),
        }
    }

    /// The running thread has found an object as it is: a lock taken, a channel empty.
    pub fn found(&mut self, object: Object) {
        let value = self.known(object).shape.value();
        self.looked_at(object, value);
    }

    /// The running thread has done what a loop may be for.
    pub fn was_busy(&mut self) {
        self.running().busy = true;
    }

    /// The running thread has taken a step that looks at an object, unless it has changed it.
    pub fn looked(&mut self, object: Object, before: u64) {
        let value = self.known(object).shape.value();
        if value == before {
            self.looked_at(object, value);
        } else {
            self.running().busy = true;
        }
    }

    /// The running thread has changed a value from `before` to `value`.
    pub fn wrote(&mut self, object: Object, before: u64, value: u64) {
        let known = self.known(object);
        if !known.used {
            known.first_value = before;
        }
        (known.used, known.value) = (true, value);
        if let Some(event) = self.log.last_mut() {
            event.value = value;
        }
        self.running().busy |= before != value;
    }

    /// The running thread goes round in a loop that waits for something: whether it must wait for news now.
    ///
    /// Not at once: loops that give up after a few rounds must be seen to. And only if it did nothing in this round but look at what has not
    /// changed meanwhile, nor since the round before.
    pub fn goes_round(&mut self) -> bool {
        self.goes_round_within(IDLE_ROUNDS)
    }

    /// The same for a task that waits for something else besides: it need not see anything.
    pub fn goes_round_waiting(&mut self) -> bool {
        self.goes_round_within(FRUITLESS_ROUNDS)
    }

    fn goes_round_within(&mut self, idle_rounds: u32) -> bool {
        // Under weak memory, whatever may be read in a later round may be read in this one as well.
        let fruitless_rounds = if self.weak.is_some() { 0 } else { FRUITLESS_ROUNDS };
        let thread = self.running();
        let seen = std::mem::take(&mut thread.seen);
        let again = !std::mem::take(&mut thread.busy) && seen == thread.seen_before;
        thread.fruitless = if again { thread.fruitless + 1 } else { 0 };
        thread.seen_before = seen;
        let patience = if thread.seen_before.is_empty() {
            idle_rounds
        } else {
            fruitless_rounds
        };
        let waits = thread.fruitless > patience;
        if waits {
            self.shared.borrow_mut().awaits_news = true;
        }
        waits
    }

    /// Takes what ended a thread, if it panicked.
    pub fn take_panic(&mut self, process: u32) -> Option<Panic> {
        let slot = self.slot(process)?;
        self.threads[slot].panic.take()
    }

    /// The running thread ends by a panic.
    pub fn panicked(&mut self) {
        let panic = self.running().last_panic.take().unwrap_or(Panic {
            message: "a panic without a message".to_owned(),
            at: None,
        });
        if self.running().dropping > 0 {
            self.drops_must_matter();
        }
        self.running().panic = Some(panic.clone());
        if self.is_failure(self.running) {
            let failure = self.failure_of(self.running, panic);
            self.failure.get_or_insert(failure);
        }
    }

    /// Whether the end of a thread by a panic is a failure.
    fn is_failure(&self, slot: usize) -> bool {
        slot == 0 || !self.allow_panics
    }

    pub(super) fn failure_of(&self, slot: usize, panic: Panic) -> Failure {
        Failure {
            kind: FailureKind::Panic,
            message: match slot {
                0 => panic.message,
                _ => format!("{}: {}", self.thread_name(slot), panic.message),
            },
            at: panic.at.map(|(file, line, column)| Position { file, line, column }),
        }
    }

    /// The panics of threads that wait for ever while they are unwound.
    pub fn unfinished_panics(&self) -> impl Iterator<Item = Failure> + '_ {
        let unwound = |slot: &usize| self.threads[*slot].lane.is_some() && self.is_failure(*slot);
        let slots = (0..self.threads.len()).filter(unwound);
        slots.filter_map(|slot| Some(self.failure_of(slot, self.threads[slot].last_panic.clone()?)))
    }

    /// The running thread can only end the process: two panics at once. It is suspended for ever instead.
    pub fn would_abort(&mut self, why: Panic, at: &'static Location<'static>) -> *const Yielder<(), ()> {
        let mut panic = self.running().last_panic.clone().unwrap_or(why);
        panic.message.push_str(" (within a panic, which ends the process)");
        self.failure = Some(self.failure_of(self.running, panic));
        let thread = self.running();
        (thread.op, thread.at) = (Op::Never, at);
        thread.yielder()
    }

    /// Publishes the next operation of the running thread: how to suspend it.
    pub fn publish(&mut self, op: Op, at: &'static Location<'static>) -> *const Yielder<(), ()> {
        if self.running().dropping > 0 {
            self.drops_must_matter();
        }
        self.went_on_if_untried();
        if matches!(op, Op::TryRead(_)) || self.running().reading > 0 && op.may_wait() {
            self.writers_must_matter();
        }
        let thread = self.running();
        thread.polling.fresh = false;
        // Looking at atomics is watched, and so is what was found taken or empty; whatever else is done may be what the loop is for.
        thread.busy |= !matches!(
            op,
            Op::Load(_)
                | Op::Store(_)
                | Op::Update(_)
                | Op::TryLock(_)
                | Op::TryRead(_)
                | Op::TryWrite(_)
                | Op::TryReceive(_)
                | Op::TrySend(_)
                | Op::TryHand(_)
                | Op::IsFinished(_)
                | Op::AwaitNews
        ) && !matches!(op, Op::Rule { rule, .. } if rule.0.looks || rule.0.idles);
        (thread.op, thread.at) = (op, at);
        thread.yielder()
    }
}
