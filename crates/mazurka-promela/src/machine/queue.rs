//! Channels: messages one after the other, the oldest first, unused room zero.

use super::state::{State, load, store};
use super::{Eval, FaultKind, Machine, Touched};
use crate::model::{Channel, Pattern};
use smallvec::SmallVec;

/// A message.
pub(crate) type Message = SmallVec<[i32; 8]>;

/// A view of a channel in a state.
pub(crate) struct Queue<'m, 's> {
    pub channel: &'m Channel,
    bytes: &'s [u8],
}

impl Queue<'_, '_> {
    /// How many messages it holds.
    pub fn len(&self) -> u32 {
        u32::from(self.bytes[0])
    }

    fn field(&self, message: u32, field: usize) -> i32 {
        let mut offset = 1 + (message * self.channel.message_size) as usize;
        for kind in &self.channel.fields[..field] {
            offset += kind.size() as usize;
        }
        load(self.bytes, offset, self.channel.fields[field])
    }

    /// All fields of a message.
    pub fn message(&self, message: u32) -> Message {
        let mut offset = 1 + (message * self.channel.message_size) as usize;
        let mut out = Message::new();
        for &kind in &self.channel.fields {
            out.push(load(self.bytes, offset, kind));
            offset += kind.size() as usize;
        }
        out
    }
}

impl Machine {
    /// The channel with this number.
    pub(crate) fn queue<'m, 's>(&'m self, state: &'s State, number: i32) -> Result<Queue<'m, 's>, FaultKind> {
        if number == 0 {
            return Err(FaultKind::NoChannel);
        }
        let Some(at) = state.channel(number) else {
            self.recorder.read(Touched::NoChannel);
            return Err(FaultKind::DeadChannel);
        };
        self.recorder.read(self.touched_channel(state, number));
        let channel = &self.model().channels[at.channel as usize];
        let offset = at.offset as usize;
        Ok(Queue {
            channel,
            bytes: &state.bytes()[offset..offset + channel.size() as usize],
        })
    }

    /// The channel with this number as something that can be touched.
    fn touched_channel(&self, state: &State, number: i32) -> Touched {
        let mut index = number as usize - 1;
        let globals = self.model().global_channels.len();
        if index < globals {
            return Touched::Channel(None, index);
        }
        index -= globals;
        for slot in 0..state.processes() {
            let own = self.model().proctypes[state.proctype(slot)].channels.len();
            if index < own {
                return Touched::Channel(Some(slot), index);
            }
            index -= own;
        }
        Touched::NoChannel
    }

    /// Puts a message at the end, or with `sorted` before the first that is greater.
    pub(crate) fn put(&self, state: &mut State, number: i32, message: &[i32], sorted: bool) -> Result<(), FaultKind> {
        let queue = self.queue(state, number)?;
        let (channel, length) = (queue.channel, queue.len());
        if message.len() != channel.fields.len() {
            return Err(FaultKind::MessageFields {
                given: message.len(),
                expected: channel.fields.len(),
            });
        }
        let place = match sorted {
            true => (0..length).find(|&i| queue.message(i)[..] > *message).unwrap_or(length),
            false => length,
        };
        let at = state.channel(number).ok_or(FaultKind::DeadChannel)?;
        let size = channel.message_size as usize;
        let start = at.offset as usize;
        let slot = start + 1 + place as usize * size;
        let end = start + 1 + length as usize * size;
        self.recorder.write(self.touched_channel(state, number));
        let bytes = state.bytes_mut();
        bytes.copy_within(slot..end, slot + size);
        bytes[start] += 1;
        let mut offset = slot;
        for (&kind, &value) in channel.fields.iter().zip(message) {
            store(bytes, offset, kind, value);
            offset += kind.size() as usize;
        }
        Ok(())
    }

    /// Takes a message out; later ones move up.
    pub(crate) fn take(&self, state: &mut State, number: i32, message: u32) -> Result<(), FaultKind> {
        let queue = self.queue(state, number)?;
        let (length, size) = (queue.len(), queue.channel.message_size as usize);
        let at = state.channel(number).ok_or(FaultKind::DeadChannel)?;
        let start = at.offset as usize;
        let slot = start + 1 + message as usize * size;
        let end = start + 1 + length as usize * size;
        self.recorder.write(self.touched_channel(state, number));
        let bytes = state.bytes_mut();
        bytes.copy_within(slot + size..end, slot);
        bytes[end - size..end].fill(0);
        bytes[start] -= 1;
        Ok(())
    }
}

impl Eval<'_> {
    /// The message that a receive would take: the oldest, or the first that fits.
    pub(super) fn find(&mut self, queue: &Queue<'_, '_>, pattern: &[Pattern], random: bool) -> Option<u32> {
        let length = queue.len();
        let candidates = if random { length } else { length.min(1) };
        (0..candidates).find(|&message| {
            pattern.iter().enumerate().all(|(field, p)| match p {
                Pattern::Match(value) => self.value(value) == queue.field(message, field),
                Pattern::Store(_) => true,
            })
        })
    }
}
