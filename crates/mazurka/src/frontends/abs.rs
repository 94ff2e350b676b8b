//! ABS models: `*.abs`.

use super::{Known, arguments, read, refuse_others, wants_color};
use crate::cli::{AwaitArg, DeadlockArg, DependencyArg, ProgramArgs};
use crate::refusal::Refusal;
use crate::session::{Session, Visitor};
use mazurka_abs::model::{Options, open_text};
use mazurka_abs::run::{AwaitSemantics, DeadlockPolicy, Settings};
use mazurka_core::Dependency;
use mazurka_report::Source;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["optimal", "naive"];

/// A model in a file.
pub fn file<V: Visitor>(path: &str, args: &ProgramArgs, visitor: V) -> Result<V::Output, Refusal> {
    let known = [Known::Dependency, Known::Await, Known::BlockedOnly, Known::Property];
    refuse_others("ABS models", args, &known)?;
    let text = read(path)?;
    let options = options(args);
    let color = wants_color();
    let opened = match open_text(path, &text, &options) {
        Ok(opened) => opened,
        Err((sources, diagnostics)) => return Err(Refusal::diagnostics(diagnostics.render(&sources, color))),
    };
    if !opened.diagnostics.is_empty() {
        eprintln!("{}", opened.diagnostics.render(&opened.machine.sources, color).trim_end());
    }
    visitor.visit(Session {
        program: &opened.machine,
        name: args.program.clone(),
        arguments: arguments(args),
        sources: vec![Source {
            name: path.to_owned(),
            text,
        }],
        notes: Vec::new(),
        dependency: options.settings.dependency.name(),
        deadlock_is_error: options.settings.deadlock != DeadlockPolicy::Ignore,
        preferred: PREFERRED,
    })
}

fn options(args: &ProgramArgs) -> Options {
    Options {
        settings: Settings {
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
            ..Settings::default()
        },
        property: args.property.clone(),
        parameters: args.set.iter().map(|s| (s.name.clone(), s.value.clone())).collect(),
        main: None,
    }
}
