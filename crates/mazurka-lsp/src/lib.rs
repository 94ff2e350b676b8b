//! The language server of Mazurka.
//!
//! `server` speaks the protocol, `text` counts as the protocol does, and `mazurka-editor` has the answers. How a program is checked is the
//! business of a [`Checker`].

mod server;
mod text;

pub use server::{serve, serve_on};

/// Who checks programs.
pub trait Checker: Send + Sync + 'static {
    /// Checks the program with this name and text.
    ///
    /// # Errors
    /// Why there is no verdict.
    fn check(&self, name: &str, text: &str) -> Result<Checked, String>;
}

/// What a check found out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// The verdict and what it is about, in one line.
    pub headline: String,
    /// Whether something fails.
    pub is_violation: bool,
    /// What fails, in words; nothing if nothing does.
    pub failure: Option<String>,
    /// The counterexample.
    pub steps: Vec<Step>,
}

/// A step of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who takes it, and what it does.
    pub text: String,
    /// Line and column, from 1 and in characters, where it is in the text.
    pub at: Option<(u32, u32)>,
}
