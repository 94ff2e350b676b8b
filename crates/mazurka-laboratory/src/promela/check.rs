//! Everything that is compared on one model: the laws, brute force over states, brute force over traces, and every algorithm.

use super::alternatives::check_alternatives;
use crate::bounded;
use crate::claims::Claims;
use crate::compare::{compare, order_name};
use crate::enumerate::{Budget, Exceeded, enumerate};
use crate::merging::{keeps_live_parts, live_part, same_as_plain};
use crate::order_free;
use crate::parallel;
use crate::random::Numbers;
use crate::saved;
use crate::seen::explore;
use mazurka_core::{
    Algorithm, Bound, Checks, Describe, FailureKind, Fingerprint, Options, Order, Outcome, Position, Program, Reduction, StatefulOptions,
    States, Status, laws, stateful_search,
};
use mazurka_promela::{Promela, PromelaStates, Run, parse_text};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Models with more states or longer executions than this are left out.
const MAX_STATES: usize = 1_500;
/// Models with more interleavings than this are compared by their states only.
const MAX_INTERLEAVINGS: u128 = 400;
const TRACES: Budget = Budget { prefixes: 300, depth: 40 };

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Runs of algorithms.
    pub comparisons: u64,
    /// Whether there was brute force over all traces, or over states only.
    pub traces: bool,
}

/// A failure that is no deadlock, as it is reported.
type Failing = (FailureKind, String, Option<Position>);

/// All that brute force over the states finds.
struct Reached {
    failures: Vec<Failing>,
    states: u64,
    transitions: u64,
    /// As they are encoded.
    end_states: FxHashSet<Vec<u8>>,
    deadlocks: bool,
}

/// Compares everything on a model; `None` if it is too large.
///
/// # Errors
/// The first difference, in words.
pub fn check(text: &str, algorithms: &[Algorithm], order: Order) -> Result<Option<Compared>, String> {
    check_besides(text, algorithms, order, Besides::default())
}

/// What else is run on a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Besides {
    /// A search within a bound.
    pub bound: Option<Bound>,
    /// `optimal` in this random order of branches and messages.
    pub any_order: Option<u64>,
}

/// As [`check`], with something else besides.
///
/// # Errors
/// The first difference, in words.
pub fn check_besides(text: &str, algorithms: &[Algorithm], order: Order, besides: Besides) -> Result<Option<Compared>, String> {
    let parsed = parse_text("model.pml", text, &[]);
    let Some(machine) = parsed.machine else {
        return Err(format!("not accepted: {}", parsed.diagnostics.render(&parsed.sources, false)));
    };
    let promela = Promela::new(machine, parsed.sources);
    let Some(reached) = by_states(&promela) else { return Ok(None) };
    let effort = laws::Effort::new().walks(3).steps(40).seed(text.len() as u64);
    laws::check(&promela, &effort).map_err(|broken| format!("law: {}", broken.explain(&promela)))?;
    let mut numbers = Numbers::new(effort.seed);
    check_alternatives(&promela, &mut numbers, 3, 30).map_err(|what| format!("alternatives: {what}"))?;
    // The fingerprints of final states are compared as well: what is printed must not depend on what they take into account.
    let outcome = printed;
    let live = RefCell::new(FxHashSet::default());
    let ends = RefCell::new(FxHashSet::default());
    let states = PromelaStates::new(&promela);
    let truth = match promela.features().terminating {
        false => None,
        true => match enumerate(&promela, TRACES, |promela, run| {
            live.borrow_mut().insert(live_part(promela, run));
            ends.borrow_mut().insert(encoded(&states, run.state()));
            outcome(promela, run)
        }) {
            Ok(truth) => (truth.interleavings <= MAX_INTERLEAVINGS).then_some(truth),
            Err(Exceeded::Budget) => None,
            Err(Exceeded::WrongFootprints(schedule)) => return Err(format!("footprints too small: {schedule:?}")),
        },
    };
    // The transitions of the searches through executions and those of the stored states are listed by different code.
    if truth.is_some() && reached.failures.is_empty() && *ends.borrow() != reached.end_states {
        let (by_executions, by_states) = (ends.borrow().len(), reached.end_states.len());
        return Err(format!(
            "brute force over executions and the states differ: {by_executions} and {by_states} final states"
        ));
    }
    let mut compared = Compared {
        comparisons: 0,
        traces: truth.is_some(),
    };
    if let (Some(seed), Some(truth), true) = (besides.any_order, &truth, promela.features().static_footprints) {
        compared.comparisons += 1;
        order_free::check(&promela, truth, seed)
            .and_then(|()| parallel::check(&promela.crew(), promela.features(), truth, seed))
            .and_then(|()| saved::check(&promela, seed))
            .map_err(|what| format!("optimal in any order: {what}"))?;
    }
    if let (Some(bound), Some(truth)) = (besides.bound, &truth) {
        compared.comparisons += 1;
        let differs = |what: String| format!("bound {bound} ({}): {what}", order_name(order));
        bounded::check(&promela, truth, bound, order).map_err(differs)?;
    }
    for &algorithm in algorithms {
        let name = algorithm.name();
        let Some(mut claims) = Claims::of(name) else { continue };
        let options = Options::new(algorithm).keep_going(true).order(order);
        let differs = |what: String| format!("{name} ({}): {what}", order_name(order));
        if algorithm.is_stateful() {
            compared.comparisons += 1;
            stateful(&promela, &options, &reached).map_err(differs)?;
            continue;
        }
        let (Some(truth), true) = (&truth, algorithm.fits(promela.features()).is_ok()) else {
            continue;
        };
        // Everything is an outcome here, also what was written and never read.
        claims.outcomes &= claims.finals;
        let Ok((seen, found)) = explore(&promela, &options, outcome) else {
            continue;
        };
        compared.comparisons += 1;
        compare(truth, &seen, claims).map_err(differs)?;
        same_failures(&found, &reached).map_err(differs)?;
        same_as_plain(&promela, &options, &found, &seen.finals).map_err(differs)?;
        if algorithm.merges() {
            compared.comparisons += 1;
            let found = keeps_live_parts(&promela, &options, &live.borrow()).map_err(differs)?;
            same_failures(&found, &reached).map_err(differs)?;
        }
    }
    Ok(Some(compared))
}

/// What a person is shown of a state: all values, and which processes there are still. As a number.
pub fn printed(promela: &Promela, run: &Run) -> Fingerprint {
    let mut pending = Vec::new();
    promela.pending(run, &mut pending);
    let waiting: Vec<String> = pending
        .iter()
        .map(|p| promela.process_name(run, p.transition.process) + &promela.describe(run, p.transition).label)
        .collect();
    let half = |salt: u32| {
        let mut hasher = DefaultHasher::new();
        (salt, promela.values(run), &waiting).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}

fn encoded(states: &PromelaStates<'_>, state: &mazurka_promela::State) -> Vec<u8> {
    let mut out = Vec::new();
    states.encode(state, &mut out);
    out
}

/// All states, with nothing clever; `None` if there are too many, or a step is too large.
fn by_states(promela: &Promela) -> Option<Reached> {
    let states = PromelaStates::new(promela);
    let (first, failure) = states.start();
    let mut reached = Reached {
        failures: Vec::new(),
        states: 1,
        transitions: 1,
        end_states: FxHashSet::default(),
        deadlocks: false,
    };
    let mut note = |failure: Option<mazurka_core::Failure>, deadlocks: &mut bool| {
        if let Some(failure) = failure {
            *deadlocks |= failure.kind == FailureKind::Deadlock;
            let failing = (failure.kind, failure.message, failure.at);
            if failing.0 != FailureKind::Deadlock && !reached.failures.contains(&failing) {
                reached.failures.push(failing);
            }
        }
    };
    let mut deadlocks = false;
    note(failure, &mut deadlocks);
    let bytes = |state: &mazurka_promela::State| encoded(&states, state);
    let mut end_states = FxHashSet::default();
    let (mut seen, mut todo) = (FxHashSet::from_iter([bytes(&first)]), vec![first]);
    let mut transitions = 1;
    while let Some(state) = todo.pop() {
        let mut moved = false;
        states.successors(&state, |next| {
            moved = true;
            transitions += 1;
            note(next.failure, &mut deadlocks);
            if seen.insert(bytes(next.after)) {
                todo.push(next.after.clone());
            }
        });
        if !moved {
            end_states.insert(bytes(&state));
            let mut failures = Vec::new();
            states.failures_at_end(&state, &mut failures);
            failures.into_iter().for_each(|f| note(Some(f), &mut deadlocks));
        }
        if seen.len() > MAX_STATES {
            return None;
        }
    }
    // A sequence that never ends is a step that nobody can take: every search is incomplete then.
    if reached.failures.iter().any(|(kind, ..)| *kind == FailureKind::Limit) {
        return None;
    }
    (reached.states, reached.transitions) = (seen.len() as u64, transitions);
    (reached.end_states, reached.deadlocks) = (end_states, deadlocks);
    Some(reached)
}

fn words(failures: &[Failing]) -> BTreeSet<String> {
    let word = |(kind, message, at): &Failing| format!("{} {message} {at:?}", kind.name());
    failures.iter().map(word).collect()
}

/// The same failures with the same messages at the same places, and deadlocks or none.
fn same_failures(found: &Outcome, reached: &Reached) -> Result<(), String> {
    let failing = found.failures.iter().filter(|f| f.failure.kind != FailureKind::Deadlock);
    let ours: Vec<Failing> = failing
        .map(|f| (f.failure.kind, f.failure.message.clone(), f.failure.at.clone()))
        .collect();
    let (ours, all) = (words(&ours), words(&reached.failures));
    if let Some(lost) = all.difference(&ours).next() {
        return Err(format!("misses a failure: {lost}"));
    }
    if let Some(extra) = ours.difference(&all).next() {
        return Err(format!("reports a failure that does not exist: {extra}"));
    }
    let deadlocks = found.failures.iter().any(|f| f.failure.kind == FailureKind::Deadlock);
    if deadlocks != reached.deadlocks {
        return Err(format!(
            "deadlocks: {deadlocks}, but brute force over states says {}",
            reached.deadlocks
        ));
    }
    Ok(())
}

fn stateful(promela: &Promela, options: &Options, reached: &Reached) -> Result<(), String> {
    for exact in [false, true] {
        let how = StatefulOptions::default().exact(exact).shortest(false).checks(Checks::Safety);
        let mut search = stateful_search(promela, options, how).map_err(|e| e.to_string())?;
        while search.advance(100_000) == Status::Running {}
        let (outcome, report) = (search.outcome(), search.report());
        same_failures(&outcome, reached)?;
        if outcome.counts.executions != reached.end_states.len() as u64 {
            return Err(format!(
                "{} end states, but there are {}",
                outcome.counts.executions,
                reached.end_states.len()
            ));
        }
        let (stored, transitions) = (report.stored, report.transitions);
        let whole = options.algorithm.reduction() == Some(Reduction::None);
        if whole && (stored, transitions) != (reached.states, reached.transitions) || stored > reached.states {
            return Err(format!(
                "{stored} states and {transitions} transitions, but there are {} and {}",
                reached.states, reached.transitions
            ));
        }
    }
    Ok(())
}
