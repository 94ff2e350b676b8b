//! Tests for people to read.

use crate::bounds::Bounds;
use crate::explore::Exploration;
use crate::outcome::{Ended, Names};
use crate::suite::{Suite, Test};
use crate::target::{Entry, Target};
use std::fmt::Write;

/// All tests, with what they cover and what was left out.
pub fn table(target: &Target, exploration: &Exploration, suite: &Suite, bounds: &Bounds) -> String {
    let mut out = String::new();
    for (nth, test) in suite.tests.iter().enumerate() {
        one(target, nth + 1, test, &mut out);
    }
    let failing = suite.tests.iter().filter(|test| test.outcome.fails()).count();
    let _ = writeln!(
        out,
        "{} of {}: {} of {} candidates, {}",
        count(suite.tests.len(), "test"),
        target.name(),
        suite.tests.len(),
        suite.compared,
        match failing {
            0 => "none shows a failure".to_owned(),
            1 => "1 shows a failure".to_owned(),
            n => format!("{n} show a failure"),
        }
    );
    let _ = writeln!(
        out,
        "   covered: {} of {} ({}), over {} of inputs and {}",
        suite.goals,
        suite.goals,
        suite.criterion.name(),
        classes(suite.classes),
        count(suite.executions as usize, "interleaving"),
    );
    let _ = match suite.partly {
        0 => writeln!(
            out,
            "   every candidate was run with known values, under every schedule, and did what was predicted"
        ),
        some => writeln!(
            out,
            "   every candidate was run with known values, and did what was predicted; not under every schedule in {} of inputs, which have too many",
            classes(some)
        ),
    };
    settings(exploration, bounds, &mut out);
    for note in &target.notes {
        let _ = writeln!(out, "   note: {note}");
    }
    out
}

fn classes(n: usize) -> String {
    match n {
        1 => "1 class".to_owned(),
        n => format!("{n} classes"),
    }
}

/// How much there is to explore.
pub fn counts(target: &Target, exploration: &Exploration, bounds: &Bounds) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} of inputs, {}, {} blocked, {} steps",
        target.name(),
        classes(exploration.classes.len()),
        count(exploration.executions as usize, "execution"),
        exploration.blocked,
        exploration.steps
    );
    settings(exploration, bounds, &mut out);
    out
}

/// The bounds, what they cut off, and what the solver did.
fn settings(exploration: &Exploration, bounds: &Bounds, out: &mut String) {
    let _ = writeln!(
        out,
        "   bounds: calls {}, unroll {}, size {}, objects {}, max-depth {}",
        bounds.calls, bounds.unroll, bounds.size, bounds.objects, bounds.depth
    );
    for cut in &exploration.cuts {
        let _ = writeln!(out, "   not covered: {}", cut.describe(bounds));
    }
    if exploration.forbidden > 0 {
        let _ = writeln!(
            out,
            "   {} of inputs left out by --requires",
            classes(exploration.forbidden as usize)
        );
    }
    let queries = exploration.queries;
    let _ = writeln!(
        out,
        "   solver: {} asked, {} answered without it, {} by earlier values and {} by earlier contradictions, {} unknown",
        queries.asked, queries.by_sums, queries.by_model, queries.by_core, queries.unknown
    );
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn one(target: &Target, number: usize, test: &Test, out: &mut String) {
    let names = Names::of(&target.machine);
    let inputs: Vec<String> = test.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let _ = writeln!(
        out,
        "test {number}{}{}",
        if inputs.is_empty() { "" } else { ": " },
        inputs.join(", ")
    );
    let calls = calls(target, test);
    for (nth, (call, ended)) in calls.iter().zip(&test.outcome.calls).enumerate() {
        let what = match ended {
            Ended::Returned(_) => format!("returns {}", names.ended(ended)),
            Ended::Threw(_) | Ended::Waits => names.ended(ended),
        };
        let _ = writeln!(out, "   {}{call}: {what}", if nth == 0 { "" } else { "besides, " });
    }
    for change in changes(target, test) {
        let _ = writeln!(out, "   {change}");
    }
    for failure in &test.outcome.failures {
        let at = failure.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        let _ = writeln!(out, "   fails: {}{at}", failure.message);
    }
    if test.schedule_matters {
        let _ = writeln!(out, "   in this order (of {} interleavings):", test.interleavings);
        for (nth, step) in test.steps.iter().enumerate() {
            let _ = writeln!(out, "   {:>5}  {}: {}", nth + 1, object_of(&step.name), step.label);
        }
    } else {
        let _ = writeln!(
            out,
            "   whatever the schedule ({})",
            count(usize::try_from(test.interleavings).unwrap_or(usize::MAX), "interleaving")
        );
    }
    out.push('\n');
}

/// `AccountImpl 0.withdraw(1)` is a task of `AccountImpl 0`.
fn object_of(task: &str) -> &str {
    let call = task.find('(').unwrap_or(task.len());
    task[..call].rfind('.').map_or(task, |dot| &task[..dot])
}

/// The calls of a test as people write them.
fn calls(target: &Target, test: &Test) -> Vec<String> {
    let names = Names::of(&target.machine);
    let Entry::Method { .. } = &target.entry else { return Vec::new() };
    let calls = test.instance.scene.calls.iter();
    calls
        .map(|call| {
            let code = &target.machine.program.codes[call.code as usize].name;
            let args: Vec<String> = call.args.iter().map(|arg| names.show(arg)).collect();
            format!("{}({})", code.rsplit('.').next().unwrap_or(code), args.join(", "))
        })
        .collect()
}

/// The fields that have other values in the end.
fn changes(target: &Target, test: &Test) -> Vec<String> {
    let names = Names::of(&target.machine);
    let mut found = Vec::new();
    for ((object, before), after) in test.objects.iter().zip(&test.instance.scene.objects).zip(&test.outcome.heap) {
        let fields = &target.machine.program.classes[before.class as usize].fields;
        for ((field, before), after) in fields.iter().zip(&before.fields).zip(after) {
            let (before, after) = (names.show(before), names.show(after));
            if before != after {
                found.push(format!("{object}.{field}: {before} → {after}"));
            }
        }
    }
    found
}
