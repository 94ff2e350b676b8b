//! Merging as the book proves it, without a cache: what the fast search of the engine is compared with.
//!
//! [`explore`] is `Explore(s, Z)` of the chapter on merging: cones are sets, states are kept as they are, nothing is remembered twice.
//! It shares no code with the engine's `merge` module, only what a program promises (footprints, values, conditions). What the engine
//! adds to it – numbers for cones and sets of cones, what became of them under the steps that were taken before, tests instead of
//! conditions – may not change anything. So the two agree not only in what they find, but in every count. Read in this order:
//!
//! * [`explore`](mod@explore): the rule, with CUT, WAKE and RACE where the book has them.
//! * [`node`]: rule ONE and rule ALL.
//! * [`cone`]: what a cone is, when it dominates another one, what becomes of it under a step.
//! * [`guard`]: whether the last step of a cone could be taken.
//! * [`note`]: what the future of a state looks at, for observed equality.
//! * [`step`], [`state`]: what a step did, and what the rule asks of a program.
//! * [`store`]: the states whose futures are known, tasks renamed.
//! * `live`: states that differ only in values that nobody can read any more, taken for one.

mod compare;
pub mod cone;
pub mod explore;
pub mod guard;
mod live;
pub mod node;
pub mod note;
pub mod state;
pub mod step;
pub mod store;

pub use compare::same_as_plain;
pub use explore::{Explored, Rules, explore};
pub use live::{keeps_live_parts, live_part};
