//! `source+merge`: one execution per distinct final state.
//!
//! A state that was reached before is not explored again. What makes that sound is that the exploration of a state returns abstract
//! *causal cones*, one for each kind of event that can occur below it: a race between a step and an event below is decided at the state
//! before the step, whether the state after it was explored now or met before. The proof is in `docs/src/soundness-merging.md`.

mod bits;
mod cone;
mod cone_set;
mod cone_table;
mod edge;
mod fate;
mod frame;
mod guard;
mod intern;
mod isomorphic;
mod lens;
mod node;
mod observe;
mod passage;
mod search;
mod states;
mod test_sets;

pub(crate) use lens::Opaque;
pub(crate) use observe::Seeing;
pub(crate) use search::Merging;
