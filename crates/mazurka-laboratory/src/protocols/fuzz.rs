//! Every algorithm against the reference and brute force on random protocols.

use super::generate::generate;
use super::judge::{Judge, NoJudge};
use super::script::{Faults, Operation, Script};
use crate::bounded::bound_of;
use crate::campaign::{Campaign, Finding, Language, Report};
use crate::compare::Difference;
use crate::random::Numbers;
use mazurka_core::{Algorithm, Bound, Dependency, Order};

/// Protocols with faults.
#[derive(Clone, Copy, Debug, Default)]
pub struct Protocols;

/// Every shape.
pub const SHAPES: &[&str] = &[
    "losses",
    "losses on one link",
    "duplicates",
    "a crash and a restart",
    "a crash for good",
    "a partition",
    "two kinds of faults",
    "a timer",
    "a timer at the start",
    "a cancelled timer",
    "a clock",
    "fast messages",
    "a choice",
    "an invariant of all",
    "an invariant of some",
    "a restart that does something",
    "a constraint",
    "fields",
    "FIFO",
    "interchangeable nodes",
    "some interchangeable nodes",
    "interchangeable nodes that begin differently",
    "interchangeable nodes and faults",
    "several final states",
    "a failure",
    "a deadlock",
];

impl Language for Protocols {
    fn name(&self) -> &'static str {
        "protocols"
    }

    fn shapes(&self) -> &'static [&'static str] {
        SHAPES
    }

    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report) {
        let mut numbers = Numbers::nth(campaign.seed, number);
        let (script, judge) = loop {
            let script = generate(&mut numbers);
            match Judge::new(&script) {
                Ok(judge) if judge.truth().interleavings > 1 => break (script, Ok(judge)),
                Ok(_) | Err(NoJudge::TooLarge) => report.skipped += 1,
                Err(NoJudge::Differs(_)) => break (script, Err(())),
            }
        };
        report.programs += 1;
        report.shapes.add(shapes(&script));
        let Ok(judge) = judge else {
            report.findings.push(finding(number, &script, None));
            return;
        };
        report.shapes.add(outcome_shapes(&judge));
        let random = Order::Random(numbers.next() % 1_000_000);
        let order = if number.is_multiple_of(2) { Order::Fifo } else { random };
        let bound = campaign.bounds.then(|| (Trial::Bound(bound_of(number / 2)), order));
        let any_order = campaign.any_order.then(|| (Trial::AnyOrder(numbers.next()), order));
        let fitting = campaign.algorithms.iter().filter(|a| judge.concerns(**a));
        let algorithms = fitting.map(|a| (Trial::Algorithm(*a), order));
        for (trial, order) in bound.into_iter().chain(any_order).chain(algorithms) {
            report.comparisons += 1;
            if trial.run(&judge, order).is_err() {
                report.findings.push(finding(number, &script, Some((trial, order))));
            }
        }
    }
}

/// One search that is judged.
#[derive(Clone, Copy)]
enum Trial {
    Algorithm(Algorithm),
    Bound(Bound),
    AnyOrder(u64),
}

impl Trial {
    fn run(self, judge: &Judge, order: Order) -> Result<(), Difference> {
        match self {
            Trial::Algorithm(algorithm) if !judge.concerns(algorithm) => Ok(()),
            Trial::Algorithm(algorithm) => judge.check(algorithm, order),
            Trial::Bound(bound) => judge.check_bound(bound, order),
            Trial::AnyOrder(seed) => judge.check_any_order(seed),
        }
    }
}

fn shapes(script: &Script) -> Vec<&'static str> {
    let Faults {
        losses,
        one_link,
        duplicates,
        crashes,
        for_good,
        partitions,
    } = script.faults;
    let kinds = [losses, duplicates, crashes, partitions].iter().filter(|n| **n > 0).count();
    let operations = || script.methods.iter().flat_map(|m| &m.operations).map(Operation::core);
    let same = script.nodes[..script.interchangeable].windows(2).all(|n| n[0] == n[1]);
    let with: [(bool, &'static str); 23] = [
        (losses > 0 && !one_link, "losses"),
        (losses > 0 && one_link, "losses on one link"),
        (duplicates > 0, "duplicates"),
        (crashes > 0 && !for_good, "a crash and a restart"),
        (crashes > 0 && for_good, "a crash for good"),
        (partitions > 0, "a partition"),
        (kinds > 1, "two kinds of faults"),
        (operations().any(|o| matches!(o, Operation::Timer(..))), "a timer"),
        (!script.timers.is_empty(), "a timer at the start"),
        (operations().any(|o| matches!(o, Operation::Cancel(_))), "a cancelled timer"),
        (script.clock, "a clock"),
        (script.fast, "fast messages"),
        (operations().any(|o| matches!(o, Operation::Choose(..))), "a choice"),
        (matches!(script.invariant, Some((_, false))), "an invariant of all"),
        (matches!(script.invariant, Some((_, true))), "an invariant of some"),
        (
            crashes > 0 && !for_good && script.restart.is_some(),
            "a restart that does something",
        ),
        (script.methods.iter().any(|m| m.guard.is_some()), "a constraint"),
        (script.dependency == Dependency::Field, "fields"),
        (script.delivery != mazurka_actors::Delivery::Unordered, "FIFO"),
        (script.interchangeable > 0, "interchangeable nodes"),
        (
            script.interchangeable > 0 && script.interchangeable < script.nodes.len(),
            "some interchangeable nodes",
        ),
        (!same, "interchangeable nodes that begin differently"),
        (script.interchangeable > 0 && kinds > 0, "interchangeable nodes and faults"),
    ];
    with.into_iter().filter(|(there, _)| *there).map(|(_, shape)| shape).collect()
}

fn outcome_shapes(judge: &Judge) -> Vec<&'static str> {
    let truth = judge.truth();
    let with = [
        (truth.finals.len() > 1, "several final states"),
        (!truth.failures.is_empty(), "a failure"),
        (!truth.deadlocks.is_empty(), "a deadlock"),
    ];
    with.into_iter().filter(|(there, _)| *there).map(|(_, shape)| shape).collect()
}

fn difference(script: &Script, search: Option<(Trial, Order)>) -> Option<String> {
    match (Judge::new(script), search) {
        (Err(NoJudge::Differs(what)), None) => Some(what),
        (Ok(judge), Some((trial, order))) => trial.run(&judge, order).err().map(|d| d.to_string()),
        _ => None,
    }
}

fn finding(number: u64, script: &Script, search: Option<(Trial, Order)>) -> Finding {
    let mut script = script.clone();
    while let Some(smaller) = smaller(&script).into_iter().find(|s| difference(s, search).is_some()) {
        script = smaller;
    }
    Finding {
        number,
        origin: "random".to_owned(),
        what: difference(&script, search).unwrap_or_else(|| "it depends on how often it is tried".to_owned()),
        program: format!("{script:#?}"),
        test: None,
    }
}

/// The script with one thing less, in every way.
fn smaller(script: &Script) -> Vec<Script> {
    let mut all: Vec<Script> = Vec::new();
    let mut with = |change: &dyn Fn(&mut Script)| {
        let mut changed = script.clone();
        change(&mut changed);
        if changed != *script {
            all.push(changed);
        }
    };
    for at in 0..script.start.len() {
        with(&|s| _ = s.start.remove(at));
    }
    for at in 0..script.timers.len() {
        with(&|s| _ = s.timers.remove(at));
    }
    for method in 0..script.methods.len() {
        with(&|s| s.methods[method].guard = None);
        for at in 0..script.methods[method].operations.len() {
            with(&|s| drop(s.methods[method].operations.remove(at)));
            if let Operation::If(_, _, inner) = &script.methods[method].operations[at] {
                with(&|s| s.methods[method].operations[at] = (**inner).clone());
            }
        }
    }
    with(&|s| s.restart = None);
    with(&|s| s.invariant = None);
    with(&|s| (s.clock, s.fast) = (false, false));
    with(&|s| s.fast = false);
    with(&|s| s.delivery = mazurka_actors::Delivery::Unordered);
    with(&|s| s.dependency = Dependency::Actor);
    with(&|s| s.interchangeable = 0);
    with(&|s| s.faults.losses = s.faults.losses.saturating_sub(1));
    with(&|s| s.faults.duplicates = 0);
    with(&|s| s.faults.crashes = s.faults.crashes.saturating_sub(1));
    with(&|s| s.faults.partitions = 0);
    for node in 0..script.nodes.len() {
        with(&|s| s.nodes[node] = [0; 2]);
    }
    all
}
