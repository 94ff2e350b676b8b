//! `mazurka explain`: whether a program fails, what to do first, and where its executions come from.

use super::run::Random;
use crate::cli::ExplainArgs;
use crate::drive::{drive, interrupted};
use crate::exit::Exit;
use crate::frontends::load;
use crate::output::{ProgressLine, paint, print};
use crate::races::{Races, Tally};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::start::start;
use mazurka_core::{
    Algorithm, Checks, Covers, Effects, Ending, Failure, FailureKind, FoundFailure, Limits, Observer, Options, Outcome, StatefulOptions,
    Status,
};
use mazurka_report::explain::{Explanation, render};
use mazurka_report::units::{approximate, count, counted};
use std::time::Duration;

/// How many random executions are looked at of a program that never ends, and how far each is followed.
const WALKS: u64 = 200;
const WALK: usize = 200;

/// A program that may not end is taken for one that does if every execution of a search ends within so many steps.
const LONGEST: u64 = 1_000;
/// So few executions take no time: no other algorithm is worth a thought.
const FEW: u64 = 20;
/// How many algorithms are recommended.
const ALGORITHMS: usize = 3;

/// How long another algorithm may take to show what it is worth.
const TRIAL: Duration = Duration::from_secs(5);

/// Explains the program.
pub fn run(args: &ExplainArgs) -> Result<Exit, Refusal> {
    Explain {
        args,
        session: load(&args.program)?,
    }
    .run()
}

struct Explain<'a> {
    args: &'a ExplainArgs,
    session: Session<'a>,
}

/// What was looked at.
struct Sampled {
    /// In words.
    what: String,
    /// Whether that is everything.
    complete: bool,
    /// What failed.
    fails: Vec<String>,
    /// The step that was given up.
    large_step: Option<String>,
    /// What to try.
    advice: Vec<String>,
}

/// The step that was given up, with its place.
fn large_step(step: &Failure) -> String {
    let at = step.at.as_ref().map_or(String::new(), |at| format!("{at}: "));
    format!("{at}{}", step.message)
}

/// The failures in words.
fn failures(outcome: &Outcome) -> Vec<String> {
    let words = |found: &FoundFailure| format!("{}: {}", found.failure.kind.name(), found.failure.message);
    outcome.failures.iter().map(words).collect()
}

impl Explain<'_> {
    fn run(&self) -> Result<Exit, Refusal> {
        let session = &self.session;
        let (races, tally) = Races::new(&*session.program);
        let sampled = if session.program.features().terminating || self.ends()? {
            self.search(races)?
        } else {
            self.walk(races)?
        };
        let tally = tally.borrow();
        let mut advice = sampled.advice;
        advice.extend(atomicity(&tally));
        if session.dependency == "actor" {
            advice.push("--dependency field: steps on the same actor that touch different fields are then not reordered".to_owned());
        }
        if sampled.large_step.is_some() {
            advice.push("smaller parameters (--set), or less work between two scheduling points: `mazurka check` would end with verdict `incomplete` too".to_owned());
        } else if !sampled.complete {
            advice.push("smaller parameters (--set), or a bound: --max-executions, --max-depth or --timeout end with verdict `incomplete` and say how much was covered".to_owned());
        } else if advice.is_empty() {
            advice.push(format!("nothing: {} cover everything", sampled.what.trim_start_matches("all ")));
        }
        let explanation = Explanation {
            program: [session.name.clone(), session.arguments.join(" ")].join(" ").trim_end().to_owned(),
            sample: sampled.what,
            processes: tally.processes(),
            steps: tally.steps(),
            locations: tally.locations(),
            races: tally.races(),
            pairs: tally.pairs(10),
            hot: tally.hot(10),
            fails: sampled.fails,
            large_step: sampled.large_step,
            advice,
        };
        print(&render(&explanation, paint(self.args.ascii)));
        Ok(Exit::Complete)
    }

    /// Whether a program that may go on for ever does not: a search comes to its end.
    fn ends(&self) -> Result<bool, Refusal> {
        let session = &self.session;
        let algorithm = sampler(session)?;
        if algorithm.is_stateful() {
            return Ok(false);
        }
        let options = Options::new(algorithm)
            .limits(Limits::default().executions(self.args.max_executions).depth(LONGEST))
            .keep_going(true)
            .deadlock_is_error(session.deadlock_is_error);
        let mut started = start(&*session.program, &options, StatefulOptions::default().checks(Checks::Safety), None)?;
        let search = started.search();
        // Counted in steps, so that the answer does not depend on the machine.
        while search.advance(LONGEST) == Status::Running && search.outcome().limit.is_none() && !interrupted() {}
        Ok(search.outcome().limit.is_none() && !interrupted())
    }

    /// The first executions of a search.
    fn search(&self, races: Races<'_>) -> Result<Sampled, Refusal> {
        let session = &self.session;
        let algorithm = sampler(session)?;
        let options = Options::new(algorithm)
            .limits(Limits::default().executions(self.args.max_executions).depth(100_000))
            .keep_going(true)
            .deadlock_is_error(session.deadlock_is_error);
        let mut started = start(
            &*session.program,
            &options,
            StatefulOptions::default().checks(Checks::Safety),
            Some(Box::new(races)),
        )?;
        let mut line = ProgressLine::new(true, self.args.ascii);
        let (outcome, _) = drive(started.search(), &mut |progress, elapsed| {
            line.tell(progress, elapsed);
        });
        line.end();
        let estimate = started.search().progress().estimate.filter(|e| e.total.is_finite());
        let executions = counted(outcome.counts.executions, "execution");
        let complete = outcome.limit.is_none();
        let total = estimate.map_or(String::new(), |e| {
            format!(" of about {} or more", approximate(e.total.max(outcome.counts.executions as f64)))
        });
        Ok(Sampled {
            what: if complete {
                format!("all {executions} of {algorithm}")
            } else if outcome.counts.executions == 0 {
                format!("the first execution of {algorithm}, but not to its end")
            } else {
                format!("the first {executions}{total} of {algorithm}")
            },
            complete,
            large_step: outcome.large_step.as_ref().map(large_step),
            fails: failures(&outcome),
            advice: algorithms(session, &options, &outcome)?,
        })
    }

    /// Random executions, for programs that go on for ever: a search goes down one loop before it comes to another.
    fn walk(&self, mut races: Races<'_>) -> Result<Sampled, Refusal> {
        let session = &self.session;
        let mut executions = self.args.max_executions.min(WALKS);
        let mut large = None;
        for seed in 0..executions {
            if large.is_some() || interrupted() {
                executions = seed;
                break;
            }
            let mut random = Random(seed);
            let (mut run, mut schedule) = (session.program.start(), Vec::new());
            let (mut pending, mut effects) = (Vec::new(), Effects::default());
            while schedule.len() < WALK {
                pending.clear();
                session.program.pending(&run, &mut pending);
                let enabled = pending.iter().filter(|p| p.enabled).map(|p| p.transition);
                let Some(next) = random.pick(enabled) else { break };
                effects.clear();
                session.program.step(&mut run, next, &mut effects);
                schedule.push(next);
                large = effects.failure.take().filter(|failure| failure.kind == FailureKind::Limit);
                if large.is_some() {
                    break;
                }
            }
            races.execution(
                &schedule,
                &run,
                if schedule.len() < WALK { Ending::Finished } else { Ending::Limit },
            );
        }
        let (stored, fails) = stored(session)?;
        Ok(Sampled {
            large_step: large.as_ref().map(large_step),
            what: format!(
                "{} taken at random and followed for at most {WALK} steps",
                counted(executions, "execution")
            ),
            complete: stored.is_some(),
            fails,
            advice: stored.into_iter().collect(),
        })
    }
}

/// The sample is taken by an algorithm that reverses each race once and merges nothing.
fn sampler(session: &Session<'_>) -> Result<Algorithm, Refusal> {
    for name in ["optimal", "source", "naive"] {
        let algorithm = Algorithm::parse(name)?;
        if algorithm.fits(session.program.features()).is_ok() {
            return Ok(algorithm);
        }
    }
    session.algorithm(None)
}

/// Other algorithms, if they are seen to do better.
fn algorithms(session: &Session<'_>, options: &Options, outcome: &Outcome) -> Result<Vec<String>, Refusal> {
    let mut better = Vec::new();
    let complete = outcome.limit.is_none();
    if complete && outcome.counts.executions < FEW {
        return Ok(Vec::new());
    }
    for algorithm in Algorithm::all() {
        // `optimal` has one execution for each trace: nothing that covers all traces has fewer.
        let known_worse = algorithm.about().promise.covers <= Covers::Traces;
        if known_worse || algorithm.is_stateful() || !algorithm.about().sound || algorithm.fits(session.program.features()).is_err() {
            continue;
        }
        let mut trial = options.clone().algorithm(algorithm);
        trial.limits.time = Some(TRIAL);
        let Ok(mut started) = start(&*session.program, &trial, StatefulOptions::default().checks(Checks::Safety), None) else {
            continue;
        };
        let (tried, _) = drive(started.search(), &mut |_, _| {});
        if tried.limit.is_none() && (!complete || tried.counts.executions < outcome.counts.executions) {
            let instead = if complete {
                format!("instead of {}", count(outcome.counts.executions))
            } else {
                format!("where {} did not finish", options.algorithm)
            };
            let advice = format!(
                "--algorithm {algorithm}: {} {instead} ({})",
                counted(tried.counts.executions, "execution"),
                algorithm.about().summary
            );
            better.push((tried.counts.executions, advice));
        }
    }
    better.sort_by_key(|(executions, _)| *executions);
    Ok(better.into_iter().map(|(_, advice)| advice).take(ALGORITHMS).collect())
}

/// How many states a search that stores them needs, if it comes to an end soon, and what it sees fail.
fn stored(session: &Session<'_>) -> Result<(Option<String>, Vec<String>), Refusal> {
    let algorithm = session.algorithm(None)?;
    let mut options = Options::new(algorithm)
        .keep_going(true)
        .deadlock_is_error(session.deadlock_is_error);
    options.limits.time = Some(TRIAL);
    let mut started = start(&*session.program, &options, StatefulOptions::default().checks(Checks::Safety), None)?;
    let (tried, _) = drive(started.search(), &mut |_, _| {});
    let states = counted(tried.counts.states, "state");
    let ends = if tried.counts.executions == 0 {
        "the program never ends"
    } else {
        "not every execution ends"
    };
    let complete = tried.limit.is_none();
    let advice = complete.then(|| format!("--algorithm {algorithm}: {states} cover everything, although {ends}"));
    Ok((advice, failures(&tried)))
}

/// Coarser steps, if one pair of places has most of the races.
fn atomicity(tally: &Tally) -> Option<String> {
    let pairs = tally.pairs(1);
    let pair = pairs.first().filter(|pair| pair.races * 2 > tally.races())?;
    Some(format!(
        "coarser atomicity: more than half of the races are between {} and {}; if the program does not depend on their order, make each one step with its neighbours, or let only one process touch {}",
        pair.first, pair.second, pair.location
    ))
}
