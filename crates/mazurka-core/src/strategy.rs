//! What it takes to add an algorithm, in this crate or in another: the interface that every search through executions is written to.
//!
//! An algorithm is a type that implements [`Strategy`], and a row that says what is to be known of it:
//!
//! ```
//! use mazurka_core::strategy::{Backtrack, Entered, Exploration, Make, Strategy};
//! use mazurka_core::{About, Algorithm, Covers, Needs, Promise, Transition};
//!
//! /// Only one execution, always by the first process that can move.
//! #[derive(Default)]
//! struct Once(Backtrack);
//!
//! impl Strategy for Once {
//!     fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
//!         self.0.open(exploration.depth());
//!         self.0.begin(exploration)
//!     }
//!     fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
//!         self.0.next(exploration.depth(), exploration.top())
//!     }
//!     fn maximal(&mut self, exploration: &mut Exploration<'_>) {
//!         self.0.open(exploration.depth());
//!     }
//!     fn branches(&self, depth: usize) -> (u64, u64) {
//!         self.0.branches(depth)
//!     }
//! }
//!
//! static ONCE: About = About {
//!     name: "once",
//!     summary: "one execution: misses all others",
//!     sound: false,
//!     needs: Needs { static_footprints: false, one_location_per_step: false, terminating: false, names_given_once: false, actors: false },
//!     promise: Promise { covers: Covers::Traces, once: true, unblocked: true, failure_values: true, preserves: None },
//!     make: Make::Executions(|start| start.with(Once::default())),
//! };
//!
//! let algorithm = Algorithm::new(&ONCE);
//! assert_eq!(algorithm.name(), "once");
//! ```
//!
//! [`search()`](crate::search()) runs it like any other. To make it one of those that users choose by name, and that the fuzzer compares
//! with all others, put the file into `explore/` and the row into [`KNOWN`](crate::KNOWN).

pub use crate::algorithm::Make;
pub use crate::explore::Start;
pub use crate::explore::backtrack::Backtrack;
pub use crate::explore::exploration::{Exploration, Frame, Next, Sleeper};
pub use crate::explore::resumable::Resumable;
pub use crate::explore::strategy::{Entered, Strategy};
pub use crate::trace::At;
