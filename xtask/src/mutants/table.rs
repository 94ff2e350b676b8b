//! The table of what became of the mutants, and the list of those that survived.

use super::catalogue::Catalogue;
use super::equivalents::Equivalents;
use super::ledger::{Fate, Ledger};
use super::selection::CRATES;
use std::fmt::Write;

#[derive(Default)]
struct Row {
    mutants: usize,
    killed: usize,
    timeout: usize,
    equivalent: usize,
    survived: usize,
    open: usize,
}

impl Row {
    fn cells(&self, crate_name: &str, files: &str, unviable: usize) -> String {
        let judged = self.killed + self.timeout + self.survived;
        let share = if judged == 0 {
            "–".to_owned()
        } else {
            format!("{:.1} %", 100.0 * (self.killed + self.timeout) as f64 / judged as f64)
        };
        let Row {
            mutants,
            killed,
            timeout,
            equivalent,
            survived,
            ..
        } = self;
        format!("| {crate_name} | {files} | {mutants} | {killed} | {timeout} | {equivalent} | {survived} | {unviable} | {share} |\n")
    }
}

/// The table in Markdown, then the survivors, then what is not used in the list of equivalents.
pub fn table(catalogue: &Catalogue, ledger: &Ledger, equivalents: &Equivalents) -> String {
    let mut text = String::from(
        "| crate | files | mutants | killed | timed out | equivalent | survived | do not compile | killed of the judged |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut survivors = String::new();
    let (mut sum, mut all_unviable) = (Row::default(), 0);
    for (of, mutated) in CRATES.iter().enumerate() {
        for all in [true, false] {
            let mut row = Row::default();
            for mutant in catalogue.mutants.values().copied() {
                let source = &catalogue.sources[mutant.source];
                if source.of != of || source.all != all {
                    continue;
                }
                let fate = ledger.get(&catalogue.key(mutant)).map(|e| e.fate);
                for row in [&mut row, &mut sum] {
                    row.mutants += 1;
                    match fate {
                        Some(Fate::Killed) => row.killed += 1,
                        Some(Fate::Timeout) => row.timeout += 1,
                        _ if equivalents.find(catalogue, mutant).is_some() => row.equivalent += 1,
                        Some(Fate::Survived) => row.survived += 1,
                        _ => row.open += 1,
                    }
                }
                if fate == Some(Fate::Survived) && equivalents.find(catalogue, mutant).is_none() {
                    let change = catalogue.change(mutant);
                    let _ = writeln!(survivors, "{}:{} {} {}", source.path, change.line, change.function, change.text);
                }
            }
            let files = if all { "all that is believed" } else { "the rest, a sample" };
            let unviable = catalogue.unviable(of, all, ledger);
            all_unviable += unviable;
            text.push_str(&row.cells(mutated.name, files, unviable));
        }
    }
    text.push_str(&sum.cells("**all**", "", all_unviable));
    if sum.open > 0 {
        let _ = writeln!(text, "\n{} mutants are still to be run.", sum.open);
    }
    if !survivors.is_empty() {
        let _ = write!(text, "\nsurvivors:\n{survivors}");
    }
    for (at, entry) in equivalents.equivalent.iter().enumerate() {
        let used = catalogue.mutants.values().any(|m| equivalents.find(catalogue, *m) == Some(at));
        if !used {
            let (function, change) = (entry.function.as_deref().unwrap_or(""), entry.change.as_deref().unwrap_or(""));
            let _ = writeln!(
                text,
                "no such mutant, though listed as equivalent: {} {function} {change}",
                entry.file
            );
        }
    }
    text
}
