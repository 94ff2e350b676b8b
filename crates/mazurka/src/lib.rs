//! Mazurka finds the concurrency bugs that testing misses, and proves their absence when there are none.
//!
//! This crate is what a Rust user depends on: the engine ([`core`]) and actors written in Rust ([`actors`]). The command `mazurka`, which
//! checks models in files, is the crate `mazurka-cli`.
//!
//! A check of actors runs inside a test and covers every order in which messages can be delivered:
//!
//! ```
//! use mazurka::actors::{Actor, Context, System};
//!
//! #[derive(Clone, Hash, Debug, Default)]
//! struct Largest(u32);
//!
//! impl Actor for Largest {
//!     type Message = u32;
//!     fn handle(&mut self, number: u32, _: &mut Context<Self>) {
//!         self.0 = self.0.max(number);
//!     }
//! }
//!
//! let mut system = System::new();
//! let largest = system.create(Largest::default());
//! for number in [3, 1, 2] {
//!     system.send(largest, number);
//! }
//! let system = system.at_end(move |end| assert_eq!(end.state(largest).0, 3));
//! system.check().assert_ok();
//! ```
//!
//! # Features
//! None is on by default. `threads` adds checks of threads (`mazurka::check`, `#[mazurka::test]`, `mazurka::thread`, `mazurka::sync`). `abs`,
//! `promela` and `litmus` add the front ends for models in these languages, `html` adds reports for browsers and other tools.

#[cfg(feature = "abs")]
pub use mazurka_abs as abs;
pub use mazurka_actors as actors;
pub use mazurka_core as core;
pub use mazurka_history as history;
#[cfg(feature = "litmus")]
pub use mazurka_litmus as litmus;
#[cfg(feature = "threads")]
pub use mazurka_macros::test;
#[cfg(feature = "threads")]
#[doc(hidden)]
pub use mazurka_native::testing;
#[cfg(feature = "threads")]
pub use mazurka_native::{Check, Checked, cell, check, choose, hint, is_checking, sync, thread, thread_local, time};
#[cfg(feature = "promela")]
pub use mazurka_promela as promela;
#[cfg(feature = "html")]
pub use mazurka_report as report;

/// The examples of the book are compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/actors.md")]
struct Book;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
