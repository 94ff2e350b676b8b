//! The command, as users run it.
//!
//! One program for all of them: linking one takes longer than compiling most of them.

mod abs_options;
mod absunit;
mod bad_input;
mod browser;
mod certificates;
mod checkpoints;
mod claims;
mod cluster;
mod contract;
mod deadlocks;
mod documentation;
mod estimate;
mod examples;
mod explain;
mod explore;
mod files;
mod hostile_files;
mod instead;
mod interrupt;
mod jobs;
mod memory;
mod minimised;
mod new_front_end;
mod promela;
mod replay;
mod schemas;
mod serve;
mod streams;
mod support;
mod symbolic;
mod terminal;
mod verdicts;
