//! Small shared-variable programs: the model, and the families of the literature.
//!
//! A [`Model`] is a program as a person writes it: shared variables and processes made of atomic steps. It is built in Rust
//! ([`Model::process`]) or read from the compact notation of [`text`]. A [`Machine`] is the same program compiled for the engine.
//!
//! ```
//! use mazurka_litmus::Machine;
//! let machine = Machine::parse("init y=1; p0:[x=1; l=z] p1:[await y>=2; x=0][l=y] p2:[y+=1]").unwrap();
//! assert_eq!(machine.model().bodies().len(), 3);
//! ```

pub mod families;
pub mod herd;
pub mod machine;
pub mod model;
pub mod text;
pub mod weak;

pub use families::{Family, FamilyError, Parameter, families, family};
pub use machine::{Footprints, Machine, Run};
pub use model::{Model, ModelError};
pub use text::ParseError;
