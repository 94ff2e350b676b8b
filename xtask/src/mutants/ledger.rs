//! What became of each mutant, in a file of one JSON object per line, so that a run can be stopped and taken up again.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// A test failed.
    Killed,
    /// A test did not come to its end in time, or took too much memory.
    Timeout,
    /// No test noticed.
    Survived,
    /// It does not compile.
    Unviable,
}

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Names the mutant.
    pub key: String,
    /// What became of it.
    pub fate: Fate,
    /// The test that noticed, or how many were tried.
    pub by: String,
}

/// The file, and what it says.
pub struct Ledger {
    file: File,
    entries: HashMap<String, Entry>,
}

impl Ledger {
    /// Opens the file and reads it. Later lines overrule earlier ones.
    pub fn open(path: &Path) -> Result<Ledger, String> {
        let shown = |e: std::io::Error| format!("{}: {e}", path.display());
        let text = if path.exists() {
            std::fs::read_to_string(path).map_err(shown)?
        } else {
            String::new()
        };
        let entries = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Entry>(line).ok())
            .map(|entry| (entry.key.clone(), entry))
            .collect();
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(shown)?;
        Ok(Ledger { file, entries })
    }

    /// What is known of a mutant.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Whether it is known not to compile.
    pub fn is_unviable(&self, key: &str) -> bool {
        self.get(key).is_some_and(|e| e.fate == Fate::Unviable)
    }

    /// Writes down what became of a mutant.
    pub fn record(&mut self, entry: Entry) -> Result<(), String> {
        let line = serde_json::to_string(&entry).map_err(|e| e.to_string())?;
        writeln!(self.file, "{line}").map_err(|e| e.to_string())?;
        self.entries.insert(entry.key.clone(), entry);
        Ok(())
    }
}
