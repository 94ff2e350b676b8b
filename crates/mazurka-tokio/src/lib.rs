//! tokio's tasks, channels, locks and time, as Mazurka checks them. The paths are those of tokio.
//!
//! In a check every task is a process, and every operation on something shared is one step, so that all interleavings that can make a
//! difference are run, once each. Waiting is a part of the step that ends it. `#[tokio::test]` is a check; [`mazurka_native::check`] with
//! [`runtime::Runtime::block_on`] in it is one, too. Outside of a check, tasks are threads, and everything works as it should, if not fast.
//!
//! ```
//! use mazurka_native::check;
//! use mazurka_tokio::{runtime::Runtime, spawn, sync::mpsc};
//!
//! check(|| {
//!     Runtime::new().unwrap().block_on(async {
//!         let (sender, mut receiver) = mpsc::channel(1);
//!         for n in 1..=2 {
//!             let sender = sender.clone();
//!             spawn(async move { sender.send(n).await.unwrap() });
//!         }
//!         drop(sender);
//!         let mut sum = 0;
//!         while let Some(n) = receiver.recv().await {
//!             sum += n;
//!         }
//!         assert_eq!(sum, 3);
//!     });
//! });
//! ```
//!
//! # Less than tokio allows
//! Tasks that are left when `block_on` returns go on, and are not dropped where they wait; nobody minds if they wait for ever. `join!` polls
//! its futures in the order in which they are written. Time is virtual: see [`time`].
//!
//! # More than tokio allows
//! Every runtime has a thread for each task: code between two `.await`s is not atomic, as on the multi-threaded runtime. Time may pass at any
//! moment for who waits, however long others take.

pub mod macros;
pub mod runtime;
pub mod sync;
pub mod task;
pub mod time;

pub use mazurka_macros::{async_main as main, async_test as test};
#[doc(inline)]
pub use task::spawn;

/// The examples of the book are compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/tokio.md")]
struct Book;

#[doc(hidden)]
pub mod __check {
    //! What the attributes expand to.
    pub use mazurka_native::future::block_on;
    pub use mazurka_native::{Check, testing};
}

#[doc(hidden)]
pub use mazurka_macros::{join as __join, select as __select, try_join as __try_join};
