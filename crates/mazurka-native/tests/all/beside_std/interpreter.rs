//! Runs a program, against the interface that is found next to it.

use super::super::Outcome;
use super::super::program::{Body, Program, Statement};
use super::api::jitter;
use super::api::sync::atomic::{AtomicI64, Ordering::SeqCst};
use super::api::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use super::api::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, TryLockError, Weak};
use super::api::thread::{self, JoinHandle, Thread};
use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

const MOMENT: Duration = Duration::from_micros(200);

type Lazy = LazyLock<i64, Box<dyn FnOnce() -> i64 + Send>>;

struct World {
    program: Program,
    atomics: [AtomicI64; 2],
    mutexes: [Mutex<i64>; 2],
    rwlock: RwLock<i64>,
    condition: (Mutex<bool>, Condvar),
    once: Once,
    cell: OnceLock<i64>,
    lazy: Lazy,
    barrier: Barrier,
    main: Thread,
}

struct Runner {
    world: Arc<World>,
    seen: Vec<String>,
    sender: Option<Sender<i64>>,
    receiver: Option<Receiver<i64>>,
    sync_sender: Option<SyncSender<i64>>,
    sync_receiver: Option<Receiver<i64>>,
    shared: Option<Arc<AtomicI64>>,
    weak: Weak<AtomicI64>,
    others: Vec<JoinHandle<Vec<String>>>,
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "something else".to_owned(),
    }
}

pub(in super::super) fn run(program: &Program) -> Outcome {
    let body = program.threads[0].first().cloned();
    let lazily: Box<dyn FnOnce() -> i64 + Send> = Box::new(move || {
        if let Some(Statement::Panic(v)) = body {
            resume_unwind(Box::new(format!("lazy {v}")))
        } else {
            7
        }
    });
    let world = Arc::new(World {
        program: program.clone(),
        atomics: Default::default(),
        mutexes: Default::default(),
        rwlock: RwLock::new(0),
        condition: Default::default(),
        once: Once::new(),
        cell: OnceLock::new(),
        lazy: LazyLock::new(lazily),
        barrier: Barrier::new(program.threads.len()),
        main: thread::current(),
    });
    let (sender, receiver) = channel();
    let (sync_sender, sync_receiver) = sync_channel(program.bound);
    let shared = Arc::new(AtomicI64::new(5));
    let weak = Arc::downgrade(&shared);
    let mut main = Runner {
        world: Arc::clone(&world),
        seen: vec!["main".to_owned()],
        sender: Some(sender),
        receiver: Some(receiver),
        sync_sender: Some(sync_sender),
        sync_receiver: Some(sync_receiver),
        shared: Some(shared),
        weak,
        others: Vec::new(),
    };
    let others: Vec<_> = (1..program.threads.len())
        .map(|i| {
            let mut other = main.another(&format!("thread {i}"));
            thread::spawn(move || {
                let program = other.world.program.clone();
                let end = catch_unwind(AssertUnwindSafe(|| other.run(&program.threads[i])));
                other.end(end);
                std::mem::take(&mut other.seen)
            })
        })
        .collect();
    main.others = others;
    let program = program.clone();
    let end = catch_unwind(AssertUnwindSafe(|| main.run(&program.threads[0])));
    main.end(end);
    let mut outcome = Vec::new();
    main.sender = None;
    main.sync_sender = None;
    main.receiver = None;
    main.sync_receiver = None;
    for other in std::mem::take(&mut main.others) {
        outcome.push(other.join().unwrap_or_else(|payload| vec![said(&*payload)]));
    }
    main.see("left", world.atomics.each_ref().map(|x| x.load(SeqCst)));
    main.see(
        "locked",
        world.mutexes.each_ref().map(|m| m.lock().map(|g| *g).map_err(|e| *e.into_inner())),
    );
    main.see("rw", world.rwlock.read().map(|g| *g).map_err(|e| *e.into_inner()));
    outcome.push(std::mem::take(&mut main.seen));
    outcome
}

/// Sees to it that something is seen when it is dropped.
struct Noted<'a>(&'a AtomicI64);

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(10, SeqCst);
    }
}

impl Runner {
    fn another(&self, name: &str) -> Runner {
        Runner {
            world: Arc::clone(&self.world),
            seen: vec![name.to_owned()],
            sender: self.sender.clone(),
            receiver: None,
            sync_sender: self.sync_sender.clone(),
            sync_receiver: None,
            shared: self.shared.clone(),
            weak: self.weak.clone(),
            others: Vec::new(),
        }
    }

    fn see(&mut self, what: &str, value: impl Debug) {
        self.seen.push(format!("{what} {value:?}"));
    }

    fn end(&mut self, end: thread::Result<()>) {
        if let Err(payload) = end {
            self.see("ended by", said(&*payload));
        }
    }

    fn run(&mut self, body: &Body) {
        for statement in body {
            jitter();
            self.take(statement);
        }
    }

    fn take(&mut self, statement: &Statement) {
        use Statement::*;
        let world = Arc::clone(&self.world);
        match statement {
            Load(x) => self.see("load", world.atomics[*x].load(SeqCst)),
            Store(x, v) => world.atomics[*x].store(*v, SeqCst),
            Add(x) => self.see("add", world.atomics[*x].fetch_add(1, SeqCst)),
            Swap(x, v) => self.see("swap", world.atomics[*x].swap(*v, SeqCst)),
            CompareExchange(x, old, new) => self.see("cas", world.atomics[*x].compare_exchange(*old, *new, SeqCst, SeqCst)),
            Lock(m, body) => {
                let mut guard = world.mutexes[*m].lock().unwrap_or_else(|e| {
                    self.see("poisoned", ());
                    e.into_inner()
                });
                *guard += 1;
                self.see("lock", *guard);
                self.run(body);
            }
            TryLock(m, body) => match world.mutexes[*m].try_lock() {
                Ok(mut guard) => {
                    *guard += 1;
                    self.run(body);
                }
                Err(TryLockError::Poisoned(e)) => self.see("poisoned", *e.into_inner()),
                Err(TryLockError::WouldBlock) => self.see("would block", ()),
            },
            IsPoisoned(m) => self.see("is poisoned", world.mutexes[*m].is_poisoned()),
            ClearPoison(m) => world.mutexes[*m].clear_poison(),
            Read(body) => {
                let guard = world.rwlock.read().unwrap_or_else(|e| {
                    self.see("poisoned", ());
                    e.into_inner()
                });
                self.see("read", *guard);
                self.run(body);
            }
            Write(body) => {
                let mut guard = world.rwlock.write().unwrap_or_else(|e| {
                    self.see("poisoned", ());
                    e.into_inner()
                });
                *guard += 1;
                self.run(body);
            }
            TryRead(body) => match world.rwlock.try_read() {
                Ok(guard) => {
                    self.see("read", *guard);
                    self.run(body);
                }
                Err(TryLockError::Poisoned(e)) => self.see("poisoned", *e.into_inner()),
                Err(TryLockError::WouldBlock) => self.see("would block", ()),
            },
            TryWrite(body) => match world.rwlock.try_write() {
                Ok(mut guard) => {
                    *guard += 1;
                    self.run(body);
                }
                Err(TryLockError::Poisoned(e)) => self.see("poisoned", *e.into_inner()),
                Err(TryLockError::WouldBlock) => self.see("would block", ()),
            },
            RwIsPoisoned => self.see("is poisoned", world.rwlock.is_poisoned()),
            RwClearPoison => world.rwlock.clear_poison(),
            Notify(all) => {
                *world.condition.0.lock().unwrap() = true;
                if *all {
                    world.condition.1.notify_all();
                } else {
                    world.condition.1.notify_one();
                }
            }
            Wait => {
                let guard = world.condition.0.lock().unwrap();
                let guard = world.condition.1.wait_while(guard, |set| !*set).unwrap();
                self.see("waited", *guard);
            }
            WaitTimeout => {
                let guard = world.condition.0.lock().unwrap();
                let (guard, result) = world.condition.1.wait_timeout_while(guard, MOMENT, |set| !*set).unwrap();
                self.see("waited", (*guard, result.timed_out()));
            }
            Once(body) => {
                world.once.call_once(|| self.run(body));
                self.see("once", ());
            }
            OnceForce(body) => {
                world.once.call_once_force(|state| {
                    self.see("once", state.is_poisoned());
                    self.run(body);
                });
            }
            OnceIsCompleted => self.see("once", world.once.is_completed()),
            CellGet => self.see("cell", world.cell.get()),
            CellSet(v) => self.see("set", world.cell.set(*v)),
            CellInit(body, v) => {
                let got = *world.cell.get_or_init(|| {
                    self.run(body);
                    *v
                });
                self.see("init", got);
            }
            Lazy(body) => {
                self.see("lazy", *world.lazy);
                self.run(body);
            }
            Send(v) => {
                let sent = self.sender.as_ref().map(|s| s.send(*v));
                self.see("send", sent);
            }
            Receive => {
                let got = self.receiver.as_ref().map(Receiver::recv);
                self.see("receive", got);
            }
            TryReceive => {
                let got = self.receiver.as_ref().map(Receiver::try_recv);
                self.see("try receive", got);
            }
            ReceiveTimeout => {
                let got = self.receiver.as_ref().map(|r| r.recv_timeout(MOMENT));
                self.see("receive", got);
            }
            Drain => {
                let got: Vec<i64> = self.receiver.iter().flat_map(Receiver::try_iter).collect();
                self.see("drain", got);
            }
            DropSender => self.sender = None,
            DropReceiver => self.receiver = None,
            SyncSend(v) => {
                let sent = self.sync_sender.as_ref().map(|s| s.send(*v));
                self.see("send", sent);
            }
            SyncTrySend(v) => {
                let sent = self.sync_sender.as_ref().map(|s| s.try_send(*v));
                self.see("try send", sent);
            }
            SyncReceive => {
                let got = self.sync_receiver.as_ref().map(Receiver::recv);
                self.see("receive", got);
            }
            SyncTryReceive => {
                let got = self.sync_receiver.as_ref().map(Receiver::try_recv);
                self.see("try receive", got);
            }
            SyncReceiveTimeout => {
                let got = self.sync_receiver.as_ref().map(|r| r.recv_timeout(MOMENT));
                self.see("receive", got);
            }
            SyncDropSender => self.sync_sender = None,
            SyncDropReceiver => self.sync_receiver = None,
            Barrier => self.see("leads", world.barrier.wait().is_leader()),
            Park => thread::park(),
            ParkTimeout => thread::park_timeout(MOMENT),
            Unpark => world.main.unpark(),
            Yield => thread::yield_now(),
            IsFinished => {
                let finished: Vec<bool> = self.others.iter().map(JoinHandle::is_finished).collect();
                self.see("finished", finished);
            }
            Join => {
                if let Some(other) = self.others.pop() {
                    let seen = other.join().unwrap_or_else(|payload| vec![said(&*payload)]);
                    self.see("joined", seen);
                }
            }
            Scope(bodies) => {
                let mut runners: Vec<_> = (0..bodies.len()).map(|i| self.another(&format!("scoped {i}"))).collect();
                thread::scope(|s| {
                    for (runner, body) in runners.iter_mut().zip(bodies) {
                        s.spawn(move || {
                            // Its ends of channels are gone when it ends.
                            runner.run(body);
                            (runner.sender, runner.sync_sender, runner.shared) = (None, None, None);
                        });
                    }
                });
                for runner in runners {
                    self.see("scoped", &runner.seen);
                }
            }
            Catch(body) => {
                let end = catch_unwind(AssertUnwindSafe(|| self.run(body)));
                self.end(end);
            }
            // Without the hook, which would print it.
            Panic(v) => resume_unwind(Box::new(format!("boom {v}"))),
            Guarded(body) => {
                let _noted = Noted(&world.atomics[0]);
                self.run(body);
            }
            Upgrade => {
                let got = self.weak.upgrade().map(|x| x.fetch_add(1, SeqCst));
                self.see("upgrade", got);
            }
            DropShared => self.shared = None,
            StrongCount => self.see("counts", (self.weak.strong_count(), self.shared.as_ref().map(Arc::strong_count))),
            TryUnwrap => {
                let got = self
                    .shared
                    .take()
                    .map(|x| Arc::try_unwrap(x).map(|x| x.into_inner()).map_err(|x| x.load(SeqCst)));
                self.see("unwrap", got);
            }
        }
    }
}
