//! Whether a step could have been taken earlier.

use crate::program::Transition;

/// A program that knows, after an execution, whether a step would be enabled had only a part of it happened.
///
/// *Good for* programs whose states cannot be copied, and that have guards: races of steps that waited are decided without running anything.
/// *Without it* the part is run again.
pub trait Enabling<S> {
    /// Whether `transition` would be enabled after the steps at these positions of the execution that led to `state`, in that order. They
    /// contain, with every step, all that it depends on, and `transition` is the next of its process after them. It was taken later in the
    /// execution, or is pending at its end. Only steps with a guard are asked about: others wait for steps that they name ([`Effects::after`]).
    ///
    /// [`Effects::after`]: crate::Effects::after
    fn enabled_after(&self, state: &S, kept: &[u32], transition: Transition) -> bool;
}
