//! Actor programs of the papers: `actors:NAME`.

use super::list::BuiltIn;
use super::{Known, arguments, numbers, refuse_others};
use crate::cli::{DeadlockArg, DependencyArg, ProgramArgs};
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_actors::programs::{PROGRAMS, Parameter, find};
use mazurka_core::Dependency;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["optimal", "naive"];

/// A built-in actor program.
pub fn built_in(name: &str, args: &ProgramArgs, paranoid: bool) -> Result<Session<'static>, Refusal> {
    refuse_others("actor programs", args, &[Known::Dependency])?;
    let program = find(name).map_err(Refusal::new)?;
    let numbers = numbers(args)?;
    let set: Vec<(&str, i64)> = numbers.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let dependency = match args.dependency {
        Some(DependencyArg::Actor) => Dependency::Actor,
        Some(DependencyArg::Field) => Dependency::Field,
        None => Dependency::default(),
    };
    let mut system = program.system(&set).map_err(Refusal::new)?.dependency(dependency);
    let mut notes = Vec::new();
    if paranoid {
        system = system.paranoid();
        notes.push("paranoid: every handler was run twice, and from other states that agree on what it declares".to_owned());
    }
    let settings = numbers.clone();
    let crew = (!paranoid).then(|| {
        system.crew(move || {
            let set: Vec<(&str, i64)> = settings.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let system = program.system(&set).unwrap_or_else(|_| unreachable!("it was made before"));
            system.dependency(dependency)
        })
    });
    Ok(Session {
        program: system.boxed(),
        name: args.program.clone(),
        arguments: arguments(args),
        sources: Vec::new(),
        notes,
        unchecked: Vec::new(),
        checks: mazurka_core::Checks::Everything,
        dependency: dependency.name(),
        deadlock_is_error: args.deadlock != Some(DeadlockArg::Ignore),
        preferred: PREFERRED,
        replays: true,
        crew,
        halt: None,
    })
}

/// The programs, for `mazurka list`.
pub fn list() -> Vec<BuiltIn> {
    let parameter = |p: &Parameter| format!("{}={}  {} ({} to {})", p.name, p.default, p.about, p.least, p.most);
    PROGRAMS
        .iter()
        .map(|p| BuiltIn {
            name: format!("actors:{}", p.name),
            summary: p.about.to_owned(),
            parameters: p.parameters.iter().map(parameter).collect(),
        })
        .collect()
}
