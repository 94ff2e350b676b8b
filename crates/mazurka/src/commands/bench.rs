//! `mazurka bench`: the tables of the papers, published beside measured.

use crate::cli::BenchArgs;
use crate::exit::Exit;
use crate::refusal::Refusal;

/// Runs a table.
pub fn run(args: &BenchArgs) -> Result<Exit, Refusal> {
    let _ = (args.max_size, args.json);
    let name = args.table.as_deref().unwrap_or_default();
    Err(Refusal::new(format!("unknown table `{name}`")))
}
