//! What an editor asks about a program: what is wrong with it ([`diagnose`]), what is declared where ([`declarations`], [`definition`]) and as
//! what ([`hover`]).
//!
//! What is wrong comes from the parsers, so an editor says what the command says. Declarations are found by their form in the text, which works
//! while a program is being written and does not parse yet; names are looked up from the inside out.
//!
//! ```
//! use mazurka_editor::{Language, definition, diagnose};
//!
//! let text = "init balance=1;\nalice:[balance=blance+1]";
//! let wrong = diagnose(Language::Litmus, "bank.litmus", text);
//! assert!(wrong[0].message.contains("blance"), "{wrong:?}");
//! let declared = definition(Language::Litmus, text, 24).expect("balance is declared");
//! assert_eq!(&text[declared.name_range()], "balance");
//! ```

mod declarations;
mod diagnose;
mod tokens;

pub use declarations::{Declaration, Kind, declarations, definition, hover};
pub use diagnose::{Finding, diagnose};
pub use mazurka_diagnostics::Severity;

use std::path::Path;

/// The languages of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Shared-variable programs.
    Litmus,
    /// ABS models.
    Abs,
    /// Promela models.
    Promela,
}

impl Language {
    /// The language of a file, by its name.
    pub fn of(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "litmus" => Some(Language::Litmus),
            "abs" => Some(Language::Abs),
            "pml" | "promela" | "prom" | "prm" | "spin" => Some(Language::Promela),
            _ => None,
        }
    }

    /// A short name: `litmus`, `abs` or `promela`.
    pub fn name(self) -> &'static str {
        match self {
            Language::Litmus => "litmus",
            Language::Abs => "abs",
            Language::Promela => "promela",
        }
    }
}
