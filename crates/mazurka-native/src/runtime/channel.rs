//! Channels of one receiver: what is counted of them, and what operations do to the counts.

use super::op::{Facts, Op};

/// The counts of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Channel {
    /// Messages.
    pub sent: u32,
    /// Messages that were received.
    pub received: u32,
    /// Senders that went away.
    pub dropped: u32,
    /// Whether the receiver went away.
    pub closed: bool,
    /// Whether the receiver waits. Noted where that makes a difference only.
    pub awaited: bool,
}

impl Channel {
    /// A number that changes when something can be received, or there is room.
    pub fn value(&self) -> u64 {
        let flags = u64::from(self.closed) << 1 | u64::from(self.awaited);
        let counts = [self.sent, self.received, self.dropped].map(u64::from);
        counts.iter().fold(flags, |value, count| value.rotate_left(20) ^ count << 2)
    }

    /// What an operation does, and what it answers.
    pub fn apply(&mut self, op: Op, alternative: u32, facts: Facts) -> u32 {
        let full = self.sent - self.received >= facts.nature.size;
        match op {
            Op::ComeToReceive(_) => self.awaited = true,
            Op::ReceiveGuarded { .. } => self.awaited = false,
            _ => {}
        }
        match op {
            Op::ComeToReceive(_) => 0,
            Op::Send(_) | Op::SendBounded(_) | Op::TrySend(_) | Op::TryHand(_) if self.closed => 1,
            Op::TryHand(_) if !self.awaited || self.sent > self.received => 2,
            Op::TrySend(_) if full => 2,
            Op::Send(_) | Op::SendBounded(_) | Op::TrySend(_) | Op::TryHand(_) => {
                self.sent += 1;
                0
            }
            Op::DropSender(_) => {
                self.dropped += 1;
                0
            }
            Op::DropReceiver(_) => {
                self.closed = true;
                0
            }
            _ if alternative > 0 => 2,
            _ if self.sent > self.received => {
                self.received += 1;
                0
            }
            _ if self.dropped == facts.senders => 1,
            _ => 2,
        }
    }
}
