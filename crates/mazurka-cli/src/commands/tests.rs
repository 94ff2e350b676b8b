//! `mazurka tests`: generates tests of an ABS method, or runs a suite of them.

use crate::cli::{CriterionArg, TestsArgs};
use crate::drive::{interrupted, listen};
use crate::exit::Exit;
use crate::frontends::abs;
use crate::output::{print, print_error, write_file};
use crate::refusal::Refusal;
use mazurka_abs::requires::Requirement;
use mazurka_core::Algorithm;
use mazurka_report::paint::visible;
use mazurka_symbolic::coverage::Criterion;
use mazurka_symbolic::explore::{Exploration, Plan, explore};
use mazurka_symbolic::inputs::Inputs;
use mazurka_symbolic::keep::Keep;
use mazurka_symbolic::rerun::rerun;
use mazurka_symbolic::schedules::admit;
use mazurka_symbolic::solver::{Setup, Solver};
use mazurka_symbolic::suite::suite;
use mazurka_symbolic::target::Parameter;
use mazurka_symbolic::{Bounds, Target, write};
use std::cell::{Cell, RefCell};
use std::io::IsTerminal;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Generates tests, or runs those that were generated before.
pub fn run(args: &TestsArgs) -> Result<Exit, Refusal> {
    if Path::new(&args.program.program)
        .extension()
        .is_none_or(|extension| extension != "abs")
    {
        return Err(Refusal::new(format!(
            "`{}` is no ABS model: tests are generated for methods of *.abs",
            args.program.program
        )));
    }
    let algorithm = Algorithm::parse(&args.algorithm)?;
    admit(algorithm).map_err(Refusal::new)?;
    match &args.run {
        Some(path) => run_suite(args, path, algorithm),
        None => generate(args, algorithm),
    }
}

fn generate(args: &TestsArgs, algorithm: Algorithm) -> Result<Exit, Refusal> {
    let requires = match (&args.requires, &args.method) {
        (Some(text), Some(method)) => Some(Requirement {
            method: method.clone(),
            text: text.clone(),
        }),
        _ => None,
    };
    // Where the method is looked for, its absence is said best.
    if requires.is_some() {
        let opened = abs::open(&args.program, true, None, |_| {})?;
        Target::method(opened, args.method.as_deref().unwrap_or_default()).map_err(Refusal::new)?;
    }
    let opened = abs::open(&args.program, args.method.is_some(), requires, print_error)?;
    let (mut target, inputs) = match &args.method {
        Some(method) => {
            let target = Target::method(opened, method).map_err(Refusal::new)?;
            let inputs = Inputs::new(Rc::clone(&target.model));
            (target, inputs)
        }
        None => {
            let parameters: Result<Vec<Parameter>, String> = args.symbolic.iter().map(|text| text.parse()).collect();
            Target::main(opened, &parameters.map_err(Refusal::new)?, Inputs::new).map_err(Refusal::new)?
        }
    };
    let setup = Setup {
        command: args.solver.clone(),
        time: args.solver_timeout,
    };
    let solver = Rc::new(RefCell::new(Solver::start(&setup).map_err(Refusal::new)?));
    let bounds = bounds(args);
    listen();
    let progress = Line::new(!args.quiet);
    let stop = |classes: u64, executions: u64| {
        progress.tell(classes, executions);
        interrupted()
    };
    let plan = Plan {
        algorithm,
        bounds,
        time: args.timeout,
        stop: Some(&stop),
        keep: match criterion(args) {
            _ if args.count => Keep::Counts,
            Criterion::Traces => Keep::Executions,
            _ => Keep::Outcomes,
        },
    };
    let found = explore(&mut target, inputs, &solver, &plan).map_err(Refusal::new)?;
    progress.end();
    if found.classes.is_empty() && found.forbidden > 0 && found.cuts.is_empty() {
        let text = args.requires.as_deref().unwrap_or_default();
        return Err(Refusal::new(format!("no state satisfies what --requires asks for: {text}")));
    }
    if args.count {
        print(&visible(&write::counts(&target, &found, &bounds)));
        return Ok(verdict(false, is_incomplete(&found)));
    }
    let suite = suite(&mut target, &found, criterion(args), algorithm).map_err(Refusal::new)?;
    if let Some(path) = &args.json {
        let json = write::json(&target, &suite, &bounds, &args.program.program, &[]);
        let text = serde_json::to_string_pretty(&json).map_err(Refusal::new)?;
        write_file(path, &format!("{text}\n"))?;
    }
    if let Some(path) = &args.absunit {
        let (text, left) = write::absunit(&target, &suite).map_err(Refusal::new)?;
        write_file(path, &text)?;
        for (test, why) in left {
            print_error(&visible(&format!("note: test {test} is not in `{}`: {why}\n", path.display())));
        }
    }
    if !args.quiet {
        print(&visible(&write::table(&target, &found, &suite, &bounds)));
        if let (Some(path), Some(_)) = (&args.json, &args.method) {
            let path = path.display();
            print(&format!(
                "   suite:   {path}\n   run it:  mazurka tests {} --run {path}\n",
                args.program.program
            ));
        }
    }
    if let (Some(path), false) = (&args.absunit, args.quiet) {
        let path = path.display();
        print(&format!(
            "   ABSUnit: {path}\n   run it:  mazurka check {path} --with {} --product TestProduct\n",
            args.program.program
        ));
    }
    let fails = suite.tests.iter().any(|test| test.outcome.fails());
    Ok(verdict(fails, is_incomplete(&found) || !suite.cuts.is_empty()))
}

/// Whether something was left out.
fn is_incomplete(found: &Exploration) -> bool {
    !found.cuts.is_empty()
}

fn verdict(fails: bool, incomplete: bool) -> Exit {
    match (fails, incomplete) {
        (true, _) => Exit::Violation,
        (false, true) => Exit::Incomplete,
        (false, false) => Exit::Complete,
    }
}

fn bounds(args: &TestsArgs) -> Bounds {
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Bounds {
        calls: small(args.calls),
        unroll: small(args.unroll),
        size: small(args.size),
        objects: small(args.objects),
        depth: args.max_depth,
        classes: args.max_classes,
        executions: args.max_executions,
    }
}

fn criterion(args: &TestsArgs) -> Criterion {
    match args.criterion {
        None | Some(CriterionArg::Branches) => Criterion::Branches,
        Some(CriterionArg::Statements) => Criterion::Statements,
        Some(CriterionArg::DefUse) => Criterion::DefUse,
        Some(CriterionArg::Paths) => Criterion::Paths,
        Some(CriterionArg::Traces) => Criterion::Traces,
    }
}

/// Runs every test of a suite under every interleaving.
fn run_suite(args: &TestsArgs, path: &Path, algorithm: Algorithm) -> Result<Exit, Refusal> {
    let text = std::fs::read_to_string(path).map_err(|error| Refusal::new(format!("cannot read `{}`: {error}", path.display())))?;
    let mut opened = abs::open(&args.program, true, None, print_error)?;
    let tests = write::read(&text, &opened.machine).map_err(|error| Refusal::new(format!("`{}`: {error}", path.display())))?;
    listen();
    let started = Instant::now();
    let (mut failed, mut incomplete, mut executions) = (0, false, 0);
    for test in &tests {
        let late = args.timeout.is_some_and(|time| started.elapsed() > time);
        if late || interrupted() {
            incomplete = true;
            break;
        }
        let report = rerun(&mut opened.machine, test, algorithm, args.max_executions)?;
        incomplete |= report.incomplete;
        executions += report.interleavings;
        let word = match (&report.failure, report.incomplete) {
            (Some(_), _) => "fails",
            (None, true) => "incomplete",
            (None, false) => "passes",
        };
        if !args.quiet {
            let interleavings = if report.interleavings == 1 {
                "interleaving"
            } else {
                "interleavings"
            };
            print(&visible(&format!(
                "{word:10} {}: {} ({} {interleavings})\n",
                report.name, report.inputs, report.interleavings
            )));
        }
        if let Some(wrong) = &report.failure {
            failed += 1;
            if !args.quiet {
                print(&visible(&format!("           {}\n", wrong.message)));
            }
        }
    }
    if !args.quiet {
        print(&format!(
            "{}: {} tests, {failed} failed, {executions} interleavings\n",
            if failed > 0 {
                "violation"
            } else if incomplete {
                "incomplete"
            } else {
                "complete"
            },
            tests.len()
        ));
    }
    Ok(verdict(failed > 0, incomplete))
}

/// A line of progress on standard error, if that is a terminal.
struct Line {
    wanted: bool,
    told: Cell<Instant>,
    shown: Cell<bool>,
}

/// How often progress is told.
const TELL: Duration = Duration::from_millis(250);

impl Line {
    fn new(wanted: bool) -> Self {
        Line {
            wanted: wanted && std::io::stderr().is_terminal(),
            told: Cell::new(Instant::now()),
            shown: Cell::new(false),
        }
    }

    fn tell(&self, classes: u64, executions: u64) {
        if self.wanted && self.told.get().elapsed() >= TELL {
            self.told.set(Instant::now());
            self.shown.set(true);
            print_error(&format!("\r{classes} classes of inputs, {executions} executions "));
        }
    }

    fn end(&self) {
        if self.shown.get() {
            print_error(&format!("\r{:60}\r", ""));
        }
    }
}
