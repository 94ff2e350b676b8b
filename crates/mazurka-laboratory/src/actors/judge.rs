//! What an algorithm finds in an actor program, held against the reference and against brute force.

use super::reference::{Everything, everything};
use super::script::Script;
use crate::bounded;
use crate::claims::Claims;
use crate::compare::{Difference, compare};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::merging::same_as_plain;
use crate::order_free;
use crate::parallel;
use crate::saved;
use crate::seen::explore;
use mazurka_actors::{Delivery, Dependency, Run, System};
use mazurka_core::{
    Algorithm, Bound, Crew, Describe, FailureKind, Fingerprint, Options, Order, Pending, Program, StatefulOptions, Status, laws,
    stateful_search,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// How a script is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// How finely steps on one actor are told apart.
    pub dependency: Dependency,
    /// In which order messages arrive.
    pub delivery: Delivery,
}

/// How large a program may be.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// For brute force.
    pub budget: Budget,
    /// More interleavings than this are too many for all algorithms in all orders.
    pub interleavings: u128,
    /// For the reference.
    pub states: usize,
}

impl Size {
    /// What every algorithm can be run on in many orders.
    pub const SMALL: Size = Size {
        budget: Budget { prefixes: 600, depth: 12 },
        interleavings: 150,
        states: 3_000,
    };
    /// What is still fine for a test.
    pub const LARGE: Size = Size {
        budget: Budget {
            prefixes: 100_000,
            depth: 100,
        },
        interleavings: 1_000_000,
        states: 100_000,
    };
}

/// Why there is no judge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoJudge {
    /// The program is too large.
    TooLarge,
    /// The engine's program is not what the script says, or its footprints are wrong.
    Differs(String),
}

/// Everything that there is to find in a program in one setting.
pub struct Judge {
    system: System,
    everything: Everything,
    truth: Truth,
    crew: Crew,
    /// The final states as a stateful search tells them apart, or nothing where handlers create actors: these are named by the messages that
    /// created them, and which of several equal messages that was is up to the search.
    states: Option<u64>,
    /// How final states look.
    shown: Shown,
}

type Shown = RefCell<FxHashMap<Fingerprint, Vec<String>>>;

impl Judge {
    /// Finds out everything, twice: from the definition of the script, and by brute force over the program that the engine sees.
    ///
    /// # Errors
    /// If it is too much, or if the two differ.
    pub fn new(script: &Script, setting: Setting, size: Size) -> Result<Judge, NoJudge> {
        let everything = everything(script, setting.delivery, size.states).ok_or(NoJudge::TooLarge)?;
        let creates = script.methods.iter().flat_map(|m| &m.operations).any(super::generate::creates);
        let again = script.clone();
        let make = move || again.system().dependency(setting.dependency).deliver(setting.delivery);
        let mut system = make();
        let crew = system.crew(make);
        let finals = RefCell::new(BTreeSet::new());
        let states = RefCell::new(BTreeSet::new());
        let shown = Shown::default();
        let truth = enumerate(&system, size.budget, |system, run| {
            let fingerprint = system.fingerprint(run);
            let text = show(system, run);
            shown.borrow_mut().insert(fingerprint, text.clone());
            finals.borrow_mut().insert(text);
            states.borrow_mut().insert(system.state_fingerprint(run));
            fingerprint
        });
        // One walk to the end: there are many programs.
        let effort = laws::Effort::new().walks(1).steps(12).seed(everything.finals.len() as u64);
        laws::check(&system, &effort).map_err(|broken| NoJudge::Differs(broken.explain(&system)))?;
        if let Some(wrong) = system.wrong_declaration() {
            return Err(NoJudge::Differs(wrong));
        }
        let truth = match truth {
            Ok(truth) if truth.interleavings <= size.interleavings => truth,
            Ok(_) | Err(Exceeded::Budget) => return Err(NoJudge::TooLarge),
            Err(Exceeded::WrongFootprints(_)) => {
                return Err(NoJudge::Differs("equivalent schedules lead to different states".to_owned()));
            }
        };
        let failures: BTreeSet<(FailureKind, String)> = truth.failures.iter().cloned().collect();
        let differs = |what: String| NoJudge::Differs(format!("brute force and the reference differ: {what}"));
        same("failures", &everything.failures, &failures).map_err(differs)?;
        same("final states", &everything.finals, &finals.into_inner()).map_err(differs)?;
        if everything.deadlocks == truth.deadlocks.is_empty() {
            return Err(differs("a deadlock".to_owned()));
        }
        Ok(Judge {
            system,
            everything,
            truth,
            crew,
            states: (!creates).then_some(states.into_inner().len() as u64),
            shown,
        })
    }

    /// The program.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// What brute force found.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// What the reference found.
    pub fn everything(&self) -> &Everything {
        &self.everything
    }

    /// Whether the algorithm claims something, and can be used on the program.
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

    /// Runs `optimal` in a random order of branches and messages, and with several workers.
    ///
    /// # Errors
    /// What differs.
    pub fn check_any_order(&self, seed: u64) -> Result<(), Difference> {
        let differs = order_free::check(&self.system, &self.truth, seed)
            .and_then(|()| parallel::check(&self.crew, self.system.features(), &self.truth, seed))
            .and_then(|()| saved::check(&self.system, seed));
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
        let name = algorithm.name();
        let Some(claims) = Claims::of(name) else { return Ok(()) };
        let mut options = Options::new(algorithm).order(order).keep_going(true);
        // No sound search completes more executions than there are interleavings; one that never ends is a difference too.
        options.limits.executions = Some(u64::try_from(self.truth.interleavings).unwrap_or(u64::MAX).saturating_add(1));
        let outcome = if algorithm.is_stateful() {
            self.check_stateful(&options)
        } else {
            self.check_executions(&options, claims)
        };
        outcome.map_err(|what| Difference {
            algorithm: name.to_owned(),
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
        let (seen, outcome) = explored.map_err(|e| e.to_string())?;
        compare(&self.truth, &seen, claims)?;
        same_as_plain(&self.system, options, &outcome, &seen.finals)?;
        if claims.finals {
            same("final states", &self.everything.finals, &finals.into_inner())?;
        }
        if claims.failure_values {
            same("failures", &self.everything.failures, &seen.failures.iter().cloned().collect())?;
        }
        Ok(())
    }

    /// A stateful search has no executions: its failures and the number of its final states are compared.
    fn check_stateful(&self, options: &Options) -> Result<(), String> {
        let mut search = stateful_search(&self.system, options, StatefulOptions::default()).map_err(|e| e.to_string())?;
        while search.advance(100_000) == Status::Running {}
        let outcome = search.outcome();
        let failures = outcome
            .failures
            .iter()
            .map(|f| &f.failure)
            .filter(|f| f.kind != FailureKind::Deadlock);
        let failures = failures.map(|f| (f.kind, f.message.clone())).collect();
        same("failures", &self.everything.failures, &failures)?;
        let found = outcome.counts.executions;
        if let Some(finals) = self.states.filter(|finals| *finals != found) {
            return Err(format!("reaches {found} of {finals} final states"));
        }
        let deadlocks = outcome.failures.iter().any(|f| f.failure.kind == FailureKind::Deadlock);
        if deadlocks != self.everything.deadlocks {
            return Err("a deadlock".to_owned());
        }
        Ok(())
    }
}

/// The first element in which two sets differ, in words.
fn same<T: Ord + std::fmt::Debug>(what: &str, expected: &BTreeSet<T>, found: &BTreeSet<T>) -> Result<(), String> {
    if let Some(lost) = expected.difference(found).next() {
        return Err(format!(
            "{} of {} {what}, without {lost:?}",
            expected.intersection(found).count(),
            expected.len()
        ));
    }
    match found.difference(expected).next() {
        None => Ok(()),
        Some(extra) => Err(format!("one of the {what} does not exist: {extra:?}")),
    }
}

/// A final state as it is shown: the actors, and the messages that nobody accepts.
fn show(system: &System, run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = system.values(run).iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let mut waiting: Vec<Pending> = Vec::new();
    system.pending(run, &mut waiting);
    for Pending { transition, .. } in waiting {
        let (key, name) = (system.process_key(transition.process), system.process_name(run, transition.process));
        lines.push(format!("message {key}: {name}"));
    }
    lines.sort();
    lines
}
