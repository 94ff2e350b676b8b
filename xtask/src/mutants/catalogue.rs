//! All changes of all files, and which of them are taken.

use super::find::find;
use super::ledger::Ledger;
use super::selection::{CRATES, lot};
use super::site::{Change, Site};
use super::splice::{Spliced, splice};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

/// A source file with its places.
pub struct Source {
    /// Relative to the workspace.
    pub path: String,
    /// Which of [`CRATES`] it belongs to.
    pub of: usize,
    /// Whether every place is taken, not only a sample.
    pub all: bool,
    text: String,
    sites: Vec<Site>,
}

/// The numbers of each crate begin at a multiple of this, so that an edit of one crate does not change the numbers in another.
const NUMBERS: u32 = 20_000;

/// One mutant: a change of a file.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// Which file.
    pub source: usize,
    site: usize,
    change: usize,
}

/// The files and the mutants that are taken.
pub struct Catalogue {
    /// The files.
    pub sources: Vec<Source>,
    /// The mutants with their numbers, those known not to compile left out.
    pub mutants: BTreeMap<u32, Mutant>,
}

impl Catalogue {
    /// Reads the sources and takes what was asked for: everything in the files of which all is taken, and of the rest of each crate `sample`
    /// mutants that compile, as far as is known.
    pub fn read(root: &Path, sample: usize, seed: u64, ledger: &Ledger) -> Result<Catalogue, String> {
        let mut catalogue = Catalogue {
            sources: Vec::new(),
            mutants: BTreeMap::new(),
        };
        for (of, mutated) in CRATES.iter().enumerate() {
            let folder = format!("crates/{}/src", mutated.name);
            let mut paths = Vec::new();
            rust_files(root, &folder, &mut paths)?;
            paths.sort();
            for path in paths {
                let Some(all) = mutated.takes(&path[folder.len() + 1..]) else {
                    continue;
                };
                let text = fs::read_to_string(root.join(&path)).map_err(|e| format!("{path}: {e}"))?;
                let sites = find(&text).map_err(|e| format!("{path}: {e}"))?;
                catalogue.sources.push(Source {
                    path,
                    of,
                    all,
                    text,
                    sites,
                });
            }
            catalogue.take(of, sample, seed, ledger);
        }
        Ok(catalogue)
    }

    fn take(&mut self, of: usize, sample: usize, seed: u64, ledger: &Ledger) {
        let (mut taken, mut rest) = (Vec::new(), Vec::new());
        for (at, source) in self.sources.iter().enumerate().filter(|(_, s)| s.of == of) {
            for (site, place) in source.sites.iter().enumerate() {
                for change in 0..place.changes.len() {
                    let mutant = Mutant { source: at, site, change };
                    if ledger.is_unviable(&self.key(mutant)) {
                        continue;
                    }
                    if source.all {
                        taken.push(mutant);
                    } else {
                        rest.push(mutant);
                    }
                }
            }
        }
        rest.sort_by_cached_key(|m| lot(seed, &self.key(*m)));
        rest.truncate(sample);
        taken.extend(rest);
        self.mutants.extend((of as u32 * NUMBERS + 1..).zip(taken));
    }

    /// How many mutants of a crate's files are known not to compile.
    pub fn unviable(&self, of: usize, all: bool, ledger: &Ledger) -> usize {
        let sources = self.sources.iter().filter(|s| s.of == of && s.all == all);
        let changes = sources.flat_map(|s| s.sites.iter().flat_map(|p| &p.changes).map(|c| format!("{} {}", s.path, c.key)));
        changes.filter(|key| ledger.is_unviable(key)).count()
    }

    /// What changes.
    pub fn change(&self, mutant: Mutant) -> &Change {
        &self.sources[mutant.source].sites[mutant.site].changes[mutant.change]
    }

    /// What names it from run to run, as long as its function is not edited.
    pub fn key(&self, mutant: Mutant) -> String {
        format!("{} {}", self.sources[mutant.source].path, self.change(mutant).key)
    }

    /// The text of a file with the switches for the mutants that are taken and not in `dropped`.
    pub fn spliced(&self, source: usize, dropped: &HashSet<u32>) -> Spliced {
        let Source { text, sites, .. } = &self.sources[source];
        let mut numbers: Vec<Vec<Option<u32>>> = sites.iter().map(|s| vec![None; s.changes.len()]).collect();
        for (number, mutant) in &self.mutants {
            if mutant.source == source && !dropped.contains(number) {
                numbers[mutant.site][mutant.change] = Some(*number);
            }
        }
        splice(text, sites, &numbers)
    }

    /// The numbers of the mutants in a function.
    pub fn in_function(&self, source: usize, function: &str) -> Vec<u32> {
        self.mutants
            .iter()
            .filter(|(_, m)| m.source == source && self.change(**m).function == function)
            .map(|(number, _)| *number)
            .collect()
    }
}

fn rust_files(root: &Path, folder: &str, paths: &mut Vec<String>) -> Result<(), String> {
    let entries = fs::read_dir(root.join(folder)).map_err(|e| format!("{folder}: {e}"))?;
    for entry in entries {
        let entry = entry.map_err(|e| e.to_string())?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            rust_files(root, &path, paths)?;
        } else if path.ends_with(".rs") && !path.ends_with("/tests.rs") && !path.ends_with("_tests.rs") {
            paths.push(path);
        }
    }
    Ok(())
}
