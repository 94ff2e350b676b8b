//! Actors: what a check finds, and what it says of declarations that are wrong.
//!
//! One program for all of them: linking one takes longer than compiling most of them.

mod bad_input;
mod checking;
mod declared_fields;
mod environment;
mod examples;
mod faults;
mod futures;
mod promises;
mod protocols;
mod symmetry;
mod wrong_declarations;
