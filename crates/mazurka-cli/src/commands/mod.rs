//! The commands, one file each.

#[cfg(feature = "laboratory")]
mod bench;
pub mod check;
mod claims;
pub mod compare;
mod explain;
mod explore;
#[cfg(feature = "laboratory")]
mod fuzz;
mod graphs;
mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod products;
mod replay;
mod resume;
mod run;
mod step_through;
mod suites;
#[cfg(feature = "symbolic")]
mod tests;
mod verify;

use crate::cli::Command;
use crate::exit::Exit;
use crate::refusal::Refusal;
#[cfg(feature = "serve")]
pub use check::Audience;
pub use check::check;

/// Does what was asked.
pub fn run(command: Command) -> Result<Exit, Refusal> {
    match command {
        Command::Check(args) => check::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Worker(args) => crate::cluster::work(&args),
        Command::Resume(args) => resume::run(&args),
        Command::Replay(args) => replay::run(args),
        Command::Run(args) => run::run(&args),
        Command::Explain(args) => explain::run(&args),
        #[cfg(feature = "laboratory")]
        Command::Bench(args) => bench::run(&args),
        #[cfg(feature = "laboratory")]
        Command::Fuzz(args) => fuzz::run(&args),
        #[cfg(not(feature = "laboratory"))]
        Command::Bench(_) | Command::Fuzz(_) => Err(crate::laboratory::refusal(std::env::args().skip(1))),
        #[cfg(feature = "serve")]
        Command::Serve(args) => crate::serve::run(&args),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(crate::laboratory::without("serve")),
        Command::Explore(args) => explore::run(args),
        #[cfg(feature = "lsp")]
        Command::Lsp => lsp::run(),
        #[cfg(not(feature = "lsp"))]
        Command::Lsp => Err(crate::laboratory::without("lsp")),
        Command::Verify(args) => verify::run(&args),
        #[cfg(feature = "symbolic")]
        Command::Tests(args) => tests::run(&args),
        #[cfg(not(feature = "symbolic"))]
        Command::Tests(_) => Err(crate::laboratory::without("symbolic")),
        Command::List(args) => list::run(&args),
    }
}
