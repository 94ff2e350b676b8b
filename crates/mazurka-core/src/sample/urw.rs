//! `urw`: the uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: "Selectively uniform concurrency testing", ASPLOS'25, Algorithm 1).
//!
//! Of k₁ + … + kₙ steps in n processes that never wait, the share of interleavings that begin with process i is kᵢ / (k₁ + … + kₙ): drawing
//! with these weights, all interleavings are equally likely. The steps of processes that a process has yet to give birth to are its own.

use super::numbers::Numbers;
use super::picker::Picker;
use super::profile::Profile;
use crate::explore::exploration::Exploration;
use crate::program::Process;

/// How many steps each process has left.
#[derive(Default)]
pub(super) struct Urw {
    /// By process, in the unit of [`Profile::subtree`]; `None` before it is first seen.
    left: Vec<Option<u64>>,
    /// What the profile says of each process.
    expected: Vec<u64>,
    /// What it is taken to say of those that no pilot saw.
    unknown: u64,
}

impl Urw {
    fn expected(&self, process: Process) -> u64 {
        self.expected
            .get(process.index())
            .copied()
            .filter(|n| *n > 0)
            .unwrap_or(self.unknown)
    }

    fn left(&mut self, process: Process) -> &mut u64 {
        if process.index() >= self.left.len() {
            self.left.resize(process.index() + 1, None);
        }
        let expected = self.expected(process);
        self.left[process.index()].get_or_insert(expected)
    }
}

impl Picker for Urw {
    fn begin(&mut self, profile: &Profile, _: &mut Numbers) {
        self.left.clear();
        if self.expected.is_empty() {
            self.expected = (0..profile.processes()).map(|p| profile.subtree(Process(p as u32))).collect();
            self.unknown = self.expected.iter().copied().filter(|n| *n > 0).min().unwrap_or(Profile::STEP);
        }
    }

    fn pick(&mut self, ready: &[Process], _: &Exploration<'_>, numbers: &mut Numbers) -> Process {
        // Whoever is here has a step left, whatever the pilots saw.
        let all: u64 = ready.iter().map(|p| (*self.left(*p)).max(Profile::STEP)).sum();
        let mut drawn = numbers.below(all);
        for &process in ready {
            let left = (*self.left(process)).max(Profile::STEP);
            if drawn < left {
                return process;
            }
            drawn -= left;
        }
        ready[0]
    }

    fn executed(&mut self, exploration: &Exploration<'_>) {
        let at = exploration.trace.len() - 1;
        let process = exploration.event(at).process;
        let born: u64 = exploration.trace.births(at).iter().map(|child| self.expected(*child)).sum();
        let left = self.left(process);
        *left = left.saturating_sub(Profile::STEP + born);
    }
}
