//! The snapshot of Chandy and Lamport: three banks pay each other, and a snapshot of all accounts, with what is under way, shows all the money.
//!
//! A bank that is asked for a snapshot notes what it has, sends a marker to all others, and then notes every payment that arrives from a bank
//! whose marker has not come yet. That needs channels in order: a marker must not overtake a payment. `system(Delivery::Unordered)` loses money.

use mazurka_actors::{Actor, Address, Context, Delivery, System};

const MONEY: u32 = 10;

#[derive(Clone, Hash, Debug, Default)]
struct Bank {
    others: Vec<Address<Bank>>,
    money: u32,
    /// What it had, if it has noted that, and what was under way to it.
    noted: Option<u32>,
    under_way: u32,
    /// How many markers it waits for.
    markers: usize,
    /// From whom markers came.
    came: Vec<Address<Bank>>,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    /// Pays something to the bank so many places further.
    Pay(usize, u32),
    Payment(Address<Bank>, u32),
    Begin,
    Marker(Address<Bank>),
}

impl Bank {
    fn note(&mut self, context: &mut Context<Self>) {
        if self.noted.is_none() {
            self.noted = Some(self.money);
            self.markers = self.others.len();
            for &other in &self.others {
                context.send(other, Message::Marker(context.me()));
            }
        }
    }
}

impl Actor for Bank {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Pay(further, amount) => {
                self.money -= amount;
                context.send(self.others[further], Message::Payment(context.me(), amount));
            }
            Message::Payment(from, amount) => {
                self.money += amount;
                if self.noted.is_some() && !self.came.contains(&from) {
                    self.under_way += amount;
                }
            }
            Message::Begin => self.note(context),
            Message::Marker(from) => {
                self.note(context);
                self.came.push(from);
                self.markers -= 1;
            }
        }
    }
}

/// Three banks, of which one begins a snapshot.
pub fn system(delivery: Delivery) -> System {
    let mut system = System::new().deliver(delivery);
    let banks = system.create_many("bank", 3, |banks, at| Bank {
        others: vec![banks[(at + 1) % 3], banks[(at + 2) % 3]],
        money: MONEY,
        ..Bank::default()
    });
    system.send(banks[0], Message::Begin);
    system.send(banks[0], Message::Pay(0, 1));
    system.send(banks[1], Message::Pay(1, 2));
    system.at_end(|end| {
        assert!(end.states::<Bank>().all(|b| b.markers == 0), "the snapshot ends");
        let all: u32 = end.states::<Bank>().map(|b| b.noted.unwrap_or(0) + b.under_way).sum();
        assert_eq!(all, 3 * MONEY, "the snapshot shows all the money");
    })
}

/// Shows money that the snapshot loses.
pub fn main() {
    println!("{}", system(Delivery::Unordered).check().run().report());
}
