//! Chores of this repository that need more than a line of shell: `cargo xtask mutants` tests the tests.

mod mutants;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of this repository")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Makes small errors in the sources, one at a time, and sees whether a test notices.
    Mutants(mutants::Arguments),
}

fn main() -> ExitCode {
    let Chore::Mutants(arguments) = Arguments::parse().chore;
    match mutants::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
