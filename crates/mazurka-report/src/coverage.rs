//! What was covered where not everything was: by random executions, or within a bound.

use crate::units::{approximate, count, counted};
use mazurka_core::{Bounded, Departure, Diversity, Limit, Outcome, Sampled, Verdict};

/// What random executions or a search within a bound have covered, if that is what was asked for and nothing else ended it: the line of the
/// verdict. `title` is the program, if that has to be said.
pub fn covered(outcome: &Outcome, title: Option<&str>) -> Option<String> {
    let of = title.map_or(String::new(), |title| format!(" of {title}"));
    match (outcome.limit, &outcome.sampled, &outcome.bounded) {
        (Some(Limit::Budget), Some(sampled), _) => Some(random(sampled, &of)),
        (Some(Limit::Preemptions | Limit::Delays), _, Some(bounded)) => {
            Some(format!("all executions{of} {} are covered, nothing failed", within(bounded)))
        }
        _ => None,
    }
}

/// What random executions have covered until something else ended them.
pub(crate) fn covered_so_far(outcome: &Outcome, title: &str) -> Option<String> {
    outcome.sampled.map(|sampled| random(&sampled, &format!(" of {title}")))
}

fn random(sampled: &Sampled, of: &str) -> String {
    format!("{}{of}, nothing failed", counted(sampled.executions, "random execution"))
}

/// "with at most 2 preemptions".
fn within(bounded: &Bounded) -> String {
    let counted = bounded.bound.counted;
    match (bounded.reached, counted) {
        (0, _) => format!("without {}", counted.plural()),
        (1, Departure::Preemption) => "with at most 1 preemption".to_owned(),
        (1, Departure::Delay) => "with at most 1 delay".to_owned(),
        (n, _) => format!("with at most {n} {}", counted.plural()),
    }
}

/// What a reader must know to judge how much that is.
pub fn notes(outcome: &Outcome) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(sampled) = &outcome.sampled {
        notes.extend(of_sample(sampled, outcome));
    }
    if let Some(bounded) = &outcome.bounded {
        notes.extend(of_bound(bounded, outcome));
    }
    notes
}

fn of_sample(sampled: &Sampled, outcome: &Outcome) -> Vec<String> {
    let mut notes = Vec::new();
    if sampled.cut > 0 {
        notes.push(format!(
            "{} had not ended when the limit on steps was reached (--max-depth), and nothing is known of how they end",
            counted(sampled.cut, "execution")
        ));
    }
    if outcome.ended_by_failure {
        return notes;
    }
    let kinds = [("trace", Some(sampled.traces)), ("final state", sampled.final_states)];
    notes.extend(kinds.into_iter().filter_map(|(what, seen)| diversity(what, &seen?)));
    if sampled.traces.samples > 0 {
        notes.push(format!(
            "these estimates (Good and Turing, Chao) assume that executions are drawn independently; what {} hardly ever draws is not in them",
            sampled.sampling.sampler
        ));
    }
    if matches!(outcome.limit, Some(Limit::Budget)) {
        let next = sampled.sampling.from + sampled.executions;
        notes.push(format!("other executions: --seed {} --from {next}", sampled.sampling.seed));
    }
    notes
}

/// How many different things were seen, and what that says of the others.
fn diversity(what: &str, seen: &Diversity) -> Option<String> {
    let (probability, half) = seen.unseen()?;
    let about = if seen.exact { "" } else { "about " };
    let next = format!(
        "the next execution shows a new one with probability {} ± {}",
        percent(probability),
        percent(half)
    );
    let there_are = match seen.richness() {
        Some(r) if r.high - r.low < 0.5 => String::new(),
        Some(r) => format!(
            "; there are at least about {} ({} to {})",
            approximate(r.estimate),
            approximate(r.low),
            approximate(r.high)
        ),
        None => "; nearly all were seen once, so how many there are cannot be estimated".to_owned(),
    };
    Some(format!("{about}{}: {next}{there_are}", counted(seen.seen, what)))
}

/// Two significant digits.
fn percent(p: f64) -> String {
    let percent = p * 100.0;
    match percent {
        x if x >= 9.95 || x == 0.0 => format!("{x:.0}%"),
        x if x >= 0.995 => format!("{x:.1}%"),
        x if x >= 0.0995 => format!("{x:.2}%"),
        x => format!("{x:.1e}%"),
    }
}

fn of_bound(bounded: &Bounded, outcome: &Outcome) -> Vec<String> {
    let counted = bounded.bound.counted.plural();
    let deepened = bounded.bound.first < bounded.reached;
    match outcome.verdict {
        Verdict::Complete => vec![format!("the bound left nothing out: {} everything is covered", within(bounded))],
        Verdict::Violation if outcome.ended_by_failure && deepened => {
            vec![format!("found {}; with fewer nothing fails", within(bounded))]
        }
        Verdict::Violation if outcome.ended_by_failure => vec![format!("found {}", within(bounded))],
        _ if outcome.limit.is_some_and(|l| !matches!(l, Limit::Preemptions | Limit::Delays)) && deepened => {
            vec![format!(
                "with fewer than {} {counted} everything is covered",
                count(bounded.reached.into())
            )]
        }
        _ => Vec::new(),
    }
}
