//! Runs the tests on each mutant until one notices.

use super::catalogue::Catalogue;
use super::killers::{Killer, MEMORY, folder};
use super::ledger::{Entry, Fate, Ledger};
use super::process::{End, Limits, run};
use super::selection::CRATES;
use super::workspace::Workspace;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tests that are quicker than this share a process.
const QUICK: f64 = 0.3;

/// Runs the tests on the mutants with these numbers and writes down what becomes of them. `budget` is how many seconds of tests a mutant has to
/// survive.
pub fn hunt(
    catalogue: &Catalogue,
    workspace: &Workspace,
    killers: &[Killer],
    numbers: &[u32],
    budget: f64,
    jobs: usize,
    ledger: &mut Ledger,
) -> Result<(), String> {
    let (next, ledger) = (AtomicUsize::new(0), Mutex::new(ledger));
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = one(catalogue, workspace, killers, number, budget).and_then(|entry| {
                        let done = next.load(Ordering::Relaxed).min(numbers.len());
                        show(catalogue, number, &entry, done, numbers.len());
                        ledger.lock().unwrap_or_else(|e| e.into_inner()).record(entry)
                    });
                    if let Err(message) = result {
                        *failed.lock().unwrap_or_else(|e| e.into_inner()) = Some(message);
                        return;
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(|e| e.into_inner()) {
        Some(message) => Err(message),
        None => Ok(()),
    }
}

fn show(catalogue: &Catalogue, number: u32, entry: &Entry, done: usize, total: usize) {
    let mutant = catalogue.mutants[&number];
    let change = catalogue.change(mutant);
    let fate = match entry.fate {
        Fate::Killed => "killed",
        Fate::Timeout => "too slow",
        Fate::Survived => "SURVIVED",
        Fate::Unviable => "unviable",
    };
    let path = &catalogue.sources[mutant.source].path;
    println!(
        "{done}/{total} {fate} {path}:{} {} {} ({})",
        change.line, change.function, change.text, entry.by
    );
}

/// Some tests of one program, in one process.
struct Batch<'k> {
    program: &'k Path,
    package: &'k str,
    arguments: Vec<String>,
    name: String,
    tests: usize,
    seconds: f64,
}

fn one(catalogue: &Catalogue, workspace: &Workspace, killers: &[Killer], number: u32, budget: f64) -> Result<Entry, String> {
    let mutant = catalogue.mutants[&number];
    let mutated = &CRATES[catalogue.sources[mutant.source].of];
    let able = killers
        .iter()
        .filter(|k| mutated.tested_by.contains(&k.package.as_str()) && k.seconds.is_some() && k.reached.contains(&number));
    let batches = batches(able.collect(), budget);
    let entry = |fate, by| Entry {
        key: catalogue.key(mutant),
        fate,
        by,
    };
    for batch in &batches {
        let limits = Limits {
            processor: (batch.seconds * 4.0).ceil() as u64 + 4,
            memory: MEMORY,
        };
        let variables = [
            ("MUTANT", number.to_string()),
            ("INSTA_WORKSPACE_ROOT", workspace.root.display().to_string()),
        ];
        let place = folder(workspace, batch.package);
        match run(batch.program, &batch.arguments, &place, &variables, limits)?.end {
            End::Passed => {}
            End::Failed(test) if batch.tests > 1 => return Ok(entry(Fate::Killed, format!("{} {test}", batch.package))),
            End::Failed(how) if how.contains(' ') => return Ok(entry(Fate::Killed, format!("{}: {how}", batch.name))),
            End::Failed(_) => return Ok(entry(Fate::Killed, batch.name.clone())),
            End::Exceeded(how) => return Ok(entry(Fate::Timeout, format!("{}: {how}", batch.name))),
        }
    }
    let tests: usize = batches.iter().map(|b| b.tests).sum();
    Ok(entry(Fate::Survived, format!("{tests} tests")))
}

/// Groups the quick tests of each program, puts the quickest first and takes as many as the budget allows.
fn batches(mut able: Vec<&Killer>, budget: f64) -> Vec<Batch<'_>> {
    able.sort_by(|a, b| a.seconds.partial_cmp(&b.seconds).unwrap_or(std::cmp::Ordering::Equal));
    let mut batches: Vec<Batch<'_>> = Vec::new();
    let mut spent = 0.0;
    for killer in able {
        let seconds = killer.seconds.unwrap_or(0.0);
        if spent + seconds > budget && spent > 0.0 {
            continue;
        }
        spent += seconds;
        let shared = batches
            .iter_mut()
            .find(|b| seconds < QUICK && killer.test.is_some() && b.program == killer.program && b.seconds < 1.0);
        match (shared, &killer.test) {
            (Some(batch), Some(test)) => {
                batch.arguments.push(test.clone());
                batch.tests += 1;
                batch.seconds += seconds;
            }
            (_, test) => batches.push(Batch {
                program: &killer.program,
                package: &killer.package,
                arguments: match test {
                    Some(test) => vec!["--exact".to_owned(), "--test-threads=1".to_owned(), test.clone()],
                    None => killer.arguments.clone(),
                },
                name: killer.name(),
                tests: 1,
                seconds,
            }),
        }
    }
    batches.sort_by(|a, b| a.seconds.partial_cmp(&b.seconds).unwrap_or(std::cmp::Ordering::Equal));
    batches
}
