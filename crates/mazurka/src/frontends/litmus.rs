//! Shared-variable programs: built-in families (`litmus:NAME`) and files (`*.litmus`).

use super::{arguments, read, refuse_others};
use crate::cli::{DeadlockArg, ProgramArgs};
use crate::refusal::Refusal;
use crate::session::{Session, Visitor};
use mazurka_litmus::Machine;
use mazurka_report::Source;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["optimal", "naive"];

/// A member of a built-in family.
pub fn built_in<V: Visitor>(name: &str, args: &ProgramArgs, visitor: V) -> Result<V::Output, Refusal> {
    let _ = (args, visitor);
    Err(Refusal::new(format!("unknown program `litmus:{name}`")))
}

/// A program in the compact notation.
pub fn file<V: Visitor>(path: &str, args: &ProgramArgs, visitor: V) -> Result<V::Output, Refusal> {
    let text = read(path)?;
    if let Some(setting) = args.set.first() {
        return Err(Refusal::new(format!("`{path}` has no parameter `{}`: files in this notation have none", setting.name)));
    }
    let machine = Machine::parse_file(path, &text).map_err(Refusal::new)?;
    visit(&machine, args, vec![Source { name: path.to_owned(), text }], visitor)
}

fn visit<V: Visitor>(machine: &Machine, args: &ProgramArgs, sources: Vec<Source>, visitor: V) -> Result<V::Output, Refusal> {
    refuse_others("shared-variable programs", args, &[])?;
    visitor.visit(Session {
        program: machine,
        name: args.program.clone(),
        arguments: arguments(args),
        sources,
        notes: Vec::new(),
        dependency: "field",
        deadlock_is_error: args.deadlock != Some(DeadlockArg::Ignore),
        preferred: PREFERRED,
    })
}
