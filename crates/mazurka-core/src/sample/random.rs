//! `random`: every process that can move is as likely as any other.

use super::numbers::Numbers;
use super::picker::Picker;
use super::profile::Profile;
use crate::explore::exploration::Exploration;
use crate::program::Process;

/// The plain random walk.
pub(super) struct Random;

impl Picker for Random {
    fn begin(&mut self, _: &Profile, _: &mut Numbers) {}

    fn pick(&mut self, ready: &[Process], _: &Exploration<'_>, numbers: &mut Numbers) -> Process {
        ready[numbers.below(ready.len() as u64) as usize]
    }
}
