//! `mazurka list`: what is built in.

use crate::cli::ListArgs;
use crate::exit::Exit;
use crate::frontends::list::all;
use crate::laboratory;
use crate::output::print;
use crate::refusal::Refusal;
use mazurka_core::KNOWN;
use serde_json::json;

/// Lists what a user begins with, or everything.
pub fn run(args: &ListArgs) -> Result<Exit, Refusal> {
    let mut programs = all();
    if args.json {
        let programs: Vec<_> = programs
            .iter()
            .map(|p| json!({"name": p.name, "summary": p.summary, "parameters": p.parameters}))
            .collect();
        let algorithms: Vec<_> = KNOWN
            .iter()
            .map(|a| json!({"name": a.name, "summary": a.summary, "sound": a.sound}))
            .collect();
        let object = json!({"schema": "mazurka/list/1", "programs": programs, "algorithms": algorithms});
        print(&format!("{object}\n"));
        return Ok(Exit::Complete);
    }
    let everything = programs.len();
    programs.retain(|p| args.all || p.is_first());
    let mut text = String::from("Programs: mazurka check NAME [--set PARAMETER=VALUE]\n");
    let width = programs.iter().map(|p| p.name.len()).max().unwrap_or(0);
    for p in &programs {
        text.push_str(&format!("   {:width$}  {}\n", p.name, p.summary));
        for parameter in &p.parameters {
            text.push_str(&format!("   {:width$}    --set {parameter}\n", ""));
        }
    }
    let shown: Vec<_> = KNOWN.iter().filter(|a| args.all || a.sound).collect();
    text.push_str("\nAlgorithms: --algorithm NAME; without it, `check` takes the best sound one for the program\n");
    let width = shown.iter().map(|a| a.name.len()).max().unwrap_or(0);
    for a in &shown {
        let warning = if a.sound { "" } else { " (known to miss behaviours)" };
        text.push_str(&format!("   {:width$}  {}{warning}\n", a.name, a.summary));
    }
    if args.all {
        text.push_str(&tables());
        text.push_str("\nOrders\n   fifo, eca, lca, stable, random:SEED\n");
    } else {
        let programs = everything - programs.len();
        text.push_str(&if laboratory::IS_HERE {
            let unsound = KNOWN.len() - shown.len();
            format!(
                "\n`mazurka list --all` shows {programs} more programs, {unsound} algorithms known to miss behaviours, and the papers' tables.\n"
            )
        } else {
            let command = laboratory::COMMAND;
            format!(
                "\n`mazurka list --all` shows {programs} more programs. For algorithms as published and the papers' tables: {command} list --all\n"
            )
        });
    }
    print(&text);
    Ok(Exit::Complete)
}

/// The tables that `mazurka bench` measures.
#[cfg(feature = "laboratory")]
fn tables() -> String {
    use mazurka_laboratory::tables::TABLES;
    let width = TABLES.iter().map(|t| t.name.len()).max().unwrap_or(0);
    let lines = TABLES.iter().map(|t| format!("   {:width$}  {}\n", t.name, t.about));
    std::iter::once("\nTables\n".to_owned()).chain(lines).collect()
}

#[cfg(not(feature = "laboratory"))]
fn tables() -> String {
    String::new()
}
