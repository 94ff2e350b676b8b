//! ABS models: a reference interpreter, random models, and the comparison of all that the searches say with it.

mod check;
mod fuzz;
mod generate;
mod model;
pub mod reference;
mod shapes;
mod shrink;
mod visit;

pub use check::{Prepared, Setting, Size, Unfit, prepare};
pub use fuzz::Abs;
pub use generate::{generate, generate_timed};
pub use model::Model;
pub use shapes::{ALL as SHAPES, shapes};
pub use shrink::shrink;
