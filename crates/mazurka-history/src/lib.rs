//! Histories of concurrent operations, and whether they can be explained by a sequential object.
//!
//! A [`History`] is a list of invocations and responses of several clients. A [`Specification`] says what a sequential object may answer. A history is
//! *linearizable* if every operation can be thought of as happening at one moment between its invocation and its response, such that the
//! answers are those of the sequential object; an operation without a response may have happened or not.
//!
//! ```
//! use mazurka_history::{History, Register, ReadWrite::{self, Read, Write}};
//!
//! let mut history = History::new();
//! let write = history.invoke("alice", Write(1));
//! let early = history.invoke("bob", Read);
//! history.respond(early, Some(1)); // the write happened meanwhile
//! let late = history.invoke("bob", Read);
//! history.respond(late, None); // but then it was gone
//! history.respond(write, None);
//! let why = history.linearizable(&Register::default()).unwrap_err();
//! println!("{}", why.picture());
//! # let _: Option<ReadWrite<u8>> = None;
//! ```
//!
//! # The algorithm
//! Wing and Gong (Testing and Verifying Concurrent Objects, 1993): linearize some operation that no pending one precedes, go on with the rest, come
//! back if that fails. With Lowe's memoisation (Testing for Linearizability, 2017): the same set of linearized operations with the same state of
//! the object is looked at once. Where operations on different keys are independent ([`Specification::key`]), each key is checked alone, because
//! linearizability is local (Herlihy and Wing, 1990; P-compositionality of Horn and Kroening, 2015).
//!
//! [`History::sequentially_consistent`] forgets the real time between clients, and [`History::causally_consistent`] asks only that each client
//! can explain what it saw in an order that respects causality.

mod causal;
mod history;
mod picture;
mod search;
mod specifications;

pub use history::{Event, History, Operation, OperationId, Violation};
pub use specifications::{Map, MapOperation, Queue, QueueOperation, ReadWrite, Register, Set, SetOperation, Specification, Stack};
