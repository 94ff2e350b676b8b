//! The oracle for shared-variable programs: random programs, mutants of hard ones, and every algorithm held against brute force on them.

mod check;
mod found;
mod fuzz;
mod generate;
mod judge;
mod merging;
mod mutate;
pub mod reference;
mod shapes;
mod shrink;
mod users;

pub use check::{check, check_text};
pub use found::{Found, Promise, Told, View};
pub use fuzz::{Litmus, OrderKind};
pub use generate::{Class, generate};
pub use judge::{Judge, Size, Trial};
pub use merging::{Merged, Reached, check_merged, check_plain};
pub use mutate::{hard_programs, mutate};
pub use shapes::{SHAPES, shapes};
pub use shrink::shrink;
pub use users::generate as generate_as_users_do;
