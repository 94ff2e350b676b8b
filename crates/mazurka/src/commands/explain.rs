//! `mazurka explain`: what makes a search large.

use crate::cli::ExplainArgs;
use crate::exit::Exit;
use crate::refusal::Refusal;

/// Explains.
pub fn run(args: &ExplainArgs) -> Result<Exit, Refusal> {
    let _ = (&args.program, args.max_executions, args.ascii);
    Err(Refusal::new("not wired up"))
}
