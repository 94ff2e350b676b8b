//! Writing files and lines, and the line of progress on a terminal.

use crate::frontends::reason;
use crate::refusal::Refusal;
use mazurka_core::Progress;
use mazurka_report::progress::{Caution, line, refresh};
use mazurka_report::{Made, Paint};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Writes a file, or says why not.
pub fn write_file(path: &Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(path, text).map_err(|e| Refusal::new(format!("cannot write `{}`: {}", path.display(), reason(&e))))
}

/// Refuses a path that cannot become a file, before any work is done.
pub fn writable(path: &Path) -> Result<(), Refusal> {
    let refuse = |why: &str| Err(Refusal::new(format!("cannot write `{}`: {why}", path.display())));
    if path.as_os_str() == "-" {
        return refuse("files are written here; /dev/stdout stands for standard output");
    }
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

/// Prints text on standard output. A reader that went away (`mazurka … | head`) is no error; a full disk is, and ends the tool.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// What to make of an attempt to write on standard output.
pub fn written(result: std::io::Result<()>) {
    match result {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            print_error(&format!("error: cannot write to standard output: {}\n", reason(&e)));
            std::process::exit(2);
        }
        _ => {}
    }
}

/// The command of this process, and the time.
pub fn made() -> Made {
    let words = std::env::args().skip(1).map(|word| quoted(&word));
    Made::now(std::iter::once("mazurka".to_owned()).chain(words).collect::<Vec<_>>().join(" "))
}

/// As a shell takes it.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// The width that was asked for, 0 for none.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// Lays out text for so many columns instead of those of the terminal.
pub fn set_width(columns: usize) {
    WIDTH.store(columns, Ordering::Relaxed);
}

/// How to show text on standard output.
pub fn paint(ascii: bool) -> Paint {
    detect(std::io::stdout().is_terminal(), ascii)
}

fn detect(terminal: bool, ascii: bool) -> Paint {
    let paint = Paint::detect(terminal, ascii);
    match WIDTH.load(Ordering::Relaxed) {
        0 => paint,
        width => Paint { width, ..paint },
    }
}

/// A line of progress on standard error, if that is a terminal.
pub struct ProgressLine {
    wanted: bool,
    ascii: bool,
    shown: usize,
    caution: Caution,
    remark: String,
}

impl ProgressLine {
    /// Silent unless it is wanted and there is a terminal.
    pub fn new(wanted: bool, ascii: bool) -> Self {
        ProgressLine {
            wanted: wanted && std::io::stderr().is_terminal(),
            ascii,
            shown: 0,
            caution: Caution::default(),
            remark: String::new(),
        }
    }

    /// Adds what else there is to know at the end of the line.
    pub fn remark(&mut self, remark: impl Into<String>) {
        self.remark = remark.into();
    }

    /// Shows how far the search is; returns the same with an uncertainty that can be relied on.
    pub fn tell(&mut self, progress: &Progress, elapsed: Duration) -> Progress {
        let progress = self.caution.apply(progress);
        if self.wanted {
            // Asked each time: the window may have changed.
            let text = line(&progress, elapsed, &self.remark, detect(true, self.ascii));
            print_error(&refresh(&text, self.shown));
            self.shown = mazurka_report::paint::width(&text);
        }
        progress
    }

    /// Clears the line, as the final summary says the same and more, and is ready for another search.
    pub fn end(&mut self) {
        if self.shown > 0 {
            print_error(&format!("{}\r", refresh("", self.shown)));
            self.shown = 0;
        }
        self.caution = Caution::default();
    }
}

/// Prints text on standard error. Unlike `eprint`, does not mind when nobody can read it (`mazurka … 2>&1 | head`).
pub fn print_error(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        assert_eq!(quoted("litmus:sb"), "litmus:sb");
        assert_eq!(quoted("a b.abs"), "'a b.abs'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
