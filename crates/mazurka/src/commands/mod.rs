//! The commands, one file each.

mod bench;
mod check;
mod compare;
mod explain;
mod fuzz;
mod list;
mod replay;
mod run;
mod step_through;

use crate::cli::Command;
use crate::exit::Exit;
use crate::refusal::Refusal;

/// Does what was asked.
pub fn run(command: Command) -> Result<Exit, Refusal> {
    match command {
        Command::Check(args) => check::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Replay(args) => replay::run(args),
        Command::Run(args) => run::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::List(args) => list::run(&args),
    }
}
