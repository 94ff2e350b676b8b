//! Random async programs against brute force: `naive` runs every interleaving; others must find the same outcomes.

use crate::run;
use mazurka_native::Check;
use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex as Plain};
use std::time::Duration;
use tokio::sync::{Mutex, Notify, RwLock, Semaphore, mpsc};
use tokio::{select, spawn};

/// A small generator of random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

#[derive(Clone, Copy, Debug)]
enum Statement {
    Load,
    Add,
    Send,
    SendBounded,
    TrySend,
    Acquire(u32),
    TryAcquire,
    Lock,
    Read,
    ReadTwice,
    Write,
    TryRead,
    NotifyOne,
    NotifyWaiters,
    Notified,
    SelectNotifiedOrAcquire(bool),
    JoinNotifiedAndAdd,
    TimeoutNotified,
    Yield,
}

fn statement(r: &mut Random) -> Statement {
    use Statement::*;
    match r.below(24) {
        0..=1 => Load,
        2..=3 => Add,
        4 => Send,
        5..=6 => SendBounded,
        7 => TrySend,
        8..=9 => Acquire(1 + r.below(2) as u32),
        10 => TryAcquire,
        11 => Lock,
        12 => Read,
        13 => ReadTwice,
        14 => Write,
        15 => TryRead,
        16..=17 => NotifyOne,
        18 => NotifyWaiters,
        19 => Notified,
        20 => SelectNotifiedOrAcquire(r.below(2) == 0),
        21 => JoinNotifiedAndAdd,
        22 => TimeoutNotified,
        _ => Yield,
    }
}

type Program = Vec<Vec<Statement>>;

fn program(seed: u64) -> Program {
    let mut r = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let tasks = 2 + r.below(2);
    (0..tasks)
        .map(|_| (0..1 + r.below(2)).map(|_| statement(&mut r)).collect())
        .collect()
}

struct World {
    x: AtomicU32,
    permits: Semaphore,
    lock: Mutex<u32>,
    shared: RwLock<u32>,
    notify: Notify,
    sender: mpsc::UnboundedSender<u32>,
    bounded: mpsc::Sender<u32>,
}

async fn task(world: Arc<World>, me: u32, statements: Vec<Statement>, seen: Arc<Plain<Vec<Vec<u32>>>>) {
    let see = |value: u32| seen.lock().unwrap()[me as usize].push(value);
    for statement in statements {
        match statement {
            Statement::Load => see(world.x.load(SeqCst)),
            Statement::Add => see(world.x.fetch_add(1, SeqCst)),
            Statement::Send => see(u32::from(world.sender.send(me).is_ok())),
            Statement::SendBounded => see(u32::from(world.bounded.send(me).await.is_ok())),
            Statement::TrySend => see(u32::from(world.bounded.try_send(me).is_ok())),
            Statement::Acquire(n) => {
                let permit = world.permits.acquire_many(n).await.unwrap();
                see(world.x.load(SeqCst));
                drop(permit);
            }
            Statement::TryAcquire => see(u32::from(world.permits.try_acquire().is_ok())),
            Statement::Lock => {
                let mut value = world.lock.lock().await;
                *value += 1;
                see(*value);
            }
            Statement::Read => see(*world.shared.read().await),
            Statement::ReadTwice => {
                let first = world.shared.read().await;
                see(*first + *world.shared.read().await);
            }
            Statement::Write => {
                let mut value = world.shared.write().await;
                *value += 1;
                see(*value);
            }
            Statement::TryRead => see(world.shared.try_read().map_or(100, |value| *value)),
            Statement::NotifyOne => world.notify.notify_one(),
            Statement::NotifyWaiters => world.notify.notify_waiters(),
            Statement::Notified => {
                world.notify.notified().await;
                see(1);
            }
            Statement::SelectNotifiedOrAcquire(true) => select! {
                () = world.notify.notified() => see(1),
                permit = world.permits.acquire() => { drop(permit); see(2) }
            },
            Statement::SelectNotifiedOrAcquire(false) => select! {
                biased;
                () = world.notify.notified() => see(1),
                permit = world.permits.acquire() => { drop(permit); see(2) }
            },
            Statement::JoinNotifiedAndAdd => {
                let ((), before) = tokio::join!(world.notify.notified(), async { world.x.fetch_add(1, SeqCst) });
                see(before);
            }
            Statement::TimeoutNotified => {
                let notified = tokio::time::timeout(Duration::from_secs(1), world.notify.notified()).await;
                see(u32::from(notified.is_ok()));
            }
            Statement::Yield => tokio::task::yield_now().await,
        }
    }
    see(99);
}

async fn execute(program: Program, seen: Arc<Plain<Vec<Vec<u32>>>>) {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let (bounded, mut bounded_receiver) = mpsc::channel(1);
    *seen.lock().unwrap() = vec![Vec::new(); program.len() + 2];
    let world = Arc::new(World {
        x: AtomicU32::new(0),
        permits: Semaphore::new(2),
        lock: Mutex::new(0),
        shared: RwLock::new(0),
        notify: Notify::new(),
        sender,
        bounded,
    });
    let tasks: Vec<_> = (0_u32..)
        .zip(&program)
        .map(|(me, statements)| spawn(task(Arc::clone(&world), me, statements.clone(), Arc::clone(&seen))))
        .collect();
    let sends = |wanted: fn(&Statement) -> bool| program.iter().flatten().filter(|s| wanted(s)).count();
    for _ in 0..sends(|s| matches!(s, Statement::SendBounded)) {
        let value = bounded_receiver.recv().await.unwrap_or(50);
        seen.lock().unwrap()[program.len()].push(value);
    }
    for _ in 0..sends(|s| matches!(s, Statement::Send)) {
        let value = receiver.recv().await.unwrap_or(50);
        seen.lock().unwrap()[program.len() + 1].push(value);
    }
    for task in tasks {
        let _ = task.await;
    }
    // Whoever drops the last reference drops the channels: nobody does here.
    std::mem::forget((world, receiver, bounded_receiver));
}

/// What the tasks saw in all executions, and whether all were run.
fn explore(program: &Program, algorithm: &str, most: u64) -> (BTreeSet<Vec<Vec<u32>>>, bool) {
    // It must not grow: what is allocated in an execution should not depend on those before it.
    let outcomes: Rc<RefCell<Vec<Vec<Vec<u32>>>>> = Rc::new(RefCell::new(Vec::with_capacity(10_000)));
    let last: Arc<Plain<Vec<Vec<u32>>>> = Arc::default();
    let (collected, seen, text) = (Rc::clone(&outcomes), Arc::clone(&last), program.clone());
    let checked = Check::new()
        .algorithm(algorithm)
        .ignore_deadlocks()
        .keep_going()
        .max_executions(most)
        .max_depth(300)
        .run(move || {
            collected.borrow_mut().push(std::mem::take(&mut *seen.lock().unwrap()));
            run(execute(text.clone(), Arc::clone(&seen)));
        });
    let outcome = checked.outcome();
    assert!(outcome.failures.is_empty(), "{algorithm}: {:?}\n{program:?}", outcome.failures);
    let mut outcomes = outcomes.take();
    outcomes.push(std::mem::take(&mut *last.lock().unwrap()));
    // A search that turned out to look at too little has begun again: what it had found is not held against it.
    let valid = (outcome.counts.executions + outcome.counts.blocked) as usize;
    let outcomes = outcomes.split_off(outcomes.len() - valid);
    (outcomes.into_iter().collect(), outcome.limit.is_none())
}

/// How many random programs there are; `PROGRAMS=100000` looks at more.
fn programs() -> u64 {
    std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000)
}

#[test]
fn random_programs_have_the_outcomes_that_brute_force_finds() {
    let mut compared = 0;
    for seed in 0..programs() {
        let program = program(seed);
        let (all, complete) = explore(&program, "naive", 1_500);
        if !complete {
            continue;
        }
        compared += 1;
        for algorithm in ["optimal", "source", "optimal+observers"] {
            let (mut found, complete) = explore(&program, algorithm, 100_000);
            assert!(complete, "seed {seed}, {algorithm}");
            if algorithm == "source" {
                // Executions that are cut short are in it too.
                found.retain(|outcome| all.contains(outcome));
            }
            assert_eq!(found, all, "seed {seed}, {algorithm}: {program:#?}");
        }
    }
    println!("{compared} programs compared");
    assert!(compared > programs() / 3, "{compared}");
}

#[test]
fn what_the_search_is_told_of_random_programs_is_true() {
    let programs = programs() / 10;
    let mut states = 0;
    for seed in 2_000_000..2_000_000 + programs {
        let (text, seen) = (program(seed), Arc::<Plain<Vec<Vec<u32>>>>::default());
        let walked = Check::new().max_depth(100).laws(
            move || {
                seen.lock().unwrap().clear();
                run(execute(text.clone(), Arc::clone(&seen)));
            },
            2,
            seed,
        );
        states += walked.unwrap_or_else(|broken| panic!("seed {seed}: {broken}\n{:#?}", program(seed)));
    }
    assert!(states > programs * 5, "{states}");
}
