//! The oracle for actors: random actor programs, a reference that shares nothing with the engine, brute force, and every algorithm held
//! against both.

mod declare;
mod fuzz;
mod generate;
mod judge;
mod mutate;
mod parse;
mod puppet;
mod reference;
mod script;
mod shapes;
mod shrink;

pub use fuzz::{Actors, check};
pub use generate::generate;
pub use judge::{Judge, NoJudge, Setting, Size};
pub use mutate::{HARD, mutate};
pub use reference::{Everything, everything};
pub use script::{
    CLASSES, Comparison, Declares, Initial, MODULUS, Method, NUMBER_NAMES, NUMBERS, Operand, Operation, Script, Send, Start, Test, Whom,
};
pub use shapes::{SHAPES, shapes};
pub use shrink::shrink;
