//! The `mazurka` command, as a function; and [`check`], for programs that it has no front end for.
//!
//! Exit codes: 0 complete, 1 violation, 2 bad input or usage, 3 incomplete.

mod certify;
mod checkpoint;
mod cli;
mod cluster;
mod commands;
mod counterexamples;
mod drive;
mod exit;
mod frontends;
mod laboratory;
mod memory;
mod observe;
mod output;
mod paranoid;
mod plan;
mod races;
mod refusal;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod start;
mod stats;
mod watch;

use clap::Parser;
use cli::{Cli, Command};
use exit::Exit;
use refusal::Refusal;
pub use session::Session;
use std::process::ExitCode;

/// Does what the arguments of this process say.
pub fn main() -> ExitCode {
    obey(Cli::try_parse(), commands::run)
}

/// What `mazurka check` does with its own programs, for a program of any kind. The arguments are those that follow the program's name on the
/// command line, for example `--keep-going` or `--report page.html`.
///
/// `examples/new_front_end.rs` is a front end that uses it.
pub fn check(session: Session<'_>, arguments: impl IntoIterator<Item = String>) -> ExitCode {
    let words = ["mazurka", "check"].map(str::to_owned).into_iter().chain(arguments);
    let words = words.chain(["--".to_owned(), session.name.clone()]);
    obey(Cli::try_parse_from(words), |command| match command {
        Command::Check(args) => commands::check(&args, session),
        _ => unreachable!("the second word says what to do"),
    })
}

/// Does what was asked, if that was understood.
fn obey(asked: Result<Cli, clap::Error>, run: impl FnOnce(Command) -> Result<Exit, Refusal>) -> ExitCode {
    let cli = match asked {
        Ok(cli) => cli,
        Err(error) => return cli::usage::report(&error),
    };
    if let Some(columns) = cli.width {
        output::set_width(columns);
    }
    match run(cli.command) {
        Ok(exit) => exit.into(),
        Err(refusal) => {
            output::print_error(&format!("{refusal}\n"));
            Exit::Usage.into()
        }
    }
}
