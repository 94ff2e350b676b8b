//! One protocol, two worlds: `deposits.rs` has the handlers, `adapter.rs` runs them under ractor, and the tests do both: they check every order, loss and repetition of
//! messages, and they run the same handlers on real tasks and timers.

pub mod adapter;
pub mod deposits;
