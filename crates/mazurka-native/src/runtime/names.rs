//! Who is who in every execution: threads by their place of birth, objects by where they were made.
//!
//! Constructors are `const`, so an object cannot register when it is made. It is named when it is first used, by its address: which allocation
//! of which thread it lies in, or where on which thread's stack, or as a static. All of that is a function of what its maker has
//! observed, so the same object has the same name in every execution.

use super::op::{Object, Op};
use mazurka_core::Names;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Home {
    /// In an allocation, at this offset.
    Heap(Allocated, u32),
    /// On the stack of a process, so far from its base.
    Stack { process: u32, offset: u32 },
    /// At an address that is the same in all executions.
    Static { address: usize },
    /// The token that a process waits for when it parks.
    Token { process: u32 },
    /// The end of a process, where it is looked for.
    End { process: u32 },
    /// What wakes a process that polls futures.
    Wakes { process: u32 },
    /// A barrier in its so-many-th round.
    Round { barrier: Object, nth: u32 },
    /// The so-many-th thing that a process made through the library itself: a channel.
    Made { process: u32, nth: u32 },
}

/// Which allocation. Not simply the so-many-th of its process: what the standard library allocates once for all, say for the output, must
/// not shift the names of everything that follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Allocated {
    /// Who made it.
    pub process: u32,
    /// After so many of its steps.
    pub steps: u32,
    /// How large it is.
    pub size: usize,
    /// The so-many-th of that size since that step.
    pub nth: u32,
}

/// The tables that all executions of a check share.
#[derive(Default)]
pub(crate) struct Identities {
    /// Processes by birth.
    pub processes: Names,
    /// The children of each process, in the order of their births: the fast way to a name that is known.
    children: Vec<Vec<u32>>,
    /// By home and how many objects have been there before.
    objects: FxHashMap<(Home, u32), u32>,
    kinds: Vec<&'static str>,
    /// Processes that are tasks.
    tasks: FxHashSet<u32>,
    /// Processes that objects stand for.
    stands_for: FxHashMap<u32, u32>,
}

impl Identities {
    /// The main thread.
    pub fn main(&self) -> u32 {
        self.processes.root(0)
    }

    /// The so-many-th child of a process.
    pub fn child(&mut self, parent: u32, nth: u32) -> u32 {
        if self.children.len() <= parent as usize {
            self.children.resize_with(parent as usize + 1, Vec::new);
        }
        let known = &mut self.children[parent as usize];
        while known.len() <= nth as usize {
            known.push(self.processes.child(parent, known.len() as u32));
        }
        known[nth as usize]
    }

    /// What a person calls a process: `thread 2`, or `thread 2.1` if that one started it; `main`.
    pub fn thread(&self, process: u32) -> String {
        let path = self.processes.path(process);
        let numbers = path.split('.').skip(1).filter_map(|n| n.parse::<u32>().ok());
        let numbers: Vec<String> = numbers.map(|n| (n + 1).to_string()).collect();
        if numbers.is_empty() {
            return "main".to_owned();
        }
        let what = if self.tasks.contains(&process) { "task" } else { "thread" };
        format!("{what} {}", numbers.join("."))
    }

    /// A process is a task, and this object stands for it.
    pub fn is_task(&mut self, process: u32, object: Object) {
        self.tasks.insert(process);
        self.stands_for.insert(object.0, process);
    }

    /// The object through which a process is woken, if it ever was.
    pub fn wakes_of(&self, process: u32) -> Option<Object> {
        self.objects.get(&(Home::Wakes { process }, 0)).copied().map(Object)
    }

    /// The object through which a process is woken.
    pub fn wakes(&mut self, process: u32) -> Object {
        let object = self.object(Home::Wakes { process }, 0, "waker");
        self.stands_for.insert(object.0, process);
        object
    }

    /// The object that stands for the end of a process.
    pub fn end(&mut self, process: u32) -> Object {
        let object = self.object(Home::End { process }, 0, "end");
        self.stands_for.insert(object.0, process);
        object
    }

    /// The object that lives there after `earlier` others.
    pub fn object(&mut self, home: Home, earlier: u32, kind: &'static str) -> Object {
        let next = self.kinds.len() as u32;
        let id = *self.objects.entry((home, earlier)).or_insert(next);
        if id == next {
            self.kinds.push(kind);
        }
        Object(id)
    }

    /// An operation as a person reads it.
    pub fn describe_op(&self, op: Op) -> String {
        let name = |object: Object| self.describe(object);
        match op {
            Op::Load(o) => format!("load {}", name(o)),
            Op::Store(o) => format!("store {}", name(o)),
            Op::Update(o) => format!("update {}", name(o)),
            Op::Lock(o) => format!("lock {}", name(o)),
            Op::TryLock(o) => format!("try to lock {}", name(o)),
            Op::Unlock(o) => format!("unlock {}", name(o)),
            Op::Read(o) => format!("read-lock {}", name(o)),
            Op::TryRead(o) => format!("try to read-lock {}", name(o)),
            Op::EndRead(o) | Op::EndWrite(o) => format!("unlock {}", name(o)),
            Op::ComeToWrite(o) => format!("wait to write-lock {}", name(o)),
            Op::Write(o) => format!("write-lock {}", name(o)),
            Op::TryWrite(o) => format!("try to write-lock {}", name(o)),
            Op::Enqueue(o) => format!("begin to wait for {}", name(o)),
            Op::BeginWait { condvar, lock } => format!("unlock {} and wait for {}", name(lock), name(condvar)),
            Op::EndWait { condvar, .. } => format!("be woken by {}", name(condvar)),
            Op::NotifyOne(o) => format!("notify one of {}", name(o)),
            Op::NotifyAll(o) => format!("notify all of {}", name(o)),
            Op::Park { .. } => "park".to_owned(),
            Op::Unpark(o) => format!("unpark {}", name(o)),
            Op::Send(o) | Op::SendBounded(o) => format!("send to {}", name(o)),
            Op::TrySend(o) | Op::TryHand(o) => format!("try to send to {}", name(o)),
            Op::Handed(o, _) => format!("hand over through {}", name(o)),
            Op::Receive(o) | Op::ReceiveGuarded { channel: o, .. } => format!("receive from {}", name(o)),
            Op::ComeToReceive(o) => format!("wait for {}", name(o)),
            Op::TryReceive(o) => format!("try to receive from {}", name(o)),
            Op::DropSender(o) => format!("drop a sender of {}", name(o)),
            Op::DropReceiver(o) => format!("drop the receiver of {}", name(o)),
            Op::Join(process) => format!("join {}", self.thread(process)),
            Op::Finish(_) => "end".to_owned(),
            Op::IsFinished(o) => format!("see whether {} has ended", name(o)),
            Op::Arrive { barrier: o, .. } => format!("come to {}", name(o)),
            Op::Leave(o, _) => format!("leave {}", name(o)),
            Op::Begin(o) | Op::BeginAgain(o) => format!("begin {}", name(o)),
            Op::AwaitDone(o, _) => format!("wait for {}", name(o)),
            Op::End(o, _) => format!("end {}", name(o)),
            Op::AwaitNews => "wait for news".to_owned(),
            Op::Choose(n) => format!("choose one of {n}"),
            Op::Rule { object: o, rule, .. } => format!("{} {}", rule.0.name, name(o)),
            Op::Any(n) => format!("one of {n} operations"),
            Op::Time(_) => "the time is over".to_owned(),
            Op::Cancel => "be cancelled".to_owned(),
            Op::Never => "wait for nothing".to_owned(),
        }
    }

    /// What kind of thing an object is, and the how-manieth of its kind.
    pub fn describe(&self, object: Object) -> String {
        if let Some(process) = self.stands_for.get(&object.0) {
            return self.thread(*process);
        }
        let Some(kind) = self.kinds.get(object.0 as usize) else {
            return "?".to_owned();
        };
        let nth = self.kinds[..object.0 as usize].iter().filter(|k| k == &kind).count();
        format!("{kind} {nth}")
    }
}
