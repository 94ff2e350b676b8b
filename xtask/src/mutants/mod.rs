//! Tests the tests: makes many small errors in the sources, one at a time, and sees whether a test notices.
//!
//! All errors are compiled at once, each behind a switch that the variable `MUTANT` turns (this is known as mutant schemata): the workspace is
//! copied below `target/mutants`, the switches are written into the copies of the sources, those that do not compile are left out, and the tests
//! are built. Then every test is run once to see which switches it reaches, and every mutant is run with the tests that reach it, the quickest
//! first, until one fails. What became of each is written down at once, so a run can be stopped and goes on where it was.

mod catalogue;
mod defaults;
mod equivalents;
mod find;
mod hunt;
mod killers;
mod ledger;
mod process;
mod selection;
mod site;
mod splice;
mod swaps;
mod table;
mod viable;
mod workspace;

#[cfg(test)]
mod tests;

use catalogue::Catalogue;
use equivalents::Equivalents;
use ledger::{Fate, Ledger};
use selection::{CRATES, Mutated, lot};
use std::path::Path;
use workspace::Workspace;

/// What to do.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many mutants of each crate are taken from the files of which not all are.
    #[arg(long, default_value_t = 60)]
    sample: usize,
    /// Decides which these are.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// Only the mutants of files whose path contains this, or one of these.
    #[arg(long)]
    only: Vec<String>,
    /// Runs those that survived again; otherwise only those that were never run.
    #[arg(long)]
    again: bool,
    /// How many run at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A test that takes longer than so many seconds of the processor is left out.
    #[arg(long, default_value_t = 6)]
    slowest: u64,
    /// How many seconds of tests a mutant has to survive.
    #[arg(long, default_value_t = 20.0)]
    budget: f64,
    /// Only prints the table of what is known.
    #[arg(long)]
    table: bool,
    /// Only lists the mutants.
    #[arg(long)]
    list: bool,
}

/// Does it.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no workspace")?;
    let below = original.join("target/mutants");
    std::fs::create_dir_all(&below).map_err(|e| e.to_string())?;
    let mut ledger = Ledger::open(&below.join("results.jsonl"))?;
    let equivalents = Equivalents::read(&original.join("xtask/equivalent-mutants.toml"))?;
    let mut catalogue = Catalogue::read(original, arguments.sample, arguments.seed, &ledger)?;
    if arguments.list {
        for mutant in catalogue.mutants.values() {
            let change = catalogue.change(*mutant);
            let path = &catalogue.sources[mutant.source].path;
            println!("{path}:{} {} {}", change.line, change.function, change.text);
        }
        return Ok(());
    }
    if !arguments.table {
        let spliced = |path: &str| catalogue.sources.iter().any(|s| s.path == path) || is_root(path);
        let workspace = Workspace::copy(original, &below, spliced)?;
        loop {
            let dropped = viable::write_viable(&catalogue, &workspace, &mut ledger)?;
            if dropped.is_empty() {
                break;
            }
            // Others take their places in the sample.
            catalogue = Catalogue::read(original, arguments.sample, arguments.seed, &ledger)?;
        }
        let wanted = wanted(&catalogue, &ledger, &equivalents, arguments);
        eprintln!("{} mutants, {} to run", catalogue.mutants.len(), wanted.len());
        let mutated: Vec<&Mutated> = CRATES
            .iter()
            .enumerate()
            .filter(|(of, _)| wanted.iter().any(|n| catalogue.sources[catalogue.mutants[n].source].of == *of))
            .map(|(_, mutated)| mutated)
            .collect();
        let killers = killers::prepare(&workspace, &mutated, arguments.slowest, arguments.jobs, &below.join("killers.json"))?;
        hunt::hunt(
            &catalogue,
            &workspace,
            &killers,
            &wanted,
            arguments.budget,
            arguments.jobs,
            &mut ledger,
        )?;
    }
    print!("{}", table::table(&catalogue, &ledger, &equivalents));
    Ok(())
}

fn is_root(path: &str) -> bool {
    CRATES.iter().any(|c| path == format!("crates/{}/src/lib.rs", c.name))
}

/// The numbers of the mutants to run, in an order in which the first are a fair sample.
fn wanted(catalogue: &Catalogue, ledger: &Ledger, equivalents: &Equivalents, arguments: &Arguments) -> Vec<u32> {
    let mut wanted: Vec<u32> = catalogue
        .mutants
        .iter()
        .filter(|(_, mutant)| {
            let known = ledger.get(&catalogue.key(**mutant)).map(|e| e.fate);
            // One that is listed as equivalent is run once all the same: an entry may name a change that occurs at several places.
            let again = arguments.again && known == Some(Fate::Survived) && equivalents.find(catalogue, **mutant).is_none();
            let path = &catalogue.sources[mutant.source].path;
            let chosen = arguments.only.is_empty() || arguments.only.iter().any(|part| path.contains(part));
            chosen && (known.is_none() || again)
        })
        .map(|(number, _)| *number)
        .collect();
    wanted.sort_by_cached_key(|n| lot(arguments.seed, &catalogue.key(catalogue.mutants[n])));
    wanted
}
