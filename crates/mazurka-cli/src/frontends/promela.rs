//! Promela models: `*.pml`, also named `.promela`, `.prom`, `.prm` or `.spin`.

use super::{Known, arguments, read_bytes, refuse_others, wants_color};
use crate::cli::{DeadlockArg, ProgramArgs};
use crate::output::print_error;
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_core::Checks;
use mazurka_promela::{Asked, Claims, Promela, decode, parse_text_with};
use mazurka_report::Source;

/// From the best algorithm to the last resort.
const PREFERRED: &[&str] = &["stateful+source", "stateful"];

/// A model in a file.
pub fn file(path: &str, args: &ProgramArgs) -> Result<Session<'static>, Refusal> {
    text(path, decode(read_bytes(path)?), args, print_error)
}

/// A model that is not read from a file, or was read already; `warn` hears what there is to say about it.
pub fn text(path: &str, text: String, args: &ProgramArgs, warn: impl FnOnce(&str)) -> Result<Session<'static>, Refusal> {
    refuse_others("Promela models", args, &[Known::Claims])?;
    let settings: Vec<(String, String)> = args.set.iter().map(|s| (s.name.clone(), s.value.clone())).collect();
    let asked = Asked {
        claims: match (args.ignore_claims, args.claim.is_empty()) {
            (true, _) => Claims::Ignore,
            (false, true) => Claims::Check,
            (false, false) => Claims::Only(args.claim.clone()),
        },
        non_progress: args.non_progress,
        formulas: args.ltl.clone(),
    };
    let parsed = parse_text_with(path, &text, &settings, &asked);
    let rendered = parsed.diagnostics.render(&parsed.sources, wants_color());
    let Some(machine) = parsed.machine else {
        return Err(Refusal::diagnostics(rendered));
    };
    if !parsed.diagnostics.is_empty() {
        warn(&format!("{}\n", rendered.trim_end()));
    }
    let promela = Promela::new(machine, parsed.sources);
    let mut unchecked = parsed.left_out;
    let mut checks = Checks::Everything;
    if !args.claim.is_empty() {
        // As SPIN does: with a claim it looks at steps, and not at ends.
        unchecked.push("end states".to_owned());
        checks = Checks::Properties;
    }
    let sources: Vec<Source> = (promela.sources().files())
        .map(|(_, file)| Source {
            name: file.name().to_string(),
            text: file.text().to_string(),
        })
        .collect();
    let crew = Some(promela.crew());
    Ok(Session {
        program: promela.boxed(),
        name: args.program.clone(),
        arguments: arguments(args),
        sources,
        notes: Vec::new(),
        unchecked,
        checks,
        dependency: "field",
        deadlock_is_error: args.deadlock != Some(DeadlockArg::Ignore),
        preferred: PREFERRED,
        replays: true,
        crew,
        halt: None,
    })
}
