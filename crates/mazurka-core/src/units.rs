//! Searches in units, for workers that share no memory: who carries the messages need not know what is in them.
//!
//! ```
//! # use mazurka_core::units::{Hub, Runner, Taken};
//! # use mazurka_core::*;
//! # fn example<P: Program>(program: &P) -> Result<Outcome, Box<dyn std::error::Error>> where P::State: Clone {
//! let options = Options::new(Algorithm::parse("optimal")?);
//! let mut hub = Hub::of(program, &options)?;
//! let mut runner = Runner::of(program, &options)?; // on another machine
//! while let Some(task) = hub.hand_out(10) {
//!     let result = runner.run(&task.bytes, &mut |slice| slice.executions >= 1000)?;
//!     assert_eq!(hub.take(&result)?, Taken::First);
//!     assert_eq!(hub.take(&result)?, Taken::Again, "twice is once");
//! }
//! # Ok(hub.outcome()) }
//! ```

pub use crate::explore::units::{Hub, Runner, Slice, Taken, Task};
