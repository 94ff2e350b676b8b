//! States of actor systems can be stored.

use crate::system::System;
use mazurka_core::StateSpace;

impl StateSpace for System {}
