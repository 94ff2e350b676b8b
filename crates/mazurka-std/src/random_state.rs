//! [`std::hash::RandomState`]: in a check it is always the same, so that hash maps have the same order in every execution.

use ::std::fmt;
use ::std::hash::{BuildHasher, DefaultHasher, RandomState as Real};

/// As [`std::hash::RandomState`].
#[derive(Clone)]
pub struct RandomState(Option<Real>);

impl RandomState {
    /// With random keys, unless a check is running.
    pub fn new() -> Self {
        RandomState((!mazurka_native::is_checking()).then(Real::new))
    }
}

impl Default for RandomState {
    fn default() -> Self {
        RandomState::new()
    }
}

impl BuildHasher for RandomState {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        match &self.0 {
            Some(real) => real.build_hasher(),
            None => DefaultHasher::new(),
        }
    }
}

impl fmt::Debug for RandomState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandomState").finish_non_exhaustive()
    }
}
