//! What a property can tell actors by.

use crate::hash::References;
use std::hash::Hash;
use std::rc::Rc;

/// What a property can tell actors by, besides what it is shown.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// Whether its closure captures something: that cannot be looked into.
    pub captures: bool,
    /// The actors whose addresses it was given.
    pub addresses: Rc<[u32]>,
}

impl Knowledge {
    /// Of a closure.
    pub fn of<F>(_: &F) -> Self {
        Knowledge {
            // What captures nothing takes no memory, and can have no address.
            captures: size_of::<F>() > 0,
            ..Knowledge::default()
        }
    }

    /// Of a closure that is given something.
    pub fn and<F>(closure: &F, about: &impl Hash) -> Self {
        let mut references = References::default();
        about.hash(&mut references);
        Knowledge {
            addresses: references.0.into(),
            ..Knowledge::of(closure)
        }
    }
}
