//! `mazurka check`: every interleaving that can make a difference.

use crate::certify::Certificate;
use crate::checkpoint::{self, Keeper, Kept};
use crate::cli::{CheckArgs, DeadlockArg, OutputArgs, order_name};
use crate::cluster;
use crate::counterexamples::{self, Minimise};
use crate::drive::{Winner, drive_until, interrupted, listen, race};
use crate::exit::Exit;
use crate::frontends::{load_paranoid, refuse_others};
use crate::memory;
use crate::observe::{NODES, Watcher};
use crate::output::{ProgressLine, made, paint, print, quoted, writable, write_file};
use crate::paranoid::{Found, Paranoid, explained};
use crate::plan::{certified, jobs, name, options, random, rival};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::start::{Started, Watching, start, start_together};
use crate::stats;
use crate::watch::Watch;
use mazurka_core::schedule::{Endless, Recording, endless, record};
use mazurka_core::{
    AnyProgram, Failure, FailureKind, Limit, Options, Outcome, Progress, Search, StatefulOptions, Transition, Verdict, laws,
};
use mazurka_report::units::counted;
use mazurka_report::{Summary, dot, final_states, html, json, json_lines, junit, sarif, schedule_file, verdict};
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// So long may making counterexamples short take where time is limited: what the search has left of it, within these bounds.
const PATIENCE: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(10);

/// Checks the program.
pub fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    if args.model.is_some() {
        return super::graphs::run(args);
    }
    if args.program.product.as_deref() == Some("all") {
        return match args.checkpoint {
            Some(_) => Err(Refusal::new(
                "`--product all` is one search for each product, and `--checkpoint` keeps one; name a product",
            )),
            None => super::products::run(args),
        };
    }
    files_are_writable(&args.output)?;
    if super::suites::are_in(&args.program) {
        return super::suites::run(args);
    }
    search(args, &load_paranoid(&args.program, args.paranoid)?)
}

/// Checks a program that no front end of the command has loaded: what the arguments say about the program means nothing for it.
pub fn check(args: &CheckArgs, mut session: Session<'_>) -> Result<Exit, Refusal> {
    files_are_writable(&args.output)?;
    refuse_others("this kind of program", &args.program, &[])?;
    if !args.program.set.is_empty() {
        return Err(Refusal::new("`--set` means nothing for this kind of program"));
    }
    session.deadlock_is_error &= args.program.deadlock != Some(DeadlockArg::Ignore);
    search(args, &session)
}

/// Goes on with a search that was kept.
pub(super) fn go_on(args: &CheckArgs, session: &Session<'_>, kept: Kept) -> Result<Exit, Refusal> {
    files_are_writable(&args.output)?;
    searched(args, session, Some(kept))
}

/// Looks at the files that will be written before there is something to write: a search may take long.
fn files_are_writable(out: &OutputArgs) -> Result<(), Refusal> {
    let files = [&out.report, &out.junit, &out.sarif, &out.dot, &out.save_schedule, &out.certificate];
    files.into_iter().flatten().try_for_each(|path| writable(path))
}

/// Searches, and tells what was found.
pub(super) fn search(args: &CheckArgs, session: &Session<'_>) -> Result<Exit, Refusal> {
    searched(args, session, None)
}

fn searched(args: &CheckArgs, session: &Session<'_>, kept: Option<Kept>) -> Result<Exit, Refusal> {
    let out = &args.output;
    let mut audience = Terminal {
        out,
        session,
        order: order_name(args.order),
        line: ProgressLine::new(!out.json && !out.json_lines && !out.quiet, out.ascii),
    };
    let mut summary = examine(args, session, out.report.is_some().then_some(NODES), &mut audience, kept)?;
    summary.made = out.report.is_some().then(made);
    write(session, out, &mut summary)?;
    show(out, &summary);
    Ok(summary.outcome.verdict.into())
}

/// Who follows a search.
pub trait Audience {
    /// It begins; whether another one takes turns with it.
    fn begins(&mut self, options: &Options, has_rival: bool);

    /// What else there is to know of its progress.
    fn remark(&mut self, remark: String) {
        drop(remark);
    }

    /// So far it has come.
    fn progress(&mut self, progress: &Progress, elapsed: Duration);

    /// It is over.
    fn ended(&mut self);

    /// Whether it is to end now.
    fn is_stopped(&self) -> bool;
}

/// The person in front of a terminal, or the program behind a pipe.
struct Terminal<'a> {
    out: &'a OutputArgs,
    session: &'a Session<'a>,
    order: String,
    line: ProgressLine,
}

impl Audience for Terminal<'_> {
    fn begins(&mut self, options: &Options, has_rival: bool) {
        if self.out.json_lines {
            print(&json_lines::start(&self.session.name, &name(options), &self.order));
        }
        if has_rival {
            self.line.remark("merging, in turns, may end it sooner");
        }
    }

    fn remark(&mut self, remark: String) {
        self.line.remark(remark);
    }

    fn progress(&mut self, progress: &Progress, elapsed: Duration) {
        let progress = self.line.tell(progress, elapsed);
        if self.out.json_lines {
            print(&json_lines::progress(&progress, elapsed));
        }
    }

    fn ended(&mut self) {
        self.line.end();
    }

    fn is_stopped(&self) -> bool {
        interrupted()
    }
}

/// Searches as the arguments ask for, and goes on with what was `kept`, if anything was; `wants_tree` for so many nodes of its tree, and executions
/// to look at. Writes certificates and checkpoints only.
pub fn examine(
    args: &CheckArgs,
    session: &Session<'_>,
    wants_tree: Option<usize>,
    audience: &mut dyn Audience,
    kept: Option<Kept>,
) -> Result<Summary, Refusal> {
    checkpoint::refuse_others(args, session)?;
    cluster::refuse_others(args, session)?;
    let out = &args.output;
    let mut options = options(args, session)?;
    let jobs = jobs(args, session)?;
    let watched = out.final_states || wants_tree.is_some();
    let promises = Rc::new(RefCell::new(Found::default()));
    let watching = || -> (Watching<'_>, _) {
        let (watcher, seen) = Watcher::new(&*session.program, out.final_states, wants_tree);
        let mut watching: Watching<'_> = if watched { Some(Box::new(watcher)) } else { None };
        if args.paranoid {
            watching = Some(Box::new(Paranoid::new(&*session.program, Rc::clone(&promises), watching)));
        }
        (watching, seen)
    };
    let audience = RefCell::new(audience);
    let unwanted = || audience.borrow().is_stopped();
    let stop = || unwanted() || promises.borrow().is_broken() || session.trusted().is_err();
    if args.paranoid && options.algorithm.is_stateful() {
        // A stateful search has no executions to follow: all states are visited beforehand.
        let most = args.limits.max_executions.unwrap_or(u64::MAX);
        listen();
        let begun = Instant::now();
        let late = || args.limits.timeout.is_some_and(|limit| begun.elapsed() >= limit);
        let walked = laws::check_states(&*session.program, most, &|| unwanted() || late())
            .map_err(|broken| Refusal::new(explained(&broken, &*session.program)))?;
        promises.borrow_mut().add(walked.states);
    }
    let stateful = (StatefulOptions::default().exact(args.exact).shortest(args.shortest))
        .fair(args.fair)
        .checks(session.checks);
    let (mut watcher, mut seen) = watching();
    let mut certificate = match certified(args) {
        true => Some(Certificate::begin(out.certificate.as_deref(), session, options.algorithm)?),
        false => None,
    };
    if let Some(certificate) = &certificate {
        watcher = certificate.watching(&*session.program, watcher);
    }
    let submission = cluster::submit(args, session, &options)?;
    let (submitted, crowd) = submission.map(|s| (s.search, s.crowd)).unzip();
    let mut started = match (submitted, &session.crew) {
        (Some(submitted), _) => Started::Stateless(submitted),
        (None, Some(crew)) if jobs > 1 && wants_tree.is_none() => start_together(crew, session.program.features(), &options, jobs)?,
        _ => start(&*session.program, &options, stateful, watcher)?,
    };
    if let Some(certificate) = &certificate {
        started.tell(certificate.choices());
    }
    let mut keeper = match kept {
        Some(kept) => Some(Keeper::resume(kept, args.every, session, started.search(), &seen)?),
        None => Keeper::begin(args, session, started.search(), &seen)?,
    };
    let rival = rival(args, session, &options);
    audience.borrow_mut().begins(&options, rival.is_some());
    let mut tell = |progress: &Progress, elapsed: Duration| {
        let mut audience = audience.borrow_mut();
        if let Some(crowd) = &crowd {
            audience.remark(counted(crowd.count() as u64, "worker"));
        }
        audience.progress(progress, elapsed);
    };
    let mut notes = session.notes.clone();
    // A step that is ended in the middle would seem to break promises, and a search that goes on later has to come to its end.
    let watch = (!args.paranoid && keeper.is_none()).then(|| Watch::new(session, args.limits.timeout));
    let (mut outcome, mut elapsed) = match rival {
        None => match &mut keeper {
            Some(keeper) => drive_until(&mut keeper.around(started.search()), &stop, &mut tell),
            None => drive_until(started.search(), &stop, &mut tell),
        },
        Some(merging) => {
            let (mut watcher, other) = watching();
            let of_second = match certified(args) {
                true => Some(Certificate::begin(out.certificate.as_deref(), session, merging.algorithm)?),
                false => None,
            };
            if let Some(certificate) = &of_second {
                watcher = certificate.watching(&*session.program, watcher);
            }
            let mut second = start(&*session.program, &merging, stateful, watcher)?;
            let random = random(&options);
            let (watcher, drawn) = watching();
            let mut third = random
                .as_ref()
                .map(|o| start(&*session.program, o, stateful, watcher))
                .transpose()?;
            let (winner, outcome, elapsed) = race(
                started.first(),
                second.search(),
                third.as_mut().map(|third| third.search() as &mut dyn Search),
                args.limits.timeout,
                &stop,
                &mut tell,
            );
            match (winner, third, random) {
                (Winner::Second, ..) => {
                    (started, seen, options) = (second, other, merging);
                    certificate = of_second;
                }
                (Winner::Random, Some(third), Some(random)) => {
                    notes.push(format!("{} had found nothing yet; random executions did", options.algorithm));
                    (started, seen, options) = (third, drawn, random);
                }
                _ => {}
            }
            (outcome, elapsed)
        }
    };
    audience.borrow_mut().ended();
    if let Some(watch) = watch {
        watch.explain(&mut outcome);
    }
    session.trusted()?;
    if let Some(crowd) = &crowd {
        if let Some(trouble) = crowd.trouble() {
            return Err(trouble);
        }
        notes.push(format!("run by {} of the cluster", counted(crowd.ever() as u64, "worker")));
    }
    if let Some(keeper) = keeper {
        if matches!(outcome.limit, Some(Limit::Time | Limit::Interrupt | Limit::Memory)) {
            notes.push(format!("`{}` goes on with it", keeper.command()));
        }
        elapsed += keeper.finish()?;
    }
    notes.extend(started.notes());
    if args.paranoid {
        notes.push(promises.borrow().note(&*session.program)?);
    }
    let remembers_failures = started.remembers_failures();
    for schedule in started.ends() {
        seen.borrow_mut().end(&*session.program, schedule, remembers_failures);
    }
    drop(started);
    let mut verified = None;
    if let Some(certificate) = &mut certificate {
        if !certificate.finish(session, options.algorithm, &outcome)? {
            notes.push("there is no certificate: the search was not finished, and found nothing that can be run again".to_owned());
        } else if args.verify {
            verified = Some(certificate.verify(session)?);
        }
    }
    let peak_memory = memory::peak();
    // Whoever asks about executions without end knows that there are some.
    let asks = options.algorithm.is_stateful() && !session.properties().is_empty();
    let endless = without_end(&*session.program, &mut outcome, args.livelock).filter(|_| !asks);
    let begun = Instant::now();
    let patience = (args.limits.timeout).map(|all| all.saturating_sub(elapsed).clamp(*PATIENCE.start(), *PATIENCE.end()));
    let impatient = || unwanted() || patience.is_some_and(|patience| begun.elapsed() >= patience);
    let minimise = match (out.no_minimise, args.shortest) {
        (true, _) => Minimise::No,
        (false, true) => Minimise::KeepShortest,
        (false, false) => Minimise::Yes,
    };
    let recorded = counterexamples::of(session, &outcome, minimise, &impatient);
    if recorded.left_out > 0 {
        let all = outcome.failures.len();
        notes.push(format!(
            "{} of {all} failures are not shown: time was up before they could be run again",
            recorded.left_out
        ));
    }
    let counterexamples = recorded.counterexamples;
    let seen = seen.borrow();
    let mut summary = Summary {
        program: session.name.clone(),
        arguments: session.arguments.clone(),
        algorithm: name(&options),
        order: order_name(args.order),
        dependency: session.dependency.to_owned(),
        stats: out.stats.then(|| stats::measure(&*session.program, &options, &outcome, elapsed)),
        outcome,
        counterexamples,
        endless,
        final_states: out.final_states.then(|| seen.final_states()),
        elapsed,
        peak_memory,
        tree: wants_tree.is_some().then(|| seen.tree(&*session.program)),
        comparison: Vec::new(),
        sources: session.sources.clone(),
        notes,
        unchecked: session.unchecked_by(options.algorithm.is_stateful() && !is_instead(&options)),
        verified,
        samples: Vec::new(),
        made: None,
    };
    if wants_tree.is_some() {
        summary.samples = seen.samples(&*session.program, summary.final_states.as_deref_mut());
        if summary.samples.is_empty() && summary.outcome.verdict == Verdict::Complete {
            summary.samples = vec![any_execution(&*session.program)];
        }
    }
    Ok(summary)
}

/// Whether random executions or a bounded search take the place of a search by the algorithm.
fn is_instead(options: &Options) -> bool {
    options.sampling.is_some() || options.bound.is_some()
}

/// If no execution ends: one of them, or that it fails.
fn without_end(program: &dyn AnyProgram, outcome: &mut Outcome, is_error: bool) -> Option<Recording> {
    // Beside failures, a loop is shown only where it is one itself.
    if !outcome.never_ends() || (outcome.verdict == Verdict::Violation && !is_error) {
        return None;
    }
    let found = endless(program);
    if is_error {
        let (failure, schedule) = match found {
            Some(found) => (found.failure(), found.schedule),
            None => (unseen_loop(), Vec::new()),
        };
        outcome.fail_as_endless(failure, schedule);
        return None;
    }
    found.map(|found: Endless| Recording {
        failure: Some(found.failure()),
        ..record(program, &found.schedule, None)
    })
}

/// The failure of a program that never ends, and whose loops are too long to be found.
fn unseen_loop() -> Failure {
    Failure {
        kind: FailureKind::Livelock,
        message: "no execution ends".to_owned(),
        at: None,
    }
}

/// Writes the files that were asked for; the schedule also when text is printed, for the command that replays it.
fn write(session: &Session<'_>, out: &OutputArgs, summary: &mut Summary) -> Result<(), Refusal> {
    save_schedules(session, out, summary)?;
    if let Some(path) = &out.report {
        write_file(path, &html::render(summary))?;
    }
    if let Some(path) = &out.junit {
        write_file(path, &junit::render(summary))?;
    }
    if let Some(path) = &out.sarif {
        write_file(path, &sarif::render(summary))?;
    }
    if let Some(path) = &out.dot {
        let graph = match summary.counterexamples.first() {
            Some(counterexample) => dot::render(&summary.title(), &counterexample.recording),
            None => dot::render(
                &summary.title(),
                &record(&*session.program, &first_execution(&*session.program), None),
            ),
        };
        write_file(path, &graph)?;
    }
    Ok(())
}

/// An execution to look at: a loop if one is found without a search, since what never ends is best shown as that.
fn any_execution(program: &dyn AnyProgram) -> Recording {
    match endless(program) {
        Some(found) => Recording {
            repeats: Some(found.prefix),
            ..record(program, &found.schedule, None)
        },
        None => record(program, &first_execution(program), None),
    }
}

/// The execution in which always the oldest process that can moves.
fn first_execution(program: &dyn AnyProgram) -> Vec<Transition> {
    let mut run = program.start();
    let (mut pending, mut effects, mut schedule) = (Vec::new(), mazurka_core::Effects::default(), Vec::new());
    while schedule.len() < 1_000 {
        pending.clear();
        program.pending(&run, &mut pending);
        let Some(next) = pending.iter().find(|p| p.enabled) else { break };
        effects.clear();
        program.step(&mut run, next.transition, &mut effects);
        schedule.push(next.transition);
    }
    schedule
}

fn save_schedules(session: &Session<'_>, out: &OutputArgs, summary: &mut Summary) -> Result<(), Refusal> {
    let text_is_printed = !out.json && !out.json_lines && !out.quiet;
    for (at, counterexample) in summary.counterexamples.iter_mut().enumerate() {
        let path = match (&out.save_schedule, text_is_printed) {
            (Some(path), _) => numbered(path, at),
            (None, true) if at < 5 => {
                let path = numbered(Path::new(&format!("{}.schedule.json", session.stem())), at);
                if !is_ours(&path) {
                    continue;
                }
                path
            }
            _ => continue,
        };
        let text = schedule_file::write(&counterexamples::schedule(session, counterexample));
        match (write_file(&path, &text), &out.save_schedule) {
            (Ok(()), _) => {}
            // Nobody asked for the file: a directory that cannot be written to is no reason to fail.
            (Err(_), None) => continue,
            (Err(refusal), Some(_)) => return Err(refusal),
        }
        let file = path.display().to_string();
        let mut command = vec!["mazurka".to_owned(), "replay".to_owned(), quoted(&session.name), quoted(&file)];
        command.extend(session.arguments.iter().map(|a| quoted(a)));
        counterexample.schedule_file = Some(file);
        counterexample.replay_command = session.replays.then(|| command.join(" "));
    }
    Ok(())
}

/// `a.json`, `a-2.json`, `a-3.json`: one file per failure.
fn numbered(path: &Path, at: usize) -> PathBuf {
    if at == 0 {
        return path.to_owned();
    }
    let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
    let (stem, rest) = name
        .split_once('.')
        .map_or((name.as_str(), String::new()), |(s, r)| (s, format!(".{r}")));
    path.with_file_name(format!("{stem}-{}{rest}", at + 1))
}

/// Whether the path is free or holds a schedule, which a newer one may replace.
fn is_ours(path: &Path) -> bool {
    !path.exists() || std::fs::read_to_string(path).is_ok_and(|text| schedule_file::read(&text).is_ok())
}

pub(super) fn show(out: &OutputArgs, summary: &Summary) {
    if out.json {
        print(&format!("{}\n", json::render(summary)));
        return;
    }
    if out.json_lines {
        print(&json_lines::end(summary));
        return;
    }
    if out.quiet {
        return;
    }
    let paint = paint(out.ascii);
    let mut text = verdict::render(summary, paint);
    if let Some(states) = &summary.final_states {
        text.push('\n');
        text.push_str(&final_states::render(states, paint));
    }
    if let Some(stats) = &summary.stats {
        text.push('\n');
        text.push_str(&mazurka_report::stats::render(stats, paint));
        if let Some(merged) = &summary.outcome.merged {
            text.push_str(&mazurka_report::stats::store(merged, &summary.outcome.counts, paint));
        }
    }
    print(&text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_a_file_of_its_own() {
        assert_eq!(numbered(Path::new("d/a.schedule.json"), 0), Path::new("d/a.schedule.json"));
        assert_eq!(numbered(Path::new("d/a.schedule.json"), 2), Path::new("d/a-3.schedule.json"));
        assert_eq!(numbered(Path::new("a"), 1), Path::new("a-2"));
    }
}
