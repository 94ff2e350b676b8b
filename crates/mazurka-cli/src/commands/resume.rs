//! `mazurka resume`: goes on with a search that `check --checkpoint` has kept.

use super::check::go_on;
use crate::checkpoint::open;
use crate::cli::{Cli, Command, ResumeArgs};
use crate::exit::Exit;
use crate::frontends::load;
use crate::output::set_width;
use crate::refusal::Refusal;
use clap::Parser;

/// Asks again what was asked, and goes on with what was done.
pub fn run(args: &ResumeArgs) -> Result<Exit, Refusal> {
    let kept = open(&args.directory)?;
    let words = std::iter::once("mazurka".to_owned()).chain(kept.arguments.iter().cloned());
    let refuse = || {
        Refusal::new(format!(
            "the checkpoint in `{}` does not say what to check",
            args.directory.display()
        ))
    };
    let cli = Cli::try_parse_from(words).map_err(|_| refuse())?;
    let Command::Check(mut check) = cli.command else {
        return Err(refuse());
    };
    if let Some(columns) = cli.width {
        set_width(columns);
    }
    check.every = args.every.or(check.every);
    check.limits.timeout = args.timeout.or(check.limits.timeout);
    go_on(&check, &load(&check.program)?, kept)
}
