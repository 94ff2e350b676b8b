//! The commands, one file each.

#[cfg(feature = "laboratory")]
mod bench;
mod check;
mod compare;
mod explain;
#[cfg(feature = "laboratory")]
mod fuzz;
mod list;
mod products;
mod replay;
mod run;
mod step_through;
mod verify;

use crate::cli::Command;
use crate::exit::Exit;
use crate::refusal::Refusal;
pub use check::check;

/// Does what was asked.
pub fn run(command: Command) -> Result<Exit, Refusal> {
    match command {
        Command::Check(args) => check::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Replay(args) => replay::run(args),
        Command::Run(args) => run::run(&args),
        Command::Explain(args) => explain::run(&args),
        #[cfg(feature = "laboratory")]
        Command::Bench(args) => bench::run(&args),
        #[cfg(feature = "laboratory")]
        Command::Fuzz(args) => fuzz::run(&args),
        #[cfg(not(feature = "laboratory"))]
        Command::Bench(_) | Command::Fuzz(_) => Err(crate::laboratory::refusal(std::env::args().skip(1))),
        Command::Verify(args) => verify::run(&args),
        Command::List(args) => list::run(&args),
    }
}
