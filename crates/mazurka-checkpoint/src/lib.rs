//! Keeps a search in a directory: what was asked, and where the search stands.
//!
//! ```
//! # use mazurka_checkpoint::{Asked, Store};
//! # let dir = tempfile::tempdir().unwrap();
//! # let dir = dir.path().join("search");
//! let asked = Asked { directory: "/home/me".to_owned(), arguments: vec!["check".to_owned(), "bank.litmus".to_owned()], digest: 7 };
//! let mut store = Store::create(&dir, &asked, b"nothing done")?;
//! store.save(b"half of it")?;
//! drop(store); // or a power cut
//! let (_, again, state) = Store::open(&dir)?;
//! assert_eq!((again, state.as_slice()), (asked, &b"half of it"[..]));
//! # Ok::<(), mazurka_checkpoint::Unusable>(())
//! ```

mod asked;
mod quiet;
mod store;
mod unusable;

pub use asked::Asked;
pub use store::Store;
pub use unusable::{Unusable, Why};
