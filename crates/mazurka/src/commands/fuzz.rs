//! `mazurka fuzz`: random programs against the brute-force oracle.

use crate::cli::FuzzArgs;
use crate::drive::{interrupted, listen};
use crate::exit::Exit;
use crate::output::{print, print_error};
use crate::refusal::Refusal;
use mazurka_core::Algorithm;
use mazurka_oracle::actors::{ActorFuzz, fuzz_actors};
use mazurka_oracle::{FuzzOptions, Merged, fuzz};
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
    if args.actors {
        return Ok(actors(args, algorithms));
    }
    let usual = FuzzOptions::default();
    let total = args.programs.saturating_add(args.mutants);
    if args.from >= total {
        return Err(Refusal::new(format!(
            "--from {} is beyond the {} programs",
            args.from,
            count(total)
        )));
    }
    listen();
    let options = FuzzOptions {
        programs: args.programs,
        mutants: args.mutants,
        seed: args.seed,
        first: args.from,
        algorithms,
        merging: if args.merging { Merged::ALL.to_vec() } else { Vec::new() },
        threads: args.threads.unwrap_or(usual.threads),
        small: args.small,
        stop: Some(interrupted),
        ..usual
    };
    let mut progress = Progress::of(total);
    let report = fuzz(&options, |done| progress.show(done));
    progress.end();
    for finding in &report.findings {
        print(&format!("{finding}\n"));
    }
    let mut names: Vec<String> = options.algorithms.iter().map(|a| a.name().to_owned()).collect();
    names.extend(options.merging.iter().map(ToString::to_string));
    let separator = if args.merging { "; " } else { ", " };
    print(&format!(
        "{} in {} of {} random programs, seed {} ({} too large for brute force): {}\n",
        differences(report.findings.len()),
        counted(report.comparisons, "comparison"),
        count(report.programs),
        args.seed,
        count(report.skipped),
        names.join(separator)
    ));
    if report.next < total && report.findings.is_empty() {
        print(&format!(
            "stopped before program {}; the rest: the same command with --from {}\n",
            count(report.next),
            report.next
        ));
        return Ok(Exit::Incomplete);
    }
    Ok(verdict(report.findings.is_empty()))
}

/// The same on random actor programs.
fn actors(args: &FuzzArgs, algorithms: Vec<Algorithm>) -> Exit {
    let options = ActorFuzz {
        programs: args.programs,
        seed: args.seed,
        algorithms: algorithms.into_iter().filter(|a| !a.is_stateful()).collect(),
        ..ActorFuzz::default()
    };
    let mut progress = Progress::of(args.programs);
    let report = fuzz_actors(&options, |done| progress.show(done));
    progress.end();
    for finding in &report.findings {
        print(&format!("{finding}\n"));
    }
    let names: Vec<&str> = options.algorithms.iter().map(|a| a.name()).collect();
    print(&format!(
        "{} in {} of {} random actor programs under every order, seed {} ({} more were too large for brute force): {}\n",
        differences(report.findings.len()),
        counted(report.comparisons, "comparison"),
        count(args.programs),
        args.seed,
        count(report.skipped),
        names.join(", ")
    ));
    verdict(report.findings.is_empty())
}

fn differences(n: usize) -> String {
    match n {
        0 => "no difference".to_owned(),
        n => counted(n as u64, "difference"),
    }
}

fn verdict(clean: bool) -> Exit {
    if clean { Exit::Complete } else { Exit::Violation }
}

/// Says how many programs are done: one line that is refreshed on a terminal, a line for every hundredth part elsewhere.
struct Progress {
    total: u64,
    terminal: bool,
    shown: usize,
    next_line: u64,
}

/// Shorter runs say nothing unless they have a terminal.
const LONG: u64 = 100_000;

impl Progress {
    fn of(total: u64) -> Self {
        Progress {
            total,
            terminal: std::io::stderr().is_terminal(),
            shown: 0,
            next_line: if total < LONG { u64::MAX } else { total / 100 },
        }
    }

    fn show(&mut self, done: u64) {
        let line = || format!("{} of {} programs", count(done), count(self.total));
        if self.terminal && (done.is_multiple_of(256) || self.shown == 0) {
            let line = line();
            print_error(&refresh(&line, self.shown));
            self.shown = line.len();
        } else if !self.terminal && done >= self.next_line {
            print_error(&format!("{}\n", line()));
            self.next_line = done + self.total / 100;
        }
    }

    fn end(&self) {
        if self.shown > 0 {
            print_error(&format!("{}\r", refresh("", self.shown)));
        }
    }
}
