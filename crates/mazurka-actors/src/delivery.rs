//! In which order messages may be delivered.

use crate::run::{Envelope, Run};
use std::fmt;
use std::str::FromStr;

/// In which order the messages under way may be delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Delivery {
    /// Any order: the actor model.
    #[default]
    Unordered,
    /// Messages from one actor to another arrive in the order in which they were sent, as in Erlang and Akka.
    PairFifo,
    /// Messages to one actor are handled in the order in which they were sent by anyone.
    MailboxFifo,
}

impl Delivery {
    /// As the user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Delivery::Unordered => "unordered",
            Delivery::PairFifo => "pair-fifo",
            Delivery::MailboxFifo => "mailbox-fifo",
        }
    }

    /// How many messages have to be delivered before the one at `place` of `run.pending`.
    pub(crate) fn rank(self, run: &Run, place: usize) -> usize {
        let this: &Envelope = &run.pending[place];
        let earlier = run.pending[..place].iter();
        match self {
            Delivery::Unordered => 0,
            Delivery::PairFifo => earlier.filter(|e| e.receiver == this.receiver && e.sender == this.sender).count(),
            Delivery::MailboxFifo => earlier.filter(|e| e.receiver == this.receiver).count(),
        }
    }

    /// Whether no earlier message stands in the way of the one at `place` of `run.pending`.
    pub(crate) fn allows(self, run: &Run, place: usize) -> bool {
        let this: &Envelope = &run.pending[place];
        let mut earlier = run.pending[..place].iter();
        match self {
            Delivery::Unordered => true,
            Delivery::PairFifo => !earlier.any(|e| e.receiver == this.receiver && e.sender == this.sender),
            Delivery::MailboxFifo => !earlier.any(|e| e.receiver == this.receiver),
        }
    }
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Delivery {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo]
            .into_iter()
            .find(|d| d.name() == name)
            .ok_or_else(|| format!("unknown delivery `{name}`; expected `unordered`, `pair-fifo` or `mailbox-fifo`"))
    }
}

#[cfg(test)]
mod tests {
    use super::Delivery;

    #[test]
    fn a_delivery_is_read_as_it_is_written() {
        for delivery in [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo] {
            assert_eq!(delivery.to_string().parse(), Ok(delivery));
        }
        let error = "unknown delivery `fifo`; expected `unordered`, `pair-fifo` or `mailbox-fifo`";
        assert_eq!("fifo".parse::<Delivery>(), Err(error.to_owned()));
    }
}
