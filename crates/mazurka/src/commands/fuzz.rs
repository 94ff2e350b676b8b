//! `mazurka fuzz`: random programs against the brute-force oracle.

use crate::cli::FuzzArgs;
use crate::exit::Exit;
use crate::refusal::Refusal;

/// Fuzzes.
pub fn run(args: &FuzzArgs) -> Result<Exit, Refusal> {
    let _ = (args.programs, args.seed, &args.algorithm, args.actors);
    Err(Refusal::new("the oracle is not wired up"))
}
