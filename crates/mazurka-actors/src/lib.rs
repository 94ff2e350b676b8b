//! Actors written in Rust, and every order in which their messages can arrive.
//!
//! An [`Actor`] is a type with a state and a handler. A [`System`] says who exists and which messages are under way at the start.
//! [`System::check`] explores all delivery orders that can make a difference, once each, and shows the one that fails.
//!
//! ```should_panic
//! use mazurka_actors::{Actor, Address, Context, System};
//!
//! #[derive(Clone, Hash, Debug, Default)]
//! struct Account { balance: i32 }
//!
//! #[derive(Clone, Hash, Debug)]
//! enum Order { Deposit(i32), Withdraw(i32) }
//!
//! impl Actor for Account {
//!     type Message = Order;
//!     fn handle(&mut self, order: Order, _: &mut Context<Self>) {
//!         match order {
//!             Order::Deposit(n) => self.balance += n,
//!             Order::Withdraw(n) => self.balance -= n,
//!         }
//!         assert!(self.balance >= 0);
//!     }
//! }
//!
//! let mut system = System::new();
//! let account = system.create(Account::default());
//! system.send(account, Order::Deposit(10));
//! system.send(account, Order::Withdraw(10));
//! system.check().assert_ok(); // the withdrawal may come first
//! ```
//!
//! # Constraints
//! [`Actor::accepts`] disables a message in some states; it stays pending. A system in which messages wait for ever is a deadlock.
//!
//! # Delivery
//! Mailboxes are unordered, as in the actor model. [`System::deliver`] chooses FIFO per pair of actors or FIFO mailboxes.
//!
//! # Field granularity
//! Without a declaration every two messages to one actor are tried in both orders. [`Actor::touches`] declares which fields a handler
//! touches; messages that touch different fields need not be reordered under [`Dependency::Field`]. What is declared is checked.
//!
//! # The call graph
//! [`Actor::sends`] declares what handlers may send to whom. `Order::Stable` uses it to try an actor first that nobody else can send to
//! any more, which saves reversals with the older algorithms; it never changes what is covered. What is declared is checked.
//!
//! # Determinism
//! A handler must be a function of its state and its message. Handlers are now and then run twice, and one that differs is a failure.
//!
//! # Features
//! `programs`: the actor programs of two papers, which the command `mazurka` has built in.

mod actor;
mod address;
mod certificate;
mod check;
mod checked;
mod choices;
mod collections;
mod context;
mod counterexample;
mod declarations;
mod delivery;
mod describe;
mod determinism;
mod environment;
mod erased;
mod faults;
mod fields;
#[cfg(test)]
mod fingerprint_tests;
mod future;
mod growth;
mod hash;
pub mod host;
mod invariants;
mod knowledge;
mod life;
mod network;
mod panics;
mod program;
#[cfg(feature = "programs")]
pub mod programs;
mod progress_line;
mod projection;
mod promises;
mod recording;
mod run;
mod selection;
mod sends;
mod states;
mod steps;
mod subject;
mod symmetry;
mod system;
mod tables;
mod touching;
mod turns;
mod world;

pub use actor::{Accepts, Actor};
pub use address::Address;
pub use check::Check;
pub use checked::Checked;
pub use collections::{AddressMap, AddressSet};
pub use context::Context;
pub use delivery::Delivery;
pub use faults::{Crashes, Duplicates, Losses, Partitions};
pub use fields::Fields;
pub use mazurka_core::Dependency;
pub use projection::Values;
pub use recording::Records;
pub use run::Run;
pub use selection::{Selection, Tie};
pub use sends::{Handler, Sends};
pub use system::System;
pub use world::{End, World};
