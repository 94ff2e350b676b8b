//! `mazurka explain`: how large a program is, which steps race, and what to try.

use crate::cli::ExplainArgs;
use crate::drive::drive;
use crate::exit::Exit;
use crate::frontends::with_program;
use crate::output::{ProgressLine, paint, print};
use crate::races::{Races, Tally};
use crate::refusal::Refusal;
use crate::session::{Session, Visitor};
use crate::start::start;
use mazurka_core::{Algorithm, Describe, Limits, Options, Outcome, StateSpace, StatefulOptions};
use mazurka_report::explain::{Explanation, render};
use mazurka_report::units::{count, counted};
use std::time::Duration;

/// How long another algorithm may take to show what it is worth.
const TRIAL: Duration = Duration::from_secs(5);

/// Explains the program.
pub fn run(args: &ExplainArgs) -> Result<Exit, Refusal> {
    with_program(&args.program, Explain { args })
}

struct Explain<'a> {
    args: &'a ExplainArgs,
}

impl Visitor for Explain<'_> {
    type Output = Exit;

    fn visit<P>(self, session: Session<'_, P>) -> Result<Exit, Refusal>
    where
        P: Describe + StateSpace,
        P::Run: Clone,
    {
        let algorithm = sampler(&session)?;
        let options = Options {
            limits: Limits {
                executions: Some(self.args.max_executions),
                depth: Some(100_000),
                ..Limits::default()
            },
            keep_going: true,
            deadlock_is_error: session.deadlock_is_error,
            ..Options::new(algorithm)
        };
        let (races, tally) = Races::new(session.program);
        let mut started = start(session.program, &options, StatefulOptions::default(), Some(Box::new(races)))?;
        let mut line = ProgressLine::new(true, self.args.ascii);
        let (outcome, _) = drive(started.search(), &mut |progress, elapsed| {
            line.tell(progress, elapsed);
        });
        line.end();
        let estimate = started.search().progress().estimate;
        drop(started);
        let tally = tally.borrow();
        let explanation = Explanation {
            program: [session.name.clone(), session.arguments.join(" ")].join(" ").trim_end().to_owned(),
            algorithm: algorithm.name().to_owned(),
            executions: outcome.counts.executions,
            complete: outcome.limit.is_none(),
            estimate,
            processes: tally.processes(),
            steps: tally.steps(),
            locations: tally.locations(),
            races: tally.races(),
            pairs: tally.pairs(10),
            hot: tally.hot(10),
            advice: advice(&session, &options, &outcome, &tally)?,
        };
        print(&render(&explanation, paint(self.args.ascii)));
        Ok(Exit::Complete)
    }
}

/// The sample is taken by an algorithm that reverses each race once and merges nothing.
fn sampler<P: Describe>(session: &Session<'_, P>) -> Result<Algorithm, Refusal> {
    for name in ["optimal", "source", "naive"] {
        let algorithm = Algorithm::parse(name)?;
        if algorithm.fits(session.program.features()).is_ok() {
            return Ok(algorithm);
        }
    }
    session.algorithm(None)
}

/// What to try, each with the reason; other algorithms only if they are seen to do better.
fn advice<P: Describe + StateSpace>(
    session: &Session<'_, P>,
    options: &Options,
    outcome: &Outcome,
    tally: &Tally,
) -> Result<Vec<String>, Refusal>
where
    P::Run: Clone,
{
    let mut advice = Vec::new();
    let complete = outcome.limit.is_none();
    for algorithm in Algorithm::all() {
        let known_worse = ["naive", "dpor", "dpor+sleep", "source", "optimal"].contains(&algorithm.name());
        if known_worse || algorithm.is_stateful() || !algorithm.about().sound || algorithm.fits(session.program.features()).is_err() {
            continue;
        }
        let mut trial = Options {
            algorithm,
            ..options.clone()
        };
        trial.limits.time = Some(TRIAL);
        let Ok(mut started) = start(session.program, &trial, StatefulOptions::default(), None) else {
            continue;
        };
        let (tried, _) = drive(started.search(), &mut |_, _| {});
        if tried.limit.is_none() && (!complete || tried.counts.executions < outcome.counts.executions) {
            let instead = if complete {
                format!("instead of {}", count(outcome.counts.executions))
            } else {
                format!("where {} did not finish", options.algorithm)
            };
            advice.push(format!(
                "--algorithm {algorithm}: {} {instead} ({})",
                counted(tried.counts.executions, "execution"),
                algorithm.about().summary
            ));
        }
    }
    if let Some(pair) = tally.pairs(1).first()
        && pair.races * 2 > tally.races()
    {
        advice.push(format!(
            "coarser atomicity: more than half of the races are between {} and {}; if the program does not depend on their order, make each one step with its neighbours, or let only one process touch {}",
            pair.first, pair.second, pair.location
        ));
    }
    if session.dependency == "actor" {
        advice.push("--dependency field: steps on the same actor that touch different fields are then not reordered".to_owned());
    }
    if !complete {
        advice.push("smaller parameters (--set), or a bound: --max-executions, --max-depth or --timeout end with verdict `incomplete` and say how much was covered".to_owned());
    }
    if advice.is_empty() && complete {
        advice.push(format!(
            "nothing: {} of {} cover everything",
            counted(outcome.counts.executions, "execution"),
            options.algorithm
        ));
    }
    Ok(advice)
}
