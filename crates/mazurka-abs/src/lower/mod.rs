//! From the checked model to flat code.

mod emit;
mod expr;
mod futures;
mod model;
mod stmt;
mod unchosen;

pub use futures::{chooses, choosing, telling_time};
pub use model::{Request, constructor_numbers, lower};
pub use unchosen::unchosen;
