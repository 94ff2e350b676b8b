//! The engine on small programs of its own: every part of it that can be seen from outside.
//!
//! One program for all of them: linking one takes longer than compiling most of them.

mod agree;
mod any_program;
mod bounds;
mod deep;
mod defaults;
mod laws;
mod limits;
mod own_algorithm;
mod panics;
mod parallel;
mod sampling;
mod saved;
mod schedules;
mod stateful;
mod support;
mod told_futures;
mod units;
mod walks;
