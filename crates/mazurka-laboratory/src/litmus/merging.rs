//! Merging against brute force and against the plain algorithm: every way of merging states.
//!
//! What there is to find is found by visiting every reachable state; what a merging search found is what its observer was told. What it
//! did on the way is what the [plain algorithm](crate::merging) does.

use crate::merging::same_as_plain;
use mazurka_core::{
    Algorithm, Comparable, Effects, Ending, Failure, FailureKind, Features, Fingerprint, Footprint, Knowledge, Limits, Observe, Observer,
    Options, Order, Outcome, Pending, Program, Status, Transition, search,
};
use mazurka_litmus::{Machine, Run};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::fmt;

/// A way of merging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merged {
    /// What is preserved.
    pub observe: Observe,
    /// Whether the names of tasks do not count.
    pub exchange_tasks: bool,
    /// Whether the search sees fingerprints only, and no values.
    pub opaque: bool,
    /// At most so many cones per state.
    pub cone_cap: Option<usize>,
    /// At most so many bytes for stored states.
    pub memory: Option<u64>,
}

impl Merged {
    /// What `source+merge` does unless told otherwise.
    pub const USUAL: Merged = Merged {
        observe: Observe::Finals,
        exchange_tasks: true,
        opaque: false,
        cone_cap: None,
        memory: None,
    };

    /// The ways of merging that are compared: each equality, then each with few cones or little memory.
    pub const ALL: [Merged; 12] = {
        const fn merged(observe: Observe, exchange_tasks: bool) -> Merged {
            Merged {
                observe,
                exchange_tasks,
                ..Merged::USUAL
            }
        }
        const fn capped(observe: Observe, cap: usize) -> Merged {
            Merged {
                cone_cap: Some(cap),
                ..merged(observe, true)
            }
        }
        const fn small(observe: Observe, bytes: u64) -> Merged {
            Merged {
                memory: Some(bytes),
                ..merged(observe, true)
            }
        }
        [
            Merged {
                opaque: true,
                ..merged(Observe::States, false)
            },
            merged(Observe::States, false),
            merged(Observe::States, true),
            merged(Observe::Finals, false),
            merged(Observe::Finals, true),
            merged(Observe::Outcomes, true),
            merged(Observe::Failures, true),
            capped(Observe::States, 3),
            capped(Observe::Finals, 4),
            capped(Observe::Outcomes, 2),
            small(Observe::States, 2_000),
            small(Observe::Outcomes, 1),
        ]
    };

    /// Whether it may explore more than the rule says.
    pub fn is_bounded(self) -> bool {
        self.cone_cap.is_some() || self.memory.is_some()
    }

    fn options(self, order: Order) -> Options {
        Options::new(Algorithm::parse("source+merge").unwrap_or_else(|e| unreachable!("{e}")))
            .order(order)
            .keep_going(true)
            .observe(self.observe)
            .exchange_tasks(self.exchange_tasks)
            .cone_cap(self.cone_cap)
            .limits(Limits::default().memory(self.memory))
    }

    /// What of a final state this way of merging preserves.
    fn view(self, machine: &Machine, run: &Run) -> Fingerprint {
        let knowledge = match self.observe {
            Observe::States | Observe::Finals => Knowledge::Everything,
            Observe::Outcomes => Knowledge::Locals,
            Observe::Failures => Knowledge::Positions,
        };
        machine.control(run, knowledge, self.exchange_tasks.then_some(&mut Vec::new()))
    }

    /// What of a failure it preserves: where it sees values, all of it; otherwise not the values in the message.
    fn failure(self, failure: &Failure) -> (FailureKind, String) {
        let message = match self.observe {
            Observe::States => failure.message.as_str(),
            _ => failure.message.split(", but ").next().unwrap_or_default(),
        };
        (failure.kind, message.to_owned())
    }
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "source+merge --observe {}", self.observe.name())?;
        if !self.exchange_tasks {
            write!(f, ", tasks keep their names")?;
        }
        if self.opaque {
            write!(f, ", values unseen")?;
        }
        if let Some(cap) = self.cone_cap {
            write!(f, ", at most {cap} cones")?;
        }
        if let Some(bytes) = self.memory {
            write!(f, ", {bytes} bytes")?;
        }
        Ok(())
    }
}

/// Every final state and every failure of a program.
#[derive(Debug, Default)]
pub struct Reached {
    finals: Vec<Run>,
    failures: Vec<Failure>,
    deadlocks: Vec<Failure>,
    states: FxHashSet<Fingerprint>,
}

impl Reached {
    /// The final states.
    pub fn finals(&self) -> &[Run] {
        &self.finals
    }

    /// Every failure, as often as it was met, deadlocks too.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter().chain(&self.deadlocks)
    }

    /// Visits every reachable state; `None` if there are more than `limit`.
    pub fn from(machine: &Machine, limit: usize) -> Option<Reached> {
        let mut reached = Reached::default();
        let mut stack = vec![machine.start()];
        let (mut pending, mut effects) = (Vec::new(), Effects::default());
        reached.states.insert(machine.fingerprint(&stack[0]));
        while let Some(run) = stack.pop() {
            pending.clear();
            machine.pending(&run, &mut pending);
            if !pending.iter().any(|p| p.enabled) {
                machine.failures_at_end(&run, &mut reached.deadlocks);
                reached.finals.push(run);
                continue;
            }
            for p in pending.iter().filter(|p| p.enabled) {
                let mut next = run.clone();
                effects.clear();
                machine.step(&mut next, p.transition, &mut effects);
                reached.failures.extend(effects.failure.take());
                if reached.states.insert(machine.fingerprint(&next)) {
                    stack.push(next);
                }
            }
            if reached.states.len() > limit {
                return None;
            }
        }
        Some(reached)
    }
}

/// A program that does not let its values be seen.
struct Opaque<'m>(&'m Machine);

impl Program for Opaque<'_> {
    type State = Run;

    fn start(&self) -> Run {
        self.0.start()
    }

    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        self.0.pending(run, out);
    }

    fn footprint(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        self.0.footprint(run, transition, out);
    }

    fn step(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        self.0.step(run, transition, effects);
    }

    fn fingerprint(&self, run: &Run) -> Fingerprint {
        self.0.fingerprint(run)
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        self.0.failures_at_end(run, out);
    }

    fn features(&self) -> Features {
        self.0.features()
    }
}

/// What a search found.
#[derive(Default)]
struct Found {
    executions: u64,
    /// What is preserved of its final states.
    views: FxHashSet<Fingerprint>,
    finals: FxHashSet<Fingerprint>,
}

struct Watch<'w>(Merged, &'w Machine, &'w RefCell<Found>, &'w dyn Fn(&Run));

impl Observer<Run> for Watch<'_> {
    fn execution(&mut self, _: &[Transition], run: &Run, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            let mut found = self.2.borrow_mut();
            found.executions += 1;
            found.views.insert(self.0.view(self.1, run));
            found.finals.insert(self.1.fingerprint(run));
            self.3(run);
        }
    }
}

/// Merges a program; `None` if it cannot be merged this way, as with observed equality and dynamic footprints.
fn merge(machine: &Machine, merged: Merged, order: Order, end: &dyn Fn(&Run)) -> Option<(Outcome, Found)> {
    let options = merged.options(order);
    let found = RefCell::default();
    let outcome = {
        let watch = Watch(merged, machine, &found, end);
        let opaque = Opaque(machine);
        let started = if merged.opaque {
            search(&opaque, &options, watch)
        } else {
            search(machine, &options, watch)
        };
        let mut search = started.ok()?;
        while search.advance(100_000) == Status::Running {}
        search.outcome()
    };
    Some((outcome, found.into_inner()))
}

/// Holds a way of merging against the plain algorithm.
///
/// # Errors
/// What differs.
pub fn check_plain(machine: &Machine, merged: Merged, order: Order) -> Result<(), String> {
    let Some((outcome, Found { finals, .. })) = merge(machine, merged, order, &|_| {}) else {
        return Ok(());
    };
    let options = merged.options(order);
    if merged.opaque {
        same_as_plain(&Opaque(machine), &options, &outcome, &finals)
    } else {
        same_as_plain(machine, &options, &outcome, &finals)
    }
}

/// Holds a way of merging against what there is.
///
/// # Errors
/// What differs.
pub fn check_merged(machine: &Machine, reached: &Reached, merged: Merged, order: Order) -> Result<(), String> {
    check_merged_and_tell(machine, reached, merged, order, &|_| {}).map(|_| ())
}

/// As [`check_merged`], telling each final state; returns the outcome if the program can be merged this way.
pub(super) fn check_merged_and_tell(
    machine: &Machine,
    reached: &Reached,
    merged: Merged,
    order: Order,
    end: &dyn Fn(&Run),
) -> Result<Option<Outcome>, String> {
    let Some((outcome, Found { executions, views, .. })) = merge(machine, merged, order, end) else {
        return Ok(None);
    };
    let truth: FxHashSet<Fingerprint> = reached.finals.iter().map(|run| merged.view(machine, run)).collect();
    if let Some(lost) = (truth.len()).checked_sub(truth.intersection(&views).count()).filter(|n| *n > 0) {
        return Err(format!("misses {lost} of {} endings", truth.len()));
    }
    if views.len() > truth.len() {
        return Err("reports endings that do not exist".to_owned());
    }
    let real: FxHashSet<_> = reached.failures.iter().map(|f| merged.failure(f)).collect();
    let failures = outcome.failures.iter().filter(|f| f.failure.kind != FailureKind::Deadlock);
    let reported: FxHashSet<_> = failures.map(|f| merged.failure(&f.failure)).collect();
    if real != reported {
        return Err(format!("reports {} of {} failures", reported.len(), real.len()));
    }
    if executions != outcome.counts.executions {
        return Err(format!("counts {} executions, but {executions} ended", outcome.counts.executions));
    }
    // With failures only, two endings may have been told apart by what might still have failed.
    if merged.memory.is_none() && merged.observe != Observe::Failures && executions != truth.len() as u64 {
        return Err(format!("explores {executions} executions for {} endings", truth.len()));
    }
    Ok(Some(outcome))
}
