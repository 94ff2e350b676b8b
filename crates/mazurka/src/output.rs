//! Writing files and lines, and the line of progress on a terminal.

use crate::frontends::reason;
use crate::refusal::Refusal;
use mazurka_core::Progress;
use mazurka_report::Paint;
use mazurka_report::progress::{line, refresh};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

/// Writes a file, or says why not.
pub fn write_file(path: &Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text).map_err(|e| Refusal::new(format!("cannot write `{}`: {}", path.display(), reason(&e))))
}

/// Refuses a path that cannot become a file, before any work is done.
pub fn writable(path: &Path) -> Result<(), Refusal> {
    let refuse = |why: &str| Err(Refusal::new(format!("cannot write `{}`: {why}", path.display())));
    if path.is_dir() {
        return refuse("it is a directory");
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => {
            refuse(&format!("there is no directory `{}`", parent.display()))
        }
        _ => Ok(()),
    }
}

/// Prints text on standard output. A reader that went away (`mazurka … | head`) is no error.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// How to show text on standard output.
pub fn paint(ascii: bool) -> Paint {
    Paint::detect(std::io::stdout().is_terminal(), ascii)
}

/// A line of progress on standard error, if that is a terminal.
pub struct ProgressLine {
    paint: Option<Paint>,
    shown: usize,
}

impl ProgressLine {
    /// Silent unless it is wanted and there is a terminal.
    pub fn new(wanted: bool, ascii: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        ProgressLine {
            paint: (wanted && terminal).then(|| Paint::detect(true, ascii)),
            shown: 0,
        }
    }

    /// Shows how far the search is.
    pub fn tell(&mut self, progress: &Progress, elapsed: Duration) {
        if let Some(paint) = self.paint {
            let text = line(progress, elapsed, paint);
            eprint!("{}", refresh(&text, self.shown));
            self.shown = mazurka_report::paint::width(&text);
        }
    }

    /// Clears the line: the final summary says the same and more.
    pub fn end(&mut self) {
        if self.shown > 0 {
            eprint!("{}\r", refresh("", self.shown));
            self.shown = 0;
        }
    }
}
