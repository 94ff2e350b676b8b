//! The oracle for Promela: random models, their shapes, brute force over them, and every algorithm held against it.

mod alternatives;
mod check;
pub mod endless;
mod fuzz;
mod generate;
mod labels;
mod shapes;
mod shrink;
mod tree;

pub use alternatives::check_alternatives;
pub use check::{Compared, check, printed};
pub use fuzz::Promela;
pub use generate::generate;
pub use shapes::{SHAPES, shapes};
pub use shrink::shrink;
pub use tree::{Arg, Body, Ex, Model, Proc, Stmt};
