//! What an algorithm finds in a protocol, held against the reference and against brute force.

use super::reference::{Everything, everything};
use super::script::{Faults, Script};
use crate::bounded;
use crate::claims::Claims;
use crate::compare::{Difference, compare};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::order_free;
use crate::saved;
use crate::seen::explore;
use mazurka_actors::{Run, System};
use mazurka_core::{
    Algorithm, Bound, Describe, FailureKind, Fingerprint, Options, Order, Program, StatefulOptions, Status, laws, stateful_search,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Everything that there is to find in a protocol.
pub struct Judge {
    system: System,
    everything: Everything,
    truth: Truth,
    /// The final states, as a stateful search tells them apart.
    states: u64,
    interchangeable: bool,
    has_faults: bool,
    shown: RefCell<FxHashMap<Fingerprint, Vec<String>>>,
}

/// Why there is no judge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoJudge {
    /// The protocol is too large.
    TooLarge,
    /// The engine's program is not what the script says, or its footprints are wrong.
    Differs(String),
}

const BUDGET: Budget = Budget { prefixes: 900, depth: 14 };
const INTERLEAVINGS: u128 = 300;
const STATES: usize = 3_000;

impl Judge {
    /// Finds out everything, twice: from the definition of the script, and by brute force over the program that the engine sees.
    ///
    /// # Errors
    /// If it is too much, or if the two differ.
    pub fn new(script: &Script) -> Result<Judge, NoJudge> {
        let everything = everything(script, STATES).ok_or(NoJudge::TooLarge)?;
        let system = script.system();
        let (finals, states) = (RefCell::new(BTreeSet::new()), RefCell::new(BTreeSet::new()));
        let shown = RefCell::new(FxHashMap::default());
        let truth = enumerate(&system, BUDGET, |system, run| {
            let fingerprint = system.fingerprint(run);
            let text = show(system, run);
            shown.borrow_mut().insert(fingerprint, text.clone());
            finals.borrow_mut().insert(text);
            states.borrow_mut().insert(system.state_fingerprint(run));
            fingerprint
        });
        let effort = laws::Effort::new().walks(2).steps(14).seed(everything.finals.len() as u64);
        laws::check(&system, &effort).map_err(|broken| NoJudge::Differs(broken.explain(&system)))?;
        if let Some(wrong) = system.wrong_declaration() {
            return Err(NoJudge::Differs(wrong));
        }
        let truth = match truth {
            Ok(truth) if truth.interleavings <= INTERLEAVINGS => truth,
            Ok(_) | Err(Exceeded::Budget) => return Err(NoJudge::TooLarge),
            Err(Exceeded::WrongFootprints(_)) => {
                return Err(NoJudge::Differs("equivalent schedules lead to different states".to_owned()));
            }
        };
        let failures: BTreeSet<(FailureKind, String)> = truth.failures.iter().cloned().collect();
        same("failures", &everything.failures, &failures).map_err(NoJudge::Differs)?;
        same("final states", &everything.finals, &finals.into_inner()).map_err(NoJudge::Differs)?;
        if everything.deadlocks == truth.deadlocks.is_empty() {
            return Err(NoJudge::Differs("a deadlock".to_owned()));
        }
        Ok(Judge {
            system,
            everything,
            truth,
            states: states.into_inner().len() as u64,
            interchangeable: script.interchangeable > 0,
            has_faults: script.faults != Faults::default(),
            shown,
        })
    }

    /// What brute force found.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Whether the algorithm claims something, and can be used on the protocol.
    pub fn concerns(&self, algorithm: Algorithm) -> bool {
        Claims::of(algorithm.name()).is_some() && algorithm.fits(self.system.features()).is_ok()
    }

    /// Searches within a bound and compares with every schedule within it.
    ///
    /// # Errors
    /// What differs.
    pub fn check_bound(&self, bound: Bound, order: Order) -> Result<(), Difference> {
        bounded::check(&self.system, &self.truth, bound, order).map_err(|what| Difference {
            algorithm: bound.to_string(),
            order,
            what,
        })
    }

    /// Runs `optimal` in a random order of branches and messages, and saves and resumes it.
    ///
    /// # Errors
    /// What differs.
    pub fn check_any_order(&self, seed: u64) -> Result<(), Difference> {
        let differs = order_free::check(&self.system, &self.truth, seed).and_then(|()| saved::check(&self.system, seed));
        differs.map_err(|what| Difference {
            algorithm: "optimal in any order".to_owned(),
            order: Order::Random(seed),
            what,
        })
    }

    /// Runs an algorithm and compares what it promises.
    ///
    /// # Errors
    /// What differs.
    pub fn check(&self, algorithm: Algorithm, order: Order) -> Result<(), Difference> {
        let Some(claims) = Claims::of(algorithm.name()) else {
            return Ok(());
        };
        let mut options = Options::new(algorithm).order(order).keep_going(true);
        options.limits.executions = Some(u64::try_from(self.truth.interleavings).unwrap_or(u64::MAX).saturating_add(1));
        let outcome = if algorithm.is_stateful() {
            self.check_stateful(&options)
        } else {
            self.check_executions(&options, claims)
        };
        outcome.map_err(|what| Difference {
            algorithm: algorithm.name().to_owned(),
            order,
            what,
        })
    }

    fn check_executions(&self, options: &Options, claims: Claims) -> Result<(), String> {
        let finals = RefCell::new(BTreeSet::new());
        let explored = explore(&self.system, options, |system, run| {
            let fingerprint = system.fingerprint(run);
            let mut shown = self.shown.borrow_mut();
            let text = shown.entry(fingerprint).or_insert_with(|| show(system, run));
            finals.borrow_mut().insert(text.clone());
            fingerprint
        });
        let (seen, _) = explored.map_err(|e| e.to_string())?;
        compare(&self.truth, &seen, claims)?;
        if claims.finals {
            same("final states", &self.everything.finals, &finals.into_inner())?;
        }
        if claims.failure_values {
            same("failures", &self.everything.failures, &seen.failures.iter().cloned().collect())?;
        }
        Ok(())
    }

    fn check_stateful(&self, options: &Options) -> Result<(), String> {
        let mut options = options.clone();
        options.limits.executions = None;
        let mut search = stateful_search(&self.system, &options, StatefulOptions::default()).map_err(|e| e.to_string())?;
        while search.advance(100_000) == Status::Running {}
        let outcome = search.outcome();
        let (waits, others): (Vec<_>, Vec<_>) =
            (outcome.failures.iter().map(|f| &f.failure)).partition(|f| f.kind == FailureKind::Deadlock);
        let failures = others.into_iter().map(|f| (f.kind, f.message.clone())).collect();
        same("failures", &self.everything.failures, &failures)?;
        let states = if self.interchangeable {
            self.everything.orbits.1 as u64
        } else {
            self.states
        };
        if outcome.counts.executions != states {
            return Err(format!("reaches {} of {states} final states", outcome.counts.executions));
        }
        // Faults that are over, and those that may come, differ only in the engine.
        if self.interchangeable && !self.has_faults && outcome.counts.states != self.everything.orbits.0 as u64 {
            return Err(format!("reaches {} of {} states", outcome.counts.states, self.everything.orbits.0));
        }
        if let Some(wrong) = self.system.wrong_declaration() {
            return Err(wrong);
        }
        if waits.is_empty() == self.everything.deadlocks {
            return Err("a deadlock".to_owned());
        }
        Ok(())
    }
}

/// The first element in which two sets differ, in words.
fn same<T: Ord + std::fmt::Debug>(what: &str, expected: &BTreeSet<T>, found: &BTreeSet<T>) -> Result<(), String> {
    if let Some(lost) = expected.difference(found).next() {
        return Err(format!("{what}: without {lost:?}"));
    }
    match found.difference(expected).next() {
        None => Ok(()),
        Some(extra) => Err(format!("{what}: there is no {extra:?}")),
    }
}

/// A final state as it is shown: the nodes, and the messages that nobody accepts.
fn show(system: &System, run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = system.values(run).iter().map(|(name, value)| format!("{name}: {value}")).collect();
    lines.extend(system.waits(run).iter().map(|wait| system.process_name(run, wait.process)));
    lines.sort();
    lines
}
