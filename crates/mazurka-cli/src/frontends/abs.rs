//! ABS models: `*.abs`.

use super::{Known, arguments, read, refuse_others, wants_color};
use crate::cli::{AwaitArg, DeadlockArg, DependencyArg, ProgramArgs};
use crate::output::print_error;
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_abs::model::{Options, open_texts};
use mazurka_abs::run::{AwaitSemantics, DeadlockPolicy, Settings};
use mazurka_core::Dependency;
use mazurka_report::Source;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["optimal", "naive"];

/// A model in a file.
pub fn file(path: &str, args: &ProgramArgs) -> Result<Session<'static>, Refusal> {
    let known = [
        Known::Dependency,
        Known::Await,
        Known::BlockedOnly,
        Known::Property,
        Known::Main,
        Known::With,
        Known::StepBudget,
        Known::Choices,
    ];
    refuse_others("ABS models", args, &known)?;
    let mut sources = Vec::with_capacity(1 + args.with.len());
    for path in args.with.iter().map(String::as_str).chain([path]) {
        sources.push(Source {
            name: path.to_owned(),
            text: read(path)?,
        });
    }
    let options = options(args);
    let color = wants_color();
    let opened = match open_texts(sources.iter().map(|source| (&*source.name, &*source.text)), &options) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return Err(Refusal::diagnostics(diagnostics.render(&sources, color))),
    };
    // The file that was named first is the one that people want to see.
    sources.rotate_right(1);
    if !opened.diagnostics.is_empty() {
        let rendered = opened.diagnostics.render(&opened.machine.sources, color);
        print_error(&format!("{}\n", rendered.trim_end()));
    }
    Ok(Session {
        program: opened.machine.boxed(),
        name: args.program.clone(),
        arguments: arguments(args),
        sources,
        notes: Vec::new(),
        dependency: options.settings.dependency.name(),
        deadlock_is_error: options.settings.deadlock != DeadlockPolicy::Ignore,
        preferred: PREFERRED,
        replays: true,
    })
}

fn options(args: &ProgramArgs) -> Options {
    let settings = Settings {
        dependency: match args.dependency {
            Some(DependencyArg::Actor) => Dependency::Actor,
            Some(DependencyArg::Field) | None => Dependency::Field,
        },
        await_semantics: match args.await_ {
            Some(AwaitArg::Release) => AwaitSemantics::Release,
            Some(AwaitArg::Formal) => AwaitSemantics::Formal,
            None => AwaitSemantics::default(),
        },
        deadlock: match args.deadlock {
            Some(DeadlockArg::Ignore) => DeadlockPolicy::Ignore,
            Some(DeadlockArg::BlockedOnly) => DeadlockPolicy::BlockedOnly,
            Some(DeadlockArg::Error) | None => DeadlockPolicy::Error,
        },
        step_budget: args.step_budget.unwrap_or(Settings::default().step_budget),
        choices: args
            .choices
            .map_or(Settings::default().choices, |most| u32::try_from(most).unwrap_or(u32::MAX)),
    };
    Options::default()
        .settings(settings)
        .property(args.property.clone())
        .parameters(args.set.iter().map(|s| (s.name.clone(), s.value.clone())).collect())
        .main(args.main.clone())
}
