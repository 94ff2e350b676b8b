//! Which values can still be read.

use crate::program::Fingerprint;

/// A program that knows which shared values no process can read any more.
///
/// *Good for* `optimal+context+observers`, which treats states as equal that differ in such values only, and so does merging if final
/// shared values are not observed.
/// *Without it* only equal states are equal.
pub trait Liveness<S> {
    /// As [`Program::fingerprint`](crate::Program::fingerprint), but also equal for states that differ only in shared values that no
    /// process can still read.
    fn live_fingerprint(&self, state: &S) -> Fingerprint;
}
