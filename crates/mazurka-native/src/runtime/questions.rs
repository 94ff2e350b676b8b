//! What the engine asks an execution: what is pending, what it may touch, and whether it could have been taken earlier.

use super::execution::{Event, Execution};
use super::op::{Object, Op, Shape};
use super::thread::Thread;
use mazurka_core::{Failure, Footprint, Process, Transition};

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
}
