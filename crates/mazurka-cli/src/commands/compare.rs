//! `mazurka compare`: every algorithm side by side.

use crate::cli::{CompareArgs, order_name};
use crate::counterexamples::Minimise;
use crate::drive::{drive_until, interrupted};
use crate::exit::Exit;
use crate::frontends::load;
use crate::memory;
use crate::output::{ProgressLine, paint, print, writable, write_file};
use crate::plan::limits;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::start::start;
use mazurka_core::{Algorithm, Checks, Options, Progress, StatefulOptions, Verdict};
use mazurka_report::agreement::disagreements;
use mazurka_report::summary::without;
use mazurka_report::{Comparison, Summary, compare, html};
use std::time::Duration;

/// Without a limit, each algorithm gets this long: the slow ones are there to be compared, not to be waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Compares the algorithms.
pub fn run(args: &CompareArgs) -> Result<Exit, Refusal> {
    if let Some(path) = &args.report {
        writable(path)?;
    }
    let (exit, text) = compare_algorithms(args, &load(&args.program)?)?;
    print(&text);
    Ok(exit)
}

/// Hears how far an algorithm is, and nothing more when it is done.
pub type Told<'t> = dyn FnMut(Algorithm, Option<(&Progress, Duration)>) + 't;

/// Runs every algorithm that was asked for; `tell` hears which one and how far it is.
pub fn side_by_side(
    args: &CompareArgs,
    session: &Session<'_>,
    stop: &dyn Fn() -> bool,
    tell: &mut Told<'_>,
) -> Result<Vec<Comparison>, Refusal> {
    let mut comparisons = Vec::new();
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
        let result = match start(&*session.program, &options, StatefulOptions::default().checks(Checks::Safety), None) {
            Err(error) => Err(error.to_string()),
            Ok(_) if stop() => Err("not run: it was stopped before".to_owned()),
            Ok(mut started) => Ok(drive_until(started.search(), stop, &mut |progress, elapsed| {
                tell(algorithm, Some((progress, elapsed)));
            })),
        };
        tell(algorithm, None);
        if result.is_err() && args.algorithms.is_empty() && !stop() {
            continue;
        }
        comparisons.push(Comparison {
            algorithm: algorithm.name().to_owned(),
            result,
        });
    }
    session.trusted()?;
    Ok(comparisons)
}

/// How it ends, and what is printed.
fn compare_algorithms(args: &CompareArgs, session: &Session<'_>) -> Result<(Exit, String), Refusal> {
    let mut line = ProgressLine::new(!args.json, args.ascii);
    let comparisons = side_by_side(args, session, &interrupted, &mut |_, progress| match progress {
        Some((progress, elapsed)) => drop(line.tell(progress, elapsed)),
        None => line.end(),
    })?;
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
    let unchecked = session.unchecked_by(false);
    let text = if args.json {
        let mut json = compare::json(&session.name, &arguments, &comparisons, &disagreements);
        if !unchecked.is_empty() {
            json["unchecked"] = unchecked.into();
        }
        format!("{json}\n")
    } else {
        let title = [session.name.clone(), arguments.join(" ")].join(" ");
        let title = title.trim_end().to_owned() + &without(&unchecked);
        compare::render(&title, &comparisons, &disagreements, paint(args.ascii))
    };
    Ok((exit, text))
}

/// The report shows the comparison under the outcome of the last algorithm that came to an end.
pub fn summary(session: &Session<'_>, args: &CompareArgs, comparisons: &[Comparison]) -> Result<Summary, Refusal> {
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
        counterexamples: crate::counterexamples::of(session, outcome, Minimise::Yes, &interrupted).counterexamples,
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
        unchecked: session.unchecked_by(false),
        verified: None,
        samples: Vec::new(),
        made: Some(crate::output::made()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;
    use mazurka_core::{
        Describe, Effects, Failure, FailureKind, Features, Fingerprint, Footprint, Location, Pending, Process, Program, StateSpace,
        StepText, Transition,
    };
    use std::process::ExitCode;

    /// One process writes what the other asserts, and nobody is told: no reduction can be right. No program of this tool is so.
    struct Liar {
        honest: bool,
    }

    impl Program for Liar {
        /// Whether each process has moved.
        type State = [bool; 2];

        fn start(&self) -> Self::State {
            [false; 2]
        }

        fn pending(&self, moved: &Self::State, out: &mut Vec<Pending>) {
            let still = (0..2).filter(|&p| !moved[p as usize]).map(Process);
            out.extend(still.map(|process| Pending {
                transition: Transition::of(process),
                enabled: true,
            }));
        }

        fn footprint(&self, _: &Self::State, _: Transition, out: &mut Footprint) {
            if self.honest {
                out.update(Location(0));
            }
        }

        fn step(&self, moved: &mut Self::State, next: Transition, effects: &mut Effects) {
            if next.process == Process(1) && !moved[0] {
                effects.failure = Some(Failure {
                    kind: FailureKind::Assertion,
                    message: "too early".to_owned(),
                    at: None,
                });
            }
            moved[next.process.index()] = true;
        }

        fn fingerprint(&self, moved: &Self::State) -> Fingerprint {
            u128::from(moved[0]) << 1 | u128::from(moved[1])
        }

        fn features(&self) -> Features {
            Features {
                terminating: true,
                ..Features::STATIC
            }
        }
    }

    impl Describe for Liar {
        fn process_key(&self, process: Process) -> String {
            process.0.to_string()
        }

        fn process_name(&self, _: &Self::State, process: Process) -> String {
            format!("p{}", process.0)
        }

        fn describe(&self, _: &Self::State, _: Transition) -> StepText {
            StepText::default()
        }

        fn location_name(&self, _: Location) -> String {
            "x".to_owned()
        }

        fn values(&self, _: &Self::State) -> Vec<(String, String)> {
            Vec::new()
        }
    }

    impl StateSpace for Liar {}

    fn compared(honest: bool, options: &str) -> (String, String) {
        let words = format!("mazurka compare --algorithms naive,source,optimal {options} liar");
        let Ok(Cli {
            command: Command::Compare(args),
            ..
        }) = Cli::try_parse_from(words.split_whitespace())
        else {
            panic!("{words}")
        };
        let program = Liar { honest };
        match compare_algorithms(&args, &Session::new(program, "liar")) {
            // Exit codes cannot be compared.
            Ok((exit, text)) => (format!("{:?}", ExitCode::from(exit)), text),
            Err(refusal) => panic!("{refusal}"),
        }
    }

    #[test]
    fn two_sound_algorithms_that_disagree_are_named_and_the_exit_code_is_2() {
        let (exit, text) = compared(false, "--ascii");
        assert_eq!(exit, format!("{:?}", ExitCode::from(2)));
        assert!(text.contains("naive says violation, but source says complete"), "{text}");
        assert!(text.contains("naive says violation, but optimal says complete"), "{text}");
        let (exit, json) = compared(false, "--json");
        assert_eq!(exit, format!("{:?}", ExitCode::from(2)));
        assert!(json.contains("naive says violation, but source says complete"), "{json}");
    }

    #[test]
    fn algorithms_that_agree_on_a_violation_exit_with_1() {
        let (exit, text) = compared(true, "--ascii");
        assert_eq!(exit, format!("{:?}", ExitCode::from(1)));
        assert!(!text.contains("but"), "{text}");
    }
}
