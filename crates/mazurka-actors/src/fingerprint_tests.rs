//! Every part of a configuration is changed alone: the fingerprint notices, or the test says why it need not.

use crate::actor::Actor;
use crate::address::Address;
use crate::context::Context;
use crate::delivery::Delivery;
use crate::erased::{For, State};
use crate::faults::{Crashes, Duplicates, Fault, Losses, Partitions};
use crate::life::{Life, Timer};
use crate::recording::Recorded;
use crate::run::{Envelope, Run, Slot};
use crate::system::System;
use mazurka_core::{Class, Effects, Fingerprint, Process, Program, Transition};
use std::rc::Rc;

#[derive(Clone, Hash, Debug)]
struct Node {
    value: u8,
    friend: Option<Address<Node>>,
}

/// Has the same hash as a node.
#[derive(Clone, Hash, Debug)]
struct Twin {
    value: u8,
    friend: Option<Address<Node>>,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Set(u8),
    /// Fails in one of two places with the same text.
    Fail,
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, message: Message, _: &mut Context<Self>) {
        match message {
            Message::Set(value) => self.value = value,
            Message::Fail if self.value == 0 => panic!("it fails"),
            Message::Fail => panic!("it fails"),
        }
    }
}

impl Actor for Twin {
    type Message = Message;

    fn handle(&mut self, _: Message, _: &mut Context<Self>) {}
}

const DELIVERIES: [Delivery; 3] = [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo];

/// Two actors; two messages to the first one and one to the second.
fn system(delivery: Delivery) -> System {
    let mut system = System::new();
    let node = |value| Node { value, friend: None };
    let (a, b) = (system.create(node(1)), system.create_named("b", node(2)));
    system.send(a, Message::Set(1));
    system.send(a, Message::Set(2));
    system.send(b, Message::Set(3));
    system.deliver(delivery)
}

/// The fingerprints before and after a change of the first configuration.
fn change(delivery: Delivery, change: impl FnOnce(&System, &mut Run)) -> (Fingerprint, Fingerprint) {
    let system = system(delivery);
    let mut run = system.start();
    let before = system.fingerprint(&run);
    change(&system, &mut run);
    (before, system.fingerprint(&run))
}

fn notices(what: &str, make: impl Fn(&System, &mut Run)) {
    for delivery in DELIVERIES {
        let (before, after) = change(delivery, &make);
        assert_ne!(before, after, "{what}, {delivery}");
    }
}

fn ignores(what: &str, make: impl Fn(&System, &mut Run)) {
    for delivery in DELIVERIES {
        let (before, after) = change(delivery, &make);
        assert_eq!(before, after, "{what}, {delivery}");
    }
}

fn slot(slot: &Slot) -> Slot {
    // A field that is added must be thought of here.
    let Slot {
        id,
        class,
        state,
        name,
        identity: _,
        life: _,
    } = slot;
    Slot::new(*id, *class, Rc::clone(state), name.clone())
}

#[test]
fn every_part_of_an_actor_takes_part() {
    notices("a value", |_, run| {
        run.actors[0].state = State::new(Node { value: 7, friend: None })
    });
    notices("a reference", |system, run| {
        let friend = Some(Address::new(run.actors[1].id, system.tables.origin));
        run.actors[0].state = State::new(Node { value: 1, friend });
    });
    notices("the identity", |system, run| {
        let new = Slot {
            id: system.tables.actors.root(9),
            ..slot(&run.actors[0])
        };
        run.actors[0] = slot(&new);
    });
    notices("the type, with the same contents", |system, run| {
        let class = system.tables.classes.borrow_mut().class::<Twin>();
        assert_ne!(class, run.actors[0].class);
        let state = State::new(Twin { value: 1, friend: None });
        assert_eq!(state.hash(), run.actors[0].state.hash());
        run.actors[0] = Slot::new(run.actors[0].id, class, state, None);
    });
    notices("the name, which failures show", |_, run| {
        let old = &run.actors[1];
        run.actors[1] = Slot::new(old.id, old.class, Rc::clone(&old.state), Some("c".into()));
    });
    notices("an actor more", |system, run| {
        let new = Slot::new(
            system.tables.actors.root(2),
            run.actors[0].class,
            Rc::clone(&run.actors[0].state),
            None,
        );
        run.actors.push(new);
    });
    notices("the states of two actors exchanged", |_, run| {
        let (one, two) = (Rc::clone(&run.actors[0].state), Rc::clone(&run.actors[1].state));
        (run.actors[0].state, run.actors[1].state) = (two, one);
    });
    // Who was created first decides only the order in which a search tries actors and in which they are shown.
    ignores("the order of creation", |_, run| run.actors.swap(0, 1));
}

fn envelope(of: &Envelope) -> Envelope {
    // A field that is added must be thought of here; the cells only remember what follows from the others.
    let Envelope {
        id,
        sender,
        receiver,
        content,
        // Two runs that differ in nothing else are told apart by nobody but the reader of a counterexample.
        sent_at,
        hash: _,
        route: _,
        holds: _,
        fields: _,
        constrained: _,
        method: _,
        lost_by: _,
        doubled_by: _,
    } = of;
    let message: &Message = content.as_any().downcast_ref().unwrap();
    Envelope::new(*id, (*sender, *receiver), Rc::new(For::<Node>(message.clone())), sent_at)
}

fn replace(run: &mut Run, at: usize, change: impl FnOnce(&mut Envelope)) {
    let mut new = envelope(&run.pending[at]);
    change(&mut new);
    run.pending[at] = Rc::new(new);
}

#[test]
fn every_part_of_a_message_takes_part() {
    ignores("a copy", |_, run| replace(run, 0, |_| {}));
    for at in 0..3 {
        notices("the identity", |system, run| {
            replace(run, at, |e| e.id = system.tables.messages.root(9))
        });
        notices("the sender", |_, run| {
            let sender = run.actors[1].id;
            replace(run, at, |e| e.sender = sender);
        });
        notices("the receiver", |_, run| {
            let other = usize::from(run.pending[at].receiver == run.actors[0].id);
            let receiver = run.actors[other].id;
            replace(run, at, |e| e.receiver = receiver);
        });
        notices("the contents", |_, run| {
            replace(run, at, |e| e.content = Rc::new(For::<Node>(Message::Set(9))))
        });
        notices("one message less", |_, run| {
            run.pending.remove(at);
        });
    }
    notices("the contents of two messages exchanged", |_, run| {
        replace(run, 0, |e| e.content = Rc::new(For::<Node>(Message::Set(2))));
        replace(run, 1, |e| e.content = Rc::new(For::<Node>(Message::Set(1))));
    });
}

#[test]
fn the_order_of_messages_takes_part_where_it_decides() {
    for (delivery, matters) in [
        (Delivery::Unordered, false),
        (Delivery::PairFifo, true),
        (Delivery::MailboxFifo, true),
    ] {
        let (before, after) = change(delivery, |_, run| run.pending.swap(0, 1));
        assert_eq!(before != after, matters, "two messages from one sender, {delivery}");
    }
    for (delivery, matters) in [
        (Delivery::Unordered, false),
        (Delivery::PairFifo, false),
        (Delivery::MailboxFifo, true),
    ] {
        let system = system(delivery);
        let mut run = system.start();
        let sender = run.actors[1].id;
        replace(&mut run, 1, |e| e.sender = sender);
        let before = system.fingerprint(&run);
        run.pending.swap(0, 1);
        assert_eq!(
            before != system.fingerprint(&run),
            matters,
            "two messages from two senders, {delivery}"
        );
    }
    // Messages to different actors never stand in each other's way.
    ignores("messages to different actors", |_, run| run.pending.swap(1, 2));
    for delivery in [Delivery::PairFifo, Delivery::MailboxFifo] {
        let (before, after) = change(delivery, |_, run| run.pending.rotate_left(1));
        assert_ne!(before, after, "the first becomes the last, {delivery}");
    }
}

#[test]
fn what_failed_takes_part_and_who_moved_last_does_not() {
    notices("a failure", |_, run| run.failed += 1);
    // It only breaks ties in one order of search.
    ignores("who moved last", |_, run| run.last = 1);
    let Run {
        actors: _,
        pending: _,
        last: _,
        failed: _,
        network: _,
        now: _,
        violated: _,
        record: _,
    } = system(Delivery::Unordered).start();
}

#[test]
fn the_place_of_a_failure_takes_part() {
    let mut fingerprints = [0, 1].map(|value| {
        let mut system = System::new();
        let node = system.create(Node { value, friend: None });
        system.send(node, Message::Fail);
        let mut run = system.start();
        let mut effects = Effects::default();
        system.step(&mut run, Transition::of(Process(0)), &mut effects);
        assert_eq!(effects.failure.unwrap().message, "it fails");
        run.actors[0].state = State::new(Node { value: 5, friend: None });
        system.fingerprint(&run)
    });
    fingerprints.sort_unstable();
    assert_ne!(fingerprints[0], fingerprints[1], "the same message, but from another line");
}

#[test]
fn the_tables_are_the_same_for_all_runs() {
    // Identities and classes are given once and never change; a run only refers to them.
    let system = system(Delivery::Unordered);
    let before = system.fingerprint(&system.start());
    system.tables.classes.borrow_mut().class::<Twin>();
    system.tables.actors.root(17);
    system.tables.messages.child(0, 3);
    system.tables.field(0, "value");
    assert_eq!(system.fingerprint(&system.start()), before);
    assert_eq!(system.tables.classes.borrow_mut().class::<Node>(), Class(0));
}

/// Both fingerprints before and after a change of a configuration with faults, in which the first actor may crash.
fn with_faults(change: impl FnOnce(&System, &mut Run)) -> [(Fingerprint, Fingerprint); 2] {
    let system = system(Delivery::Unordered);
    let first: Address<Node> = Address::new(system.start.actors[0].id, system.tables.origin);
    let system = system
        .may_lose(Losses::at_most(2))
        .may_duplicate(Duplicates::at_most(1))
        .may_crash(Crashes::at_most(1).of(&[first]))
        .may_partition(Partitions::at_most(1).isolating(&[first]));
    let mut run = system.start();
    let before = (system.fingerprint(&run), system.state_fingerprint(&run));
    change(&system, &mut run);
    let after = (system.fingerprint(&run), system.state_fingerprint(&run));
    [(before.0, after.0), (before.1, after.1)]
}

fn life(run: &mut Run, change: impl FnOnce(&mut Life)) {
    let mut life = run.actors[0].life.as_deref().unwrap().clone();
    change(&mut life);
    run.actors[0].life = Some(Rc::new(life));
}

#[test]
fn what_faults_and_clocks_did_takes_part() {
    type Change<'c> = (&'c str, [bool; 2], &'c dyn Fn(&System, &mut Run));
    let timer = |set: bool, due: u64| {
        move |run: &mut Run| {
            let envelope = Rc::clone(&run.pending[0]);
            life(run, |life| {
                life.timers.push(Timer {
                    process: 99,
                    set: set.then_some(envelope),
                    due,
                    times: 0,
                });
            });
        }
    };
    // Whether the fingerprint notices, and whether the one without the names of messages does.
    let changes: [Change<'_>; 12] = [
        ("a fault less", [true, true], &|_, run| run.network.spend(Fault::Loss)),
        ("no more faults", [true, true], &|_, run| run.network.calm = true),
        ("a partition", [true, true], &|_, run| run.network.set_cut(0, true)),
        ("who waits for ever", [true, false], &|_, run| {
            let envelope = Rc::clone(&run.pending[0]);
            run.network.forget(&envelope, true);
        }),
        ("a message under way that was doubled", [true, true], &|_, run| {
            let message = run.pending[0].id;
            run.network.doubled.push(message);
        }),
        ("a violation", [true, true], &|_, run| run.violated = 1),
        ("an actor that is down", [true, true], &|_, run| life(run, |life| life.up = false)),
        ("one that is dead", [true, true], &|_, run| life(run, |life| life.dead = true)),
        ("how often it restarted, which names messages", [true, false], &|_, run| {
            life(run, |life| life.restarts = 1)
        }),
        ("a timer that is set", [true, true], &move |_, run| timer(true, 0)(run)),
        ("the time that is left", [true, true], &move |_, run| timer(true, 7)(run)),
        ("an invocation", [true, true], &|_, run| {
            run.record.add(Recorded::new(0, false, 7u8))
        }),
    ];
    let mut all = Vec::new();
    for (what, expected, change) in changes {
        let pairs = with_faults(change);
        assert_eq!(pairs.map(|(before, after)| before != after), expected, "{what}");
        all.push(pairs[0].1);
    }
    let different = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), different, "all are different from each other too");
    // Time itself does not count, only what is left of it.
    let pairs = with_faults(|_, run| run.now = 5);
    assert!(pairs.iter().all(|(before, after)| before == after));
}

#[test]
fn the_order_of_invocations_in_a_row_does_not_take_part() {
    let record = |events: &[(u32, bool)]| {
        with_faults(|_, run| {
            events
                .iter()
                .for_each(|(client, answers)| run.record.add(Recorded::new(*client, *answers, 7u8)))
        })[0]
            .1
    };
    assert_eq!(record(&[(0, false), (1, false)]), record(&[(1, false), (0, false)]));
    assert_eq!(
        record(&[(0, false), (1, false), (0, true), (1, true)]),
        record(&[(1, false), (0, false), (1, true), (0, true)])
    );
    assert_ne!(
        record(&[(0, false), (1, false), (0, true)]),
        record(&[(0, false), (0, true), (1, false)])
    );
}
