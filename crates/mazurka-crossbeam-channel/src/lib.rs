//! crossbeam-channel, as Mazurka checks it. The paths are those of crossbeam-channel.
//!
//! Sending, receiving and selecting are one step each; that a message is sent by a selection takes a second one, since it may be computed after
//! the selection. Time limits may be over at any moment for who has to wait, and so may [`after`], [`at`] and [`tick`]; a loop over ticks has no end,
//! and wants a bound on the depth. Refused with a message are selections that send to a channel without room, `try_send` to one that is
//! selected, and timers for which several threads wait.

#[macro_use]
mod macros;

mod chan;
mod channel;
mod errors;
mod rules;
mod select;
mod timer;

pub use channel::{IntoIter, Iter, Receiver, Sender, TryIter, after, at, bounded, never, tick, unbounded};
pub use errors::{
    ReadyTimeoutError, RecvError, RecvTimeoutError, SelectTimeoutError, SendError, SendTimeoutError, TryReadyError, TryRecvError,
    TrySelectError, TrySendError,
};
pub use select::{Select, SelectedOperation};
