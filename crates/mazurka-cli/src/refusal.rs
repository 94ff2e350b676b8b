//! Why a command cannot do what it was asked: bad input or usage. Ends in one clear message on standard error and exit code 2.

use crate::laboratory;
use mazurka_report::paint::visible;
use std::fmt;

/// The message, ready to be printed.
#[derive(Debug)]
pub struct Refusal(String);

impl Refusal {
    /// One line; `error: ` is put in front.
    pub fn new(message: impl fmt::Display) -> Self {
        Refusal(visible(&format!("error: {message}")).into_owned())
    }

    /// A rendered list of diagnostics with excerpts, printed as it is.
    pub fn diagnostics(text: impl Into<String>) -> Self {
        Refusal(text.into().trim_end().to_owned())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<mazurka_core::SearchError> for Refusal {
    fn from(error: mazurka_core::SearchError) -> Self {
        laboratory::no_algorithm(&error, laboratory::IS_HERE)
    }
}

/// "did you mean …" for a name that is nearly right, otherwise nothing.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    mazurka_core::nearest(name, candidates).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"))
}
