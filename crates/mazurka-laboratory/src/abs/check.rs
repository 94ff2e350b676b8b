//! One model under the eyes of three judges: the reference, brute force on the machine of the searches, and every search.

use super::model::Model;
use super::reference::{End, Told, Truth as Reference, told};
use crate::bounded;
use crate::claims::Claims;
use crate::compare::{compare, order_name};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::merging::{keeps_live_parts, live_part, same_as_plain};
use crate::order_free;
use crate::parallel;
use crate::saved;
use crate::seen::explore;
use mazurka_abs::run::state::Run;
use mazurka_abs::run::{AwaitSemantics, Machine, Settings};
use mazurka_core::{Algorithm, Bound, Crew, Dependency, Describe, FailureKind, Fingerprint, Options, Order, Outcome, Program, laws};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// How a model is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// What counts as one shared thing.
    pub dependency: Dependency,
    /// What `await g` does when `g` holds.
    pub await_semantics: AwaitSemantics,
}

/// Models that are larger than this are left out.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// States of the reference.
    pub states: usize,
    /// Prefixes of traces.
    pub prefixes: usize,
    /// Interleavings.
    pub interleavings: u128,
}

/// The machine of the searches and what there is to find.
pub struct Prepared {
    /// The machine.
    pub machine: Machine,
    reference: Reference,
    truth: Truth,
    crew: Crew,
    /// The live parts of the final states.
    live: FxHashSet<Fingerprint>,
}

/// What the machine promises is checked on so many ways through each model.
const WALKS: laws::Effort = laws::Effort::new().walks(3).steps(80).seed(7);

/// Why there is nothing to compare the searches with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// It is too large, or uses what the reference does not know.
    Large,
    /// Brute force already differs from the reference, or the machine breaks a law.
    Differs(String),
}

/// Runs the reference and brute force, compares them, and checks the laws of programs.
///
/// # Errors
/// If the model is too large, or if they differ.
pub fn prepare(model: &Model, setting: Setting, size: Size) -> Result<Prepared, Unfit> {
    let reference = model.truth(setting.await_semantics, size.states).map_err(|_| Unfit::Large)?;
    let settings = Settings {
        dependency: setting.dependency,
        await_semantics: setting.await_semantics,
        ..Settings::default()
    };
    let mut machine = model.machine(settings).ok_or(Unfit::Large)?;
    let text = model.whole_text();
    let again = move || Model::parse(&text).ok().and_then(|model| model.machine(settings));
    let crew = machine.crew(move || again().unwrap_or_else(|| unreachable!("it was made before")));
    laws::check(&machine, &WALKS).map_err(|broken| Unfit::Differs(format!("laws: {broken}")))?;
    let budget = Budget {
        prefixes: size.prefixes,
        depth: 80,
    };
    let ends = RefCell::new(BTreeSet::new());
    let live = RefCell::new(FxHashSet::default());
    let noted = |m: &Machine, run: &Run| {
        live.borrow_mut().insert(live_part(m, run));
        note(m, run, &ends)
    };
    let truth = match enumerate(&machine, budget, noted) {
        Ok(truth) if truth.interleavings <= size.interleavings => truth,
        Ok(_) | Err(Exceeded::Budget) => return Err(Unfit::Large),
        Err(Exceeded::WrongFootprints(schedule)) => {
            let steps: Vec<String> = schedule.iter().map(|t| machine.process_key(t.process)).collect();
            let what = format!("brute force: an execution equivalent to {} leads to another state", steps.join(" "));
            return Err(Unfit::Differs(what));
        }
    };
    let found: BTreeSet<(FailureKind, String)> = truth.failures.iter().cloned().collect();
    let real: BTreeSet<(FailureKind, String)> = reference
        .failures
        .iter()
        .map(|(kind, message, _)| (*kind, message.clone()))
        .collect();
    let differs = sets("brute force", "failures", &real, &found, true)
        .and_then(|()| sets("brute force", "ends", &reference.ends, &ends.into_inner(), true));
    differs.map_err(Unfit::Differs)?;
    let live = live.into_inner();
    Ok(Prepared {
        machine,
        reference,
        truth,
        crew,
        live,
    })
}

/// Remembers how an execution ends.
fn note(machine: &Machine, run: &Run, ends: &RefCell<BTreeSet<End>>) -> u128 {
    let wait = |w: mazurka_core::Wait| {
        let at = w.at.map(|at| format!("{}:{}", at.line, at.column)).unwrap_or_default();
        (machine.process_key(w.process), at)
    };
    ends.borrow_mut().insert(End {
        state: Describe::values(machine, run),
        waits: Describe::waits(machine, run).into_iter().map(wait).collect(),
    });
    machine.fingerprint(run)
}

/// Holds what was found against what there is.
fn sets<T: Ord + std::fmt::Debug>(who: &str, what: &str, all: &BTreeSet<T>, found: &BTreeSet<T>, complete: bool) -> Result<(), String> {
    if let Some(extra) = found.iter().find(|x| !all.contains(x)) {
        return Err(format!("{who}: reports one of the {what} that does not exist: {extra:?}"));
    }
    let lost: Vec<&T> = all.iter().filter(|x| !found.contains(x)).collect();
    match lost.first() {
        Some(first) if complete => Err(format!("{who}: misses {} of {} {what}, such as {first:?}", lost.len(), all.len())),
        _ => Ok(()),
    }
}

/// A failure without the values in its message.
fn without_values((kind, message, at): &Told) -> Told {
    let message = message.split(", where ").next().unwrap_or_default();
    (*kind, message.to_owned(), at.clone())
}

impl Prepared {
    /// How many interleavings there are.
    pub fn interleavings(&self) -> u128 {
        self.truth.interleavings
    }

    /// Whether the algorithm can be used on the model and claims something.
    pub fn fits(&self, algorithm: Algorithm) -> bool {
        Claims::of(algorithm.name()).is_some() && algorithm.fits(self.machine.features()).is_ok()
    }

    /// Searches within a bound and compares with every schedule within it.
    ///
    /// # Errors
    /// What differs.
    pub fn check_bound(&self, bound: Bound, order: Order) -> Result<(), String> {
        let who = format!("{bound} ({})", order_name(order));
        bounded::check(&self.machine, &self.truth, bound, order).map_err(|what| format!("{who}: {what}"))
    }

    /// Runs `optimal` in a random order of branches and messages, and with several workers.
    ///
    /// # Errors
    /// What differs.
    pub fn check_any_order(&self, seed: u64) -> Result<(), String> {
        order_free::check(&self.machine, &self.truth, seed)
            .and_then(|()| parallel::check(&self.crew, self.machine.features(), &self.truth, seed))
            .and_then(|()| saved::check(&self.machine, seed))
            .map_err(|what| format!("optimal in any order: {what}"))
    }

    /// Runs an algorithm and compares it with both judges.
    ///
    /// # Errors
    /// What differs.
    pub fn check(&self, algorithm: Algorithm, order: Order) -> Result<(), String> {
        let name = algorithm.name();
        let Some(mut claims) = Claims::of(name) else { return Ok(()) };
        // What tasks know is forgotten when they end, so there are no outcomes besides final states.
        claims.outcomes &= claims.finals;
        let who = format!("{name} ({})", order_name(order));
        let mut options = Options::new(algorithm).order(order).keep_going(true);
        // No sound search completes more executions than there are interleavings.
        options.limits.executions = Some(u64::try_from(self.truth.interleavings).unwrap_or(u64::MAX).saturating_add(1));
        let ends = RefCell::new(BTreeSet::new());
        let (seen, outcome) = explore(&self.machine, &options, |m, run| note(m, run, &ends)).map_err(|e| format!("{who}: {e}"))?;
        if let Some(wrong) = outcome.failures.iter().find(|f| f.failure.kind == FailureKind::Nondeterminism) {
            return Err(format!("{who}: {}", wrong.failure.message));
        }
        let reported = outcome.failures.iter().filter(|f| f.failure.kind != FailureKind::Deadlock);
        let found: BTreeSet<Told> = reported.map(|f| told(&f.failure)).collect();
        // Failed tasks stay in the state with all that their failure says, so only where final states are not promised values may be missing.
        let values = claims.finals;
        sets(&who, "failures", &self.reference.failures, &found, claims.failures && values)?;
        if !values && claims.failures {
            self.same_failing_statements(&who, &outcome)?;
        }
        if algorithm.merges() {
            let outcome = keeps_live_parts(&self.machine, &options, &self.live).map_err(|what| format!("{who}: {what}"))?;
            self.same_failing_statements(&who, &outcome)?;
        }
        sets(&who, "ends", &self.reference.ends, &ends.into_inner(), claims.finals)?;
        compare(&self.truth, &seen, claims)
            .and_then(|()| same_as_plain(&self.machine, &options, &outcome, &seen.finals))
            .map_err(|what| format!("{who}: {what}"))
    }

    /// Every statement that can fail was found to fail, and a deadlock if there is one.
    fn same_failing_statements(&self, who: &str, outcome: &Outcome) -> Result<(), String> {
        let (deadlocks, reported): (Vec<_>, Vec<_>) = outcome.failures.iter().partition(|f| f.failure.kind == FailureKind::Deadlock);
        if deadlocks.is_empty() && !self.truth.deadlocks.is_empty() {
            return Err(format!("{who}: misses all deadlocks"));
        }
        let real = self.reference.failures.iter().map(without_values).collect();
        let found = reported.iter().map(|f| without_values(&told(&f.failure))).collect();
        sets(who, "failing statements", &real, &found, true)
    }
}
