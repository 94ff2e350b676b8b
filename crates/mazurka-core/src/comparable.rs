//! What a program can tell about the values in its states, for searches that compare states more finely than by equality.
//!
//! Merging works for every [`Program`]: equal fingerprints are equal states. A program that is also [`Comparable`] lets it decide whether
//! a waiting step could go on in another context, and later whether two states differ only in what nobody looks at.

use crate::program::{Location, Process, Program};

/// A condition of the program text, for example the guard of one step: a number that the program gives out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Predicate(pub u32);

/// A program whose values can be read and whose guards can be evaluated in other contexts.
pub trait Comparable: Program {
    /// The value of a location. Accumulating adds to it, modulo a power of two of at most 2⁶⁴.
    fn value(&self, run: &Self::Run, location: Location) -> i64;

    /// The guard of the step that `process`, which is unfinished and guarded, takes next. Appends what the guard knows of the local state.
    fn guard(&self, run: &Self::Run, process: Process, locals: &mut Vec<i64>) -> Predicate;

    /// The value of a predicate on the shared values of `run`, where those in `instead` have other values, and the given local
    /// state. For a guard: 0 if no transition of the step is enabled, otherwise a number that says which ones are.
    fn evaluate(&self, run: &Self::Run, predicate: Predicate, locals: &[i64], instead: &[(Location, i64)]) -> u64;
}
