//! The messages about a model, in the order of the text and each only once.

use std::collections::HashSet;

use crate::{Diagnostic, Severity, SourceMap};

/// Nobody reads more messages than this.
pub const MAX_SHOWN: usize = 200;

/// Messages beyond so many are only counted: a text that has more is not what it should be.
const MAX_KEPT: usize = 10_000;

/// A list of messages.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// How many of each severity, those that were not kept included.
    counts: [usize; 3],
}

impl Diagnostics {
    /// No messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.counts[diagnostic.severity as usize] += 1;
        if self.list.len() < MAX_KEPT {
            self.list.push(diagnostic);
        }
    }

    /// Adds all messages of another list.
    pub fn extend(&mut self, other: Diagnostics) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.list.extend(other.list);
        self.list.truncate(MAX_KEPT);
    }

    /// Whether there is an error among the messages.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// Whether there is no message at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The messages, the first few thousand of them.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// How many messages there are of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.counts[severity as usize]
    }

    /// Puts the messages in the order of their main places and drops repetitions.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        let mut seen = HashSet::new();
        let counts = &mut self.counts;
        self.list.retain(|diagnostic| {
            let new = seen.insert(diagnostic.clone());
            counts[diagnostic.severity as usize] -= usize::from(!new);
            new
        });
        self.list.sort_by_key(|d| (d.span(), d.severity));
        self
    }

    /// The messages with excerpts (at most [`MAX_SHOWN`]), then a line that counts errors and warnings.
    #[must_use]
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        let mut text = String::new();
        for diagnostic in self.list.iter().take(MAX_SHOWN) {
            text.push_str(&diagnostic.render(sources, color));
            text.push_str("\n\n");
        }
        if self.len() > MAX_SHOWN {
            text.push_str(&format!("… and {} more\n\n", self.len() - MAX_SHOWN));
        }
        let count = |severity, one: &str| match self.count(severity) {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {one}s")),
        };
        let counts: Vec<String> = [count(Severity::Error, "error"), count(Severity::Warning, "warning")]
            .into_iter()
            .flatten()
            .collect();
        if !counts.is_empty() {
            text.push_str(&counts.join(", "));
            text.push('\n');
        }
        text
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        [diagnostic].into_iter().collect()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(iter: I) -> Self {
        let mut diagnostics = Diagnostics::new();
        iter.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
        diagnostics
    }
}
