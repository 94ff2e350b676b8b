//! Threads in Rust, checked: a closure is run once for every interleaving of its threads that can make a difference.
//!
//! The modules mirror `std` path for path: [`thread`], [`sync`], [`sync::atomic`], [`sync::mpsc`], [`cell`], [`hint`]. Outside of a check they are
//! the real thing, so code can use them always. In a check ([`check`]) threads are coroutines, every operation on something shared is a step,
//! and `mazurka-core` decides who takes the next one.
//!
//! ```
//! use mazurka_native::{check, sync::{Arc, Mutex}, thread};
//!
//! check(|| {
//!     let balance = Arc::new(Mutex::new(0));
//!     let deposits: Vec<_> = (1..=2)
//!         .map(|amount| {
//!             let balance = Arc::clone(&balance);
//!             thread::spawn(move || *balance.lock().unwrap() += amount)
//!         })
//!         .collect();
//!     deposits.into_iter().for_each(|d| d.join().unwrap());
//!     assert_eq!(*balance.lock().unwrap(), 3);
//! });
//! ```

pub mod cell;
mod check;
mod choose;
pub mod future;
pub mod hint;
mod instead;
pub mod lazy_static;
mod local;
#[doc(hidden)]
pub mod leaks {
    //! For crates that build on this one: what has to be given back in the end.
    pub use crate::runtime::leaks::{forgive, gone, made};
}
pub mod model;
mod runtime;
pub mod sync;
#[doc(hidden)]
pub mod testing;
pub mod thread;
pub mod time;
mod weak;
mod workplace;

pub use check::{Check, Checked, check};
pub use choose::choose;
pub use runtime::Allocator;
pub use runtime::is_checking;
pub use weak::Weakened;

/// The examples of the book are compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/threads.md")]
struct Book;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/weak-memory.md")]
struct WeakMemory;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
