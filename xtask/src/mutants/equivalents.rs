//! The mutants that change nothing that is promised, with the reason, from `equivalent-mutants.toml`.

use super::catalogue::{Catalogue, Mutant};
use serde::Deserialize;
use std::path::Path;

/// A mutant, or a group of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// The file, relative to `crates`.
    pub file: String,
    /// The function, with its type; without it, all functions of the file.
    #[serde(default)]
    pub function: Option<String>,
    /// The change as it is printed; without it, all changes of the function.
    #[serde(default)]
    pub change: Option<String>,
    /// Why no test can notice.
    pub reason: String,
}

/// The file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalents {
    /// Its entries.
    #[serde(default)]
    pub equivalent: Vec<Equivalent>,
}

impl Equivalents {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Equivalents, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Equivalents::parse(&text).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Reads its text.
    pub fn parse(text: &str) -> Result<Equivalents, String> {
        let read: Equivalents = toml::from_str(text).map_err(|e| e.to_string())?;
        match read.equivalent.iter().find(|e| e.reason.trim().is_empty()) {
            Some(without) => Err(format!("an entry for {} has no reason", without.file)),
            None => Ok(read),
        }
    }

    /// The entry for a mutant.
    pub fn find(&self, catalogue: &Catalogue, mutant: Mutant) -> Option<usize> {
        let (path, change) = (&catalogue.sources[mutant.source].path, catalogue.change(mutant));
        self.equivalent.iter().position(|e| {
            path.strip_prefix("crates/") == Some(e.file.as_str())
                && e.function.as_ref().is_none_or(|f| *f == change.function)
                && e.change.as_ref().is_none_or(|c| *c == change.text)
        })
    }
}
