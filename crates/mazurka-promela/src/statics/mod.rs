//! What a model may access, read off its text: the locations that processes share, and for each alternative of a process what it can
//! access at once and from then on. Persistent and source sets are computed from this.

mod accesses;
mod constants;
mod context;
mod order;
mod shared;
mod watched;

pub use context::{Context, Contexts, EdgeAccesses};
pub use order::LocalOrder;
pub use shared::Shared;
pub use watched::Watched;
