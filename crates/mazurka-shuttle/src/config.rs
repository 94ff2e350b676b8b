//! How to run a test, as `shuttle::Config`.

use std::path::PathBuf;
use std::time::Duration;

/// How to run a test.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// Not used: stacks grow as they need to.
    pub stack_size: usize,
    /// Not used: a failure prints the schedule that runs it again.
    pub failure_persistence: FailurePersistence,
    /// How long an execution may be.
    pub max_steps: MaxSteps,
    /// When the test is left as it is.
    pub max_time: Option<Duration>,
    /// Says nothing about what was not covered.
    pub silence_warnings: bool,
    /// Not used.
    pub record_steps_in_span: bool,
}

/// Where failing schedules are kept. They are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailurePersistence {
    /// Nowhere.
    None,
    /// Printed.
    Print,
    /// In a file.
    File(Option<PathBuf>),
}

/// How long an execution may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxSteps {
    /// As long as it likes, up to what any check follows.
    None,
    /// A longer one fails the test.
    FailAfter(usize),
    /// A longer one is not followed.
    ContinueAfter(usize),
}

impl Config {
    /// As usual.
    pub fn new() -> Self {
        Config {
            stack_size: 0x8000,
            failure_persistence: FailurePersistence::Print,
            max_steps: MaxSteps::FailAfter(1_000_000),
            max_time: None,
            silence_warnings: std::env::var_os("SHUTTLE_SILENCE_WARNINGS").is_some(),
            record_steps_in_span: false,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config::new()
    }
}
