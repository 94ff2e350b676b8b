//! What the samplers have in common: they draw a process, and learn what it did.

use super::numbers::Numbers;
use super::profile::Profile;
use crate::explore::exploration::Exploration;
use crate::program::Process;

/// A sampler at work.
pub(super) trait Picker {
    /// A new execution begins.
    fn begin(&mut self, profile: &Profile, numbers: &mut Numbers);

    /// The process that moves next: one of `ready`, which has at least two, in the order in which the program lists them.
    fn pick(&mut self, ready: &[Process], exploration: &Exploration<'_>, numbers: &mut Numbers) -> Process;

    /// A step was taken, and is the last event; also where there was nothing to pick.
    fn executed(&mut self, exploration: &Exploration<'_>) {
        let _ = exploration;
    }
}
