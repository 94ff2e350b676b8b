//! What a user of the crate can rely on: failures are found and explained, bad input is answered.

use mazurka_actors::{Accepts, Actor, Address, Context, Delivery, Dependency, Fields, Run, Selection, Sends, System, Tie};
use mazurka_core::{Actors, Effects, FailureKind, Limit, Order, Pending, Program, Transition, Verdict};
use std::cell::Cell;

/// Remembers what it was sent.
#[derive(Clone, Hash, Debug, Default)]
struct Log {
    seen: Vec<u32>,
}

impl Actor for Log {
    type Message = u32;

    fn handle(&mut self, n: u32, _: &mut Context<Self>) {
        self.seen.push(n);
    }

    fn sends(sends: &mut Sends<Self>) {
        // Numbers have no first word but themselves.
        for n in 0..10 {
            sends.on(&n.to_string());
        }
    }
}

/// Sends some numbers to a log.
#[derive(Clone, Hash, Debug)]
struct Teller {
    log: Address<Log>,
}

#[derive(Clone, Hash, Debug)]
struct Tell(Vec<u32>);

impl Actor for Teller {
    type Message = Tell;

    fn handle(&mut self, Tell(numbers): Tell, context: &mut Context<Self>) {
        for n in numbers {
            context.send(self.log, n);
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        let mut handler = sends.on("Tell");
        for n in 0..10 {
            handler = handler.send::<Log>(&n.to_string());
        }
    }
}

fn two_tellers() -> (System, Address<Log>) {
    let mut system = System::new();
    let log = system.create_named("log", Log::default());
    for numbers in [vec![1, 2], vec![3]] {
        let teller = system.create(Teller { log });
        system.send(teller, Tell(numbers));
    }
    (system, log)
}

#[test]
fn unordered_mailboxes_deliver_in_any_order() {
    assert_eq!(two_tellers().0.check().run().executions(), 6);
}

#[test]
fn fifo_per_pair_keeps_the_order_of_one_sender() {
    let (system, log) = two_tellers();
    let system = system.deliver(Delivery::PairFifo).at_end(move |end| {
        let seen = &end.state(log).seen;
        let place = |n| seen.iter().position(|s| *s == n);
        assert!(place(1) < place(2));
    });
    let checked = system.check().run();
    assert_eq!((checked.outcome().verdict, checked.executions()), (Verdict::Complete, 3));
}

#[test]
fn fifo_mailboxes_leave_only_the_order_of_sending() {
    let (system, _) = two_tellers();
    let checked = system.deliver(Delivery::MailboxFifo).check().run();
    assert_eq!((checked.outcome().verdict, checked.executions()), (Verdict::Complete, 2));
}

/// Accepts an item only while it has none.
#[derive(Clone, Hash, Debug, Default)]
struct Slot {
    full: bool,
}

#[derive(Clone, Hash, Debug)]
enum Item {
    Put,
    Take,
}

impl Actor for Slot {
    type Message = Item;

    fn handle(&mut self, message: Item, _: &mut Context<Self>) {
        self.full = matches!(message, Item::Put);
    }

    fn accepts(&self, message: &Item) -> Accepts {
        Accepts::When(self.full != matches!(message, Item::Put))
    }
}

#[test]
fn messages_that_are_never_accepted_are_a_deadlock() {
    let slot = |messages: &[Item]| {
        let mut system = System::new();
        let slot = system.create_named("slot", Slot::default());
        for message in messages {
            system.send(slot, message.clone());
        }
        system.check()
    };
    slot(&[Item::Put, Item::Take, Item::Put]).assert_ok();
    let stuck = slot(&[Item::Put, Item::Put]).run();
    assert_eq!(stuck.failures().map(|f| f.kind).collect::<Vec<_>>(), [FailureKind::Deadlock]);
    insta::assert_snapshot!(stuck.report());
    slot(&[Item::Put, Item::Put]).ignore_deadlocks().assert_ok();
}

/// Fails if 2 comes before 1.
#[derive(Clone, Hash, Debug, Default)]
struct Strict {
    last: u32,
}

impl Actor for Strict {
    type Message = u32;

    fn handle(&mut self, n: u32, _: &mut Context<Self>) {
        assert!(n > self.last);
        self.last = n;
    }
}

fn strict() -> System {
    let mut system = System::new();
    let strict = system.create_named("strict", Strict::default());
    for n in [1, 2, 3] {
        system.send(strict, n);
    }
    system
}

#[test]
fn an_assertion_is_a_failure_with_its_schedule_and_the_schedule_replays() {
    let checked = strict().check().run();
    let failure = checked.failures().next().unwrap();
    assert_eq!(failure.kind, FailureKind::Assertion);
    let report = checked.report();
    let schedule = report.split('"').nth(1).unwrap();
    let replayed = strict().check().replay(schedule);
    assert!(replayed.contains("assertion failed: n > self.last"), "{replayed}");
}

#[test]
#[should_panic(expected = "is not under way here")]
fn a_schedule_that_does_not_fit_is_refused() {
    strict().check().replay("0 7");
}

/// Sends itself for ever.
#[derive(Clone, Hash, Debug)]
struct Restless;

impl Actor for Restless {
    type Message = ();

    fn handle(&mut self, (): (), context: &mut Context<Self>) {
        context.send(context.me(), ());
    }
}

fn restless() -> System {
    let mut system = System::new();
    let restless = system.create(Restless);
    system.send(restless, ());
    system
}

#[test]
fn an_actor_that_never_stops_is_proven_by_its_states() {
    let checked = restless().check().run();
    assert_eq!((checked.outcome().verdict, checked.algorithm()), (Verdict::Complete, "stateful"));
    assert_eq!(checked.report(), "complete: 1 state, nothing failed, and no execution ends");
}

#[test]
fn an_algorithm_that_runs_executions_to_their_end_is_incomplete_at_the_depth_limit() {
    let checked = restless().check().algorithm("optimal").max_depth(500).run();
    assert_eq!(checked.outcome().verdict, Verdict::Incomplete);
    assert_eq!(checked.outcome().limit, Some(Limit::Depth));
    assert!(checked.report().starts_with("incomplete: max-depth was reached"));
}

/// Counts for ever.
#[derive(Clone, Hash, Debug)]
struct Growing(u64);

impl Actor for Growing {
    type Message = ();

    fn handle(&mut self, (): (), context: &mut Context<Self>) {
        self.0 += 1;
        context.send(context.me(), ());
    }
}

#[test]
fn states_that_grow_without_bound_are_incomplete() {
    let grow = || {
        let mut system = System::new();
        let growing = system.create(Growing(0));
        system.send(growing, ());
        system.check()
    };
    let checked = grow().timeout(std::time::Duration::from_millis(300)).run();
    assert_eq!(
        (checked.outcome().verdict, checked.outcome().limit),
        (Verdict::Incomplete, Some(Limit::Time))
    );
    let checked = grow().max_depth(100).run();
    assert_eq!(
        (checked.outcome().verdict, checked.outcome().limit),
        (Verdict::Incomplete, Some(Limit::Depth))
    );
}

#[test]
fn ten_messages_to_one_actor_are_not_ten_factorial_executions() {
    #[derive(Clone, Hash, Debug, Default)]
    struct Sum(u32);
    impl Actor for Sum {
        type Message = u32;
        fn handle(&mut self, n: u32, _: &mut Context<Self>) {
            self.0 += n;
        }
    }
    let mut system = System::new();
    let sum = system.create(Sum::default());
    for n in 0..10 {
        system.send(sum, 1 << n);
    }
    let system = system.at_end(move |end| assert_eq!(end.state(sum).0, 1023));
    let checked = system.check().run();
    assert_eq!(checked.outcome().verdict, Verdict::Complete);
    assert!(checked.outcome().counts.steps < 20_000, "{:?}", checked.outcome().counts);
}

thread_local! {
    static CLOCK: Cell<u32> = const { Cell::new(0) };
}

/// Looks at a clock.
#[derive(Clone, Hash, Debug, Default)]
struct Late {
    at: u32,
}

impl Actor for Late {
    type Message = ();

    fn handle(&mut self, (): (), _: &mut Context<Self>) {
        CLOCK.set(CLOCK.get() + 1);
        self.at = CLOCK.get();
    }
}

#[test]
fn a_handler_that_looks_at_a_clock_is_found_out() {
    let mut system = System::new();
    let late = system.create_named("late", Late::default());
    system.send(late, ());
    let checked = system.check().run();
    assert_eq!(
        checked.failures().map(|f| f.kind).collect::<Vec<_>>(),
        [FailureKind::Nondeterminism]
    );
    assert!(
        checked.report().contains("first difference at step 1: () to late"),
        "{}",
        checked.report()
    );
}

/// Creates as many actors as a clock says.
#[derive(Clone, Hash, Debug)]
struct Manager;

impl Actor for Manager {
    type Message = ();

    fn handle(&mut self, (): (), context: &mut Context<Self>) {
        CLOCK.set(CLOCK.get() + 1);
        for _ in 0..CLOCK.get() {
            context.create(Log::default());
        }
    }
}

#[test]
fn a_handler_that_creates_more_or_fewer_actors_is_found_out() {
    let mut system = System::new();
    let manager = system.create_named("manager", Manager);
    system.send(manager, ());
    let checked = system.check().run();
    let messages: Vec<&str> = checked.failures().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        ["the handler of manager on () is nondeterministic: it created 1 actors and then 2"]
    );
}

/// Looks at a clock that stands still while a handler is compared with itself.
#[derive(Clone, Hash, Debug, Default)]
struct Slow {
    at: u32,
}

impl Actor for Slow {
    type Message = ();

    fn handle(&mut self, (): (), _: &mut Context<Self>) {
        self.at = CLOCK.get() / 2;
        CLOCK.set(CLOCK.get() + 1);
    }
}

#[test]
fn a_schedule_that_does_something_else_the_next_time_is_reported() {
    let mut system = System::new();
    let slow = system.create_named("slow", Slow::default());
    system.send(slow, ());
    let checked = system.at_end(|_| panic!("the end")).check().run();
    assert_eq!(checked.failures().map(|f| f.message.as_str()).collect::<Vec<_>>(), ["the end"]);
    let report = checked.report();
    assert!(report.contains("first difference at step 1: () to slow"), "{report}");
}

#[test]
#[should_panic(expected = "an actor that this system never created")]
fn an_address_of_another_system_is_refused() {
    let mut one = System::new();
    one.create(Strict::default());
    let foreign = one.create(Log::default());
    let mut other = System::new();
    other.create(Strict::default());
    other.send(foreign, 1);
}

/// Two counters in one actor.
#[derive(Clone, Hash, Debug, Default)]
struct Counters {
    left: u32,
    right: u32,
}

#[derive(Clone, Hash, Debug)]
enum Count {
    Left,
    Right,
}

impl Actor for Counters {
    type Message = Count;

    fn handle(&mut self, message: Count, _: &mut Context<Self>) {
        match message {
            Count::Left => self.left += 1,
            Count::Right => self.right = self.right * 2 + 1,
        }
    }

    fn touches(message: &Count, fields: &mut Fields) {
        match message {
            Count::Left => fields.accumulate("left"),
            Count::Right => fields.write("right"),
        };
    }
}

#[test]
fn declared_fields_save_executions() {
    for (dependency, executions) in [(Dependency::Actor, 24), (Dependency::Field, 2)] {
        let mut system = System::new();
        let counters = system.create(Counters::default());
        for message in [Count::Left, Count::Left, Count::Right, Count::Right] {
            system.send(counters, message);
        }
        assert_eq!(system.dependency(dependency).check().run().executions(), executions);
    }
}

#[test]
fn orders_change_the_work_and_never_the_result() {
    for order in [Order::Fifo, Order::Eca, Order::Lca, Order::Stable, Order::Random(4)] {
        let checked = two_tellers().0.check().order(order).run();
        assert_eq!((checked.executions(), checked.outcome().counts.blocked), (6, 0), "{order:?}");
    }
}

/// What can happen next.
fn pending(system: &System, run: &Run) -> Vec<Transition> {
    let mut pending: Vec<Pending> = Vec::new();
    system.pending(run, &mut pending);
    pending.iter().map(|p| p.transition).collect()
}

#[test]
fn of_equally_stable_actors_the_one_that_moved_last_can_go_first() {
    let mut system = System::new();
    for log in system.create_many("log", 3, |_, _| Log::default()) {
        system.send(log, 1);
        system.send(log, 2);
    }
    let tie = Tie::StayOrNewest;
    let system = system.selection(Selection {
        tie,
        ..Selection::default()
    });
    let mut run = system.start();
    let first = |run: &Run| {
        let all = pending(&system, run);
        let first = all.into_iter().min_by_key(|t| system.precedence(run, Order::Stable, *t));
        first.and_then(|t| system.actor(run, t))
    };
    let all = pending(&system, &run);
    let middle = all[2];
    let actor = system.actor(&run, middle);
    system.step(&mut run, middle, &mut Effects::default());
    assert_eq!(first(&run), actor);
}

#[test]
fn a_check_uses_the_algorithm_it_is_told_to() {
    let checked = two_tellers().0.check().algorithm("naive").run();
    assert_eq!(checked.summary().algorithm, "naive");
    assert!(checked.executions() > 6, "{}", checked.executions());
}

/// The address of the last of some actors that another system created.
fn foreign() -> Address<Log> {
    let mut other = System::new();
    *other.create_many("log", 9, |_, _| Log::default()).last().unwrap()
}

#[test]
#[should_panic(expected = "7 is sent to an actor that this system never created: its address comes from another system")]
fn a_first_message_to_an_actor_of_another_system_is_refused() {
    two_tellers().0.send(foreign(), 7);
}

#[test]
fn a_message_to_an_actor_of_another_system_is_a_failure_of_the_handler() {
    let mut system = System::new();
    let teller = system.create(Teller { log: foreign() });
    system.send(teller, Tell(vec![7]));
    let found = system.check().run();
    assert_eq!(found.outcome().verdict, Verdict::Violation);
    let message = &found.outcome().failures[0].failure.message;
    assert!(message.contains("its address comes from another system"), "{message}");
}

#[test]
fn asking_for_the_state_of_an_actor_of_another_system_is_a_failure_of_the_check() {
    let stranger = foreign();
    let system = two_tellers().0.at_end(move |end| assert!(end.state(stranger).seen.is_empty()));
    let found = system.check().run();
    let message = &found.outcome().failures[0].failure.message;
    assert!(message.contains("its address comes from another system"), "{message}");
}

/// Its constraint divides by what was sent before.
#[derive(Clone, Hash, Debug)]
struct Divider {
    by: u32,
}

#[derive(Clone, Hash, Debug)]
enum Divide {
    By(u32),
    Even(u32),
}

impl Actor for Divider {
    type Message = Divide;

    fn handle(&mut self, message: Divide, _: &mut Context<Self>) {
        if let Divide::By(by) = message {
            self.by = by;
        }
    }

    fn accepts(&self, message: &Divide) -> Accepts {
        match message {
            Divide::By(_) => Accepts::Always,
            Divide::Even(n) => Accepts::When((n / self.by).is_multiple_of(2)),
        }
    }
}

#[test]
fn a_constraint_that_panics_is_a_failure() {
    for algorithm in ["optimal", "source", "naive", "source+merge", "dpor"] {
        for by in [Divide::By(0), Divide::By(2)] {
            let mut system = System::new();
            let divider = system.create(Divider { by: 1 });
            system.send(divider, by.clone());
            system.send(divider, Divide::Even(4));
            let checked = system.check().algorithm(algorithm).keep_going().run();
            let messages: Vec<&str> = checked.failures().map(|f| f.message.as_str()).collect();
            let expected: &[&str] = match by {
                Divide::By(0) => &["attempt to divide by zero"],
                _ => &[],
            };
            assert_eq!(messages, expected, "{algorithm}");
        }
    }
}

/// Creates a worker that remembers a number.
#[derive(Clone, Hash, Debug)]
struct Employer(u32);

impl Actor for Employer {
    type Message = ();

    fn handle(&mut self, (): (), context: &mut Context<Self>) {
        let log = context.create(Log { seen: vec![self.0] });
        assert!(self.0 != 2, "{log:?} came too early");
    }
}

#[test]
fn actors_that_are_created_later_are_told_apart_by_birth_and_not_by_time() {
    let mut system = System::new();
    for number in [7, 8] {
        let employer = system.create(Employer(number));
        system.send(employer, ());
    }
    let system = system.at_end(|end| {
        let first = end.states::<Log>().next().unwrap();
        assert_eq!(first.seen, [7], "whoever was created first");
    });
    assert!(system.check().algorithm("naive").keep_going().run().failures().next().is_none());
}

#[test]
fn addresses_in_messages_of_failures_are_names() {
    let mut system = System::new();
    let employer = system.create(Employer(2));
    system.send(employer, ());
    let checked = system.check().run();
    let messages: Vec<&str> = checked.failures().map(|f| f.message.as_str()).collect();
    assert_eq!(messages, ["Log 0/0 came too early"]);
}

/// Follows plans: sends itself a message for each entry, and creates a log for those with a number.
#[derive(Clone, Hash, Debug)]
struct Planner;

#[derive(Clone, Hash, Debug)]
enum Plan {
    All(Vec<Option<u32>>),
    One(Option<u32>),
}

impl Actor for Planner {
    type Message = Plan;

    fn handle(&mut self, plan: Plan, context: &mut Context<Self>) {
        match plan {
            Plan::All(plans) => plans.into_iter().for_each(|plan| context.send(context.me(), Plan::One(plan))),
            Plan::One(Some(number)) => {
                context.create(Log { seen: vec![number] });
            }
            Plan::One(None) => {}
        }
    }
}

#[test]
fn actors_are_listed_in_the_order_of_the_messages_that_led_to_them() {
    let mut system = System::new();
    let planner = system.create(Planner);
    system.send(planner, Plan::All(vec![None, Some(1)]));
    system.send(planner, Plan::All(vec![Some(2)]));
    let system = system.at_end(|end| {
        let numbers: Vec<u32> = end.states::<Log>().map(|log| log.seen[0]).collect();
        assert_eq!(numbers, [1, 2]);
    });
    system.check().assert_ok();
}

#[test]
fn a_verdict_is_proved_to_an_independent_checker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate");
    let checked = two_tellers().0.check().certificate(&path).run();
    let said = checked.verified().expect("it is complete").to_owned();
    assert!(said.starts_with("verified by an independent checker: "), "{said}");
    assert!(said.contains(&format!(" of {} executions run", checked.executions())), "{said}");
    assert!(checked.report().ends_with(&said), "{}", checked.report());
    assert_eq!(checked.summary().verified.as_deref(), Some(said.as_str()));
    assert_eq!(two_tellers().0.check().verify(&path), Ok(said));
    // One byte more, another system.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.push(0);
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(two_tellers().0.check().verify(&path), Err("something follows its end".to_owned()));
    bytes.pop();
    std::fs::write(&path, &bytes).unwrap();
    let mut other = System::new();
    let log = other.create_named("log", Log::default());
    let teller = other.create(Teller { log });
    other.send(teller, Tell(vec![1, 2, 3]));
    assert!(other.check().verify(&path).is_err());
    // Other algorithms, with and without a certificate.
    for name in ["source", "source+merge"] {
        assert!(
            two_tellers().0.check().algorithm(name).verified().run().verified().is_some(),
            "{name}"
        );
    }
    let refused = std::panic::catch_unwind(|| two_tellers().0.check().algorithm("naive").verified().run().executions());
    assert!(refused.is_err());
}
