//! Channels by the paths of crossbeam-channel.

mod beside;
mod scenarios;
