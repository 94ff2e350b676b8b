//! One search by workers on many machines.
//!
//! [`Submitted`] has the tree of the search (`mazurka_core::units`) and hands out units; [`work`] takes them. Between them is an [`Engine`], which keeps a queue
//! with leases and a result for each unit. **A result is committed by creating it where there is none**, and by nothing else: who dies before has done
//! nothing, and what is run twice counts once.

mod engine;
mod job;
mod memory;
#[cfg(feature = "nats")]
mod nats;
mod submitted;
mod worker;

pub use engine::{Engine, Lease, Trouble};
pub use job::{Answer, Job, VERSION};
pub use memory::Memory;
#[cfg(feature = "nats")]
pub use nats::Nats;
pub use submitted::{Submitted, Workers, next_bundle};
pub use worker::{Loads, Until, work};
