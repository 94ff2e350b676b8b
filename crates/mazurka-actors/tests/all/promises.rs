//! What happens some day: weak fairness, loops as counterexamples, witnesses.

use mazurka_actors::{Actor, Address, Context, Crashes, Losses, System};
use mazurka_core::{FailureKind, Limit, Verdict};
use std::time::Duration;

/// Hands a token on for ever.
#[derive(Clone, Hash, Debug)]
struct Node {
    next: Address<Node>,
    turns: u8,
    stubborn: bool,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Token,
    Poke,
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Token => {
                self.turns = (self.turns + 1) % 2;
                let to = if self.stubborn { context.me() } else { self.next };
                context.send(to, Message::Token);
            }
            Message::Poke => self.stubborn = false,
        }
    }
}

fn ring(n: usize, stubborn: bool) -> (System, Vec<Address<Node>>) {
    let mut system = System::new();
    let nodes = system.create_many("node", n, |all, at| Node {
        next: all[(at + 1) % n],
        turns: 0,
        stubborn,
    });
    system.send(nodes[0], Message::Token);
    (system, nodes)
}

#[test]
fn a_ring_gives_everybody_a_turn_for_ever() {
    let (system, nodes) = ring(4, false);
    let last = nodes[3];
    let checked = system
        .eventually("the last has a turn", move |world| world.state(last).turns == 1)
        .leads_to(
            "it has another",
            move |w| w.state(last).turns == 1,
            move |w| w.state(last).turns == 0,
        )
        .check()
        .run();
    assert_eq!(checked.outcome().verdict, Verdict::Complete, "{}", checked.report());
    assert_eq!(checked.report(), "complete: 8 states, nothing failed, and no execution ends");
}

#[test]
fn who_keeps_the_token_is_shown_with_the_loop() {
    let (system, nodes) = ring(2, true);
    let last = nodes[1];
    let checked = system
        .eventually("the last has a turn", move |w| w.state(last).turns == 1)
        .check()
        .run();
    let failure = checked.failures().next().unwrap();
    assert_eq!(failure.kind, FailureKind::Livelock);
    insta::assert_snapshot!(checked.report());
}

#[test]
fn fairness_delivers_what_waits() {
    // The poke can always be delivered, so some day it is, and then the token goes on.
    let (mut system, nodes) = ring(2, true);
    system.send(nodes[0], Message::Poke);
    let last = nodes[1];
    let system = system.eventually("the last has a turn", move |w| w.state(last).turns == 1);
    system.check().assert_ok();
    // Nobody promises that it does not get lost.
    let (mut system, nodes) = ring(2, true);
    system.send(nodes[0], Message::Poke);
    let crash = system.may_crash(Crashes::at_most(1).of(&nodes[..1]));
    let checked = crash
        .eventually("the last has a turn", move |w| w.state(last).turns == 1)
        .check()
        .run();
    assert_eq!(checked.outcome().verdict, Verdict::Violation, "{}", checked.report());
}

#[test]
fn what_ends_too_early_is_shown_without_a_loop() {
    let (system, nodes) = ring(3, false);
    let last = nodes[2];
    let lossy = system.may_lose(Losses::at_most(1));
    let checked = lossy
        .eventually("the last has a turn", move |w| w.state(last).turns == 1)
        .check()
        .run();
    let message = &checked.failures().next().unwrap().message;
    assert_eq!(message, "`the last has a turn` is never true: after step 2 nothing more happens");
}

#[test]
fn what_sometimes_happens_is_shown() {
    let (system, nodes) = ring(3, false);
    let last = nodes[2];
    let checked = system
        .sometimes("the last has had one turn", move |w| w.state(last).turns == 1)
        .sometimes("somebody has had two", |w| w.states::<Node>().any(|n| n.turns == 2))
        .check()
        .run();
    let failures: Vec<&str> = checked.failures().map(|f| f.message.as_str()).collect();
    assert_eq!(failures, ["`somebody has had two` never happens"]);
    let witness = checked.witness("the last has had one turn").unwrap();
    assert_eq!(witness.lines().count(), 4, "{witness}");
    assert_eq!(checked.witness("somebody has had two"), None);
}

#[test]
fn a_promise_that_panics_or_takes_too_long_is_no_verdict() {
    let (system, _) = ring(3, false);
    let checked = system.eventually("it works", |_| panic!("it does not")).check().run();
    assert_eq!(
        checked.failures().next().unwrap().message,
        "the promise `it works` panics: it does not"
    );
    let (system, _) = ring(3, false);
    let checked = system
        .eventually("it works", |_| true)
        .check()
        .timeout(Duration::from_nanos(1))
        .run();
    assert_eq!(
        (checked.outcome().verdict, checked.outcome().limit),
        (Verdict::Incomplete, Some(Limit::Time))
    );
}
