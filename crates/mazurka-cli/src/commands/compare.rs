//! `mazurka compare`: every algorithm side by side.

use super::check::limits;
use crate::cli::{CompareArgs, order_name};
use crate::counterexamples::Minimise;
use crate::drive::{drive, interrupted};
use crate::exit::Exit;
use crate::frontends::load;
use crate::memory;
use crate::output::{ProgressLine, paint, print, writable, write_file};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::start::start;
use mazurka_core::{Algorithm, Options, StatefulOptions, Verdict};
use mazurka_report::agreement::disagreements;
use mazurka_report::{Comparison, Summary, compare, html};
use std::time::Duration;

/// Without a limit, each algorithm gets this long: the slow ones are there to be compared, not to be waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Compares the algorithms.
pub fn run(args: &CompareArgs) -> Result<Exit, Refusal> {
    if let Some(path) = &args.report {
        writable(path)?;
    }
    compare_algorithms(args, &load(&args.program)?)
}

fn compare_algorithms(args: &CompareArgs, session: &Session<'_>) -> Result<Exit, Refusal> {
    let mut comparisons = Vec::new();
    let mut line = ProgressLine::new(!args.json, args.ascii);
    let algorithms = algorithms(session, &args.algorithms)?;
    if args.observe.is_some() && !algorithms.iter().any(|a| a.merges()) {
        return Err(Refusal::new(
            "`--observe` says what merging must tell apart, and none of these algorithms merges; take one with +merge",
        ));
    }
    for algorithm in algorithms {
        let mut options = Options::new(algorithm)
            .order(args.order)
            .limits(limits(&args.limits))
            .keep_going(!args.stop_at_failure)
            .deadlock_is_error(session.deadlock_is_error)
            .final_states(true)
            .observe(args.observe.unwrap_or_default());
        let unlimited = options.limits.time.is_none() && options.limits.executions.is_none();
        if unlimited {
            options.limits.time = Some(PATIENCE);
        }
        let result = match start(&*session.program, &options, StatefulOptions::default(), None) {
            Err(error) => Err(error.to_string()),
            Ok(_) if interrupted() => Err("not run: Ctrl-C".to_owned()),
            Ok(mut started) => Ok(drive(started.search(), &mut |progress, elapsed| {
                line.tell(progress, elapsed);
            })),
        };
        line.end();
        if result.is_err() && args.algorithms.is_empty() && !interrupted() {
            continue;
        }
        comparisons.push(Comparison {
            algorithm: algorithm.name().to_owned(),
            result,
        });
    }
    let disagreements = disagreements(&comparisons, !args.stop_at_failure);
    let exit = if disagreements.is_empty() {
        exit(&comparisons)
    } else {
        Exit::Disagreement
    };
    if let Some(path) = &args.report {
        let summary = summary(session, args, &comparisons)?;
        write_file(path, &html::render(&summary))?;
    }
    let mut arguments = session.arguments.clone();
    arguments.extend(args.observe.map(|o| format!("--observe {}", o.name())));
    if args.json {
        let object = compare::json(&session.name, &arguments, &comparisons, &disagreements);
        print(&format!("{object}\n"));
    } else {
        let title = [session.name.clone(), arguments.join(" ")].join(" ");
        print(&compare::render(title.trim_end(), &comparisons, &disagreements, paint(args.ascii)));
    }
    Ok(exit)
}

/// The report shows the comparison under the outcome of the last algorithm that came to an end.
fn summary(session: &Session<'_>, args: &CompareArgs, comparisons: &[Comparison]) -> Result<Summary, Refusal> {
    let finished = comparisons.iter().filter_map(|c| c.result.as_ref().ok().map(|r| (c, r)));
    let chosen = finished.max_by_key(|(_, (outcome, _))| (outcome.limit.is_none(), outcome.sound, outcome.verdict == Verdict::Violation));
    let Some((comparison, (outcome, elapsed))) = chosen else {
        return Err(Refusal::new("no algorithm could be run, so there is nothing to report"));
    };
    Ok(Summary {
        program: session.name.clone(),
        arguments: session.arguments.clone(),
        algorithm: comparison.algorithm.clone(),
        order: order_name(args.order),
        dependency: session.dependency.to_owned(),
        counterexamples: crate::counterexamples::of(session, outcome, Minimise::Yes, &interrupted),
        outcome: outcome.clone(),
        endless: None,
        final_states: None,
        elapsed: *elapsed,
        peak_memory: memory::peak(),
        stats: None,
        tree: None,
        comparison: comparisons.to_vec(),
        sources: session.sources.clone(),
        notes: session.notes.clone(),
    })
}

/// Those that were asked for, with the reason for each that cannot be run; otherwise those that can.
fn algorithms(session: &Session<'_>, names: &[String]) -> Result<Vec<Algorithm>, Refusal> {
    if names.is_empty() {
        let features = session.program.features();
        let all = Algorithm::all().chain(Algorithm::stateful());
        // On a cycle of states a search that does not store them never comes to an end.
        let ends = |a: &Algorithm| features.terminating || a.is_stateful();
        return Ok(all.filter(|a| a.about().sound && ends(a) && a.fits(features).is_ok()).collect());
    }
    let parse = |name: &String| Algorithm::parse(name.trim()).map_err(Refusal::from);
    names.iter().map(parse).collect()
}

/// The worst verdict of all.
fn exit(comparisons: &[Comparison]) -> Exit {
    let verdicts: Vec<Verdict> = comparisons
        .iter()
        .filter_map(|c| c.result.as_ref().ok().map(|(o, _)| o.verdict))
        .collect();
    if verdicts.contains(&Verdict::Violation) {
        Exit::Violation
    } else if verdicts.is_empty() || verdicts.contains(&Verdict::Incomplete) {
        Exit::Incomplete
    } else {
        Exit::Complete
    }
}
