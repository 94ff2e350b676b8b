//! What happens at one state, the same for every order of the search.

use super::batch::{Generated, Pool, youngest_first};
use super::ledger::Ledger;
use super::reduction::{Reducer, Reduction};
use super::report::{StateReport, Unreached};
use super::states::{Statement, States};
use super::visited::Visited;
use crate::outcome::{Failure, FailureKind, Limit};
use crate::program::Transition;
use crate::search::Options;

/// The parts of a search that do not depend on its order.
pub(super) struct Explorer<S: States> {
    pub program: S,
    pub ledger: Ledger,
    pub pool: Pool<S::State>,
    visited: Visited,
    reducer: Reducer,
    statements: Vec<Statement>,
}

/// What to do after a state was looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Explore the batch.
    Expand,
    /// Nothing to explore from here.
    Leave,
    /// The search is over.
    Stop,
}

impl<S: States> Explorer<S> {
    pub fn new(program: S, options: &Options, reduction: Reduction, visited: Visited) -> Self {
        let statements = program.statements();
        Explorer {
            program,
            ledger: Ledger::new(options, statements.len()),
            pool: Pool::new(),
            visited,
            reducer: Reducer::new(reduction),
            statements,
        }
    }

    /// Stores a state; false if it was reached before.
    pub fn store(&mut self, run: &S::State) -> bool {
        let fresh = self.visited.insert(&self.program, run);
        if fresh {
            self.ledger.counts.states += 1;
        } else {
            self.ledger.counts.cut += 1;
        }
        fresh
    }

    /// Looks at a new state at `depth` and puts what to explore from it into `batch`, which is empty.
    pub fn expand(
        &mut self,
        run: &S::State,
        depth: u64,
        batch: &mut Vec<Generated<S::State>>,
        schedule: impl FnOnce() -> Vec<Transition>,
    ) -> Next {
        self.ledger.counts.max_depth = self.ledger.counts.max_depth.max(depth);
        let (ledger, pool) = (&mut self.ledger, &mut self.pool);
        self.program.successors(run, |successor| {
            for &statement in successor.statements {
                ledger.reach(statement);
            }
            batch.push(pool.take(successor));
        });
        if batch.is_empty() {
            return self.end(run, schedule);
        }
        if self.ledger.limits.depth.is_some_and(|limit| depth >= limit) {
            self.ledger.limit = Some(Limit::Depth);
            for generated in batch.drain(..) {
                self.pool.give_back(generated.run);
            }
            return Next::Leave;
        }
        self.reducer.reduce(&self.program, run, batch, &mut self.pool);
        youngest_first(batch);
        Next::Expand
    }

    /// A state where nothing is enabled.
    fn end(&mut self, run: &S::State, schedule: impl FnOnce() -> Vec<Transition>) -> Next {
        self.ledger.counts.executions += 1;
        let mut failures = Vec::new();
        self.program.failures_at_end(run, &mut failures);
        if failures.iter().any(|f| f.kind == FailureKind::Deadlock) {
            self.ledger.counts.deadlocks += 1;
        }
        failures.retain(|f| self.ledger.is_error(f));
        if failures.is_empty() {
            return Next::Leave;
        }
        let schedule = self.program.schedule(schedule());
        let mut stop = false;
        for failure in failures {
            stop |= self.ledger.fail(failure, || schedule.clone());
        }
        if stop { Next::Stop } else { Next::Leave }
    }

    /// What is wrong with `run` as an end, if it is one.
    pub fn failures_at(&mut self, run: &S::State) -> Vec<Failure> {
        let (mut ends, mut failures) = (true, Vec::new());
        self.program.successors(run, |_| ends = false);
        if ends {
            self.program.failures_at_end(run, &mut failures);
            failures.retain(|f| self.ledger.is_error(f));
        }
        failures
    }

    /// Records a failure found on the way to a state; true if the search must stop.
    pub fn fail(&mut self, failure: Failure, schedule: impl FnOnce() -> Vec<Transition>) -> bool {
        let program = &self.program;
        self.ledger.fail(failure, || program.schedule(schedule()))
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
