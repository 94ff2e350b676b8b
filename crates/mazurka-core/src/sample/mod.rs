//! Sampling: random executions, for programs whose interleavings are too many to cover.
//!
//! A [`Sampler`] says how the next process is drawn; there is one file for each. `walk.rs` runs one execution after the other, `species.rs`
//! says what the sample tells about the rest. Execution `k` of a seed is the same in every run, whatever was run before it, so a sample can be
//! continued where an earlier one ended.

mod numbers;
mod pct;
mod picker;
mod pos;
mod profile;
mod random;
mod sampler;
mod species;
mod trace_hash;
mod urw;
mod walk;

pub use sampler::{Sampler, Sampling};
pub use species::{Diversity, Richness};
pub(crate) use walk::SamplingWalk;

/// What a sample has seen.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Sampled {
    /// What was drawn.
    pub sampling: Sampling,
    /// How many executions were begun, of which all but the last few of an interrupted search ended.
    pub executions: u64,
    /// Those of them that were abandoned at the limit on steps.
    pub cut: u64,
    /// The traces of the executions that ended.
    pub traces: Diversity,
    /// Their final states, if these were to be counted.
    pub final_states: Option<Diversity>,
}
