//! A state: one vector of bytes, laid out like SPIN's, and an index into it.
//!
//! The bytes hold the number of processes, the globals with their channels, then a frame per process in the order of birth: process
//! type, location, locals, its own channels. As in SPIN only the youngest process can leave, so frames form a stack.

use super::Machine;
use crate::model::{Kind, PRIORITY, STATE_HEADER};

/// Where a channel is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChannelAt {
    pub offset: u32,
    pub channel: u32,
}

/// A state of a model.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct State {
    bytes: Vec<u8>,
    /// Where each frame starts; follows from the bytes.
    frames: Vec<u32>,
    /// Where each channel is, by number; follows from the bytes.
    channels: Vec<ChannelAt>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            bytes: self.bytes.clone(),
            frames: self.frames.clone(),
            channels: self.channels.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&other.bytes);
        self.frames.clear();
        self.frames.extend_from_slice(&other.frames);
        self.channels.clear();
        self.channels.extend_from_slice(&other.channels);
    }
}

/// Reads a value.
#[inline]
pub(crate) fn load(bytes: &[u8], offset: usize, kind: Kind) -> i32 {
    match kind.size() {
        1 => i32::from(bytes[offset]),
        2 => {
            let raw = [bytes[offset], bytes[offset + 1]];
            match kind {
                Kind::Short => i32::from(i16::from_le_bytes(raw)),
                _ => i32::from(u16::from_le_bytes(raw)),
            }
        }
        _ => i32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]]),
    }
}

/// Writes a value, keeping what its kind can hold.
#[inline]
pub(crate) fn store(bytes: &mut [u8], offset: usize, kind: Kind, value: i32) {
    let value = kind.wrap(value);
    match kind.size() {
        1 => bytes[offset] = value as u8,
        2 => bytes[offset..offset + 2].copy_from_slice(&(value as u16).to_le_bytes()),
        _ => bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes()),
    }
}

impl State {
    /// All bytes: two states of a model are the same exactly if these are, hidden variables aside.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The number of processes.
    pub fn processes(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn frame(&self, slot: usize) -> usize {
        self.frames[slot] as usize
    }

    /// The process type of a process.
    pub fn proctype(&self, slot: usize) -> usize {
        usize::from(self.bytes[self.frame(slot)])
    }

    /// The location of a process.
    pub fn location(&self, slot: usize) -> u32 {
        let at = self.frame(slot) + 1;
        u32::from(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }

    pub(crate) fn set_location(&mut self, slot: usize, location: u32) {
        let at = self.frame(slot) + 1;
        self.bytes[at..at + 2].copy_from_slice(&(location as u16).to_le_bytes());
    }

    /// The priority of a process, in a model that has them.
    pub fn priority(&self, slot: usize) -> i32 {
        i32::from(self.bytes[self.frame(slot) + PRIORITY as usize])
    }

    pub(super) fn set_priority(&mut self, slot: usize, priority: u8) {
        let at = self.frame(slot) + PRIORITY as usize;
        self.bytes[at] = priority;
    }

    /// The channel with this number, counted from 1 as in SPIN.
    pub(crate) fn channel(&self, number: i32) -> Option<ChannelAt> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.channels.get(index).copied()
    }

    /// Where the frame of a process ends.
    fn frame_end(&self, slot: usize) -> u32 {
        self.frames.get(slot + 1).copied().unwrap_or(self.bytes.len() as u32)
    }

    /// The numbers of the channels that a process brought with it.
    pub(crate) fn own_channels(&self, slot: usize) -> impl Iterator<Item = u32> + '_ {
        let frame = self.frames[slot]..self.frame_end(slot);
        let own = move |(_, at): &(usize, &ChannelAt)| frame.contains(&at.offset);
        self.channels.iter().enumerate().filter(own).map(|(index, _)| index as u32 + 1)
    }

    /// Whether a number means the same channel as long as a process lives: one that is global, its own, or of an older process.
    pub(crate) fn lasts(&self, slot: usize, number: i32) -> bool {
        self.channel(number).is_some_and(|at| at.offset < self.frame_end(slot))
    }

    pub(crate) fn channel_count(&self) -> usize {
        self.channels.len()
    }
}

impl Machine {
    /// A state with the globals set and no process yet.
    pub(super) fn globals(&self) -> State {
        let model = self.model();
        let mut state = State {
            bytes: vec![0; model.globals_size.max(STATE_HEADER) as usize],
            frames: Vec::new(),
            channels: Vec::new(),
        };
        for slot in &model.global_channels {
            state.channels.push(ChannelAt {
                offset: slot.storage,
                channel: slot.channel as u32,
            });
            let number = state.channels.len() as u8;
            state.bytes[slot.variable as usize] = number;
        }
        state
    }

    /// Adds a frame for a new process of the type, its locals zero, its channels empty.
    pub(super) fn push_frame(&self, state: &mut State, proctype: usize) -> usize {
        let definition = &self.model().proctypes[proctype];
        let frame = state.bytes.len();
        state.bytes.resize(frame + definition.frame_size as usize, 0);
        state.bytes[frame] = proctype as u8;
        state.frames.push(frame as u32);
        state.bytes[0] = state.frames.len() as u8;
        let slot = state.frames.len() - 1;
        state.set_location(slot, definition.start);
        for channel in &definition.channels {
            state.channels.push(ChannelAt {
                offset: frame as u32 + channel.storage,
                channel: channel.channel as u32,
            });
            state.bytes[frame + channel.variable as usize] = state.channels.len() as u8;
        }
        slot
    }

    /// Removes the youngest process with its channels.
    pub(super) fn pop_frame(&self, state: &mut State) {
        if let Some(frame) = state.frames.pop() {
            let proctype = usize::from(state.bytes[frame as usize]);
            let channels = self.model().proctypes[proctype].channels.len();
            state.channels.truncate(state.channels.len() - channels);
            state.bytes.truncate(frame as usize);
            state.bytes[0] = state.frames.len() as u8;
        }
    }

    /// The state with these bytes, as given by [`State::bytes`] before.
    pub fn load(&self, bytes: &[u8], state: &mut State) {
        let model = self.model();
        state.bytes.clear();
        state.bytes.extend_from_slice(bytes);
        state.frames.clear();
        state.channels.clear();
        state.channels.extend(model.global_channels.iter().map(|slot| ChannelAt {
            offset: slot.storage,
            channel: slot.channel as u32,
        }));
        let mut frame = model.globals_size.max(STATE_HEADER);
        for _ in 0..bytes[0] {
            state.frames.push(frame);
            let definition = &model.proctypes[usize::from(bytes[frame as usize])];
            state.channels.extend(definition.channels.iter().map(|slot| ChannelAt {
                offset: frame + slot.storage,
                channel: slot.channel as u32,
            }));
            frame += definition.frame_size;
        }
    }

    /// The bytes that tell states apart: all but hidden variables, which read as 0.
    pub fn key<'a>(&self, state: &'a State, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        if self.model().hidden.is_empty() {
            return &state.bytes;
        }
        buffer.clear();
        buffer.extend_from_slice(&state.bytes);
        for range in &self.model().hidden {
            buffer[range.start as usize..range.end as usize].fill(0);
        }
        buffer
    }
}
