//! The `mazurka` command, as a function.
//!
//! Exit codes: 0 complete, 1 violation, 2 bad input or usage, 3 incomplete.

mod cli;
mod commands;
mod counterexamples;
mod drive;
mod exit;
mod frontends;
mod memory;
mod observe;
mod output;
mod paranoid;
mod races;
mod refusal;
mod session;
mod start;
mod stats;

use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

/// Does what the arguments of this process say.
pub fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return cli::usage::report(&error),
    };
    if let Some(columns) = cli.width {
        output::set_width(columns);
    }
    match commands::run(cli.command) {
        Ok(exit) => exit.into(),
        Err(refusal) => {
            output::print_error(&format!("{refusal}\n"));
            Exit::Usage.into()
        }
    }
}
