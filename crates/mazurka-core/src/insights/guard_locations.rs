//! Which locations guards may read.

use crate::program::Location;

/// A program that knows which locations its guards never read.
///
/// *Good for* `optimal+observers` and merging: writes that are never observed need not be ordered, but one execution does not show whether
/// a guard would observe them.
/// *Without it* every location counts as one that a guard may read, and more writes are ordered.
pub trait GuardLocations {
    /// Whether any guard of the program may ever read the location. `true` is always safe.
    fn may_guard(&self, location: Location) -> bool;
}
