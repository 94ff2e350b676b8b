//! Channels for many senders and one receiver, as in `tokio::sync::mpsc`.

mod bounded;
mod chan;
pub mod error;
mod permit;
mod rules;
mod unbounded;

pub(crate) use chan::{Chan, UNBOUNDED};

pub use bounded::{Receiver, Sender, WeakSender, channel};
pub use permit::{OwnedPermit, Permit};
pub use unbounded::{UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel};
