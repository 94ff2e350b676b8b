//! What handlers declare is checked: a wrong declaration ends a check with a message that says what is missing, never with a verdict.

use mazurka_actors::{Accepts, Actor, Address, Context, Delivery, Dependency, Fields, Sends, System, Values};
use mazurka_core::{Effects, FailureKind, Program};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is wrong with the declarations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Lie {
    None,
    ReadsMore,
    SendsByMore,
    FailsByMore,
    WritesMore,
    WritesUndeclared,
    GuardReadsMore,
    LooksAtWhatItAccumulates,
}

#[derive(Clone, Hash, Debug, Default)]
struct Account {
    balance: u32,
    limit: u32,
    log: Vec<u32>,
    listener: Option<Address<Account>>,
}

#[derive(Clone, Hash, Debug)]
enum Order {
    /// Writes the balance.
    Deposit(Lie),
    /// Writes the limit.
    Raise(Lie),
    /// Accepted while the balance suffices.
    Withdraw(Lie),
    /// Does nothing.
    Ping,
}

impl Actor for Account {
    type Message = Order;

    fn handle(&mut self, order: Order, context: &mut Context<Self>) {
        match order {
            Order::Deposit(Lie::ReadsMore) => self.balance += self.limit,
            Order::Deposit(Lie::SendsByMore) => {
                if self.limit > 0 {
                    context.send(context.me(), Order::Ping);
                }
            }
            Order::Deposit(Lie::FailsByMore) => assert!(self.limit == 0, "no deposit over the limit"),
            Order::Deposit(Lie::WritesMore) => self.log.push(1),
            Order::Deposit(Lie::WritesUndeclared) => self.balance += 1,
            Order::Deposit(Lie::LooksAtWhatItAccumulates) => {
                self.limit += 1;
                self.balance = self.limit;
            }
            Order::Deposit(_) => self.balance += 1,
            Order::Raise(_) => self.limit += 1,
            Order::Withdraw(_) => self.balance = self.balance.saturating_sub(1),
            Order::Ping => {}
        }
    }

    fn accepts(&self, order: &Order) -> Accepts {
        match order {
            Order::Withdraw(Lie::GuardReadsMore) => Accepts::When(self.balance + self.limit > 0),
            Order::Withdraw(_) => Accepts::When(self.balance > 0),
            _ => Accepts::Always,
        }
    }

    fn touches(order: &Order, fields: &mut Fields) {
        match order {
            Order::Deposit(Lie::WritesUndeclared) => fields.read("balance"),
            Order::Deposit(Lie::LooksAtWhatItAccumulates) => fields.accumulate("limit").write("balance"),
            Order::Deposit(_) => fields.write("balance"),
            Order::Raise(_) => fields.write("limit"),
            Order::Withdraw(_) => fields.guard("balance").write("balance"),
            Order::Ping => return,
        };
    }
}

fn system(lie: Lie) -> System {
    let mut system = System::new();
    let account = system.create_named("account", Account::default());
    for order in [Order::Raise(lie), Order::Deposit(lie), Order::Withdraw(lie), Order::Raise(lie)] {
        system.send(account, order);
    }
    system.dependency(Dependency::Field)
}

/// What a check says when it does not end with a verdict.
fn complaint(system: System) -> Option<String> {
    let checked = catch_unwind(AssertUnwindSafe(|| system.check().ignore_deadlocks().keep_going().run()));
    checked
        .err()
        .map(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default())
}

fn complains(lie: Lie, what: &str) {
    for system in [system(lie), system(lie).paranoid()] {
        let complaint = complaint(system).unwrap_or_else(|| panic!("{lie:?} is not noticed"));
        let expected = format!("wrong declaration: {what}");
        assert!(complaint.starts_with(&expected), "{lie:?}: {complaint}");
    }
}

#[test]
fn a_handler_that_reads_an_undeclared_field_is_found() {
    let handler =
        |lie: Lie| format!("the handler of account on Deposit({lie:?}) depends on `limit`, which `touches` does not declare: in ");
    for lie in [Lie::ReadsMore, Lie::SendsByMore, Lie::FailsByMore] {
        complains(lie, &handler(lie));
    }
}

#[test]
fn a_handler_that_writes_an_undeclared_field_is_found() {
    let what = "the handler of account on Deposit(WritesMore) writes `log`, which `touches` does not declare as written";
    complains(Lie::WritesMore, what);
    let what = "the handler of account on Deposit(WritesUndeclared) changes the actor, but `touches` declares no field as written";
    complains(Lie::WritesUndeclared, what);
}

#[test]
fn a_handler_that_looks_at_what_it_accumulates_is_found() {
    let what = "the handler of account on Deposit(LooksAtWhatItAccumulates) depends on `limit`, which it declares as accumulated";
    complains(Lie::LooksAtWhatItAccumulates, what);
}

#[test]
fn a_constraint_that_reads_an_undeclared_field_is_found() {
    let what = "the constraint of account on Withdraw(GuardReadsMore) reads `limit`, which `touches` does not declare with `guard`";
    complains(Lie::GuardReadsMore, what);
}

#[test]
fn true_declarations_are_no_matter() {
    assert_eq!(complaint(system(Lie::None)), None);
    assert_eq!(complaint(system(Lie::None).paranoid()), None);
}

/// Its handlers have names of their own for parts of the state.
#[derive(Clone, Hash, Debug, Default)]
struct Shelf {
    places: [u32; 2],
}

/// Writes one place with what is said, or with what is in the other.
#[derive(Clone, Hash, Debug)]
enum Put {
    New(usize),
    Copy(usize),
}

impl Actor for Shelf {
    type Message = Put;

    fn handle(&mut self, put: Put, _: &mut Context<Self>) {
        match put {
            Put::New(place) => self.places[place] += 1,
            Put::Copy(place) => self.places[place] = self.places[1 - place],
        }
    }

    fn touches(put: &Put, fields: &mut Fields) {
        let (Put::New(place) | Put::Copy(place)) = put;
        fields.write(&format!("place {place}"));
    }

    fn values(&self, values: &mut Values) {
        for (nth, what) in self.places.iter().enumerate() {
            values.of(&format!("place {nth}"), what);
        }
    }
}

#[test]
fn fields_with_names_of_their_own_are_checked_by_their_values() {
    let shelf = |puts: &[Put]| {
        let mut system = System::new();
        let shelf = system.create_named("shelf", Shelf::default());
        puts.iter().for_each(|put| system.send(shelf, put.clone()));
        system.dependency(Dependency::Field)
    };
    assert_eq!(complaint(shelf(&[Put::New(0), Put::New(1)])), None);
    let complaint = complaint(shelf(&[Put::New(0), Put::Copy(1)])).unwrap();
    let expected = "wrong declaration: the handler of shelf on Copy(1) depends on `place 0`, which `touches` does not declare: in ";
    assert!(complaint.starts_with(expected), "{complaint}");
}

/// Says in one state that it accepts everything, in another that it is choosy.
#[derive(Clone, Hash, Debug, Default)]
struct Moody {
    handled: u32,
}

impl Actor for Moody {
    type Message = u32;

    fn handle(&mut self, _: u32, _: &mut Context<Self>) {
        self.handled += 1;
    }

    fn accepts(&self, _: &u32) -> Accepts {
        if self.handled == 0 { Accepts::Always } else { Accepts::When(true) }
    }
}

#[test]
fn whether_there_is_a_constraint_must_not_depend_on_the_state() {
    let mut system = System::new();
    let moody = system.create_named("moody", Moody::default());
    system.send(moody, 1);
    system.send(moody, 2);
    let complaint = complaint(system).unwrap();
    assert!(
        complaint.contains("the constraint of moody on 2 is `Always` in one state, and not in another"),
        "{complaint}"
    );
}

/// Says that it sends nothing, and sends.
#[derive(Clone, Hash, Debug)]
struct Liar;

impl Actor for Liar {
    type Message = Option<u32>;

    fn handle(&mut self, message: Option<u32>, context: &mut Context<Self>) {
        if message.is_some() {
            context.send(context.me(), None);
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Some");
    }
}

#[test]
#[should_panic(expected = "wrong declaration: the handler of liar on Some(1) sends None to Liar, which `sends` does not declare")]
fn a_send_that_is_not_declared_is_an_error_of_the_declaration() {
    let mut system = System::new();
    let liar = system.create_named("liar", Liar);
    system.send(liar, Some(1));
    system.check().run();
}

/// Sends itself a message over and over, and at last one that it does not declare.
#[derive(Clone, Hash, Debug)]
struct LateLiar {
    left: u32,
}

#[derive(Clone, Hash, Debug)]
enum Round {
    Again,
    Done,
}

impl Actor for LateLiar {
    type Message = Round;

    fn handle(&mut self, round: Round, context: &mut Context<Self>) {
        self.left -= 1;
        match round {
            Round::Again if self.left > 0 => context.send(context.me(), Round::Again),
            Round::Again => context.send(context.me(), Round::Done),
            Round::Done => {}
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Again").send::<LateLiar>("Again");
        sends.on("Done");
    }
}

#[test]
fn where_the_order_of_messages_rests_on_it_every_step_is_checked_for_sends_that_are_not_declared() {
    for delivery in [Delivery::PairFifo, Delivery::MailboxFifo] {
        let mut system = System::new();
        // Nobody looks closely at step 270 otherwise.
        let liar = system.create(LateLiar { left: 270 });
        system.send(liar, Round::Again);
        let system = system.deliver(delivery);
        let mut run = system.start();
        for step in 1..=270 {
            let (mut pending, mut effects) = (Vec::new(), Effects::default());
            system.pending(&run, &mut pending);
            system.step(&mut run, pending[0].transition, &mut effects);
            let failure = effects.failure.map(|f| (f.kind, f.message));
            let wrong = "wrong declaration: the handler of LateLiar 0 on Again sends Done to LateLiar, which `sends` does not declare";
            let expected = (step == 270).then(|| (FailureKind::Panic, wrong.to_owned()));
            assert_eq!(failure, expected, "{delivery}, step {step}");
        }
    }
}
