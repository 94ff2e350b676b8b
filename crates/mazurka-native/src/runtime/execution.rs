//! One execution of the code under test: its threads, what is known of its objects, and what has happened.

use super::allocations::Allocations;
use super::current;
use super::id::{Id, Stranger};
use super::names::{Allocated, Home, Identities};
use super::op::{Facts, Nature, Object, Op, Shape};
use super::statics;
use super::thread::{Panic, Thread, abandon, fresh_stack, resume};
use corosensei::Yielder;
use corosensei::stack::DefaultStack;
use mazurka_core::{Effects, Failure, FailureKind, Footprint, Position, Process, Transition};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::panic::Location;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What all executions of a check share.
#[derive(Default)]
pub(crate) struct Shared {
    pub identities: Identities,
    stacks: Vec<DefaultStack>,
    /// What must be looked at more closely than at first.
    care: Care,
    /// Whether that turned out during a search, which must begin again.
    pub begin_again: bool,
    /// What happened in the last one: the next repeats a part of it.
    last: Vec<Event>,
}

/// What makes a difference in some programs only. To take it as steps in all would make most searches much longer.
#[derive(Clone, Copy, Default)]
struct Care {
    /// Who drops the last reference to something shared.
    drops: bool,
    /// Who comes to a barrier when.
    barriers: bool,
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub process: u32,
    pub op: Op,
    pub alternative: u32,
    pub at: &'static Location<'static>,
    /// The value that the object has afterwards.
    pub value: u64,
    /// Of what was awaited, the part of [`Execution::awaited`].
    awaited: (u32, u32),
}

/// What is known of an object in this execution.
#[derive(Clone, Debug, Default)]
struct Known {
    shape: Shape,
    nature: Nature,
    /// Of a channel: how many senders there ever were, the steps that sent, and those in which senders went away.
    senders: u32,
    sends: Vec<u32>,
    drops: Vec<u32>,
    value: u64,
    first_value: u64,
    used: bool,
    /// Of a barrier: who has come there.
    users: Vec<u32>,
}

impl Known {
    fn facts(&self) -> Facts {
        Facts {
            nature: self.nature,
            senders: self.senders,
        }
    }
}

/// An execution.
pub(crate) struct Execution {
    number: u64,
    shared: Rc<RefCell<Shared>>,
    threads: Vec<Thread>,
    running: usize,
    /// Threads that have not run yet.
    newborn: Vec<usize>,
    objects: Vec<Known>,
    /// How many objects have been at a place.
    residents: FxHashMap<Home, u32>,
    allocations: Allocations,
    log: Vec<Event>,
    awaited: Vec<(Object, u64)>,
    /// Whether it has done what the last one did so far.
    repeats: bool,
    /// The panic that the hook saw last.
    pub last_panic: Option<Panic>,
    /// What went wrong in the step under way, or before the first.
    failure: Option<Failure>,
    /// How it is not what it was when the same steps were taken before. Kept: steps that are taken again are not looked at.
    strange: Option<Failure>,
    /// What went wrong before the first step.
    early: Vec<Failure>,
    allow_panics: bool,
}

impl Execution {
    /// The code under test up to its first operation.
    pub fn start(shared: &Rc<RefCell<Shared>>, allow_panics: bool, main: Box<dyn FnOnce()>) -> Box<Self> {
        // Objects remember in which execution they were used: no two have the same number, in whatever check.
        static EXECUTIONS: AtomicU64 = AtomicU64::new(1);
        let number = EXECUTIONS.fetch_add(1, Relaxed);
        let mut execution = Box::new(Execution {
            number,
            shared: Rc::clone(shared),
            threads: Vec::new(),
            running: 0,
            newborn: Vec::new(),
            objects: Vec::new(),
            residents: FxHashMap::default(),
            allocations: Allocations::default(),
            log: Vec::new(),
            awaited: Vec::new(),
            repeats: true,
            last_panic: None,
            failure: None,
            strange: None,
            early: Vec::new(),
            allow_panics,
        });
        let process = shared.borrow().identities.main();
        execution.add_thread(process, Some("main".to_owned()), main);
        execution.run_newborn(None);
        execution.early.extend(execution.failure.take());
        execution
    }

    // What the library under test asks for.

    /// The thread that is running.
    pub fn running(&mut self) -> &mut Thread {
        &mut self.threads[self.running]
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
        self.allocations.note(start, which);
    }

    /// A thread is started by the one that is running: its process.
    pub fn spawn(&mut self, name: Option<String>, main: Box<dyn FnOnce()>) -> u32 {
        let parent = self.running();
        let (process, nth) = (parent.process, parent.children);
        parent.children += 1;
        let process = self.shared.borrow_mut().identities.child(process, nth);
        self.add_thread(process, name, main);
        process
    }

    fn add_thread(&mut self, process: u32, name: Option<String>, main: Box<dyn FnOnce()>) {
        let stack = self.shared.borrow_mut().stacks.pop().unwrap_or_else(fresh_stack);
        self.newborn.push(self.threads.len());
        self.threads.push(Thread::new(process, name, stack, main));
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

    /// Where an address is; `None` if it was there before the execution, and is no static.
    fn home(&self, address: usize) -> Option<Home> {
        for thread in &self.threads {
            if let Some(offset) = thread.on_stack(address) {
                return Some(Home::Stack {
                    process: thread.process,
                    offset,
                });
            }
        }
        match self.allocations.find(address) {
            Some((which, offset)) => Some(Home::Heap(which, offset)),
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

    fn known(&mut self, object: Object) -> &mut Known {
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
        let mut shared = self.shared.borrow_mut();
        if more && !shared.care.barriers {
            shared.care.barriers = true;
            shared.begin_again = true;
        }
        shared.care.barriers
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

    /// The running thread has found a channel empty.
    pub fn saw_empty(&mut self, channel: Object) {
        let value = self.known(channel).shape.value();
        let seen = &mut self.running().seen;
        seen.retain(|(o, _)| *o != channel);
        seen.push((channel, value));
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
        let seen = &mut self.running().seen;
        match seen.iter_mut().find(|(o, _)| *o == object) {
            Some(known) => known.1 = value,
            None => seen.push((object, value)),
        }
    }

    /// The running thread has found a lock taken.
    pub fn saw_locked(&mut self, lock: Object) {
        let value = self.known(lock).shape.value();
        let seen = &mut self.running().seen;
        seen.retain(|(o, _)| *o != lock);
        seen.push((lock, value));
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
        if before != value {
            let thread = self.running();
            thread.seen.clear();
            thread.seen_before.clear();
        }
    }

    /// The running thread goes round in a loop that waits for something: whether it must wait for news now.
    pub fn goes_round(&mut self, at_once: bool) -> bool {
        let thread = self.running();
        let seen = std::mem::take(&mut thread.seen);
        let again = at_once || seen == thread.seen_before;
        thread.seen_before = seen;
        again && !thread.seen_before.is_empty()
    }

    /// Takes what ended a thread, if it panicked.
    pub fn take_panic(&mut self, process: u32) -> Option<Panic> {
        self.threads.iter_mut().find(|t| t.process == process)?.panic.take()
    }

    /// The running thread ends by a panic.
    pub fn panicked(&mut self) {
        let panic = self.last_panic.take().unwrap_or(Panic {
            message: "a panic without a message".to_owned(),
            at: None,
        });
        let is_main = self.running == 0;
        let thread = self.running();
        let impure = thread.impure;
        thread.panic = Some(panic.clone());
        if is_main || impure || !self.allow_panics {
            let name = self.thread_name(self.running);
            self.failure.get_or_insert(Failure {
                kind: FailureKind::Panic,
                message: if is_main {
                    panic.message
                } else {
                    format!("{name}: {}", panic.message)
                },
                at: panic.at.map(|(file, line, column)| Position { file, line, column }),
            });
        }
    }

    /// Publishes the next operation of the running thread: how to suspend it, or nothing if it cannot be suspended now.
    pub fn publish(&mut self, op: Op, at: &'static Location<'static>) -> Option<*const Yielder<(), ()>> {
        if std::thread::panicking() {
            // Unwinding cannot be interrupted: other threads would seem to panic too.
            let thread = self.running();
            match op {
                Op::Unlock(_) | Op::EndRead(_) | Op::EndWrite(_) | Op::DropSender(_) | Op::DropReceiver(_) | Op::End(..) => {
                    thread.deferred.push((op, at));
                }
                _ => thread.impure = true,
            }
            thread.answer = 0;
            return None;
        }
        if self.running().dropping > 0 {
            self.drops_must_matter();
        }
        let thread = self.running();
        (thread.op, thread.at) = (op, at);
        Some(thread.yielder())
    }

    // What the engine asks for.

    /// The threads that are not at their end, oldest first.
    pub fn unfinished(&self) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(|t| !t.finished())
    }

    /// The thread of a process.
    pub fn thread(&self, process: Process) -> Option<&Thread> {
        self.threads.iter().find(|t| t.process == process.0)
    }

    /// What has happened.
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// What went wrong before the first step, or otherwise than in a step.
    pub fn other_failures(&self) -> impl Iterator<Item = &Failure> {
        self.early.iter().chain(&self.strange)
    }

    /// What a person calls a thread.
    pub fn thread_name(&self, slot: usize) -> String {
        let thread = &self.threads[slot];
        match &thread.name {
            Some(name) => name.clone(),
            None => self.shared.borrow().identities.thread(thread.process),
        }
    }

    /// The slot of a process.
    pub fn slot(&self, process: u32) -> Option<usize> {
        self.threads.iter().position(|t| t.process == process)
    }

    /// Who took a lock last: its holder, if it is held.
    pub fn holder(&self, lock: Object) -> Option<u32> {
        let takes = |e: &&Event| match e.op {
            Op::Lock(o) | Op::TryLock(o) | Op::Read(o) | Op::TryRead(o) | Op::Write(o) | Op::TryWrite(o) => o == lock,
            _ => false,
        };
        self.log.iter().rev().find(takes).map(|event| event.process)
    }

    /// What is known about the value of an object, if it has one.
    pub fn value(&self, object: Object) -> Option<u64> {
        self.objects.get(object.0 as usize).filter(|k| k.used).map(|k| k.value)
    }

    /// How many objects there may be.
    pub fn objects(&self) -> u32 {
        self.objects.len() as u32
    }

    /// Whether an alternative of a thread's next operation can be taken.
    pub fn enabled(&self, thread: &Thread, alternative: u32) -> bool {
        match thread.op {
            Op::Join(process) => self.slot(process).is_some_and(|slot| self.threads[slot].finished()),
            Op::AwaitNews => {
                let is_news = |(object, value): &(Object, u64)| self.objects[object.0 as usize].value != *value;
                thread.seen_before.iter().any(is_news)
            }
            op => op.objects().iter().all(|object| {
                let known = &self.objects[object.0 as usize];
                op.enabled(alternative, thread.process, &known.shape, known.facts())
            }),
        }
    }

    /// What a thread's next operation may touch.
    pub fn footprint(&self, thread: &Thread, out: &mut Footprint) {
        thread.op.footprint(out);
        if thread.op == Op::AwaitNews {
            for (object, _) in &thread.seen_before {
                out.guard(object.first());
                out.guard(object.second());
                out.guard(object.third());
            }
        }
    }

    /// Whether the next operation of a process after the events at `kept`, with this alternative, could be taken then.
    pub fn enabled_after(&self, kept: &[u32], transition: Transition) -> bool {
        let process = transition.process.0;
        let done = kept.iter().filter(|at| self.log[**at as usize].process == process).count();
        let taken = self.log.iter().filter(|e| e.process == process).nth(done);
        let (op, awaited): (Op, &[(Object, u64)]) = match taken {
            Some(event) => (event.op, &self.awaited[event.awaited.0 as usize..event.awaited.1 as usize]),
            None => match self.thread(transition.process) {
                Some(thread) => (thread.op, &thread.seen_before),
                None => return false,
            },
        };
        if op == Op::AwaitNews {
            return awaited.iter().any(|(object, value)| self.value_after(kept, *object) != *value);
        }
        op.objects().iter().all(|object| {
            let known = &self.objects[object.0 as usize];
            let mut shape = Shape::default();
            for at in kept {
                let event = &self.log[*at as usize];
                if event.op.objects().contains(object) {
                    shape.apply(event.op, event.alternative, event.process, *object, known.facts());
                }
            }
            op.enabled(transition.choice, process, &shape, known.facts())
        })
    }

    /// The value that an object would have after the events at `kept`.
    fn value_after(&self, kept: &[u32], object: Object) -> u64 {
        let known = &self.objects[object.0 as usize];
        let about = kept
            .iter()
            .map(|at| &self.log[*at as usize])
            .filter(|e| e.op.objects().contains(&object));
        let mut shape = Shape::default();
        let mut value = known.first_value;
        for event in about {
            match event.op {
                Op::Load(_) => {}
                Op::Store(_) | Op::Update(_) => value = event.value,
                op => {
                    shape.apply(op, event.alternative, event.process, object, known.facts());
                    value = shape.value();
                }
            }
        }
        value
    }

    /// Takes a step.
    pub fn take(&mut self, transition: Transition, effects: &mut Effects) {
        let Some(slot) = self.slot(transition.process.0) else { return };
        let position = self.log.len() as u32;
        let thread = &self.threads[slot];
        let (op, at, process, alternative) = (thread.op, thread.at, thread.process, transition.choice);
        self.wait_for(op, effects);
        let mut answer = alternative;
        for object in op.objects() {
            let known = self.known(object);
            let facts = known.facts();
            let answered = known.shape.apply(op, alternative, process, object, facts);
            if !op.is_atomic() {
                known.value = known.shape.value();
            }
            // Of two objects the first one answers.
            answer = if object == op.objects()[0] { answered } else { answer };
            match op {
                Op::Send(_) | Op::SendBounded(_) | Op::TrySend(_) if answered == 0 => known.sends.push(position),
                Op::DropSender(_) => known.drops.push(position),
                _ => {}
            }
        }
        let awaited = self.awaited.len() as u32;
        if op == Op::AwaitNews {
            self.awaited.extend_from_slice(&self.threads[slot].seen_before);
        }
        let event = Event {
            process,
            op,
            alternative,
            at,
            value: 0,
            awaited: (awaited, self.awaited.len() as u32),
        };
        self.log.push(event);
        self.compare_with_last(position as usize);
        let thread = &mut self.threads[slot];
        thread.answer = answer;
        thread.last_event = Some(position);
        thread.steps += 1;
        thread.sizes.clear();
        self.resume(slot);
        self.run_newborn(Some(effects));
        effects.failure = self.strange.clone().or(self.failure.take());
    }

    /// The steps that an operation had to wait for.
    fn wait_for(&self, op: Op, effects: &mut Effects) {
        match op {
            Op::Join(process) => {
                let last = self.slot(process).and_then(|slot| self.threads[slot].last_event);
                effects.after.extend(last);
            }
            Op::Receive(channel) => {
                let known = &self.objects[channel.0 as usize];
                let received = if let Shape::Channel(c) = &known.shape { c.received } else { 0 };
                match known.sends.get(received as usize) {
                    Some(send) => effects.after.push(*send),
                    None => effects.after.extend(known.drops.iter().copied()),
                }
            }
            _ => {}
        }
    }

    /// As long as the last execution is repeated, the same must happen.
    fn compare_with_last(&mut self, position: usize) {
        if !self.repeats {
            return;
        }
        let shared = self.shared.borrow();
        let (now, last) = (&self.log[position], shared.last.get(position));
        let same_step = last.is_some_and(|last| (last.process, last.alternative) == (now.process, now.alternative));
        if !same_step {
            self.repeats = false;
            return;
        }
        if let Some(last) = last
            && last.op != now.op
        {
            let name = |op: Op| shared.identities.describe_op(op);
            let message = format!(
                "the code under test did something else when the same steps were taken again: `{}` at {} instead of `{}` at {}",
                name(now.op),
                now.at,
                name(last.op),
                last.at
            );
            self.strange = Some(Failure {
                kind: FailureKind::Nondeterminism,
                message,
                at: None,
            });
        }
    }

    fn resume(&mut self, slot: usize) {
        self.running = slot;
        let Some(body) = self.threads[slot].take_body() else { return };
        let body = current::enter(self, |_| resume(body));
        match body {
            Ok(body) => self.threads[slot].put_body(body),
            Err(stack) => self.shared.borrow_mut().stacks.push(stack),
        }
    }

    /// Lets new threads run to their first operation: they are born with the step under way.
    fn run_newborn(&mut self, mut effects: Option<&mut Effects>) {
        let position = self.log.len().checked_sub(1).map(|at| at as u32);
        while !self.newborn.is_empty() {
            let slot = self.newborn.remove(0);
            self.threads[slot].last_event = position;
            if let Some(effects) = effects.as_deref_mut() {
                effects.births.push(Process(self.threads[slot].process));
            }
            self.resume(slot);
        }
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        let mut shared = self.shared.borrow_mut();
        shared.last = std::mem::take(&mut self.log);
        for thread in &mut self.threads {
            if let Some(body) = thread.take_body() {
                shared.stacks.push(abandon(body));
            }
        }
    }
}
