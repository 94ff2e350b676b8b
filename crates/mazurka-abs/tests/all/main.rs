//! ABS: what is accepted, and what it does.
//!
//! One program for all of them: linking one takes longer than compiling most of them.

mod front;
mod run;
