//! `mazurka fuzz`: random programs against the brute-force oracle.

use crate::cli::FuzzArgs;
use crate::exit::Exit;
use crate::output::print;
use crate::refusal::Refusal;
use mazurka_core::Algorithm;
use mazurka_oracle::{FuzzOptions, fuzz};
use mazurka_report::progress::refresh;
use mazurka_report::units::{count, counted};
use std::io::IsTerminal;

/// Fuzzes; a difference is a violation.
pub fn run(args: &FuzzArgs) -> Result<Exit, Refusal> {
    let algorithms: Vec<Algorithm> = if args.algorithm.is_empty() {
        Algorithm::all().filter(|a| a.about().sound).collect()
    } else {
        args.algorithm.iter().map(|name| Algorithm::parse(name)).collect::<Result<_, _>>()?
    };
    let options = FuzzOptions {
        programs: args.programs,
        mutants: args.mutants,
        seed: args.seed,
        algorithms,
        ..FuzzOptions::default()
    };
    let terminal = std::io::stderr().is_terminal();
    let mut shown = 0;
    let report = fuzz(&options, |done| {
        if terminal && (done.is_multiple_of(256) || shown == 0) {
            let line = format!("{} of {} programs", count(done), count(args.programs + args.mutants));
            eprint!("{}", refresh(&line, shown));
            shown = line.len();
        }
    });
    if shown > 0 {
        eprint!("{}\r", refresh("", shown));
    }
    for finding in &report.findings {
        print(&format!("{finding}\n"));
    }
    let names: Vec<&str> = options.algorithms.iter().map(|a| a.name()).collect();
    let found = match report.findings.len() {
        0 => "no difference".to_owned(),
        n => counted(n as u64, "difference"),
    };
    print(&format!(
        "{found} in {} of {} random programs, seed {} ({} too large for brute force): {}\n",
        counted(report.comparisons, "comparison"),
        count(report.programs),
        args.seed,
        count(report.skipped),
        names.join(", ")
    ));
    Ok(if report.findings.is_empty() {
        Exit::Complete
    } else {
        Exit::Violation
    })
}
