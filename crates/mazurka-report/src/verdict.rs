//! The verdict as text: what was covered, what failed and why, how to see it again.

use crate::columns;
use crate::coverage;
use crate::paint::{self, Paint, wrap};
use crate::summary::{Counterexample, Summary};
use crate::units::{bytes, count, counted, duration};
use crate::waits;
use mazurka_core::schedule::{Race, RaceEnd, Recording};
use mazurka_core::{Algorithm, Failure, FailureKind, Limit, Outcome, Verdict};

/// How many counterexamples are shown in full.
const SHOWN: usize = 5;
/// How many values of a state are shown in a line.
const VALUES: usize = 12;

/// The whole text that `check` ends with.
pub fn render(summary: &Summary, paint: Paint) -> String {
    let mut out = String::new();
    for (at, counterexample) in summary.counterexamples.iter().take(SHOWN).enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(&failure(counterexample, paint));
        out.push('\n');
    }
    let more = summary.counterexamples.len().saturating_sub(SHOWN);
    if more > 0 {
        out.push_str(&format!(
            "   {} not shown: see --json or --report\n\n",
            counted(more as u64, "more failure")
        ));
    }
    if let Some(recording) = &summary.endless {
        out.push_str(&format!("{}, for example:\n\n", paint.warn("no execution ends")));
        out.push_str(&columns::render(recording, paint));
        out.push('\n');
        let what = recording.failure.as_ref().map_or("", |f| f.message.as_str());
        out.push_str(&format!("   {what}\n\n"));
    }
    let (styled, rest) = verdict(summary, paint);
    out.push_str(&paint::headline(summary.outcome.verdict.name(), &styled, &rest, paint));
    out.push_str(&counts(summary, paint));
    for note in notes(summary) {
        for (at, line) in wrap(&paint.text(&note), paint.width.saturating_sub(9)).into_iter().enumerate() {
            out.push_str(&format!("   {}{line}\n", if at == 0 { "note: " } else { "      " }));
        }
    }
    out
}

/// What the verdict is, in one line.
pub fn headline(summary: &Summary, paint: Paint) -> String {
    let (styled, rest) = verdict(summary, paint);
    format!("{styled}: {rest}\n")
}

/// What a complete search has shown, for those who ask what `complete` means; nothing where that would be too much to say.
pub fn proven(summary: &Summary) -> Option<String> {
    let outcome = &summary.outcome;
    let parameters = if summary.arguments.is_empty() { "" } else { " with these options" };
    (outcome.verdict == Verdict::Complete && outcome.sound && summary.comparison.is_empty()).then(|| {
        format!(
            "What is proven: under sequential consistency, no execution of {}{parameters} fails, whatever the order in which its processes \
             take their steps{}.",
            summary.program,
            summary.without()
        )
    })
}

/// The word of the verdict with its colour, and the rest of the line, which ends with what was not checked.
fn verdict(summary: &Summary, paint: Paint) -> (String, String) {
    let (word, rest) = found(summary, paint);
    (word, rest + &paint.text(&summary.without()))
}

fn found(summary: &Summary, paint: Paint) -> (String, String) {
    let outcome = &summary.outcome;
    let title = paint.text(&summary.title());
    let limit = outcome.limit.map(limit_text);
    let word = outcome.verdict.name();
    match outcome.verdict {
        Verdict::Complete if outcome.never_ends() => (
            paint.warn(word),
            format!("no execution of {title} ever ends; every interleaving is covered, nothing failed"),
        ),
        Verdict::Complete if outcome.sound => (
            paint.good(word),
            format!("every interleaving of {title} is covered, nothing failed"),
        ),
        Verdict::Complete => (
            paint.warn(word),
            format!("nothing failed in {title}, but {} may miss behaviours", summary.algorithm),
        ),
        Verdict::Violation => {
            let kinds: Vec<String> = FailureKind::ALL
                .into_iter()
                .zip(outcome.failure_counts)
                .filter(|(_, n)| *n > 0)
                .map(|(kind, n)| format!("{} {}", count(n), kind_count(kind, n)))
                .collect();
            let found = if kinds.is_empty() {
                counted(outcome.failures.len() as u64, "failure")
            } else {
                kinds.join(", ")
            };
            let rest = match limit {
                Some(limit) if outcome.sampled.is_some() || outcome.bounded.is_some() => format!("; {limit} limited the search"),
                Some(limit) => format!("; {limit} ended the search"),
                None => String::new(),
            };
            (paint.bad(word), format!("{found} in {title}{rest}"))
        }
        Verdict::Incomplete => (paint.warn(word), incomplete(outcome, &title)),
    }
}

/// What was covered, and what kept the search from covering the rest.
fn incomplete(outcome: &Outcome, title: &str) -> String {
    let limit = outcome.limit.map_or("a limit", limit_text);
    match (coverage::covered(outcome, Some(title)), coverage::covered_so_far(outcome, title)) {
        (Some(covered), _) => covered,
        (None, Some(so_far)) => format!("{so_far}; {limit} ended it"),
        (None, None) => format!("{limit} ended the search of {title}; nothing failed so far"),
    }
}

fn kind_count(kind: FailureKind, n: u64) -> String {
    let name = match kind {
        FailureKind::Assertion => "failed assertion",
        FailureKind::Property if n != 1 => return "violated properties".to_owned(),
        other => other.name(),
    };
    if n == 1 { name.to_owned() } else { format!("{name}s") }
}

fn limit_text(limit: Limit) -> &'static str {
    match limit {
        Limit::Executions => "--max-executions",
        Limit::Depth => "--max-depth",
        Limit::Time => "--timeout",
        Limit::Memory => "--memory",
        Limit::Interrupt => "Ctrl-C or a signal",
        Limit::Step => "a step that is too large for this tool",
        Limit::Budget => "--budget",
        Limit::Preemptions => "--preemptions",
        Limit::Delays => "--delays",
    }
}

/// What the search did.
fn counts(summary: &Summary, paint: Paint) -> String {
    let c = &summary.outcome.counts;
    let mut parts = vec![executions(summary)];
    if c.blocked > 0 {
        parts.push(format!("{} blocked", count(c.blocked)));
    }
    if c.cut > 0 {
        parts.push(format!("{} cut", count(c.cut)));
    }
    parts.push(counted(c.steps, "step"));
    parts.push(format!("depth {}", count(c.max_depth)));
    if let Some(n) = summary.outcome.distinct_final_states {
        parts.push(counted(n, "final state"));
    }
    parts.push(summary.algorithm.clone());
    if summary.order != "fifo" {
        parts.push(format!("order {}", summary.order));
    }
    parts.push(duration(summary.elapsed));
    if let Some(memory) = summary.peak_memory {
        parts.push(bytes(memory));
    }
    let separator = format!("{} ", paint.dot());
    let lines = wrap(&parts.join(&separator), paint.width.saturating_sub(3));
    lines.iter().map(|line| format!("   {}\n", paint.faint(line))).collect()
}

/// How many executions there were. One that a failure in a step ended is not complete, and said besides.
fn executions(summary: &Summary) -> String {
    let complete = summary.outcome.counts.executions;
    let nth = summary.counterexamples.iter().map(nth_execution).max().unwrap_or(0);
    let livelock = summary.outcome.failure_counts[FailureKind::Livelock as usize] > 0;
    match complete {
        0 if nth == 1 && !livelock => "1 failing execution".to_owned(),
        n if nth == n + 1 && !livelock => format!("{} and a failing one", counted(n, "execution")),
        n => counted(n, "execution"),
    }
}

/// What a reader must know to trust the verdict.
pub fn notes(summary: &Summary) -> Vec<String> {
    let mut notes = summary.notes.clone();
    notes.extend(summary.verified.clone());
    if !summary.outcome.sound {
        notes.push(format!(
            "{} is kept as published; it is known to miss behaviours, so the absence of failures proves nothing (docs/src/soundness.md)",
            summary.algorithm
        ));
    }
    // What a search covers, it covers at its end.
    let finished = summary.outcome.limit.is_none() && !summary.outcome.ended_by_failure;
    if summary.outcome.sound {
        let algorithm = Algorithm::parse(&summary.algorithm).ok().filter(|_| finished);
        notes.extend(algorithm.and_then(|a| a.about().promise.preserves).map(str::to_owned));
        if summary.outcome.counts.unknown_futures > 0 {
            let note = "what some processes may still touch is not known, so they were taken to touch anything and less was skipped; \
                        for Rust actors, declare what every handler sends (`Actor::sends`)";
            notes.push(note.to_owned());
        }
    }
    notes.extend(coverage::notes(&summary.outcome));
    if let Some(step) = &summary.outcome.large_step {
        let at = step.at.as_ref().map_or(String::new(), |at| format!("{at}: "));
        notes.insert(0, format!("{at}{}", step.message));
    }
    if summary.outcome.verdict == Verdict::Complete && summary.outcome.never_ends() {
        let note = "every execution goes on for ever; --livelock makes that a failure, with a loop as its schedule";
        notes.insert(0, note.to_owned());
    }
    if let Some(merged) = &summary.outcome.merged {
        if finished {
            notes.push(merged.preserves());
        }
        if merged.evicted > 0 {
            notes.push(format!(
                "{} stored states were forgotten to stay within --memory; some were explored again",
                count(merged.evicted)
            ));
        }
    }
    if summary.outcome.ended_by_failure {
        notes.push("the first failure ends the search; --keep-going finds the others".to_owned());
    }
    notes
}

/// In which execution a failure was found. One that fails at its end counts as complete when that is noticed, one that fails in a step
/// does not.
fn nth_execution(counterexample: &Counterexample) -> u64 {
    let in_a_step = counterexample.recording.failing_step().is_some();
    (counterexample.after_executions + u64::from(in_a_step)).max(1)
}

/// One failure: headline, columns, what it means, how to see it again.
pub fn failure(counterexample: &Counterexample, paint: Paint) -> String {
    let recording = &counterexample.recording;
    let mut out = String::new();
    let kind = recording.failure.as_ref().map_or("failure", |f| f.kind.name());
    let livelock = recording.failure.as_ref().is_some_and(|f| f.kind == FailureKind::Livelock);
    let found = if livelock {
        "no execution ends".to_owned()
    } else if recording.repeats.is_some() {
        "an execution without end".to_owned()
    } else {
        format!("found in execution {}", count(nth_execution(counterexample)))
    };
    let reduced = match counterexample.reduced {
        Some(r) if r.from_steps > recording.steps.len() || r.from_switches > recording.switches() => format!(
            ", minimised from {} with {}",
            counted(r.from_steps as u64, "step"),
            counted(r.from_switches as u64, "switch")
        ),
        _ => String::new(),
    };
    let rest = format!(
        "{kind} after {} with {} ({found}{reduced})",
        counted(recording.steps.len() as u64, "step"),
        counted(recording.switches() as u64, "switch")
    );
    out.push_str(&paint::headline("violation", &paint.bad("violation"), &rest, paint));
    out.push('\n');
    out.push_str(&columns::render(recording, paint));
    out.push('\n');
    out.push_str(&explanation(recording, paint));
    if let Some(file) = &counterexample.schedule_file {
        out.push_str(&format!("   schedule:  {}\n", paint.text(file)));
    }
    if let Some(command) = &counterexample.replay_command {
        out.push_str(&format!("   replay:    {}\n", paint.text(command)));
    }
    out
}

/// What failed, who waits for whom, which two steps race.
pub fn explanation(recording: &Recording, paint: Paint) -> String {
    let mut lines: Vec<(usize, String)> = Vec::new();
    if let Some(failure) = &recording.failure {
        lines.extend(what_failed(failure, recording).into_iter().map(|text| (0, text)));
        if failure.kind == FailureKind::Deadlock {
            lines.extend(waits::lines(recording, paint).into_iter().map(|text| (2, text)));
        } else {
            let state = state(recording);
            if !state.is_empty() {
                lines.push((0, format!("state there: {state}")));
            }
        }
    }
    if let Some(race) = &recording.race {
        lines.push((0, format!("{} {}", paint.race(), racing(race, recording))));
    }
    let mut out = String::new();
    for (indent, line) in lines {
        for (at, part) in wrap(&paint.text(&line), paint.width.saturating_sub(5 + indent))
            .into_iter()
            .enumerate()
        {
            let hanging = indent + if at == 0 { 0 } else { 2 };
            out.push_str(&format!("   {}{part}\n", " ".repeat(hanging)));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The failure in a sentence. A deadlock is explained by its waits.
pub(crate) fn what_failed(failure: &Failure, recording: &Recording) -> Vec<String> {
    if failure.kind == FailureKind::Deadlock && !recording.waits.is_empty() {
        return vec![waits::headline(recording)];
    }
    let step = recording.failing_step();
    let at = failure.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
    let step = step.map_or(String::new(), |s| format!(" in step {}", s + 1));
    vec![format!(
        "{}{step}{at}: {}{}",
        failure.kind.name(),
        failure.message,
        compared(failure, recording)
    )]
}

/// The values that the failing statement saw, where its message does not say them: ", where n is 0 and expected is 1".
fn compared(failure: &Failure, recording: &Recording) -> String {
    let failing = recording.failing_step();
    let Some((at, step)) = failing.and_then(|at| Some((at, recording.steps.get(at)?))) else {
        return String::new();
    };
    if failure.kind != FailureKind::Assertion || [", but ", ", where "].iter().any(|said| failure.message.contains(said)) {
        return String::new();
    }
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let words: Vec<&str> = failure.message.split(|c| !word(c)).collect();
    let own = format!("{}: ", step.process);
    let mut values: Vec<String> = Vec::new();
    for (name, value) in recording.state_after(at) {
        let read = step.accesses.iter().any(|a| a.location == name);
        let short = name.strip_prefix(&own).unwrap_or(&name);
        let local = short.len() < name.len() && words.contains(&short.split(|c| !word(c)).next().unwrap_or_default());
        if read || local {
            values.push(format!("{short} is {value}"));
        }
    }
    match values.as_slice() {
        [] => String::new(),
        [one] => format!(", where {one}"),
        [rest @ .., last] => format!(", where {} and {last}", rest.join(", ")),
    }
}

/// Which two steps race, and what that means.
pub(crate) fn racing(race: &Race, recording: &Recording) -> String {
    let on = match race.locations.as_slice() {
        [] => String::new(),
        locations => format!(" on {}", locations.join(", ")),
    };
    let pair = match race.second {
        RaceEnd::Step(second) => format!("steps {} and {} race{on}", race.first + 1, second + 1),
        RaceEnd::Wait(wait) => format!(
            "step {} and what {} waits to do race{on}",
            race.first + 1,
            recording.waits[wait].process
        ),
    };
    let meaning = match (&race.instead, race.decisive) {
        (Some(other), _) => format!("in the other order this failure does not happen, but another one does: {other}"),
        (None, true) => "in the other order this failure does not happen".to_owned(),
        (None, false) => "the last race before the failure".to_owned(),
    };
    format!("{pair}: {meaning}")
}

/// The values after the failing step, those that ever changed first.
fn state(recording: &Recording) -> String {
    let end = recording.failing_step().map_or(recording.steps.len(), |s| s + 1);
    let mut state = recording.state_after(end);
    let changed = |name: &str| recording.steps.iter().any(|s| s.changes.iter().any(|c| c.name == name));
    state.sort_by_key(|(name, _)| !changed(name));
    let more = state.len().saturating_sub(VALUES);
    let mut text: Vec<String> = state.iter().take(VALUES).map(|(n, v)| format!("{n} = {v}")).collect();
    if more > 0 {
        text.push(format!("{more} more"));
    }
    text.join(", ")
}
