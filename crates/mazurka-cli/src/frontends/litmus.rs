//! Shared-variable programs: built-in families (`litmus:NAME`) and files (`*.litmus`).

use super::list::BuiltIn;
use super::{arguments, numbers, read, refuse_others, wants_color};
use crate::cli::{DeadlockArg, ProgramArgs};
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_litmus::weak::Concurrent;
use mazurka_litmus::{Machine, families, family};
use mazurka_report::Source;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["optimal", "naive"];

/// A member of a built-in family.
pub fn built_in(name: &str, args: &ProgramArgs) -> Result<Session<'static>, Refusal> {
    let family = family(name).map_err(Refusal::new)?;
    let machine = family.machine(&numbers(args)?).map_err(Refusal::new)?;
    session(machine, args, Vec::new())
}

/// A program in the compact notation.
pub fn file(path: &str, args: &ProgramArgs) -> Result<Session<'static>, Refusal> {
    text(path, read(path)?, args)
}

/// A program in the compact notation that is not read from a file, or was read already.
pub fn text(path: &str, text: String, args: &ProgramArgs) -> Result<Session<'static>, Refusal> {
    if mazurka_litmus::herd::is_from_herd(&text) {
        return Err(Refusal::new(
            "litmus tests of herd are checked under memory models: add `--model rc11`, or `--model sc` for sequential consistency",
        ));
    }
    let machine = Machine::parse_file_with(path, &text, &numbers(args)?);
    let machine = machine.map_err(|e| Refusal::diagnostics(e.render(&text, wants_color())))?;
    if !machine.model().nevers().is_empty() {
        return Err(Refusal::new(
            "`never` is looked at under memory models: add `--model rc11`, or `--model sc` for sequential consistency",
        ));
    }
    session(
        machine,
        args,
        vec![Source {
            name: path.to_owned(),
            text,
        }],
    )
}

/// A program for a search over execution graphs.
pub fn concurrent(args: &ProgramArgs) -> Result<Concurrent, Refusal> {
    refuse_others("shared-variable programs", args, &[])?;
    let (name, settings) = (args.program.as_str(), numbers(args)?);
    if let Some(family_name) = name.strip_prefix("litmus:") {
        let model = family(family_name)
            .map_err(Refusal::new)?
            .machine(&settings)
            .map_err(Refusal::new)?;
        return Concurrent::new(model.model().clone()).map_err(Refusal::new);
    }
    let text = read(name)?;
    Concurrent::parse(name, &text, &settings).map_err(|e| Refusal::diagnostics(e.render(&text, wants_color())))
}

fn session(machine: Machine, args: &ProgramArgs, sources: Vec<Source>) -> Result<Session<'static>, Refusal> {
    refuse_others("shared-variable programs", args, &[])?;
    let crew = Some(machine.crew());
    Ok(Session {
        program: machine.boxed(),
        name: args.program.clone(),
        arguments: arguments(args),
        sources,
        notes: Vec::new(),
        unchecked: Vec::new(),
        checks: mazurka_core::Checks::Everything,
        dependency: "field",
        deadlock_is_error: args.deadlock != Some(DeadlockArg::Ignore),
        preferred: PREFERRED,
        replays: true,
        crew,
        halt: None,
    })
}

/// The families, for `mazurka list`.
pub fn list() -> Vec<BuiltIn> {
    let parameter = |p: &mazurka_litmus::Parameter| format!("{}={}  {} ({} to {})", p.name, p.default, p.about, p.range.0, p.range.1);
    families()
        .iter()
        .map(|f| BuiltIn {
            name: format!("litmus:{}", f.name),
            summary: f.about.to_owned(),
            parameters: f.parameters.iter().map(parameter).collect(),
        })
        .collect()
}
