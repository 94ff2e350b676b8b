//! What `#[mazurka::test]` expands to: a check that is run as an ordinary test.
//!
//! A test runs in a process of its own, so that no other test shares its statics, and code that ends the process (a stack overflow, a panic
//! within a panic) fails its own test only. `MAZURKA_ISOLATE=0` runs tests in the process of the test program, for debuggers.

mod isolation;
mod report;
mod schedules;

use crate::check::Check;
use mazurka_core::Verdict;
use mazurka_report::{Paint, columns, verdict};
use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// A test as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// `module_path!()` where it is.
    pub module: &'static str,
    /// The name of the function.
    pub name: &'static str,
    /// The time that its author gives it.
    pub time: Option<Duration>,
    /// Whether limits that its author has set may end it before everything is covered.
    pub may_be_incomplete: bool,
}

impl Test {
    /// The name that the test program knows it by.
    fn filter(&self) -> String {
        match self.module.split_once("::") {
            Some((_, module)) => format!("{module}::{}", self.name),
            None => self.name.to_owned(),
        }
    }

    /// The name that no other test of a workspace has.
    fn full_name(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }

    /// The name of files about it, without their ending.
    fn file_name(&self) -> String {
        self.full_name().replace("::", "-")
    }
}

/// What the body of a test may return, as those of `#[test]`.
pub trait Returned {
    /// Panics if it is an error.
    fn assert_good(self);
}

impl Returned for () {
    fn assert_good(self) {}
}

impl<T: Returned, E: Debug> Returned for Result<T, E> {
    #[track_caller]
    fn assert_good(self) {
        match self {
            Ok(value) => value.assert_good(),
            Err(error) => panic!("the test returned an error: {error:?}"),
        }
    }
}

/// Runs a test.
///
/// # Panics
/// With the counterexample, if it fails.
#[track_caller]
pub fn run(test: Test, check: Check, body: fn()) {
    let result = match schedules::to_replay(&test) {
        Err(why) => Err(why),
        Ok(Some(schedule)) => replay(&schedule, check, body),
        Ok(None) => match isolation::role() {
            isolation::Role::Alone => isolation::run_elsewhere(&test),
            isolation::Role::Child(to) => {
                isolation::answer(&to, judge(&test, check, body));
                return;
            }
            isolation::Role::Here => judge(&test, check, body),
        },
    };
    match result {
        Ok(verdict) => println!("{verdict}"),
        Err(report) => panic!("{report}"),
    }
}

/// What is printed if the test passes; otherwise the report.
type Judged = Result<String, String>;

fn judge(test: &Test, check: Check, body: fn()) -> Judged {
    let (check, instead) = check.obeying_environment()?;
    let relaxing = check.is_to_relax()?.then(|| check.clone());
    let checked = catch_unwind(AssertUnwindSafe(|| check.run(body))).map_err(said)?;
    if let Some(failure) = checked.failures().next().filter(|_| checked.weak.is_some()) {
        return Err(format!("{}\n\n{}", failure.message, checked.report()));
    }
    let Some(mut counterexample) = checked.counterexample() else {
        report::write(test, || checked.summary_with(&test.full_name(), None))?;
        let mut verdict = checked.without_failure();
        if let Some(check) = relaxing.filter(|_| checked.outcome().verdict == Verdict::Complete) {
            verdict += &weaker(check, body)?;
        }
        let passes = checked.outcome().verdict == Verdict::Complete || test.may_be_incomplete || instead && checked.did_as_asked();
        return if passes { Ok(verdict) } else { Err(verdict) };
    };
    if let Some(file) = schedules::save(test, &counterexample.recording) {
        counterexample.replay_command = Some(schedules::replay_command(test, &file));
        counterexample.schedule_file = Some(file);
    }
    report::write(test, || checked.summary_with(&test.full_name(), Some(counterexample.clone())))?;
    // What it said comes first and as it is, as in any test: `should_panic` looks for it.
    let said = counterexample.recording.failure.as_ref().map_or("", |failure| &failure.message);
    Err(format!("{said}\n\n{}", verdict::failure(&counterexample, Paint::default())))
}

/// Which orderings could be weaker, a line for each.
fn weaker(check: Check, body: fn()) -> Judged {
    let weaker = catch_unwind(AssertUnwindSafe(|| check.weakest_orderings(body))).map_err(said)?;
    let lines = weaker.iter().map(|w| format!("\n   {}: {} can be {}", w.at, w.from, w.to));
    Ok(match weaker.len() {
        0 => "\n   no ordering can be weaker".to_owned(),
        _ => lines.collect(),
    })
}

fn replay(schedule: &mazurka_core::schedule::Schedule, check: Check, body: fn()) -> Judged {
    let replayed = catch_unwind(AssertUnwindSafe(|| check.run_again(body, schedule))).map_err(said)?;
    if let Some(divergence) = replayed.divergences.first() {
        let expected = &divergence.expected;
        return Err(format!(
            "the schedule no longer fits the code: step {}, `{}` of thread {}, cannot be taken",
            divergence.planned + 1,
            expected.label,
            expected.process
        ));
    }
    let paint = Paint::default();
    let shown = format!(
        "{}\n{}",
        columns::render(&replayed.recording, paint),
        verdict::explanation(&replayed.recording, paint)
    );
    match replayed.recording.failure {
        Some(failure) => Err(format!("{}\n\nthe schedule fails:\n{shown}", failure.message)),
        None => Ok(format!("{shown}\nthe schedule was run, and nothing fails now")),
    }
}

/// What a panic said.
fn said(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::weaker;
    use crate::sync::Arc;
    use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
    use crate::{Check, thread};

    fn publishes() {
        let all = Arc::new((AtomicUsize::new(0), AtomicBool::new(false)));
        let other = Arc::clone(&all);
        let writer = thread::spawn(move || {
            other.0.store(42, SeqCst);
            other.1.store(true, SeqCst);
        });
        if all.1.load(SeqCst) {
            assert_eq!(all.0.load(SeqCst), 42);
        }
        writer.join().unwrap();
    }

    #[test]
    fn tests_say_which_orderings_can_be_weaker() {
        let said = weaker(Check::new().model("rc11"), publishes).unwrap();
        let ends: Vec<&str> = said.lines().filter_map(|line| line.split(": ").nth(1)).collect();
        let expected = [
            "SeqCst can be Relaxed",
            "SeqCst can be Release",
            "SeqCst can be Acquire",
            "SeqCst can be Relaxed",
        ];
        assert_eq!(ends, expected, "{said}");
        assert_eq!(weaker(Check::new().model("rc11"), || ()).unwrap(), "\n   no ordering can be weaker");
    }
}
