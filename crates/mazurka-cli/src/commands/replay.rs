//! `mazurka replay`: one schedule again.

use super::step_through::step_through;
use crate::cli::ReplayArgs;
use crate::exit::Exit;
use crate::frontends;
use crate::output::{made, paint, print, writable, write_file};
use crate::refusal::Refusal;
use crate::session::Session;
use clap::Parser;
use mazurka_core::schedule::{Replay as Replayed, Schedule, replay};
use mazurka_core::{FailureKind, FoundFailure, Limit, Outcome, Verdict};
use mazurka_report::{Counterexample, Summary, dot, html, replay as text, schedule_file};
use std::path::Path;
use std::time::Duration;

/// Runs the schedule.
pub fn run(mut args: ReplayArgs) -> Result<Exit, Refusal> {
    for path in [&args.report, &args.dot].into_iter().flatten() {
        writable(path)?;
    }
    let schedule = read(&args.schedule)?;
    adopt(&schedule, &mut args)?;
    show(&args, &schedule, &frontends::load(&args.program)?)
}

/// Reads a schedule file.
pub fn read(path: &Path) -> Result<Schedule, Refusal> {
    let name = path.display().to_string();
    schedule_file::read(&frontends::read(&name)?).map_err(|e| Refusal::new(format!("`{name}` is not a schedule: {e}")))
}

/// Takes those options of the program from the file that were not given: a schedule of n=3 means little for n=8.
fn adopt(schedule: &Schedule, args: &mut ReplayArgs) -> Result<(), Refusal> {
    let given = &mut args.program;
    let words = ["mazurka", "run", &given.program]
        .into_iter()
        .chain(schedule.arguments.iter().map(String::as_str));
    let recorded = match crate::cli::Cli::try_parse_from(words).map(|cli| cli.command) {
        Ok(crate::cli::Command::Run(run)) => run.program,
        _ => {
            return Err(Refusal::new(format!(
                "`{}` was recorded with options that do not exist: {}",
                args.schedule.display(),
                schedule.arguments.join(" ")
            )));
        }
    };
    for setting in recorded.set {
        if given.set.iter().all(|s| s.name != setting.name) {
            given.set.push(setting);
        }
    }
    given.dependency = given.dependency.or(recorded.dependency);
    given.await_ = given.await_.or(recorded.await_);
    given.deadlines = given.deadlines.or(recorded.deadlines);
    given.deadlock = given.deadlock.or(recorded.deadlock);
    given.property = given.property.take().or(recorded.property);
    given.main = given.main.take().or(recorded.main);
    given.product = given.product.take().or(recorded.product);
    if given.with.is_empty() {
        given.with = recorded.with;
    }
    given.step_budget = given.step_budget.or(recorded.step_budget);
    given.choices = given.choices.or(recorded.choices);
    given.ignore_claims |= recorded.ignore_claims;
    given.non_progress |= recorded.non_progress;
    if given.claim.is_empty() {
        given.claim = recorded.claim;
    }
    if given.ltl.is_empty() {
        given.ltl = recorded.ltl;
    }
    Ok(())
}

/// Refuses a schedule of another program. One that has changed since, moved or been given another name keeps its schedules.
pub fn belongs(path: &Path, schedule: &Schedule, program: &str, replay: &Replayed) -> Result<(), Refusal> {
    let file = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let renamed = file(&schedule.program) != file(program);
    let Some(first) = replay.divergences.first() else {
        return Ok(());
    };
    let nothing_fits = replay.divergences.len() == schedule.steps.len();
    if !renamed && !nothing_fits {
        return Ok(());
    }
    let step = &first.expected;
    let what = if step.label.is_empty() {
        step.process.clone()
    } else {
        format!("{}: {}", step.process, step.label)
    };
    Err(Refusal::new(format!(
        "`{}` is a schedule of `{}` and does not fit `{program}`: step {} ({what}) is not possible there",
        path.display(),
        schedule.program,
        first.planned + 1
    )))
}

fn show(args: &ReplayArgs, schedule: &Schedule, session: &Session<'_>) -> Result<Exit, Refusal> {
    let replayed = replay(&*session.program, schedule);
    belongs(&args.schedule, schedule, &session.name, &replayed)?;
    let paint = paint(args.ascii);
    let exit = match replayed.recording.failure.as_ref().map(|f| f.kind) {
        None if replayed.divergences.is_empty() && schedule.failure.is_none() => Exit::Complete,
        // It is not what was recorded, so that nothing failed says little.
        None => Exit::Incomplete,
        Some(FailureKind::Limit) => Exit::Incomplete,
        Some(_) => Exit::Violation,
    };
    if let Some(path) = &args.dot {
        write_file(path, &dot::render(&session.name, &replayed.recording))?;
    }
    if let Some(path) = &args.report {
        write_file(path, &html::render(&summary(session, &replayed.recording)))?;
    }
    #[cfg(feature = "explorer")]
    if args.step && super::explore::full_screen() {
        let taken: Vec<_> = replayed.recording.steps.iter().map(|step| step.transition).collect();
        super::explore::explore(session, &taken, args.ascii)?;
        return Ok(exit);
    }
    if args.step {
        print(&text::headline(schedule, &replayed, paint));
        for divergence in &replayed.divergences {
            print(&text::divergence(divergence, paint));
        }
        step_through(&replayed.recording, paint);
    } else {
        print(&text::render(schedule, &replayed, paint));
    }
    Ok(exit)
}

/// One execution as a report.
fn summary(session: &Session<'_>, recording: &mazurka_core::schedule::Recording) -> Summary {
    let steps = recording.steps.len() as u64;
    let (large_step, failure) = match &recording.failure {
        Some(step) if step.kind == FailureKind::Limit => (Some(step.clone()), None),
        other => (None, other.as_ref()),
    };
    let failures = failure.map(|failure| FoundFailure {
        failure: failure.clone(),
        schedule: recording.steps.iter().map(|s| s.transition).collect(),
        repeats: recording.repeats,
        after_executions: 0,
    });
    let mut outcome = Outcome::new(if failure.is_some() {
        Verdict::Violation
    } else {
        Verdict::Incomplete
    });
    outcome.failure_counts = FailureKind::ALL.map(|kind| u64::from(failure.is_some_and(|f| f.kind == kind)));
    outcome.limit = large_step.as_ref().map(|_| Limit::Step);
    outcome.large_step = large_step;
    outcome.counts.executions = 1;
    (outcome.counts.steps, outcome.counts.max_depth, outcome.counts.states) = (steps, steps, steps + 1);
    outcome.failures = failures.into_iter().collect();
    Summary {
        program: session.name.clone(),
        arguments: session.arguments.clone(),
        algorithm: "replay".to_owned(),
        order: "recorded".to_owned(),
        dependency: session.dependency.to_owned(),
        outcome,
        counterexamples: vec![Counterexample {
            recording: recording.clone(),
            after_executions: 0,
            reduced: None,
            schedule_file: None,
            replay_command: None,
        }],
        endless: None,
        final_states: None,
        elapsed: Duration::ZERO,
        peak_memory: None,
        stats: None,
        tree: None,
        comparison: Vec::new(),
        sources: session.sources.clone(),
        notes: vec!["this is one execution, not a search".to_owned()],
        unchecked: Vec::new(),
        verified: None,
        samples: Vec::new(),
        made: Some(made()),
    }
}
