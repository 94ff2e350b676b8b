//! What happens at one state, the same for every order of the search.

use super::batch::youngest_first;
use super::graph::{Generated, Graph, Slot};
use super::reduction::{Reducer, Reduction};
use super::report::{Chosen, MOST_ENDS, StateReport, Unreached};
use super::states::Statement;
use super::visited::Visited;
use crate::findings::Findings;
use crate::outcome::{Counts, Failure, FailureKind, Limit, Outcome};
use crate::program::Transition;
use crate::search::{Limits, Options};

/// The parts of a search that do not depend on its order.
pub(super) struct Explorer<'p> {
    pub graph: Box<dyn Graph + 'p>,
    pub counts: Counts,
    limits: Limits,
    visited: Visited,
    /// Whether whole states could be stored.
    encodable: bool,
    reducer: Reducer,
    statements: Vec<Statement>,
    /// Which of them some process came to.
    reached: Vec<bool>,
    /// Those of the newest state.
    newly_reached: Vec<u32>,
    /// How to get to the states where nothing is enabled, if that was asked for.
    pub ends: Vec<Vec<Transition>>,
    keeps_ends: bool,
    /// Who is told which successors of a state are explored.
    pub told: Option<Chosen>,
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

impl<'p> Explorer<'p> {
    pub fn new(graph: Box<dyn Graph + 'p>, options: &Options, reduction: Reduction, visited: Visited, encodable: bool) -> Self {
        let statements = graph.statements();
        Explorer {
            graph,
            counts: Counts::default(),
            limits: options.limits,
            visited,
            encodable,
            reducer: Reducer::new(reduction),
            reached: vec![false; statements.len()],
            newly_reached: Vec::new(),
            statements,
            ends: Vec::new(),
            keeps_ends: options.final_states,
            told: None,
        }
    }

    /// Stores a state; false if it was reached before.
    pub fn store(&mut self, state: Slot) -> bool {
        let fresh = self.visited.insert(&*self.graph, state);
        if fresh {
            self.counts.states += 1;
        } else {
            self.counts.cut += 1;
        }
        fresh
    }

    /// Looks at a new state at `depth` and puts what to explore from it into `batch`, which is empty.
    pub fn expand(
        &mut self,
        findings: &mut Findings,
        state: Slot,
        depth: u64,
        batch: &mut Vec<Generated>,
        schedule: impl FnOnce() -> Vec<Transition>,
    ) -> Next {
        self.counts.max_depth = self.counts.max_depth.max(depth);
        self.graph.successors(state, batch, &mut self.newly_reached);
        for statement in self.newly_reached.drain(..) {
            if let Some(reached) = self.reached.get_mut(statement as usize) {
                *reached = true;
            }
        }
        if batch.is_empty() {
            return self.end(findings, state, schedule);
        }
        if self.limits.depth.is_some_and(|limit| depth >= limit) {
            findings.limit = Some(Limit::Depth);
            for generated in batch.drain(..) {
                self.graph.give_back(generated.state);
            }
            return Next::Leave;
        }
        let all = batch.len();
        self.reducer.reduce(&mut *self.graph, state, batch);
        if let Some(told) = &mut self.told {
            let numbers: Vec<u32> = batch.iter().map(|g| g.number).collect();
            told(&numbers, all);
        }
        youngest_first(batch);
        Next::Expand
    }

    /// A state where nothing is enabled.
    fn end(&mut self, findings: &mut Findings, state: Slot, schedule: impl FnOnce() -> Vec<Transition>) -> Next {
        self.counts.executions += 1;
        let mut failures = Vec::new();
        self.graph.failures_at_end(state, &mut failures);
        if failures.iter().any(|f| f.kind == FailureKind::Deadlock) {
            self.counts.deadlocks += 1;
        }
        failures.retain(|f| findings.is_error(f));
        let kept = self.keeps_ends && self.ends.len() < MOST_ENDS;
        if failures.is_empty() && !kept {
            return Next::Leave;
        }
        let schedule = self.graph.schedule(schedule());
        if kept {
            self.ends.push(schedule.clone());
        }
        let mut stop = false;
        for failure in failures {
            stop |= findings.fail(failure, self.counts.executions, || schedule.clone());
        }
        if stop { Next::Stop } else { Next::Leave }
    }

    /// What is wrong with a state as an end, if it is one.
    pub fn failures_at(&self, findings: &Findings, state: Slot) -> Vec<Failure> {
        let mut failures = Vec::new();
        if self.graph.is_end(state) {
            self.graph.failures_at_end(state, &mut failures);
            failures.retain(|f| findings.is_error(f));
        }
        failures
    }

    /// Records a failure found on the way to a state; true if the search must stop.
    pub fn fail(&self, findings: &mut Findings, failure: Failure, schedule: impl FnOnce() -> Vec<Transition>) -> bool {
        findings.fail(failure, self.counts.executions, || self.graph.schedule(schedule()))
    }

    /// Whether the limit on stored states is reached.
    pub fn is_full(&self) -> bool {
        self.limits.executions.is_some_and(|limit| self.counts.states >= limit)
    }

    /// Adds to the outcome what only a stateful search knows.
    pub fn complete(&self, outcome: &mut Outcome) {
        // Stored states are distinct, and every reduction keeps the states where nothing is enabled.
        if outcome.distinct_final_states.is_some() {
            outcome.distinct_final_states = Some(self.counts.executions);
        }
    }

    pub fn report(&self) -> StateReport {
        let Counts { states, cut, .. } = self.counts;
        let unreached = self.statements.iter().zip(&self.reached).filter(|(_, reached)| !**reached);
        StateReport {
            stored: states,
            matched: cut,
            transitions: states + cut,
            collision_probability: self.visited.collision_probability(),
            encodable: self.encodable,
            remembers_failures: self.graph.remembers_failures(),
            properties: Vec::new(),
            unreached: unreached.map(|(statement, _)| Unreached(statement.clone())).collect(),
        }
    }
}
