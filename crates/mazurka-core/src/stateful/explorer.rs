//! What happens at one state, the same for every order of the search.

use super::ledger::Ledger;
use super::reduction::{Reducer, Reduction};
use super::report::{StateReport, Unreached};
use super::space::{StateSpace, Statement};
use super::visited::Visited;
use crate::effects::Effects;
use crate::outcome::{Failure, FailureKind, Limit};
use crate::program::{Fingerprint, Pending, Transition};
use crate::search::Options;
use rustc_hash::FxHashSet;

/// The parts of a search that do not depend on its order.
pub(super) struct Explorer<'p, P: StateSpace> {
    pub program: &'p P,
    pub ledger: Ledger,
    visited: Visited,
    reducer: Reducer<P::Run>,
    statements: Vec<Statement>,
    pending: Vec<Pending>,
    effects: Effects,
    /// The transient states, for searches that would lose their way in them.
    passed: FxHashSet<Fingerprint>,
}

/// What to do after a state was looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Explore the transitions that were appended.
    Expand,
    /// Nothing to explore from here.
    Leave,
    /// The search is over.
    Stop,
}

impl<'p, P: StateSpace> Explorer<'p, P>
where
    P::Run: Clone,
{
    pub fn new(program: &'p P, options: &Options, reduction: Reduction, visited: Visited) -> Self {
        let statements = program.statements();
        Explorer {
            program,
            ledger: Ledger::new(options, statements.len()),
            visited,
            reducer: Reducer::new(reduction),
            statements,
            pending: Vec::new(),
            effects: Effects::default(),
            passed: FxHashSet::default(),
        }
    }

    /// Takes `transition` from `before` into `after`, and says what failed in it.
    pub fn step(&mut self, before: &P::Run, after: &mut P::Run, transition: Transition) -> Option<Failure> {
        after.clone_from(before);
        if self.ledger.wants_statements() {
            let ledger = &mut self.ledger;
            self.program.executes(before, transition, &mut |statement| ledger.reach(statement));
        }
        self.effects.clear();
        self.program.step(after, transition, &mut self.effects);
        self.ledger.counts.steps += 1;
        self.effects.failure.take()
    }

    /// Stores a state that is not transient; false if it was reached before.
    pub fn store(&mut self, run: &P::Run) -> bool {
        let fresh = self.visited.insert(self.program, run);
        if fresh {
            self.ledger.counts.states += 1;
        } else {
            self.ledger.counts.cut += 1;
        }
        fresh
    }

    /// Remembers a transient state without counting it; false if it was reached before.
    pub fn pass(&mut self, run: &P::Run) -> bool {
        self.passed.insert(self.program.fingerprint(run))
    }

    /// Looks at a new state at `depth` and puts what to explore from it into `out`, which is empty.
    pub fn expand(
        &mut self,
        run: &P::Run,
        transient: bool,
        depth: u64,
        out: &mut Vec<Transition>,
        schedule: impl FnOnce() -> Vec<Transition>,
    ) -> Next {
        self.ledger.counts.max_depth = self.ledger.counts.max_depth.max(depth);
        self.pending.clear();
        self.program.pending(run, &mut self.pending);
        if self.pending.iter().all(|p| !p.enabled) {
            return self.end(run, schedule);
        }
        if self.ledger.limits.depth.is_some_and(|limit| depth >= limit) {
            self.ledger.limit = Some(Limit::Depth);
            return Next::Leave;
        }
        if transient {
            out.extend(self.pending.iter().filter(|p| p.enabled).map(|p| p.transition));
        } else {
            self.reducer.choose(self.program, run, &self.pending, out);
        }
        youngest_first(out);
        Next::Expand
    }

    /// A state where nothing is enabled.
    fn end(&mut self, run: &P::Run, schedule: impl FnOnce() -> Vec<Transition>) -> Next {
        self.ledger.counts.executions += 1;
        let failure = self.program.failure_at_end(run, self.pending.len());
        if failure.as_ref().is_some_and(|f| f.kind == FailureKind::Deadlock) {
            self.ledger.counts.deadlocks += 1;
        }
        let failure = failure.filter(|f| self.ledger.is_error(f));
        if failure.is_some_and(|f| self.ledger.fail(f, schedule)) {
            Next::Stop
        } else {
            Next::Leave
        }
    }

    /// What is wrong with `run` as an end, if it is one.
    pub fn failure_at(&mut self, run: &P::Run) -> Option<Failure> {
        self.pending.clear();
        self.program.pending(run, &mut self.pending);
        if self.pending.iter().any(|p| p.enabled) {
            return None;
        }
        let failure = self.program.failure_at_end(run, self.pending.len());
        failure.filter(|f| self.ledger.is_error(f))
    }

    pub fn report(&self) -> StateReport {
        let counts = self.ledger.counts;
        StateReport {
            stored: counts.states,
            matched: counts.cut,
            transitions: counts.states + counts.cut,
            collision_probability: self.visited.collision_probability(),
            unreached: self
                .statements
                .iter()
                .zip(self.ledger.reached())
                .filter(|(_, reached)| !**reached)
                .map(|(statement, _)| Unreached(statement.clone()))
                .collect(),
        }
    }
}

/// Puts the processes in reverse order and leaves the alternatives of each in theirs. SPIN explores in this order, so that even a search
/// that ends with the first failure has stored the states that SPIN has.
fn youngest_first(transitions: &mut [Transition]) {
    transitions.reverse();
    for alternatives in transitions.chunk_by_mut(|a, b| a.process == b.process) {
        alternatives.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Process;

    #[test]
    fn the_youngest_process_goes_first_with_its_first_alternative() {
        let t = |process, choice| Transition {
            process: Process(process),
            choice,
        };
        let mut transitions = [t(0, 0), t(0, 1), t(3, 0), t(1, 0), t(1, 2)];
        youngest_first(&mut transitions);
        assert_eq!(transitions, [t(1, 0), t(1, 2), t(3, 0), t(0, 0), t(0, 1)]);
    }
}
