//! Random programs of a few threads: what they are made of, how one is drawn, and how one is run.

use super::record::{Kind, note, saw};
use mazurka_native::sync::atomic::{AtomicI64, Ordering::SeqCst};
use mazurka_native::sync::mpsc::{Receiver, Sender, channel};
use mazurka_native::sync::{Arc, Condvar, Mutex, Once, RwLock};
use mazurka_native::{choose, thread};
use std::collections::BTreeSet;
use std::time::Duration;

/// A small generator of random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// A statement; objects are numbers.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Load(usize),
    Store(usize, i64),
    Add(usize),
    CompareExchange(usize, i64, i64),
    Lock(usize, Vec<Statement>),
    TryLock(usize, Vec<Statement>),
    Read(usize, Vec<Statement>),
    TryRead(usize, Vec<Statement>),
    Write(usize, Vec<Statement>),
    TryWrite(usize, Vec<Statement>),
    /// Waits while the flag in the mutex is not set.
    Wait(usize, bool),
    /// Sets the flag and notifies.
    Notify(usize, bool),
    Send(i64),
    Receive,
    TryReceive,
    ReceiveTimeout,
    /// Goes on when the last value that the thread has seen is odd.
    IfOdd(Vec<Statement>),
    Choose(u32),
    Spawn(usize),
    Join,
    Park(bool),
    /// Unparks the main thread.
    Unpark,
    Once(Vec<Statement>),
    /// Spins until the atomic is not zero.
    Spin(usize),
}

pub(super) type Threads = Vec<Vec<Statement>>;

fn statement(r: &mut Random, depth: u64, threads: u64, me: u64) -> Statement {
    // Mostly the same one: threads should meet.
    let object = usize::from(r.below(5) == 0);
    let value = r.below(3) as i64;
    let body = |r: &mut Random| {
        let n = if depth == 0 { 0 } else { r.below(3) };
        (0..n).map(|_| statement(r, depth - 1, threads, me)).collect::<Vec<_>>()
    };
    match r.below(30) {
        0..=3 => Statement::Load(object),
        4..=6 => Statement::Store(object, value),
        7..=8 => Statement::Add(object),
        9 => Statement::CompareExchange(object, value, r.below(3) as i64),
        10..=12 => Statement::Lock(object, body(r)),
        13 => Statement::TryLock(object, body(r)),
        14 => Statement::Read(object, body(r)),
        15 => Statement::TryRead(object, body(r)),
        16 => Statement::Write(object, body(r)),
        17 => Statement::TryWrite(object, body(r)),
        18 => Statement::Wait(object, r.below(3) == 0),
        19 => Statement::Notify(object, r.below(2) == 0),
        20..=21 => Statement::Send(value),
        22 if me == 0 => Statement::Receive,
        23 if me == 0 => Statement::TryReceive,
        24 if me == 0 && r.below(2) == 0 => Statement::ReceiveTimeout,
        25 => Statement::IfOdd(body(r)),
        26 => Statement::Choose(2 + r.below(2) as u32),
        27 if me == 0 && r.below(2) == 0 => Statement::Park(r.below(4) == 0),
        27 => Statement::Unpark,
        28 => Statement::Once(body(r)),
        29 if r.below(3) == 0 => Statement::Spin(object),
        22 | 29 => Statement::Join,
        _ if me + 1 < threads => Statement::Spawn((me + 1 + r.below(threads - me - 1)) as usize),
        _ => Statement::Load(object),
    }
}

/// Two or three threads with at most a few steps each. The main one starts those that nobody else starts.
pub(super) fn program(seed: u64) -> Threads {
    let mut r = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let threads = 2 + r.below(2);
    (0..threads)
        .map(|me| {
            (0..1 + r.below(if threads == 2 { 3 } else { 2 }))
                .map(|_| statement(&mut r, 1, threads, me))
                .collect()
        })
        .collect()
}

/// Whether the program writes down all that orders its steps. Not so if it waits for conditions: the notification that ends a wait
/// is no statement of its own.
pub(super) fn is_exact(statements: &[Statement]) -> bool {
    statements.iter().all(|statement| match statement {
        Statement::Wait(..) | Statement::Notify(..) | Statement::Once(_) | Statement::Spin(_) => false,
        Statement::Lock(_, body)
        | Statement::TryLock(_, body)
        | Statement::Read(_, body)
        | Statement::TryRead(_, body)
        | Statement::Write(_, body)
        | Statement::TryWrite(_, body)
        | Statement::IfOdd(body) => is_exact(body),
        _ => true,
    })
}

/// What the threads share.
struct World {
    threads: std::sync::Arc<Threads>,
    atomics: [AtomicI64; 2],
    mutexes: [Mutex<()>; 2],
    rwlocks: [RwLock<()>; 2],
    conditions: [(Mutex<bool>, Condvar); 2],
    once: Once,
    main: thread::Thread,
    started: std::sync::Mutex<BTreeSet<usize>>,
}

struct Runner {
    world: Arc<World>,
    me: usize,
    sender: Sender<i64>,
    receiver: Option<Receiver<i64>>,
    last: i64,
    handles: Vec<thread::JoinHandle<()>>,
}

impl Runner {
    fn see(&mut self, value: i64) {
        self.last = value;
        saw(self.me, value);
    }

    fn run(&mut self, statements: &[Statement]) {
        let world = Arc::clone(&self.world);
        let me = self.me;
        for statement in statements {
            match statement {
                Statement::Load(x) => {
                    let value = world.atomics[*x].load(SeqCst);
                    note(('x', *x), Kind::Read, me);
                    self.see(value);
                }
                Statement::Store(x, value) => {
                    world.atomics[*x].store(*value, SeqCst);
                    note(('x', *x), Kind::Write, me);
                }
                Statement::Add(x) => {
                    let value = world.atomics[*x].fetch_add(1, SeqCst);
                    note(('x', *x), Kind::Write, me);
                    self.see(value);
                }
                Statement::CompareExchange(x, old, new) => {
                    let result = world.atomics[*x].compare_exchange(*old, *new, SeqCst, SeqCst);
                    note(('x', *x), Kind::Write, me);
                    self.see(result.unwrap_or_else(|value| value + 10));
                }
                Statement::Lock(m, body) => {
                    let guard = world.mutexes[*m].lock().unwrap();
                    note(('m', *m), Kind::Write, me);
                    self.run(body);
                    drop(guard);
                    note(('m', *m), Kind::Write, me);
                }
                Statement::TryLock(m, body) => {
                    let guard = world.mutexes[*m].try_lock();
                    note(('m', *m), Kind::Write, me);
                    self.see(i64::from(guard.is_ok()));
                    if let Ok(guard) = guard {
                        self.run(body);
                        drop(guard);
                        note(('m', *m), Kind::Write, me);
                    }
                }
                Statement::Read(w, body) => {
                    let guard = world.rwlocks[*w].read().unwrap();
                    note(('w', *w), Kind::Read, me);
                    note(('r', *w), Kind::Read, me);
                    self.run(body);
                    drop(guard);
                    note(('r', *w), Kind::Read, me);
                }
                Statement::TryRead(w, body) => {
                    let guard = world.rwlocks[*w].try_read();
                    note(('w', *w), Kind::Read, me);
                    note(('r', *w), Kind::Read, me);
                    self.see(i64::from(guard.is_ok()));
                    if let Ok(guard) = guard {
                        self.run(body);
                        drop(guard);
                        note(('r', *w), Kind::Read, me);
                    }
                }
                Statement::Write(w, body) => {
                    let guard = world.rwlocks[*w].write().unwrap();
                    note(('w', *w), Kind::Write, me);
                    note(('r', *w), Kind::Write, me);
                    self.run(body);
                    drop(guard);
                    note(('w', *w), Kind::Write, me);
                }
                Statement::TryWrite(w, body) => {
                    let guard = world.rwlocks[*w].try_write();
                    note(('w', *w), Kind::Write, me);
                    note(('r', *w), Kind::Write, me);
                    self.see(i64::from(guard.is_ok()));
                    if let Ok(guard) = guard {
                        self.run(body);
                        drop(guard);
                        note(('w', *w), Kind::Write, me);
                    }
                }
                Statement::Wait(c, timed) => {
                    let (mutex, condvar) = &world.conditions[*c];
                    let mut flag = mutex.lock().unwrap();
                    note(('c', *c), Kind::Write, me);
                    while !*flag {
                        if *timed {
                            let (again, result) = condvar.wait_timeout(flag, Duration::from_millis(1)).unwrap();
                            flag = again;
                            note(('c', *c), Kind::Write, me);
                            self.see(i64::from(result.timed_out()));
                            if result.timed_out() {
                                break;
                            }
                        } else {
                            flag = condvar.wait(flag).unwrap();
                            note(('c', *c), Kind::Write, me);
                        }
                    }
                    self.see(i64::from(*flag));
                    drop(flag);
                }
                Statement::Notify(c, all) => {
                    let (mutex, condvar) = &world.conditions[*c];
                    let mut flag = mutex.lock().unwrap();
                    note(('c', *c), Kind::Write, me);
                    *flag = true;
                    if *all {
                        condvar.notify_all();
                    } else {
                        condvar.notify_one();
                    }
                    drop(flag);
                }
                Statement::Send(value) => {
                    let sent = self.sender.send(*value + 10 * me as i64).is_ok();
                    note(('q', 0), Kind::Write, me);
                    note(('v', 0), Kind::Read, me);
                    self.see(i64::from(sent));
                }
                Statement::TryReceive => {
                    let received = self.receiver.as_ref().and_then(|r| r.try_recv().ok());
                    note(('q', 0), Kind::Write, me);
                    note(('s', 0), Kind::Write, me);
                    self.see(received.unwrap_or(-1));
                }
                Statement::Receive => {
                    let received = self.receiver.as_ref().map(|r| r.recv().unwrap_or(-1));
                    self.see(received.unwrap_or(-2));
                }
                Statement::ReceiveTimeout => {
                    let received = self.receiver.as_ref().map(|r| r.recv_timeout(Duration::from_millis(1)));
                    note(('q', 0), Kind::Write, me);
                    note(('s', 0), Kind::Write, me);
                    self.see(received.and_then(|r| r.ok()).unwrap_or(-1));
                }
                Statement::IfOdd(body) => {
                    if self.last % 2 == 1 {
                        self.run(body);
                    }
                }
                Statement::Choose(n) => {
                    let value = choose(*n);
                    self.see(i64::from(value));
                }
                Statement::Spawn(child) => self.spawn(*child),
                Statement::Join => {
                    if let Some(handle) = self.handles.pop() {
                        handle.join().unwrap();
                        self.see(77);
                    }
                }
                Statement::Park(timed) => {
                    if *timed {
                        thread::park_timeout(Duration::from_millis(1));
                    } else {
                        thread::park();
                    }
                    note(('t', 0), Kind::Write, me);
                    self.see(78);
                }
                Statement::Unpark => {
                    world.main.unpark();
                    note(('t', 0), Kind::Write, me);
                }
                Statement::Once(body) => {
                    let mut ran = 0;
                    let this = &mut *self;
                    world.once.call_once(|| {
                        ran = 1;
                        this.run(body);
                    });
                    self.see(ran);
                }
                Statement::Spin(x) => {
                    while world.atomics[*x].load(SeqCst) == 0 {
                        thread::yield_now();
                    }
                    self.see(79);
                }
            }
        }
    }

    fn spawn(&mut self, child: usize) {
        if !self.world.started.lock().unwrap().insert(child) {
            return;
        }
        let mut runner = Runner {
            world: Arc::clone(&self.world),
            me: child,
            sender: self.sender.clone(),
            receiver: None,
            last: 0,
            handles: Vec::new(),
        };
        self.handles.push(thread::spawn(move || {
            let threads = std::sync::Arc::clone(&runner.world.threads);
            runner.run(&threads[child]);
            saw(child, 99);
            drop(runner.sender);
            note(('s', 0), Kind::Read, child);
        }));
    }
}

/// Runs a program once, within a check.
pub(super) fn execute(threads: &std::sync::Arc<Threads>) {
    let (sender, receiver) = channel();
    let world = Arc::new(World {
        threads: std::sync::Arc::clone(threads),
        atomics: Default::default(),
        mutexes: Default::default(),
        rwlocks: Default::default(),
        conditions: Default::default(),
        once: Once::new(),
        main: thread::current(),
        started: std::sync::Mutex::default(),
    });
    let mut main = Runner {
        world,
        me: 0,
        sender,
        receiver: Some(receiver),
        last: 0,
        handles: Vec::new(),
    };
    // Only the main thread starts others, so that who starts whom does not depend on the schedule.
    (1..threads.len()).for_each(|child| main.spawn(child));
    main.run(&threads[0]);
    saw(0, 99);
    drop(main.sender);
    note(('s', 0), Kind::Read, 0);
    drop(main.receiver);
    note(('v', 0), Kind::Write, 0);
}

/// Whether it matters which writers wait for a lock: the search begins again then, and that they do is a step that is no statement of its own.
pub(super) fn writers_may_matter(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::TryRead(..) => true,
        Statement::Read(_, body) => !body.is_empty(),
        Statement::Lock(_, body)
        | Statement::TryLock(_, body)
        | Statement::Write(_, body)
        | Statement::TryWrite(_, body)
        | Statement::IfOdd(body)
        | Statement::Once(body) => writers_may_matter(body),
        _ => false,
    })
}
