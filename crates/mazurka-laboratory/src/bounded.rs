//! Searches within a bound on preemptions or delays, against brute force over all schedules within it.
//!
//! Brute force takes every schedule and counts its departures by their definition. Prefixes with the same trace, the same last process and the same
//! count have the same future, so it is looked at once.

use crate::canonical::Canonical;
use crate::enumerate::Truth;
use crate::seen::explore;
use mazurka_core::{
    Algorithm, Bound, Departure, Describe, FailureKind, Fingerprint, Options, Order, Pending, Process, Program, Transition, Verdict,
};
use rustc_hash::FxHashSet;

/// The largest bound that is compared.
const LARGEST: u32 = 2;

/// Which bound program `number` of a campaign is searched within: over many programs all of them, in one go or in turn.
pub fn bound_of(number: u64) -> Bound {
    let most = (number % u64::from(LARGEST + 1)) as u32;
    let bound = match number / 3 % 3 {
        0 => Bound::delays(most),
        _ => Bound::preemptions(most),
    };
    if (number / 9).is_multiple_of(4) { bound.deepening() } else { bound }
}

/// What can be reached within a bound.
#[derive(Default)]
struct Within {
    traces: FxHashSet<u128>,
    finals: FxHashSet<Fingerprint>,
    failures: FxHashSet<(FailureKind, String)>,
    deadlock: bool,
    /// Whether some schedule has more departures.
    more: bool,
}

/// Searches a program within a bound, and compares with every schedule within it; `truth` is what there is without a bound.
///
/// # Errors
/// What differs, in words.
pub fn check<P>(program: &P, truth: &Truth, bound: Bound, order: Order) -> Result<(), String>
where
    P: Describe,
    P::State: Clone,
{
    let mut every = Every {
        program,
        bound,
        path: Canonical::new(program),
        known: FxHashSet::default(),
        within: Within::default(),
    };
    every.visit(None, 0);
    let within = every.within;
    let any = Algorithm::parse("optimal").map_err(|e| e.to_string())?;
    let options = Options::new(any).bound(bound).order(order).keep_going(true);
    let (seen, outcome) = explore(program, &options, P::fingerprint).map_err(|e| e.to_string())?;
    let lost = |what: &str, lost: usize, all: usize| match lost {
        0 => Ok(()),
        n => Err(format!("misses {n} of {all} {what} within the bound")),
    };
    let failures = within.failures.iter().filter(|f| !seen.failures.contains(f)).count();
    lost("failures", failures, within.failures.len())?;
    let finals = within.finals.difference(&seen.finals).count();
    lost("final states", finals, within.finals.len())?;
    let traces = within.traces.iter().filter(|t| !seen.traces.contains_key(t)).count();
    lost("traces", traces, within.traces.len())?;
    if within.deadlock && seen.deadlocks.is_empty() {
        return Err("misses all deadlocks within the bound".to_owned());
    }
    if let Some(extra) = seen.traces.keys().find(|t| !truth.traces.contains(t)) {
        return Err(format!("explores a trace that does not exist: {extra:x}"));
    }
    let complete = outcome.bounded.is_some_and(|b| b.cut == 0);
    if complete && seen.traces.len() != truth.traces.len() {
        return Err(format!(
            "says that nothing was left out after {} of {} traces",
            seen.traces.len(),
            truth.traces.len()
        ));
    }
    if complete != (outcome.limit.is_none()) || complete && outcome.verdict == Verdict::Incomplete {
        return Err(format!(
            "cut nothing: {complete}, but says {:?} {:?}",
            outcome.verdict, outcome.limit
        ));
    }
    if !within.more && !complete {
        return Err("says that something was left out, but no schedule exceeds the bound".to_owned());
    }
    Ok(())
}

struct Every<'p, P: Program> {
    program: &'p P,
    bound: Bound,
    path: Canonical<P>,
    known: FxHashSet<(u128, Option<Process>, u32)>,
    within: Within,
}

impl<P: Program> Every<'_, P>
where
    P::State: Clone,
{
    fn visit(&mut self, last: Option<Process>, used: u32) {
        if !self.known.insert((self.path.trace(), last, used)) {
            return;
        }
        let mut pending = Vec::new();
        self.program.pending(self.path.run(), &mut pending);
        let enabled: Vec<Transition> = pending.iter().filter(|p: &&Pending| p.enabled).map(|p| p.transition).collect();
        if enabled.is_empty() {
            self.end();
        }
        for transition in &enabled {
            let used = used + cost(self.bound.counted, last, &enabled, transition.process);
            if used > self.bound.last {
                self.within.more = true;
                continue;
            }
            let effects = self.path.push(self.program, *transition);
            if let Some(failure) = &effects.failure {
                self.within.failures.insert((failure.kind, failure.message.clone()));
            }
            self.visit(Some(transition.process), used);
            self.path.pop();
        }
    }

    fn end(&mut self) {
        let state = self.path.run();
        self.within.traces.insert(self.path.trace());
        self.within.finals.insert(self.program.fingerprint(state));
        let mut failures = Vec::new();
        self.program.failures_at_end(state, &mut failures);
        for failure in failures {
            if failure.kind == FailureKind::Deadlock {
                self.within.deadlock = true;
            } else {
                self.within.failures.insert((failure.kind, failure.message));
            }
        }
    }
}

/// What it costs that `process` moves after `last`.
fn cost(counted: Departure, last: Option<Process>, enabled: &[Transition], process: Process) -> u32 {
    let can_move = |p: Process| enabled.iter().any(|t| t.process == p);
    match counted {
        Departure::Preemption => u32::from(last.is_some_and(|l| l != process && can_move(l))),
        Departure::Delay => {
            // In turn, from the process that moved last on.
            let first = last.unwrap_or(Process(0));
            let mut processes: Vec<Process> = enabled.iter().map(|t| t.process).collect();
            processes.sort_unstable();
            processes.dedup();
            let start = processes.iter().position(|p| *p >= first).unwrap_or(0);
            processes.rotate_left(start);
            processes.iter().position(|p| *p == process).unwrap_or(0) as u32
        }
    }
}
