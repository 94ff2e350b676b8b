//! Every interleaving of a small program.
//!
//! Nothing is reduced. Prefixes with the same trace *and* the same state have the same future, event for event, so their futures are
//! counted once and remembered; prefixes with the same trace and different states would mean that the program's footprints are wrong,
//! and that is reported.

use crate::canonical::Canonical;
use mazurka_core::{FailureKind, Fingerprint, Pending, Program, Transition};
use rustc_hash::{FxHashMap, FxHashSet};

/// How much work the enumeration may do.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Prefixes of traces to visit.
    pub prefixes: usize,
    /// Steps of one execution.
    pub depth: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            prefixes: 1_000_000,
            depth: 500,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exceeded {
    /// The budget was too small.
    Budget,
    /// This schedule and another one are equivalent by the footprints, but lead to different states.
    WrongFootprints(Vec<Transition>),
}

/// What there is to find in a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    /// How many interleavings there are.
    pub interleavings: u128,
    /// The traces, by canonical form.
    pub traces: FxHashSet<u128>,
    /// The final states, deadlocked ones too.
    pub finals: FxHashSet<Fingerprint>,
    /// Those of them in which some process waits for ever.
    pub deadlocks: FxHashSet<Fingerprint>,
    /// What the processes know in the end.
    pub outcomes: FxHashSet<Fingerprint>,
    /// The failures on the way.
    pub failures: FxHashSet<(FailureKind, String)>,
    /// How many of the traces end in a deadlock.
    pub deadlocked_traces: usize,
}

/// Runs every interleaving. `outcome` says what the processes of a final state know, as a number.
///
/// # Errors
/// If the budget does not suffice, or if the program's footprints turn out to be wrong.
pub fn enumerate<P>(program: &P, budget: Budget, outcome: impl Fn(&P, &P::State) -> Fingerprint) -> Result<Truth, Exceeded>
where
    P: Program,
    P::State: Clone,
{
    let mut search = Enumeration {
        program,
        budget,
        outcome,
        path: Canonical::new(program),
        known: FxHashMap::default(),
        pending: Vec::new(),
        truth: Truth::default(),
    };
    search.truth.interleavings = search.visit()?;
    Ok(search.truth)
}

struct Enumeration<'p, P: Program, F> {
    program: &'p P,
    budget: Budget,
    outcome: F,
    path: Canonical<P>,
    /// For each prefix trace its state and the number of interleavings from there on.
    known: FxHashMap<u128, (Fingerprint, u128)>,
    pending: Vec<Vec<Pending>>,
    truth: Truth,
}

impl<P, F> Enumeration<'_, P, F>
where
    P: Program,
    P::State: Clone,
    F: Fn(&P, &P::State) -> Fingerprint,
{
    /// Visits everything from the end of the path on; returns the number of interleavings.
    fn visit(&mut self) -> Result<u128, Exceeded> {
        let depth = self.path.len();
        let state = self.program.fingerprint(self.path.run());
        if let Some((other, interleavings)) = self.known.get(&self.path.trace()) {
            return if *other == state {
                Ok(*interleavings)
            } else {
                Err(Exceeded::WrongFootprints(self.path.schedule()))
            };
        }
        if self.known.len() >= self.budget.prefixes || depth >= self.budget.depth {
            return Err(Exceeded::Budget);
        }
        if self.pending.len() == depth {
            self.pending.push(Vec::new());
        }
        let mut pending = std::mem::take(&mut self.pending[depth]);
        pending.clear();
        self.program.pending(self.path.run(), &mut pending);
        let mut interleavings = 0u128;
        for p in pending.iter().filter(|p| p.enabled) {
            let effects = self.path.push(self.program, p.transition);
            if let Some(failure) = &effects.failure {
                self.truth.failures.insert((failure.kind, failure.message.clone()));
            }
            interleavings = interleavings.saturating_add(self.visit()?);
            self.path.pop();
        }
        if interleavings == 0 {
            interleavings = 1;
            self.truth.traces.insert(self.path.trace());
            self.truth.finals.insert(state);
            self.truth.outcomes.insert((self.outcome)(self.program, self.path.run()));
            let mut failures = Vec::new();
            self.program.failures_at_end(self.path.run(), &mut failures);
            for failure in failures {
                if failure.kind == FailureKind::Deadlock {
                    self.truth.deadlocks.insert(state);
                    self.truth.deadlocked_traces += 1;
                } else {
                    self.truth.failures.insert((failure.kind, failure.message));
                }
            }
        }
        self.pending[depth] = pending;
        self.known.insert(self.path.trace(), (state, interleavings));
        Ok(interleavings)
    }
}
