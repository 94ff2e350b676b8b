//! The languages that can be fuzzed, each with its usual settings.

use crate::abs::Abs;
use crate::actors::Actors;
use crate::campaign::Language;
use crate::litmus::Litmus;
use crate::promela::Promela;
use crate::protocols::Protocols;

/// Every language, in the order in which `mazurka fuzz` takes them.
pub fn languages() -> Vec<Box<dyn Language>> {
    vec![
        Box::new(Litmus::default()),
        Box::new(Actors::default()),
        Box::new(Abs),
        Box::new(Promela),
        Box::new(Protocols),
    ]
}
