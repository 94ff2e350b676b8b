//! ABS models: a reference interpreter, random models, and the comparison of all that the searches say with it.

mod model;
pub mod reference;

pub use model::Model;
