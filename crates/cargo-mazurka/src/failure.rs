//! Why something could not be done, in words for the user.

use std::fmt;
use std::path::Path;

/// A message.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// With these words.
    pub fn new(message: impl Into<String>) -> Self {
        Failure(message.into())
    }

    /// What could not be done with a file, as an argument of `map_err`.
    pub fn about(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let what = format!("cannot {what} {}", path.display());
        move |error| Failure(format!("{what}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
