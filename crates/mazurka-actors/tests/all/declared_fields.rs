//! Handlers that declare their fields beside handlers that declare nothing in particular: whoever may change what a constraint reads
//! decides whether the message can be delivered, however either of them is declared.

use mazurka_actors::{Accepts, Actor, Context, Delivery, Dependency, Fields, System};
use mazurka_core::{Algorithm, FailureKind, Options, Order, Program, StatefulOptions, Status, Unobserved, search, stateful_search};
use std::collections::BTreeSet;

/// What a handler says about itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Declared {
    FieldsAndGuard,
    Fields,
    All,
    AllAndGuard,
}

const ALL: [Declared; 4] = [Declared::FieldsAndGuard, Declared::Fields, Declared::All, Declared::AllAndGuard];

#[derive(Clone, Hash, Debug, Default)]
struct Cell {
    open: u8,
    seen: u8,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    /// Writes the field that the constraint of `Take` reads.
    Close(Declared),
    /// Reads another field.
    Look(Declared),
    /// Accepted while the cell is open; fails.
    Take(Declared),
}

impl Actor for Cell {
    type Message = Message;

    fn handle(&mut self, message: Message, _: &mut Context<Self>) {
        match message {
            Message::Close(_) => self.open += 1,
            Message::Look(_) => assert!(self.seen == 0),
            Message::Take(_) => panic!("taken"),
        }
    }

    fn accepts(&self, message: &Message) -> Accepts {
        match message {
            Message::Take(_) => Accepts::When(self.open == 0),
            _ => Accepts::Always,
        }
    }

    fn touches(message: &Message, fields: &mut Fields) {
        let (declared, written, read) = match message {
            Message::Close(declared) => (*declared, true, false),
            Message::Look(declared) => (*declared, false, true),
            Message::Take(declared) => (*declared, false, false),
        };
        let guarded = matches!(message, Message::Take(_));
        if matches!(declared, Declared::All | Declared::AllAndGuard) {
            fields.all();
        } else if written {
            fields.write("open");
        } else if read {
            fields.read("seen");
        }
        if guarded && matches!(declared, Declared::FieldsAndGuard | Declared::AllAndGuard) {
            fields.guard("open");
        }
    }
}

const ORDERS: [Order; 5] = [Order::Fifo, Order::Eca, Order::Lca, Order::Random(3), Order::Random(7)];

/// Everything that goes wrong, as kind and message.
fn failures(system: &System, algorithm: Algorithm, order: Order) -> BTreeSet<(FailureKind, String)> {
    let options = Options::new(algorithm).order(order).keep_going(true);
    let outcome = if algorithm.is_stateful() {
        let mut search = stateful_search(system, &options, StatefulOptions::default()).unwrap();
        while search.advance(1_000) == Status::Running {}
        search.outcome()
    } else {
        let mut search = search(system, &options, Unobserved).unwrap();
        while search.advance(1_000) == Status::Running {}
        search.outcome()
    };
    outcome.failures.into_iter().map(|f| (f.failure.kind, f.failure.message)).collect()
}

#[test]
fn whoever_may_change_what_a_constraint_reads_races_with_it() {
    for (close, look, take) in ALL.iter().flat_map(|c| ALL.iter().flat_map(move |l| ALL.map(|t| (*c, *l, t)))) {
        for messages in [
            vec![Message::Close(close), Message::Take(take)],
            vec![Message::Look(look), Message::Close(close), Message::Take(take)],
            vec![Message::Close(close), Message::Take(take), Message::Take(take)],
        ] {
            for delivery in [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo] {
                let mut system = System::new();
                let cell = system.create(Cell::default());
                for message in &messages {
                    system.send(cell, message.clone());
                }
                let system = system.dependency(Dependency::Field).deliver(delivery);
                let takes = messages.len() as u64 - 1 - u64::from(matches!(messages[0], Message::Look(_)));
                let waits = match takes {
                    1 => vec!["a message is never accepted"],
                    _ if delivery == Delivery::Unordered => vec!["2 messages are never accepted", "a message is never accepted"],
                    _ => vec!["2 messages are never accepted"],
                };
                let mut expected: BTreeSet<(FailureKind, String)> =
                    waits.into_iter().map(|m| (FailureKind::Deadlock, m.to_owned())).collect();
                if delivery == Delivery::Unordered {
                    expected.insert((FailureKind::Panic, "taken".to_owned()));
                }
                for algorithm in Algorithm::all().filter(|a| a.about().sound && a.fits(system.features()).is_ok()) {
                    for order in ORDERS {
                        let found = failures(&system, algorithm, order);
                        assert_eq!(found, expected, "{} {order:?} {delivery} {messages:?}", algorithm.name());
                    }
                }
            }
        }
    }
}
