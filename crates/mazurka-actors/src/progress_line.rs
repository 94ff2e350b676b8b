//! How far a check is, for whoever waits for it.

use mazurka_core::Progress;
use mazurka_report::{Paint, progress};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// A check that takes longer shows on a terminal how far it is.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it does.
const TELL: Duration = Duration::from_millis(250);

/// One line on a terminal that says how far a check is, if it takes long.
pub(crate) struct ProgressLine {
    begun: Instant,
    told: Option<Instant>,
    shown: bool,
}

impl ProgressLine {
    pub fn new() -> Self {
        ProgressLine {
            begun: Instant::now(),
            told: None,
            shown: std::io::stderr().is_terminal(),
        }
    }

    /// Says it, if it is time to.
    pub fn tell(&mut self, progress: impl FnOnce() -> Progress) {
        let (now, elapsed) = (Instant::now(), self.begun.elapsed());
        if !self.shown || elapsed < PATIENCE || self.told.is_some_and(|told| now - told < TELL) {
            return;
        }
        self.told = Some(now);
        let line = progress::line(&progress(), elapsed, "", Paint::default());
        // A terminal that cannot be written to shows nothing.
        drop(write!(std::io::stderr(), "\r\x1b[K{line}"));
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.told.is_some() {
            drop(write!(std::io::stderr(), "\r\x1b[K"));
        }
    }
}
