//! Interchangeable actors: how many configurations remain, and what tells such actors apart.

use mazurka_actors::{Actor, Address, AddressMap, AddressSet, Context, Crashes, System, World};
use mazurka_core::Verdict;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Gives one worker after the other the lock.
#[derive(Clone, Hash, Debug, Default)]
struct Lock {
    holder: Option<Address<Worker>>,
    waiting: AddressSet<Worker>,
}

#[derive(Clone, Hash, Debug)]
enum ToLock {
    Take(Address<Worker>),
    GiveBack,
}

impl Actor for Lock {
    type Message = ToLock;

    fn handle(&mut self, message: ToLock, context: &mut Context<Self>) {
        match message {
            ToLock::Take(worker) if self.holder.is_some() => {
                self.waiting.insert(worker);
            }
            ToLock::Take(worker) => {
                self.holder = Some(worker);
                context.send(worker, ToWorker::Go);
            }
            ToLock::GiveBack => {
                self.holder = None;
                self.waiting.iter().for_each(|worker| context.send(worker, ToWorker::Ask));
                self.waiting.clear();
            }
        }
    }
}

#[derive(Clone, Hash, Debug)]
struct Worker {
    lock: Address<Lock>,
    number: usize,
    works: bool,
}

#[derive(Clone, Hash, Debug)]
enum ToWorker {
    Ask,
    Go,
    Stop,
}

impl Actor for Worker {
    type Message = ToWorker;

    fn handle(&mut self, message: ToWorker, context: &mut Context<Self>) {
        match message {
            ToWorker::Ask => context.send(self.lock, ToLock::Take(context.me())),
            ToWorker::Go => {
                self.works = true;
                context.send(context.me(), ToWorker::Stop);
            }
            ToWorker::Stop => {
                self.works = false;
                context.send(self.lock, ToLock::GiveBack);
            }
        }
    }
}

/// Workers that want a lock once each; `number` tells them apart in their states.
fn workers(n: usize, number: impl Fn(usize) -> usize) -> (System, Address<Lock>, Vec<Address<Worker>>) {
    let mut system = System::new();
    let lock = system.create_named("lock", Lock::default());
    let workers = system.create_many("worker", n, |_, nth| Worker {
        lock,
        number: number(nth),
        works: false,
    });
    workers.iter().for_each(|worker| system.send(*worker, ToWorker::Ask));
    (system, lock, workers)
}

fn states(system: System) -> u64 {
    let checked = system.check().algorithm("stateful").run();
    assert_eq!(checked.outcome().verdict, Verdict::Complete, "{}", checked.report());
    checked.outcome().counts.states
}

/// What a check says instead of a verdict.
fn refusal(system: System) -> String {
    refusal_of("stateful", system)
}

fn refusal_of(algorithm: &str, system: System) -> String {
    let run = AssertUnwindSafe(|| system.check().algorithm(algorithm).run().report());
    *catch_unwind(run).expect_err("no verdict").downcast::<String>().expect("a message")
}

fn one_works(world: &World<'_>) -> bool {
    world.states::<Worker>().filter(|w| w.works).count() <= 1
}

#[test]
fn interchangeable_actors_are_explored_once_for_all_orders() {
    let counts = (2..=5).map(|n| {
        let of = |interchangeable: bool| {
            let (system, _, workers) = workers(n, |_| 0);
            let system = system.invariant("one works", one_works);
            states(if interchangeable {
                system.interchangeable(&workers)
            } else {
                system
            })
        };
        (n, of(false), of(true))
    });
    insta::assert_debug_snapshot!(counts.collect::<Vec<_>>());
}

#[test]
fn what_differs_is_not_taken_together() {
    let (plain, ..) = workers(3, |nth| nth);
    let (system, _, all) = workers(3, |nth| nth);
    assert_eq!(states(system.interchangeable(&all)), states(plain));
    // Of two that are alike and one that is not, two can change places.
    let (some, _, all) = workers(3, |nth| nth / 2);
    let (two, _, both) = workers(3, |nth| nth / 2);
    assert_eq!(states(some.interchangeable(&all)), states(two.interchangeable(&both[..2])));
}

#[test]
fn failures_are_found_with_a_schedule_that_replays() {
    let (system, _, all) = workers(4, |_| 0);
    let checked = system
        .interchangeable(&all)
        .invariant("nobody works", |world| world.states::<Worker>().all(|w| !w.works))
        .check()
        .algorithm("stateful")
        .run();
    assert_eq!(checked.outcome().verdict, Verdict::Violation);
    let replayed = workers(4, |_| 0)
        .0
        .invariant("nobody works", |world| world.states::<Worker>().all(|w| !w.works))
        .check()
        .replay("0 0.0 0.0.0");
    assert!(replayed.contains("`nobody works` does not hold"), "{replayed}");
    assert_eq!(checked.outcome().failures[0].schedule.len(), 3);
}

#[test]
fn properties_may_be_about_who_cannot_change_places() {
    let (system, lock, all) = workers(3, |_| 0);
    let system = system
        .interchangeable(&all)
        .invariant_about("who works holds the lock", lock, |world, lock| {
            let holder = world.state(*lock).holder;
            world
                .actors::<Worker>()
                .all(|(worker, state)| !state.works || holder == Some(worker))
        })
        .at_end_about((lock, 3), |end, (lock, n)| {
            assert!(end.state(*lock).holder.is_none());
            assert_eq!(end.states::<Worker>().count(), *n);
        })
        .sometimes("two wait", |world| world.states::<Lock>().any(|lock| lock.waiting.len() == 2))
        .sometimes("one works", |world| world.states::<Worker>().any(|w| w.works));
    let checked = system.check().algorithm("stateful").run();
    assert_eq!(checked.outcome().verdict, Verdict::Complete, "{}", checked.report());
    assert!(checked.witness("one works").is_some());
}

#[test]
fn promises_are_kept_to_each_actor() {
    let (system, _, all) = workers(2, |_| 0);
    let first = all[0];
    let system = system
        .interchangeable(&all)
        .eventually("the first one works", move |world| world.state(first).works);
    assert_eq!(system.check().run().outcome().verdict, Verdict::Complete);
}

#[test]
fn properties_that_tell_actors_apart_are_refused() {
    let (system, _, all) = workers(2, |_| 0);
    let first = all[0];
    let captures = system
        .interchangeable(&all)
        .invariant("the first rests", move |world| !world.state(first).works);
    let (system, _, all) = workers(2, |_| 0);
    let given = system
        .interchangeable(&all)
        .at_end_about(all[0], |end, first| assert!(!end.state(*first).works));
    let (system, _, all) = workers(2, |_| 0);
    let in_order = system
        .interchangeable(&all)
        .invariant("the first rests", |world| world.states::<Worker>().next().is_none_or(|w| !w.works));
    let (system, _, all) = workers(2, |_| 0);
    let some = system.interchangeable(&all).invariant_of("one works", &all[..1], one_works);
    let (system, _, all) = workers(2, |_| 0);
    let crashes = system.interchangeable(&all).may_crash(Crashes::at_most(1).of(&all[1..]));
    let refusals = [captures, given, some, crashes].map(refusal);
    insta::assert_snapshot!(refusals.join("\n"));
    insta::assert_snapshot!(refusal(in_order));
}

#[test]
fn searches_of_executions_cannot_take_actors_together() {
    let (system, _, all) = workers(2, |_| 0);
    insta::assert_snapshot!(refusal_of("optimal", system.interchangeable(&all)));
    // Where none is chosen they take part as they are.
    let (system, _, all) = workers(2, |_| 0);
    system.interchangeable(&all).check().assert_ok();
}

/// Sends to all its peers, or to the first of them.
#[derive(Clone, Debug)]
struct Peer {
    peers: AddressSet<Peer>,
    only_to_the_first: bool,
    heard: u8,
    /// Whether the hash says how much it heard.
    hashes_all: bool,
}

impl std::hash::Hash for Peer {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.peers, self.heard * u8::from(self.hashes_all)).hash(state);
    }
}

impl Actor for Peer {
    type Message = bool;

    fn handle(&mut self, starts: bool, context: &mut Context<Self>) {
        self.heard += 1;
        if starts || self.heard == 2 {
            let most = if self.only_to_the_first { 1 } else { usize::MAX };
            self.peers.iter().take(most).for_each(|peer| context.send(peer, false));
        }
    }
}

fn peers(only_to_the_first: bool, hashes_all: bool) -> System {
    let mut system = System::new();
    let all = system.create_many("peer", 3, |all, nth| Peer {
        peers: all.iter().copied().filter(|peer| *peer != all[nth]).collect(),
        only_to_the_first,
        heard: 0,
        hashes_all,
    });
    all.iter().for_each(|peer| system.send(*peer, true));
    system.interchangeable(&all)
}

#[test]
fn states_and_handlers_that_tell_actors_apart_are_found() {
    assert!(states(peers(false, true)) > 10);
    for wrong in [peers(true, true), peers(false, false)] {
        let refusal = refusal(wrong);
        assert!(
            refusal.contains("differ only in which of the interchangeable actors is which, different things can happen"),
            "{refusal}"
        );
    }
}

#[test]
fn sets_and_maps_have_no_order() {
    let mut system = System::new();
    let all = system.create_many("peer", 3, |_, _| Peer {
        peers: AddressSet::new(),
        only_to_the_first: false,
        heard: 0,
        hashes_all: true,
    });
    let forwards: AddressSet<Peer> = all.iter().copied().collect();
    let mut backwards: AddressSet<Peer> = all.iter().rev().copied().collect();
    assert_eq!(forwards, backwards);
    assert!(!backwards.insert(all[1]) && backwards.remove(all[1]) && !backwards.contains(all[1]) && backwards.len() == 2);
    let mut map: AddressMap<Peer, u8> = all.iter().copied().zip(1..).collect();
    assert_eq!(
        [map.insert(all[0], 7), map.remove(all[2]), map.remove(all[2])],
        [Some(1), Some(3), None]
    );
    map.get_mut(all[1]).into_iter().for_each(|value| *value += 1);
    assert_eq!(map.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [7, 3]);
    assert_eq!((map.get(all[2]), map.len(), map.is_empty()), (None, 2, false));
}

#[test]
#[should_panic(expected = "worker 1 is named twice as interchangeable")]
fn an_actor_is_in_one_group() {
    let (system, _, all) = workers(3, |_| 0);
    let _ = system.interchangeable(&all[..2]).interchangeable(&all[1..]);
}

#[test]
#[should_panic(expected = "fewer than two actors cannot change places")]
fn one_actor_is_no_group() {
    let (system, _, all) = workers(1, |_| 0);
    let _ = system.interchangeable(&all);
}
