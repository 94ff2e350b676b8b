//! Why there is nothing to go on with, or nowhere to write.

use std::fmt;
use std::path::{Path, PathBuf};

/// A checkpoint that cannot be used.
#[derive(Debug)]
pub struct Unusable {
    /// The directory.
    pub directory: PathBuf,
    /// Why.
    pub why: Why,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// There is none.
    Missing,
    /// There is one already.
    Occupied,
    /// Another process works on it.
    InUse,
    /// Something else is there.
    Foreign,
    /// It is not what was written.
    Torn,
    /// Another version wrote it.
    OtherVersion(String),
    /// What the system says: a full disk, no permission.
    System(String),
}

impl Unusable {
    pub(crate) fn new(directory: &Path, why: Why) -> Self {
        Unusable {
            directory: directory.to_owned(),
            why,
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dir = self.directory.display();
        match &self.why {
            Why::Missing => write!(
                f,
                "there is no checkpoint in `{dir}`; expected a directory that `check --checkpoint` has written"
            ),
            Why::Occupied => write!(
                f,
                "there is a checkpoint in `{dir}` already; `mazurka resume {dir}` goes on with it, or take another directory"
            ),
            Why::InUse => write!(f, "another mazurka works on the checkpoint in `{dir}`"),
            Why::Foreign => write!(f, "`{dir}` holds something that is no checkpoint"),
            Why::Torn => write!(
                f,
                "the checkpoint in `{dir}` is damaged; start the search again in another directory"
            ),
            Why::OtherVersion(theirs) => write!(
                f,
                "the checkpoint in `{dir}` was written by mazurka {theirs}, and this is {}; finish it with that version, or start again",
                crate::store::VERSION
            ),
            Why::System(said) => write!(f, "cannot write the checkpoint in `{dir}`: {said}"),
        }
    }
}

impl std::error::Error for Unusable {}
