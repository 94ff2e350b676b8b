//! `mazurka fuzz`: random programs against the brute-force oracle.

use crate::cli::FuzzArgs;
use crate::drive::{interrupted, listen};
use crate::exit::Exit;
use crate::output::{print, print_error};
use crate::refusal::{Refusal, did_you_mean};
use mazurka_core::Algorithm;
use mazurka_laboratory::{Campaign, Language, Report, campaign, languages};
use mazurka_report::progress::refresh;
use mazurka_report::units::{count, counted};
use std::io::IsTerminal;

/// The word for every language.
const ALL: &str = "all";

/// Fuzzes; a difference is a violation.
pub fn run(args: &FuzzArgs) -> Result<Exit, Refusal> {
    let usual = Campaign::default();
    let campaign = Campaign {
        programs: args.programs,
        mutants: args.mutants,
        seed: args.seed,
        first: args.from,
        algorithms: algorithms(&args.algorithm)?,
        merging: args.merging,
        bounds: args.bounds,
        any_order: args.any_order,
        small: args.small,
        threads: args.threads.unwrap_or(usual.threads),
        stop: Some(interrupted),
        ..usual
    };
    let chosen = chosen(&args.language)?;
    if args.from > 0 && chosen.len() > 1 {
        return Err(Refusal::new(
            "`--from` counts the programs of one language; say which with --language",
        ));
    }
    if args.from >= campaign.total() {
        return Err(Refusal::new(format!(
            "--from {} is beyond the {} programs",
            args.from,
            count(campaign.total())
        )));
    }
    listen();
    let mut clean = true;
    for language in &chosen {
        let mut progress = Progress::of(language.name(), campaign.total());
        let report = campaign::run(&**language, &campaign, |done| progress.show(done));
        progress.end();
        print(&said(&**language, &campaign, &report, args.stats));
        clean &= report.findings.is_empty();
        if report.next < campaign.total() && report.findings.is_empty() {
            return Ok(Exit::Incomplete);
        }
    }
    Ok(if clean { Exit::Complete } else { Exit::Violation })
}

fn algorithms(names: &[String]) -> Result<Vec<Algorithm>, Refusal> {
    if names.is_empty() {
        return Ok(Algorithm::all().filter(|a| a.about().sound).collect());
    }
    let parsed: Result<_, _> = names.iter().map(|name| Algorithm::parse(name)).collect();
    Ok(parsed?)
}

/// The languages of that name.
fn chosen(name: &str) -> Result<Vec<Box<dyn Language>>, Refusal> {
    let mut languages = languages();
    let names: Vec<&str> = languages.iter().map(|l| l.name()).chain([ALL]).collect();
    if !names.contains(&name) {
        return Err(Refusal::new(format!(
            "invalid value `{name}` for `--language`{}; expected {}",
            did_you_mean(name, names.iter().copied()),
            names.join(", ")
        )));
    }
    languages.retain(|l| name == ALL || l.name() == name);
    Ok(languages)
}

/// The differences, what was done, and where to go on.
fn said(language: &dyn Language, campaign: &Campaign, report: &Report, stats: bool) -> String {
    let mut text: String = report
        .findings
        .iter()
        .map(|finding| format!("{}: {finding}\n", language.name()))
        .collect();
    let names: Vec<&str> = campaign.algorithms.iter().map(|a| a.name()).collect();
    text.push_str(&format!(
        "{}: {} in {} of {} random programs, seed {} ({} too large for brute force): {}{}{}{}\n",
        language.name(),
        differences(report.findings.len()),
        counted(report.comparisons, "comparison"),
        count(report.programs),
        campaign.seed,
        count(report.skipped),
        names.join(", "),
        if campaign.merging { "; every way of merging" } else { "" },
        if campaign.bounds { "; bounds" } else { "" },
        if campaign.any_order { "; any order" } else { "" }
    ));
    if stats {
        text.push_str(&shapes(language, report));
    }
    if report.next < campaign.total() && report.findings.is_empty() {
        text.push_str(&format!(
            "stopped before program {}; the rest: the same command with --language {} --from {}\n",
            count(report.next),
            language.name(),
            report.next
        ));
    }
    text
}

/// How many programs had each shape.
fn shapes(language: &dyn Language, report: &Report) -> String {
    let widest = language.shapes().iter().map(|s| s.len()).max().unwrap_or(0);
    let line = |shape: &&str| format!("   {shape:widest$}  {:>11}\n", count(report.shapes.count(shape)));
    language.shapes().iter().map(line).collect()
}

fn differences(n: usize) -> String {
    match n {
        0 => "no difference".to_owned(),
        n => counted(n as u64, "difference"),
    }
}

/// Says how many programs are done: one line that is refreshed on a terminal, a line for every hundredth part elsewhere.
struct Progress {
    language: &'static str,
    total: u64,
    terminal: bool,
    shown: usize,
    next_line: u64,
}

/// Shorter runs say nothing unless they have a terminal.
const LONG: u64 = 100_000;

impl Progress {
    fn of(language: &'static str, total: u64) -> Self {
        Progress {
            language,
            total,
            terminal: std::io::stderr().is_terminal(),
            shown: 0,
            next_line: if total < LONG { u64::MAX } else { total / 100 },
        }
    }

    fn show(&mut self, done: u64) {
        let line = || format!("{}: {} of {} programs", self.language, count(done), count(self.total));
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
