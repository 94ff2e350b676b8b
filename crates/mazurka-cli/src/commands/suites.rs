//! `mazurka check tests.abs`: every test of the ABSUnit suites in a model, each under every interleaving, and a table.

use super::check::{Audience, examine, show};
use crate::cli::{CheckArgs, OutputArgs, ProgramArgs};
use crate::drive::interrupted;
use crate::exit::Exit;
use crate::frontends::abs;
use crate::output::{print, write_file};
use crate::refusal::Refusal;
use mazurka_core::{Options, Progress, Verdict};
use mazurka_report::Summary;
use mazurka_report::paint::visible;
use std::fmt::Write;
use std::time::Duration;

/// Whether a program has suites, and no main block of it was asked for.
pub fn are_in(args: &ProgramArgs) -> bool {
    let is_abs = std::path::Path::new(&args.program)
        .extension()
        .is_some_and(|extension| extension == "abs");
    is_abs && args.main.is_none() && args.property.is_none() && abs::suites(args).is_ok_and(|(tests, _)| !tests.is_empty())
}

/// How a test went.
struct Case {
    suite: String,
    method: String,
    verdict: Option<Verdict>,
    executions: u64,
    seconds: f64,
    message: String,
}

/// Runs all tests.
pub fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    only_tables(&args.output)?;
    let (tests, library) = abs::suites(&args.program)?;
    let mut cases = Vec::new();
    for test in tests {
        let mut case = Case {
            suite: test.suite.clone(),
            method: test.method.clone(),
            verdict: None,
            executions: 0,
            seconds: 0.0,
            message: String::new(),
        };
        if !test.ignored {
            let session = abs::suite_test(&args.program, &test, library)?;
            let summary = examine(args, &session, None, &mut Silent, None)?;
            case.verdict = Some(summary.outcome.verdict);
            case.executions = summary.outcome.counts.executions;
            case.seconds = summary.elapsed.as_secs_f64();
            case.message = message(&summary);
            if summary.outcome.verdict == Verdict::Violation && !args.output.quiet {
                show(&args.output, &summary);
                print("\n");
            }
        }
        cases.push(case);
    }
    if !args.output.quiet {
        print(&visible(&table(&args.program.program, &cases)));
    }
    if let Some(path) = &args.output.junit {
        write_file(path, &junit(&args.program.program, &cases))?;
    }
    let has = |verdict| cases.iter().any(|case| case.verdict == Some(verdict));
    Ok(if has(Verdict::Violation) {
        Exit::Violation
    } else if has(Verdict::Incomplete) {
        Exit::Incomplete
    } else {
        Exit::Complete
    })
}

fn message(summary: &Summary) -> String {
    match summary.outcome.failures.first() {
        Some(found) => {
            let at = found.failure.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
            format!("{}{at}", found.failure.message)
        }
        None => summary
            .outcome
            .limit
            .map_or(String::new(), |limit| format!("{} was reached", limit.name())),
    }
}

fn word(case: &Case) -> &'static str {
    match case.verdict {
        Some(Verdict::Complete) => "passes",
        Some(Verdict::Violation) => "fails",
        Some(Verdict::Incomplete) => "incomplete",
        None => "ignored",
    }
}

fn table(program: &str, cases: &[Case]) -> String {
    let name = |case: &Case| format!("{}.{}", case.suite, case.method);
    let width = cases.iter().map(|case| name(case).chars().count()).max().unwrap_or(0);
    let failed = cases.iter().filter(|case| case.verdict == Some(Verdict::Violation)).count();
    let mut out = format!("{} tests of {program}, {failed} failed\n", cases.len());
    for case in cases {
        let name = name(case);
        let executions = if case.executions == 1 { "execution" } else { "executions" };
        let _ = write!(out, "   {name:width$}  {:10}  {} {executions}", word(case), case.executions);
        let _ = match case.message.is_empty() {
            true => writeln!(out),
            false => writeln!(out, ": {}", case.message),
        };
    }
    out
}

fn junit(program: &str, cases: &[Case]) -> String {
    let count = |verdict| cases.iter().filter(|case| case.verdict == Some(verdict)).count();
    let skipped = cases.iter().filter(|case| case.verdict.is_none()).count();
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        cases.len(),
        count(Verdict::Violation),
        count(Verdict::Incomplete)
    );
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"mazurka\" {totals} time=\"{seconds:.3}\">");
    let name = escape(program);
    let _ = writeln!(
        out,
        "  <testsuite name=\"{name}\" {totals} skipped=\"{skipped}\" time=\"{seconds:.3}\">"
    );
    for case in cases {
        let _ = write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\">",
            escape(&case.suite),
            escape(&case.method),
            case.seconds
        );
        let message = escape(&case.message);
        let _ = match case.verdict {
            Some(Verdict::Complete) => Ok(()),
            Some(Verdict::Violation) => write!(out, "<failure message=\"{message}\"/>"),
            Some(Verdict::Incomplete) => write!(out, "<error type=\"incomplete\" message=\"{message}\"/>"),
            None => write!(out, "<skipped message=\"[Ignored]\"/>"),
        };
        let _ = writeln!(out, "</testcase>");
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn escape(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;");
    text.chars().filter(|c| !c.is_control() || *c == '\n').collect()
}

/// What one program alone can have.
fn only_tables(out: &OutputArgs) -> Result<(), Refusal> {
    let files = [&out.report, &out.sarif, &out.dot, &out.save_schedule, &out.certificate];
    if files.iter().any(|file| file.is_some()) || out.json || out.json_lines {
        return Err(Refusal::new(
            "of suites there is a table and a JUnit file (--junit); other outputs are about one program",
        ));
    }
    Ok(())
}

/// Nobody follows the searches.
struct Silent;

impl Audience for Silent {
    fn begins(&mut self, _: &Options, _: bool) {}

    fn progress(&mut self, _: &Progress, _: Duration) {}

    fn ended(&mut self) {}

    fn is_stopped(&self) -> bool {
        interrupted()
    }
}
