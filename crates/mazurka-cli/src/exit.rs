//! The exit codes.

use mazurka_core::Verdict;
use std::process::ExitCode;

/// How the command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is covered and nothing failed.
    Complete,
    /// A failure was found.
    Violation,
    /// Bad input or usage.
    Usage,
    /// Two sound algorithms disagree: an error in this tool.
    Disagreement,
    /// A limit was reached.
    Incomplete,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Complete => Exit::Complete,
            Verdict::Violation => Exit::Violation,
            Verdict::Incomplete => Exit::Incomplete,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Complete => 0,
            Exit::Violation => 1,
            Exit::Usage | Exit::Disagreement => 2,
            Exit::Incomplete => 3,
        })
    }
}
