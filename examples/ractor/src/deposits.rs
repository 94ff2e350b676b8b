//! The protocol: a teller asks a bank to add money to an account, and asks again until the bank has confirmed it. The network may lose and repeat messages, so the
//! bank remembers what it has done.
//!
//! Nothing here knows whether it is checked or runs in production.

use mazurka::actors::{Actor, Address, Context};
use std::collections::BTreeSet;

/// How long a teller waits, in the units of the runtime.
const PATIENCE: u64 = 20;

/// Adds what tellers ask for.
#[derive(Clone, Hash, Debug)]
pub struct Bank {
    pub balance: u32,
    /// What was done.
    pub known: BTreeSet<u32>,
    /// Whether it looks at that.
    pub looks: bool,
}

#[derive(Clone, Hash, Debug)]
pub struct Deposit {
    pub number: u32,
    pub amount: u32,
    pub teller: Address<Teller>,
}

impl Actor for Bank {
    type Message = Deposit;

    fn handle(&mut self, deposit: Deposit, context: &mut Context<Self>) {
        let is_new = self.known.insert(deposit.number);
        if is_new || !self.looks {
            self.balance += deposit.amount;
        }
        context.send(deposit.teller, ToTeller::Confirmed(deposit.number));
    }
}

/// Makes one deposit after the other.
#[derive(Clone, Hash, Debug)]
pub struct Teller {
    pub bank: Address<Bank>,
    /// Number and amount, the next one last.
    pub to_do: Vec<(u32, u32)>,
    pub tries: u32,
    /// After so many it gives up; a check needs an end.
    pub most_tries: u32,
}

#[derive(Clone, Hash, Debug)]
pub enum ToTeller {
    GoOn,
    Confirmed(u32),
}

impl Actor for Teller {
    type Message = ToTeller;
    const TIMERS: &'static [&'static str] = &["again"];

    fn handle(&mut self, message: ToTeller, context: &mut Context<Self>) {
        if let ToTeller::Confirmed(number) = message {
            if self.to_do.last().is_none_or(|(open, _)| *open != number) {
                return;
            }
            self.to_do.pop();
            self.tries = 0;
            context.cancel_timer("again");
        }
        let Some(&(number, amount)) = self.to_do.last() else { return };
        if self.tries == self.most_tries {
            return;
        }
        self.tries += 1;
        let teller = context.me();
        context.send(self.bank, Deposit { number, amount, teller });
        context.set_timer("again", PATIENCE, ToTeller::GoOn);
    }
}
