//! Searches for the page: with progress while they run, and an end when nobody listens any more.

use super::{Question, parsed};
use crate::cli::Command;
use crate::commands::{Audience, check as checking, compare as comparing};
use crate::output::quoted;
use crate::plan::name;
use crate::refusal::Refusal;
use mazurka_core::{Limit, Options, Progress, Verdict};
use mazurka_report::agreement::disagreements;
use mazurka_report::progress::{Caution, line};
use mazurka_report::{Made, Paint, Summary, html, verdict};
use mazurka_serve::Reply;
use serde_json::{Value, json};
use std::time::Duration;

/// The tree is drawn up to so many nodes.
const NODES: usize = 100_000;
/// A search that nobody bounded ends after this time.
const PATIENCE: Duration = Duration::from_secs(60);
/// Each algorithm of a comparison gets this long.
const PATIENCE_WITH_EACH: Duration = Duration::from_secs(5);

/// Checks the program.
pub fn check(question: &Question<'_>, reply: &Reply) -> Result<(), Refusal> {
    let mut args = question.check()?;
    if args.limits.timeout.is_none() {
        args.limits.timeout = Some(PATIENCE);
    }
    let session = question.session(&args.program)?;
    let mut page = Page {
        reply,
        caution: Caution::default(),
    };
    let mut summary = checking::examine(&args, &session, Some(NODES), &mut page, None)?;
    summary.made = Some(Made::now(command(question, "check")?));
    reply.say(&told(&summary));
    Ok(())
}

/// Runs all algorithms.
pub fn compare(question: &Question<'_>, reply: &Reply) -> Result<(), Refusal> {
    let Command::Compare(mut args) = question.arguments("compare")? else {
        return Err(Refusal::new("options of `compare` are expected"));
    };
    if args.report.is_some() || !args.program.with.is_empty() {
        return Err(Refusal::new("options that name files belong to the command line"));
    }
    if args.limits.timeout.is_none() {
        args.limits.timeout = Some(PATIENCE_WITH_EACH);
    }
    let session = question.session(&args.program)?;
    let comparisons = comparing::side_by_side(&args, &session, &|| reply.stopped(), &mut |algorithm, progress| {
        let text = progress.map_or(String::new(), |(progress, elapsed)| line(progress, elapsed, "", Paint::default()));
        reply.say(&json!({ "progress": format!("{}: {text}", algorithm.name()) }));
    })?;
    let disagreements = disagreements(&comparisons, !args.stop_at_failure);
    let mut summary = comparing::summary(&session, &args, &comparisons)?;
    summary.made = Some(Made::now(command(question, "compare")?));
    // The failure is shown by a check.
    summary.counterexamples.clear();
    let mut told = told(&summary);
    told["disagreements"] = disagreements.into();
    told["without"] = summary.without().into();
    reply.say(&told);
    Ok(())
}

/// What a summary says, for the page.
fn told(summary: &Summary) -> Value {
    let facts = html::coverage(summary);
    // There is no Ctrl-C on a page.
    let headline = match summary.outcome.limit {
        Some(Limit::Interrupt) if summary.outcome.verdict == Verdict::Incomplete => {
            format!("{}: it was stopped; nothing had failed", summary.outcome.verdict.name())
        }
        _ => verdict::headline(summary, Paint::default()).trim_end().to_owned(),
    };
    json!({
        "report": parsed(&html::report(summary)),
        "verdict": summary.outcome.verdict.name(),
        "headline": headline,
        "facts": facts.into_iter().collect::<Vec<_>>(),
        "notes": verdict::notes(summary),
        "proven": verdict::proven(summary),
        "command": summary.made.as_ref().map(|made| &made.command),
    })
}

/// The command that does the same.
fn command(question: &Question<'_>, command: &str) -> Result<String, Refusal> {
    let words = ["mazurka".to_owned(), command.to_owned(), question.name()?.to_owned()];
    let words = words.into_iter().chain(question.options()?);
    Ok(words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" "))
}

/// The page, as one that follows a search.
struct Page<'r> {
    reply: &'r Reply,
    caution: Caution,
}

impl Audience for Page<'_> {
    fn begins(&mut self, options: &Options, has_rival: bool) {
        self.reply.say(&json!({ "begins": name(options), "rival": has_rival }));
    }

    fn progress(&mut self, progress: &Progress, elapsed: Duration) {
        let progress = self.caution.apply(progress);
        self.reply
            .say(&json!({ "progress": line(&progress, elapsed, "", Paint::default()) }));
    }

    fn ended(&mut self) {
        self.reply
            .say(&json!({ "progress": "looking for a schedule that is easy to read" }));
    }

    fn is_stopped(&self) -> bool {
        self.reply.stopped()
    }
}
