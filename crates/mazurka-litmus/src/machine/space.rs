//! States of shared-variable programs can be stored.

use super::Machine;
use mazurka_core::StateSpace;

impl StateSpace for Machine {}
