//! What the engine asks an execution: what is pending, what it may touch, and whether it could have been taken earlier.

use super::execution::{Event, Execution};
use super::offers::{self, Offer};
use super::op::{Object, Op, Shape};
use super::thread::Thread;
use mazurka_core::{Failure, Footprint, Process, Transition};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

impl Execution {
    /// The threads that are not at their end, oldest first.
    pub fn unfinished(&self) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(|t| !t.finished())
    }

    /// The thread of a process.
    pub fn thread(&self, process: Process) -> Option<&Thread> {
        self.slot(process.0).map(|slot| &self.threads[slot])
    }

    /// What has happened.
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// What each thread did and saw, as a number that does not depend on the order of what different threads did.
    pub fn seen(&self) -> u64 {
        let mut threads: Vec<u64> = vec![0; self.slots.len()];
        for event in &self.log {
            let value = if event.op.is_atomic() { event.value } else { 0 };
            let mut hasher = FxHasher::default();
            let step = format!("{:?}", event.op);
            (threads[event.process as usize], event.process, event.choice, value, step).hash(&mut hasher);
            threads[event.process as usize] = hasher.finish();
        }
        threads.into_iter().fold(0, u64::wrapping_add)
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
        let slot = *self.slots.get(process as usize)?;
        (slot != u32::MAX).then_some(slot as usize)
    }

    /// Who took a lock last: its holder, if it is held.
    pub fn holder(&self, lock: Object) -> Option<u32> {
        let takes = |e: &&Event| match e.op {
            Op::Lock(o) | Op::TryLock(o) | Op::Read(o) | Op::TryRead(o) | Op::Write(o) | Op::TryWrite(o) => o == lock,
            _ => false,
        };
        self.log.iter().rev().find(takes).map(|event| event.process)
    }

    /// Whether readers are kept out of a lock by writers that wait.
    pub fn writers_wait(&self, lock: Object) -> bool {
        let shape = self.objects.get(lock.0 as usize).map(|known| &known.shape);
        matches!(
            shape,
            Some(Shape::Shared {
                writer: false,
                waiting: 1..,
                ..
            })
        )
    }

    /// Who has what a process waits for that wants to take this step.
    pub fn holder_by_rule(&self, object: Object) -> Option<u32> {
        let takes = |e: &&Event| matches!(e.op, Op::Rule { object: o, rule, .. } if o == object && rule.0.holds);
        self.log.iter().rev().find(takes).map(|event| event.process)
    }

    /// The last step that would have ended the wait of a thread, had it waited then already.
    pub fn missed(&self, thread: &Thread, op: Op) -> Option<&Event> {
        let object = match op {
            Op::EndWait { condvar: object, .. } | Op::Rule { object, .. } => object,
            _ => return None,
        };
        let signals = |e: &Event| match e.op {
            Op::NotifyOne(_) | Op::NotifyAll(_) => true,
            Op::Rule { rule, .. } => rule.0.signals,
            _ => false,
        };
        let about = |(_, e): &(usize, &Event)| e.process != thread.process && signals(e) && e.op.objects().contains(&object);
        let (at, last) = self.log.iter().enumerate().rev().find(about)?;
        thread.last_event.is_some_and(|began| at as u32 <= began).then_some(last)
    }

    /// How many wakers a thread has, if it is woken through this object.
    pub fn wakers(&self, thread: &Thread, object: Object) -> Option<u32> {
        let wakes = self.shared.borrow().identities.wakes_of(thread.process);
        (wakes == Some(object)).then_some(thread.polling.wakers)
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
            Op::AwaitNews => self.has_news(thread),
            Op::Any(_) => offers::enabled(&thread.offers, alternative, |op| match op {
                Op::AwaitNews => self.has_news(thread),
                op => self.can(op, 0, thread.process),
            }),
            op => self.can(op, alternative, thread.process),
        }
    }

    fn has_news(&self, thread: &Thread) -> bool {
        let is_news = |(object, value): &(Object, u64)| self.objects[object.0 as usize].value != *value;
        thread.seen_before.iter().any(is_news)
    }

    /// Whether an operation can be taken, as far as objects decide.
    fn can(&self, op: Op, alternative: u32, process: u32) -> bool {
        op != Op::Never
            && op.objects().iter().all(|object| {
                let known = &self.objects[object.0 as usize];
                op.enabled(alternative, process, &known.shape, known.facts())
            })
    }

    /// What an alternative of a thread's next operation may touch.
    pub fn footprint(&self, thread: &Thread, alternative: u32, out: &mut Footprint) {
        if let Op::Any(_) = thread.op {
            return offers::footprint(&thread.offers, alternative, &thread.seen_before, out);
        }
        thread.op.footprint(out);
        if thread.op == Op::AwaitNews {
            offers::watch(&thread.seen_before, out);
        }
    }

    /// Whether the next operation of a process after the events at `kept`, with this alternative, could be taken then.
    pub fn enabled_after(&self, kept: &[u32], transition: Transition) -> bool {
        let process = transition.process.0;
        let done = kept.iter().filter(|at| self.log[**at as usize].process == process).count();
        let taken = self.log.iter().filter(|e| e.process == process).nth(done);
        let (op, awaited, offered): (Op, &[(Object, u64)], &[Offer]) = match taken {
            Some(event) => (
                event.op,
                &self.awaited[event.awaited.0 as usize..event.awaited.1 as usize],
                &self.offered[event.offered.0 as usize..event.offered.1 as usize],
            ),
            None => match self.thread(transition.process) {
                Some(thread) if matches!(thread.op, Op::Any(_)) => (thread.op, &thread.seen_before, &thread.offers),
                Some(thread) => (thread.op, &thread.seen_before, &[]),
                None => return false,
            },
        };
        let has_news = || awaited.iter().any(|(object, value)| self.value_after(kept, *object) != *value);
        if !offered.is_empty() {
            return offers::enabled(offered, transition.choice, |op| match op {
                Op::AwaitNews => has_news(),
                op => self.can_after(kept, op, 0, process),
            });
        }
        if op == Op::AwaitNews {
            return has_news();
        }
        self.can_after(kept, op, transition.choice, process)
    }

    /// Whether an operation could be taken after the events at `kept`, as far as objects decide.
    fn can_after(&self, kept: &[u32], op: Op, alternative: u32, process: u32) -> bool {
        op != Op::Never
            && op.objects().iter().all(|object| {
                let known = &self.objects[object.0 as usize];
                let mut shape = Shape::default();
                for at in kept {
                    let event = &self.log[*at as usize];
                    if event.op.objects().contains(object) {
                        shape.apply(event.op, event.alternative, event.process, *object, known.facts());
                    }
                }
                op.enabled(alternative, process, &shape, known.facts())
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
}
