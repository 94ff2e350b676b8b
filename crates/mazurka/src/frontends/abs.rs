//! ABS models: `*.abs`.

use super::{Known, arguments, read, refuse_others};
use crate::cli::{AwaitArg, DeadlockArg, DependencyArg, ProgramArgs};
use crate::refusal::Refusal;
use crate::session::{Session, Visitor};
use mazurka_abs::model::{Opened, Options, open_text};
use mazurka_abs::run::{AwaitSemantics, DeadlockPolicy, Settings};
use mazurka_core::Dependency;
use mazurka_report::Source;
use std::io::IsTerminal;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["optimal", "naive"];

/// A model in a file.
pub fn file<V: Visitor>(path: &str, args: &ProgramArgs, visitor: V) -> Result<V::Output, Refusal> {
    refuse_others(
        "ABS models",
        args,
        &[Known::Dependency, Known::Await, Known::BlockedOnly, Known::Property],
    )?;
    let text = read(path)?;
    let dependency = match args.dependency {
        Some(DependencyArg::Actor) => Dependency::Actor,
        Some(DependencyArg::Field) | None => Dependency::Field,
    };
    let options = Options {
        settings: Settings {
            dependency,
            await_semantics: match args.await_ {
                Some(AwaitArg::Release) => AwaitSemantics::Release,
                Some(AwaitArg::Formal) | None => AwaitSemantics::Formal,
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
    };
    let color = std::io::stderr().is_terminal();
    let Opened { machine, diagnostics } =
        open_text(path, &text, &options).map_err(|(sources, diagnostics)| Refusal::diagnostics(diagnostics.render(&sources, color)))?;
    if !diagnostics.is_empty() {
        eprintln!("{}", diagnostics.render(&machine.sources, color).trim_end());
    }
    visitor.visit(Session {
        program: &machine,
        name: args.program.clone(),
        arguments: arguments(args),
        sources: vec![Source {
            name: path.to_owned(),
            text,
        }],
        notes: Vec::new(),
        dependency: dependency.name(),
        deadlock_is_error: args.deadlock != Some(DeadlockArg::Ignore),
        preferred: PREFERRED,
    })
}
