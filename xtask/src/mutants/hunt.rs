//! Runs the tests on each mutant until one notices.

use super::catalogue::Catalogue;
use super::killers::{Killer, MEMORY, folder};
use super::ledger::{Entry, Fate, Ledger};
use super::process::{End, Limits, run};
use super::selection::{CRATES, FIRST};
use super::workspace::Workspace;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tests that are quicker than this share a process.
const QUICK: f64 = 0.3;

/// Which tests noticed the last mutants of each source, the latest first: they are likely to notice the next one too, so they run first.
#[derive(Default)]
struct Favourites(Mutex<HashMap<usize, Vec<usize>>>);

impl Favourites {
    /// How many are remembered for a source.
    const MOST: usize = 5;

    fn of(&self, source: usize) -> Vec<usize> {
        let all = self.0.lock().unwrap_or_else(|e| e.into_inner());
        all.get(&source).cloned().unwrap_or_default()
    }

    fn note(&self, source: usize, killer: usize) {
        let mut all = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let list = all.entry(source).or_default();
        list.retain(|k| *k != killer);
        list.insert(0, killer);
        list.truncate(Self::MOST);
    }
}

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
    let favourites = Favourites::default();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = one(catalogue, workspace, killers, &favourites, number, budget).and_then(|entry| {
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
    /// The tests, by their places in the list of all.
    killers: Vec<usize>,
    name: String,
    seconds: f64,
}

impl<'k> Batch<'k> {
    fn of(killer: &'k Killer, place: usize) -> Self {
        Batch {
            program: &killer.program,
            package: &killer.package,
            arguments: match &killer.test {
                Some(test) => vec!["--exact".to_owned(), "--test-threads=1".to_owned(), test.clone()],
                None => killer.arguments.clone(),
            },
            killers: vec![place],
            name: killer.name(),
            seconds: killer.seconds.unwrap_or(0.0),
        }
    }

    fn add(&mut self, killer: &Killer, place: usize) {
        self.arguments.extend(killer.test.clone());
        self.killers.push(place);
        self.seconds += killer.seconds.unwrap_or(0.0);
    }
}

fn one(
    catalogue: &Catalogue,
    workspace: &Workspace,
    killers: &[Killer],
    favourites: &Favourites,
    number: u32,
    budget: f64,
) -> Result<Entry, String> {
    let mutant = catalogue.mutants[&number];
    let mutated = &CRATES[catalogue.sources[mutant.source].of];
    let able: Vec<usize> = (0..killers.len())
        .filter(|k| {
            let killer = &killers[*k];
            mutated.tested_by.contains(&killer.package.as_str()) && killer.seconds.is_some() && killer.reached.contains(&number)
        })
        .collect();
    let batches = batches(killers, &able, &favourites.of(mutant.source), budget);
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
        let end = run(batch.program, &batch.arguments, &place, &variables, limits)?.end;
        if let End::Failed(name) = &end {
            let named = |k: &&usize| killers[**k].test.as_ref() == Some(name);
            let by = batch.killers.iter().find(named).or(batch.killers.first());
            by.into_iter().for_each(|by| favourites.note(mutant.source, *by));
        }
        match end {
            End::Passed => {}
            End::Failed(test) if batch.killers.len() > 1 => return Ok(entry(Fate::Killed, format!("{} {test}", batch.package))),
            End::Failed(how) if how.contains(' ') => return Ok(entry(Fate::Killed, format!("{}: {how}", batch.name))),
            End::Failed(_) => return Ok(entry(Fate::Killed, batch.name.clone())),
            End::Exceeded(how) => return Ok(entry(Fate::Timeout, format!("{}: {how}", batch.name))),
        }
    }
    let tests: usize = batches.iter().map(|b| b.killers.len()).sum();
    Ok(entry(Fate::Survived, format!("{tests} tests")))
}

/// The favourites, each alone; then the others, the quick ones of each program together, the quickest first, as many as the budget allows.
fn batches<'k>(killers: &'k [Killer], able: &[usize], favourites: &[usize], budget: f64) -> Vec<Batch<'k>> {
    let seconds = |place: usize| killers[place].seconds.unwrap_or(0.0);
    let notices_most = |place: usize| killers[place].test.as_ref().is_some_and(|name| name.starts_with(FIRST));
    let early = |place: usize| (favourites.contains(&place) || notices_most(place)) && seconds(place) < budget / 4.0;
    let (mut first, mut others): (Vec<usize>, Vec<usize>) = able.iter().partition(|k| early(**k));
    first.sort_by(|a, b| seconds(*a).total_cmp(&seconds(*b)));
    first.sort_by_key(|k| favourites.iter().position(|f| f == k).unwrap_or(favourites.len()));
    others.sort_by(|a, b| seconds(*a).total_cmp(&seconds(*b)));
    let mut spent: f64 = first.iter().map(|k| seconds(*k)).sum();
    let mut batches: Vec<Batch<'_>> = Vec::new();
    for place in others {
        let killer = &killers[place];
        if spent + seconds(place) > budget && spent > 0.0 {
            continue;
        }
        spent += seconds(place);
        let quick = killer.test.is_some() && seconds(place) < QUICK;
        match batches.iter_mut().find(|b| quick && b.program == killer.program && b.seconds < 1.0) {
            Some(batch) => batch.add(killer, place),
            None => batches.push(Batch::of(killer, place)),
        }
    }
    batches.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let first = first.into_iter().map(|k| Batch::of(&killers[k], k));
    first.chain(batches).collect()
}
