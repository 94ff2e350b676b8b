//! Timers, choices, crashes, losses, duplicates, partitions and invariants; and what is said of those that are declared badly.

use mazurka_actors::{Actor, Address, Context, Crashes, Delivery, Dependency, Duplicates, Fields, Losses, Partitions, System};
use mazurka_core::{FailureKind, Limit, Verdict, laws};

/// Asks a server, and asks again when it has waited for long.
#[derive(Clone, Hash, Debug)]
struct Client {
    server: Address<Server>,
    tries: u32,
    answers: u32,
}

#[derive(Clone, Hash, Debug)]
enum ToClient {
    Begin,
    Waited,
    Answer,
}

impl Actor for Client {
    type Message = ToClient;
    const TIMERS: &'static [&'static str] = &["retry"];

    fn handle(&mut self, message: ToClient, context: &mut Context<Self>) {
        match message {
            ToClient::Answer => {
                self.answers += 1;
                context.cancel_timer("retry");
            }
            ToClient::Begin | ToClient::Waited => {
                context.send(self.server, Question(context.me()));
                if self.tries > 0 {
                    self.tries -= 1;
                    context.set_timer("retry", 10, ToClient::Waited);
                }
            }
        }
    }

    fn restart(&mut self, before: &Self, context: &mut Context<Self>) {
        self.tries = before.tries;
        context.set_timer("retry", 10, ToClient::Waited);
    }
}

#[derive(Clone, Hash, Debug, Default)]
struct Server {
    asked: u32,
}

#[derive(Clone, Hash, Debug)]
struct Question(Address<Client>);

impl Actor for Server {
    type Message = Question;

    fn handle(&mut self, Question(client): Question, context: &mut Context<Self>) {
        self.asked += 1;
        context.send(client, ToClient::Answer);
    }
}

fn asking(tries: u32) -> (System, Address<Client>, Address<Server>) {
    let mut system = System::new();
    let server = system.create_named("server", Server::default());
    let client = system.create_named("client", Client { server, tries, answers: 0 });
    system.send(client, ToClient::Begin);
    (system, client, server)
}

fn answered(system: System, client: Address<Client>) -> System {
    system.at_end(move |end| assert!(end.state(client).answers > 0, "the client has its answer"))
}

#[test]
fn a_lost_message_is_found_and_a_retry_repairs_it() {
    let (system, client, _) = asking(0);
    answered(system, client).check().assert_ok();
    let (system, client, _) = asking(0);
    let lossy = answered(system.may_lose(Losses::at_most(1)), client).check().run();
    assert_eq!(lossy.failures().next().unwrap().message, "the client has its answer");
    insta::assert_snapshot!(lossy.report());
    let (system, client, _) = asking(1);
    answered(system.may_lose(Losses::at_most(1)), client).check().assert_ok();
    let (system, client, _) = asking(1);
    let twice = answered(system.may_lose(Losses::at_most(2)), client).check().run();
    assert_eq!(twice.outcome().verdict, Verdict::Violation);
}

#[test]
fn only_the_named_link_loses() {
    let (system, client, server) = asking(0);
    let away = system.may_lose(Losses::at_most(1).on(client, server));
    assert_eq!(answered(away, client).check().run().outcome().verdict, Verdict::Violation);
    // Nobody sends from the server to itself.
    let (system, client, server) = asking(0);
    answered(system.may_lose(Losses::at_most(1).on(server, server)), client)
        .check()
        .assert_ok();
}

#[test]
fn a_message_that_arrives_twice_is_counted_twice() {
    let once =
        |(system, _, server): (System, Address<Client>, Address<Server>)| system.at_end(move |end| assert_eq!(end.state(server).asked, 1));
    once(asking(0)).check().assert_ok();
    let checked = once(asking(0)).may_duplicate(Duplicates::at_most(1)).check().run();
    assert!(checked.report().contains("doubles"), "{}", checked.report());
}

#[test]
fn a_crash_forgets_what_is_not_durable() {
    let (system, client, server) = asking(0);
    let crash = system.may_crash(Crashes::at_most(1).of(&[server]));
    let checked = answered(crash, client).check().run();
    let report = checked.report();
    assert!(report.contains("crashes") && report.contains("but is down"), "{report}");
    let (system, client, _) = asking(2);
    let restarts = system.may_crash(Crashes::at_most(1).of(&[client]));
    answered(restarts, client).check().assert_ok();
    let (system, client, _) = asking(2);
    let stays = system.may_crash(Crashes::at_most(1).of(&[client]).for_good());
    let stays = answered(stays, client).check().run();
    assert!(stays.report().contains("client = down, was Client"), "{}", stays.report());
}

#[test]
fn a_partition_delays_and_heals() {
    let (system, client, server) = asking(0);
    let cut = system.may_partition(Partitions::at_most(1).around(&[server]));
    answered(cut, client).check().assert_ok();
    // While it is there nothing crosses: the retry comes before the answer.
    let (system, client, server) = asking(1);
    let cut = system.may_partition(Partitions::at_most(1).isolating(&[server]));
    let checked = cut.at_end(move |end| assert!(end.state(client).tries > 0, "retried")).check().run();
    assert_eq!(checked.outcome().verdict, Verdict::Violation);
}

#[test]
fn faults_of_different_messages_have_no_order() {
    // Ten clients, each with a question of its own that the network may lose: one trace for each that is lost, and one without.
    let counted = |clients: usize| {
        let mut system = System::new();
        for _ in 0..clients {
            let server = system.create(Server::default());
            let client = system.create(Client {
                server,
                tries: 0,
                answers: 0,
            });
            system.send(client, ToClient::Begin);
        }
        let checked = system.may_lose(Losses::at_most(1)).check().algorithm("optimal").run();
        assert_eq!(checked.outcome().verdict, Verdict::Complete);
        checked.executions()
    };
    // Nothing, the question, or the answer of one of them.
    assert_eq!([1, 2, 5, 10].map(counted), [1, 2, 5, 10].map(|n| 1 + 2 * n as u64));
}

/// Rings when a timer says so.
#[derive(Clone, Hash, Debug, Default)]
struct Bells {
    rung: Vec<u32>,
}

impl Actor for Bells {
    type Message = u32;
    const TIMERS: &'static [&'static str] = &["early", "late"];

    fn handle(&mut self, bell: u32, _: &mut Context<Self>) {
        self.rung.push(bell);
    }
}

#[test]
fn timers_fire_in_any_order_or_by_the_clock() {
    let bells = |clock: bool| {
        let mut system = System::new();
        if clock {
            system = system.virtual_clock();
        }
        let bells = system.create(Bells::default());
        system.set_timer(bells, "late", 7, 2);
        system.set_timer(bells, "early", 3, 1);
        system.at_end(move |end| assert_eq!(end.state(bells).rung, [1, 2])).check().run()
    };
    assert_eq!(bells(false).outcome().verdict, Verdict::Violation);
    assert_eq!((bells(true).outcome().verdict, bells(true).executions()), (Verdict::Complete, 1));
}

/// Throws two dice at once.
#[derive(Clone, Hash, Debug, Default)]
struct Dice(Option<u32>);

impl Actor for Dice {
    type Message = u32;

    fn handle(&mut self, sides: u32, context: &mut Context<Self>) {
        self.0 = Some(context.choose(sides) + context.choose(sides));
    }

    fn chooses(_: &u32) -> bool {
        true
    }
}

#[test]
fn every_choice_is_tried_and_replayed() {
    let dice = |sides| {
        let mut system = System::new();
        let dice = system.create_named("dice", Dice::default());
        system.send(dice, sides);
        system
            .at_end(move |end| assert!(end.state(dice).0 != Some(5), "not a five"))
            .check()
    };
    assert_eq!(dice(2).run().executions(), 4);
    let checked = dice(4).run();
    let report = checked.report();
    assert!(report.contains("4, choosing 2, 3"), "{report}");
    let schedule = report.split('"').nth(1).unwrap();
    assert_eq!(schedule, "0#11");
    assert!(dice(4).replay(schedule).contains("not a five"));
    let many = dice(100).run();
    assert_eq!(
        (many.outcome().verdict, many.outcome().limit),
        (Verdict::Incomplete, Some(Limit::Step))
    );
}

#[test]
fn the_laws_hold_with_faults_of_every_kind() {
    for delivery in [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo] {
        for dependency in [Dependency::Actor, Dependency::Field] {
            let (system, client, server) = asking(1);
            let system = system
                .deliver(delivery)
                .dependency(dependency)
                .may_lose(Losses::at_most(1))
                .may_duplicate(Duplicates::at_most(1))
                .may_crash(Crashes::at_most(1).of(&[client]).of(&[server]))
                .may_partition(Partitions::at_most(1).isolating(&[server]))
                .invariant("few answers", move |world| world.state(client).answers < 2)
                .invariant_of("few questions", &[server], move |world| world.state(server).asked < 2);
            if let Err(broken) = laws::check(&system, &laws::Effort::default()) {
                panic!("{delivery}, {dependency}: {}", broken.explain(&system));
            }
            assert_eq!(system.wrong_declaration(), None);
        }
    }
}

#[test]
fn an_invariant_is_looked_at_from_the_start_on() {
    let (system, client, _) = asking(0);
    let checked = system
        .invariant("it is answered", move |world| world.state(client).answers > 0)
        .check()
        .run();
    assert_eq!(checked.failures().next().unwrap().message, "`it is answered` does not hold");
    assert!(checked.report().contains("`it is answered` does not hold"), "{}", checked.report());
    let (system, client, server) = asking(0);
    let checked = system
        .invariant("an answer is of a question", move |world| {
            world.state(client).answers <= world.state(server).asked
        })
        .invariant("nobody is answered", move |world| world.state(client).answers == 0)
        .check()
        .run();
    let failures: Vec<&str> = checked.failures().map(|f| f.message.as_str()).collect();
    assert_eq!(failures, ["`nobody is answered` does not hold"]);
}

#[test]
fn an_invariant_that_panics_says_which_it_is() {
    let (system, client, _) = asking(0);
    let checked = system
        .invariant("countable", move |world| 1 / (1 - world.state(client).answers) > 0)
        .check()
        .run();
    let failure = checked.failures().next().unwrap();
    assert_eq!(failure.kind, FailureKind::Panic);
    assert!(
        failure
            .message
            .starts_with("the invariant `countable` panics: attempt to divide by zero"),
        "{}",
        failure.message
    );
}

#[test]
fn an_invariant_that_reads_what_it_does_not_declare_says_so() {
    let (system, client, server) = asking(0);
    let checked = system
        .invariant_of("few questions", &[client], move |world| world.state(server).asked < 2)
        .check()
        .run();
    let message = &checked.failures().next().unwrap().message;
    assert!(message.contains("reads an actor that it does not declare"), "{message}");
}

#[test]
#[should_panic(expected = "at most 0 crashes is no fault at all: leave the line out")]
fn a_budget_of_zero_is_refused() {
    drop(Crashes::at_most(0));
}

#[test]
#[should_panic(expected = "say with `Crashes::of` which actors may crash")]
fn a_crash_of_nobody_is_refused() {
    drop(System::new().may_crash(Crashes::at_most(1)));
}

#[test]
#[should_panic(expected = "its address comes from another system")]
fn a_crash_of_a_stranger_is_refused() {
    let (_, _, server) = asking(0);
    drop(System::new().may_crash(Crashes::at_most(1).of(&[server])));
}

/// Does what it must not do.
#[derive(Clone, Hash, Debug, Default)]
struct Careless {
    set: u32,
}

impl Actor for Careless {
    type Message = u32;
    const TIMERS: &'static [&'static str] = &["tick"];

    fn handle(&mut self, what: u32, context: &mut Context<Self>) {
        match what {
            0 => context.set_timer("tock", 1, 9),
            1 => self.set = context.choose(2),
            2 => context.set_timer("tick", 1, 9),
            _ => {}
        }
    }

    fn touches(_: &u32, fields: &mut Fields) {
        fields.write("set");
    }
}

fn careless(what: u32) {
    let mut system = System::new();
    let careless = system.create_named("careless", Careless::default());
    system.send(careless, what);
    system.dependency(Dependency::Field).check().assert_ok();
}

#[test]
#[should_panic(
    expected = "the handler of careless on 0 names the timer `tock`, and the timers of Careless are [`tick`]; add it to `TIMERS`"
)]
fn an_unknown_timer_is_explained() {
    careless(0);
}

#[test]
#[should_panic(expected = "the handler of careless on 1 calls `choose`; `Actor::chooses` must return true for this message")]
fn an_undeclared_choice_is_explained() {
    careless(1);
}

#[test]
#[should_panic(expected = "the handler of careless on 2 sets or cancels a timer, which `touches` does not declare with `timers`")]
fn an_undeclared_timer_is_explained() {
    careless(2);
}
