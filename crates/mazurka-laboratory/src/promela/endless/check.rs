//! The search for executions without end against the oracle: the verdict of each property, with each reduction, with and without fairness; and each
//! execution that is shown is run again.

use super::oracle::violated;
use mazurka_core::schedule::{Schedule, plan, record, replay};
use mazurka_core::{
    Algorithm, Checks, FailureKind, Options, Outcome, Program, StateReport, StatefulOptions, States, Status, Verdict, stateful_search,
};
use mazurka_promela::{Asked, Promela, PromelaStates, parse_text_with};

/// What was compared on a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Judged {
    /// How many properties it has.
    pub properties: u64,
    /// How many of them are violated, without fairness and with it.
    pub violated: [u64; 2],
    /// How many searches stored less because of a reduction.
    pub reduced: u64,
}

/// Compares everything on a model; `None` if it is too large.
///
/// # Errors
/// The first difference, in words.
pub fn check(text: &str) -> Result<Option<Judged>, String> {
    let asked = Asked {
        non_progress: true,
        ..Asked::default()
    };
    let parsed = parse_text_with("model.pml", text, &[], &asked);
    let Some(machine) = parsed.machine else {
        return Err(format!("not accepted: {}", parsed.diagnostics.render(&parsed.sources, false)));
    };
    let promela = Promela::new(machine, parsed.sources);
    let states = PromelaStates::new(&promela);
    let properties = states.properties();
    let mut truth = Vec::new();
    for number in 0..properties.len() {
        match violated(&states, number) {
            Some(violated) => truth.push(violated),
            None => return Ok(None),
        }
    }
    let mut judged = Judged {
        properties: properties.len() as u64,
        ..Judged::default()
    };
    for violated in &truth {
        judged.violated[0] += u64::from(violated[0]);
        judged.violated[1] += u64::from(violated[1]);
    }
    for fair in [false, true] {
        let mut whole: Option<StateReport> = None;
        for (algorithm, exact) in [
            ("stateful", true),
            ("stateful", false),
            ("stateful+persistent", false),
            ("stateful+source", false),
        ] {
            let how = format!("{algorithm}{}", if fair { " --fair" } else { "" });
            let differs = |what: String| format!("{how}: {what}");
            let (outcome, report) = search(&promela, algorithm, exact, fair);
            for (number, property) in report.properties.iter().enumerate() {
                let expected = if truth[number][usize::from(fair)] {
                    Verdict::Violation
                } else {
                    Verdict::Complete
                };
                if property.verdict != Some(expected) {
                    return Err(differs(format!("{} is {:?}, not {expected:?}", property.name, property.verdict)));
                }
            }
            runs_again(&promela, &outcome).map_err(differs)?;
            let whole = whole.get_or_insert_with(|| report.clone());
            for (all, some) in whole.properties.iter().zip(&report.properties) {
                let holds = some.verdict == Some(Verdict::Complete);
                if holds && some.stored > all.stored {
                    return Err(differs(format!("{} pairs stored, but there are {}", some.stored, all.stored)));
                }
                judged.reduced += u64::from(holds && some.stored < all.stored);
            }
        }
    }
    Ok(Some(judged))
}

fn search(promela: &Promela, algorithm: &str, exact: bool, fair: bool) -> (Outcome, StateReport) {
    let options = Options::new(Algorithm::parse(algorithm).expect("a known algorithm"));
    let how = StatefulOptions::default().exact(exact).fair(fair).checks(Checks::Properties);
    let mut search = stateful_search(promela, &options.keep_going(true), how).expect("fits every model");
    while search.advance(100_000) == Status::Running {}
    (search.outcome(), search.report())
}

/// Each violation is one when it is run again, as a schedule that was written down.
fn runs_again(promela: &Promela, outcome: &Outcome) -> Result<(), String> {
    for found in outcome.failures.iter().filter(|f| f.failure.kind == FailureKind::Property) {
        let recording = record(promela, &found.schedule, Some(&found.failure));
        if recording.steps.len() != found.schedule.len() {
            return Err(format!(
                "only {} of {} steps can be taken",
                recording.steps.len(),
                found.schedule.len()
            ));
        }
        let schedule = Schedule {
            failure: Some((found.failure.kind, found.failure.message.clone())),
            steps: plan(&recording),
            repeats: found.repeats,
            ..Schedule::default()
        };
        let again = replay(promela, &schedule);
        let names: Vec<String> = promela
            .insights()
            .properties
            .map_or_else(Vec::new, |p| p.properties().into_iter().map(|p| p.name).collect());
        if !again.divergences.is_empty() || again.recording.failure.as_ref().map(|f| f.kind) != Some(FailureKind::Property) {
            return Err(format!(
                "{} ({names:?}) does not happen again: {:?}",
                found.failure.message, again.recording.failure
            ));
        }
    }
    Ok(())
}
