//! Mazurka finds the concurrency bugs that testing misses, and proves their absence when there are none.
//!
//! This crate is what a Rust user depends on: the engine ([`core`]) and actors written in Rust ([`actors`]). The `mazurka` command that
//! checks models in other languages is the binary of the same crate.
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

pub use mazurka_actors as actors;
pub use mazurka_core as core;
