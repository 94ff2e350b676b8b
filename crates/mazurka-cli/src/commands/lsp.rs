//! `mazurka lsp`: the language server, with the checks of this command.

use super::check::{Audience, examine};
use crate::cli::{CheckArgs, Cli, Command};
use crate::exit::Exit;
use crate::frontends::load_text;
use crate::refusal::Refusal;
use clap::Parser;
use mazurka_core::{Options, Progress};
use mazurka_lsp::{Checked, Checker, Step, serve};
use mazurka_report::{Counterexample, Paint, verdict};
use std::time::{Duration, Instant};

/// An editor is not kept waiting for longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Serves an editor on standard input and output.
pub fn run() -> Result<Exit, Refusal> {
    serve(Check).map_err(|e| Refusal::new(format!("the editor does not speak the language server protocol: {e}")))?;
    Ok(Exit::Complete)
}

struct Check;

impl Checker for Check {
    fn check(&self, name: &str, text: &str) -> Result<Checked, String> {
        let args = arguments(name)?;
        let plain = |refusal: Refusal| refusal.to_string();
        let session = load_text(&args.program, text.to_owned()).map_err(plain)?;
        let mut nobody = Nobody(Instant::now());
        let summary = examine(&args, &session, None, &mut nobody, None).map_err(plain)?;
        let headline = verdict::headline(&summary, Paint::default()).trim_end().to_owned();
        let Some(first) = summary.counterexamples.first() else {
            return Ok(Checked {
                headline,
                ..Checked::default()
            });
        };
        Ok(Checked {
            headline,
            is_violation: true,
            failure: first
                .recording
                .failure
                .as_ref()
                .map(|f| format!("{}: {}", f.kind.name(), f.message)),
            steps: steps(first, name),
        })
    }
}

fn arguments(name: &str) -> Result<CheckArgs, String> {
    match Cli::try_parse_from(["mazurka", "check", "--", name]) {
        Ok(Cli {
            command: Command::Check(args),
            ..
        }) => Ok(*args),
        _ => Err(format!("`{name}` is no name of a program")),
    }
}

fn steps(counterexample: &Counterexample, name: &str) -> Vec<Step> {
    let recording = &counterexample.recording;
    let place = |at: &Option<mazurka_core::Position>| at.as_ref().filter(|at| at.file == name).map(|at| (at.line, at.column));
    let taken = recording.steps.iter().map(|step| Step {
        text: format!("{}: {}", step.process, step.text.label),
        at: place(&step.text.at),
    });
    let waiting = recording.waits.iter().map(|wait| Step {
        text: format!("{} waits for {}", wait.process, wait.what),
        at: place(&wait.at),
    });
    taken.chain(waiting).collect()
}

/// Nobody follows the search; it ends when an editor has waited long enough.
struct Nobody(Instant);

impl Audience for Nobody {
    fn begins(&mut self, _: &Options, _: bool) {}

    fn progress(&mut self, _: &Progress, _: Duration) {}

    fn ended(&mut self) {}

    fn is_stopped(&self) -> bool {
        self.0.elapsed() >= PATIENCE
    }
}
