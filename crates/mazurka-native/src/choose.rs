//! Choices that the code under test leaves open.

use crate::runtime::current::visible;
use crate::runtime::op::Op;

/// One of the numbers below `n`: a check tries them all. Outside of a check it is 0.
///
/// # Panics
/// If `n` is 0.
#[track_caller]
pub fn choose(n: u32) -> u32 {
    assert!(n > 0, "there is nothing to choose from");
    visible(Op::Choose(n)).unwrap_or(0)
}
