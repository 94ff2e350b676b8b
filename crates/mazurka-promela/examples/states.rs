//! Counts the states of a model and says how fast: `cargo run --release -p mazurka-promela --example states -- model.pml [algorithm]`.

use mazurka_core::{Algorithm, Options, StatefulOptions, Status, stateful_search};
use mazurka_promela::{Promela, parse_file};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: states MODEL [ALGORITHM]")?;
    let algorithm = arguments.next().unwrap_or_else(|| "stateful".to_owned());
    let parsed = parse_file(Path::new(&path), &[]);
    let machine = parsed.machine.ok_or_else(|| format!("{:?}", parsed.diagnostics))?;
    let promela = Promela::new(machine, parsed.sources);
    let mut options = Options::new(Algorithm::parse(&algorithm).map_err(|e| e.to_string())?);
    options.keep_going = true;
    let begun = Instant::now();
    let mut search = stateful_search(&promela, &options, StatefulOptions::default()).map_err(|e| e.to_string())?;
    while search.advance(1_000_000) == Status::Running {}
    let (report, seconds) = (search.report(), begun.elapsed().as_secs_f64());
    println!(
        "{} states, {} transitions in {seconds:.2} s: {:.0} states and {:.0} transitions per second",
        report.stored,
        report.transitions,
        report.stored as f64 / seconds,
        report.transitions as f64 / seconds
    );
    Ok(())
}
