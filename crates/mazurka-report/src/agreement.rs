//! Whether algorithms side by side agree on what they all promise to find. Two sound ones that do not mean an error in this tool.

use crate::summary::Comparison;
use mazurka_core::{Algorithm, Covers, FailureKind, FoundFailure, Observe, Outcome};
use std::collections::BTreeSet;

/// One thing that algorithms can agree on: what it is called, who promises it, and what they found of it.
struct Facet {
    what: &'static str,
    promised: fn(Algorithm, &Outcome) -> bool,
    found: fn(&Outcome) -> BTreeSet<String>,
}

/// In the order in which they are looked at. What differs already in one that comes earlier is not said again.
const FACETS: [Facet; 5] = [
    Facet {
        what: "what fails",
        promised: |_, _| true,
        found: |outcome| outcome.failures.iter().map(place).collect(),
    },
    Facet {
        what: "with which values it fails",
        promised: |algorithm, _| one_way_or_another_every_trace(algorithm),
        found: |outcome| outcome.failures.iter().map(sentence).collect(),
    },
    Facet {
        what: "the number of final states",
        promised: |algorithm, outcome| !algorithm.is_stateful() && every_final_state(algorithm, outcome),
        found: |outcome| number(outcome.distinct_final_states.unwrap_or(0)),
    },
    Facet {
        // Front ends may keep less in the states that are stored.
        what: "the number of stored final states",
        promised: |algorithm, outcome| algorithm.is_stateful() && every_final_state(algorithm, outcome),
        found: |outcome| number(outcome.distinct_final_states.unwrap_or(0)),
    },
    Facet {
        what: "the number of executions, one for each trace",
        promised: |algorithm, _| each_trace_once(algorithm),
        found: |outcome| number(outcome.counts.executions),
    },
];

/// Every disagreement of two sound algorithms that came to their ends, in words. `all_failures` is false if each stopped at its first
/// failure: then they only have to agree on whether there is one.
pub fn disagreements(comparisons: &[Comparison], all_failures: bool) -> Vec<String> {
    let ran = comparisons.iter().filter_map(|c| {
        let (outcome, _) = c.result.as_ref().ok()?;
        outcome.sound.then_some((c.algorithm.as_str(), outcome))
    });
    let (ended, limited): (Vec<_>, Vec<_>) = ran.partition(|(_, outcome)| outcome.limit.is_none());
    let mut out = Vec::new();
    // Who looked at a part only may know less than the others, but nothing else.
    for (name, part) in limited {
        if let Some((other, _)) = ended
            .iter()
            .find(|(_, whole)| whole.failures.is_empty() && !part.failures.is_empty())
        {
            out.push(format!("{other} says that nothing fails, but {name} found a failure"));
        }
    }
    let facets = if all_failures { &FACETS[..] } else { &[] };
    let mut different: Vec<&str> = Vec::new();
    if let Some(((first, one), rest)) = ended.split_first() {
        for (name, other) in rest.iter().filter(|(_, other)| other.verdict != one.verdict) {
            out.push(format!(
                "{first} says {}, but {name} says {}",
                one.verdict.name(),
                other.verdict.name()
            ));
            different.push(name);
        }
    }
    for facet in facets {
        let mut promising = ended.iter().filter(|(name, outcome)| {
            let algorithm = Algorithm::parse(name);
            algorithm.is_ok_and(|a| (facet.promised)(a, outcome))
        });
        let Some((first, one)) = promising.next() else { continue };
        let one = (facet.found)(one);
        for (name, other) in promising {
            let other = (facet.found)(other);
            if other != one && !different.contains(name) {
                out.push(format!(
                    "{first} and {name} disagree on {}: {}",
                    facet.what,
                    difference((first, &one), (name, &other))
                ));
                different.push(name);
            }
        }
    }
    out
}

fn difference((first, one): (&str, &BTreeSet<String>), (second, two): (&str, &BTreeSet<String>)) -> String {
    match (one.difference(two).next(), two.difference(one).next()) {
        (Some(a), Some(b)) => format!("{a} against {b}"),
        (Some(a), None) => format!("only {first} finds {a}"),
        (None, Some(b)) => format!("only {second} finds {b}"),
        (None, None) => "nothing".to_owned(),
    }
}

fn number(n: u64) -> BTreeSet<String> {
    BTreeSet::from([n.to_string()])
}

/// Which statement fails: its place, or what is said of it before the values. How many processes wait in a deadlock is a value too.
fn place(found: &FoundFailure) -> String {
    let failure = &found.failure;
    let kind = failure.kind.name();
    match &failure.at {
        _ if failure.kind == FailureKind::Deadlock => kind.to_owned(),
        Some(at) => format!("{kind} at {at}"),
        None => format!("{kind}: {}", failure.message.split(", but ").next().unwrap_or_default()),
    }
}

fn sentence(found: &FoundFailure) -> String {
    let at = found.failure.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
    format!("{}{at}: {}", found.failure.kind.name(), found.failure.message)
}

/// Neither states nor writes were left out.
fn one_way_or_another_every_trace(algorithm: Algorithm) -> bool {
    algorithm.about().promise.covers <= Covers::Traces
}

fn each_trace_once(algorithm: Algorithm) -> bool {
    one_way_or_another_every_trace(algorithm) && algorithm.about().promise.once
}

fn every_final_state(algorithm: Algorithm, outcome: &Outcome) -> bool {
    let merged = outcome
        .merged
        .is_none_or(|m| !m.tasks_exchanged && matches!(m.observe, Observe::States | Observe::Finals));
    merged && algorithm.about().promise.covers != Covers::Outcomes && outcome.distinct_final_states.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::{Failure, Limit, Verdict};
    use std::time::Duration;

    fn failing(message: &str) -> FoundFailure {
        FoundFailure {
            failure: Failure {
                kind: FailureKind::Assertion,
                message: message.to_owned(),
                at: None,
            },
            schedule: Vec::new(),
            repeats: None,
            after_executions: 0,
        }
    }

    fn row(algorithm: &str, failures: &[&str], executions: u64, finals: u64) -> Comparison {
        let mut outcome = Outcome::new(if failures.is_empty() {
            Verdict::Complete
        } else {
            Verdict::Violation
        });
        outcome.counts.executions = executions;
        outcome.failures = failures.iter().map(|m| failing(m)).collect();
        outcome.distinct_final_states = Some(finals);
        Comparison {
            algorithm: algorithm.to_owned(),
            result: Ok((outcome, Duration::ZERO)),
        }
    }

    fn edit(mut row: Comparison, edit: impl Fn(&mut Outcome)) -> Comparison {
        if let Ok((outcome, _)) = &mut row.result {
            edit(outcome);
        }
        row
    }

    #[test]
    fn algorithms_that_keep_their_promises_agree() {
        let rows = [
            row("naive", &["p asserts x, but x is 1", "p asserts x, but x is 2"], 90, 3),
            row("optimal", &["p asserts x, but x is 1", "p asserts x, but x is 2"], 7, 3),
            row("source", &["p asserts x, but x is 2", "p asserts x, but x is 1"], 7, 3),
            row("source+context", &["p asserts x, but x is 2"], 3, 3),
            row("optimal+observers", &["p asserts x, but x is 2"], 5, 2),
        ];
        assert_eq!(disagreements(&rows, true), [""; 0]);
    }

    #[test]
    fn a_lost_failure_is_a_disagreement() {
        let rows = [row("naive", &["p asserts x, but x is 1"], 9, 3), row("optimal", &[], 7, 3)];
        assert_eq!(disagreements(&rows, true), ["naive says violation, but optimal says complete"]);
        assert_eq!(disagreements(&rows, false), ["naive says violation, but optimal says complete"]);
        let rows = [
            row("naive", &["p asserts x, but x is 1", "q asserts y, but y is 0"], 9, 3),
            row("source+context", &["p asserts x, but x is 1"], 7, 3),
        ];
        assert_eq!(
            disagreements(&rows, true),
            ["naive and source+context disagree on what fails: only naive finds assertion: q asserts y"]
        );
        assert_eq!(disagreements(&rows, false), [""; 0], "each stopped at its first failure");
    }

    #[test]
    fn lost_values_and_states_and_surplus_executions_are_disagreements() {
        let rows = [
            row("dpor", &["p asserts x, but x is 1", "p asserts x, but x is 2"], 9, 3),
            row("source", &["p asserts x, but x is 1"], 9, 3),
        ];
        assert_eq!(
            disagreements(&rows, true),
            ["dpor and source disagree on with which values it fails: only dpor finds assertion: p asserts x, but x is 2"]
        );
        let rows = [row("naive", &[], 9, 3), row("optimal+context", &[], 2, 2)];
        assert_eq!(
            disagreements(&rows, true),
            ["naive and optimal+context disagree on the number of final states: 3 against 2"]
        );
        let rows = [row("naive", &[], 9, 3), row("source", &[], 4, 3), row("optimal", &[], 5, 3)];
        assert_eq!(
            disagreements(&rows, true),
            ["source and optimal disagree on the number of executions, one for each trace: 4 against 5"]
        );
    }

    #[test]
    fn who_did_not_come_to_an_end_or_is_not_sound_may_know_less_but_nothing_else() {
        let limited = |row| edit(row, |o| o.limit = Some(Limit::Time));
        let rows = [row("optimal", &["p asserts x, but x is 1"], 7, 3), limited(row("naive", &[], 1, 1))];
        assert_eq!(disagreements(&rows, true), [""; 0]);
        let rows = [row("optimal", &[], 7, 3), limited(row("naive", &["p asserts x, but x is 1"], 1, 1))];
        assert_eq!(
            disagreements(&rows, true),
            ["optimal says that nothing fails, but naive found a failure"]
        );
        let unsound = edit(row("source+context:as-published", &[], 1, 1), |o| o.sound = false);
        assert_eq!(
            disagreements(&[row("naive", &["p asserts x, but x is 1"], 9, 3), unsound], true),
            [""; 0]
        );
    }
}
