//! Stateless search: one loop over an explicit stack, the same for every algorithm.

use super::estimate::Estimator;
use super::exploration::Exploration;
use super::strategy::{Entered, Strategy};
use crate::driver::{Phase, Walk};
use crate::findings::Findings;
use crate::outcome::{Counts, Failure, FailureKind, Limit, Outcome};
use crate::search::{Ending, Estimate, Limits, Options, Status};
use crate::world::{Equality, Facts, World};

/// A walk through the executions that the strategy chooses.
pub(crate) struct Stateless<'p, A> {
    exploration: Exploration<'p>,
    strategy: A,
    limits: Limits,
    estimator: Estimator,
    phase: Phase,
    /// What was wrong with the last end; kept for its memory.
    at_end: Vec<Failure>,
}

impl<'p, A: Strategy> Stateless<'p, A> {
    /// At the initial state, where `world` is.
    pub fn new(facts: Facts<'p>, world: Box<dyn World + 'p>, options: &Options, strategy: A) -> Self {
        let exploration = Exploration::new(facts, options.order, world);
        Stateless {
            exploration,
            strategy,
            limits: options.limits,
            estimator: Estimator::default(),
            phase: Phase::Arrive,
            at_end: Vec::new(),
        }
    }

    fn arrive(&mut self, findings: &mut Findings) -> Phase {
        if let Some(failure) = self.exploration.failure.take()
            && self.fail(findings, failure)
        {
            return Phase::Done;
        }
        let depth = self.exploration.depth() as u64;
        let over = self.limits.depth.is_some_and(|limit| depth >= limit);
        if self.exploration.top().enabled().next().is_none() {
            self.end(findings)
        } else if over {
            findings.limit = Some(Limit::Depth);
            self.strategy.maximal(&mut self.exploration);
            self.ended(Ending::Limit);
            self.retreat()
        } else {
            match self.strategy.enter(&mut self.exploration) {
                Entered::Open => {}
                Entered::Blocked => {
                    self.exploration.counts.blocked += 1;
                    self.ended(Ending::Blocked);
                }
                Entered::Cut => {
                    self.exploration.counts.cut += 1;
                    self.ended(Ending::Cut);
                }
            }
            Phase::Choose
        }
    }

    /// A maximal execution.
    fn end(&mut self, findings: &mut Findings) -> Phase {
        self.exploration.counts.executions += 1;
        if self.exploration.broken {
            // The state that a panic left behind is nobody's business.
            self.strategy.maximal(&mut self.exploration);
            return self.retreat();
        }
        let mut failures = std::mem::take(&mut self.at_end);
        let state = self.exploration.world.current();
        state.failures_at_end(&mut failures);
        findings.end(|| state.fingerprint(Equality::Exact));
        let deadlock = failures.iter().any(|f| f.kind == FailureKind::Deadlock);
        if deadlock {
            self.exploration.counts.deadlocks += 1;
        }
        self.strategy.maximal(&mut self.exploration);
        self.ended(if deadlock { Ending::Deadlock } else { Ending::Finished });
        let (strategy, depth) = (&self.strategy, self.exploration.depth());
        self.estimator
            .leaf(self.exploration.counts.executions, (0..depth).map(|d| strategy.branches(d)));
        let mut ends = false;
        for failure in failures.drain(..) {
            ends |= self.fail(findings, failure);
        }
        self.at_end = failures;
        if ends {
            return Phase::Done;
        }
        if self
            .limits
            .executions
            .is_some_and(|limit| self.exploration.counts.executions >= limit)
            && self.more_to_do()
        {
            findings.limit = Some(Limit::Executions);
            return Phase::Done;
        }
        self.retreat()
    }

    /// Whether some node of the current execution has a branch left. Asked only when the limit on executions is reached.
    fn more_to_do(&self) -> bool {
        (0..self.exploration.depth()).any(|d| {
            let (taken, known) = self.strategy.branches(d);
            taken < known
        })
    }

    fn ended(&mut self, ending: Ending) {
        let Exploration { world, schedule, .. } = &mut self.exploration;
        world.tell_ending(schedule, ending);
    }

    /// Notes a failure; true if it ends the search.
    fn fail(&self, findings: &mut Findings, failure: Failure) -> bool {
        let Exploration { schedule, counts, .. } = &self.exploration;
        findings.fail(failure, counts.executions, || schedule.clone())
    }

    fn choose(&mut self, findings: &mut Findings) -> Phase {
        match self.strategy.choose(&mut self.exploration) {
            Some(transition) => {
                let depth = self.exploration.depth();
                self.exploration.world.tell_step(depth, transition);
                if !self.exploration.take(transition) {
                    let ends = self.fail(
                        findings,
                        Failure {
                            kind: FailureKind::Nondeterminism,
                            message:
                                "a step that was possible here before is not possible any more: the program does not always do the same"
                                    .to_owned(),
                            at: None,
                        },
                    );
                    return if ends { Phase::Done } else { Phase::Choose };
                }
                self.strategy.executed(&mut self.exploration);
                Phase::Arrive
            }
            None => self.retreat(),
        }
    }

    /// Goes back one step.
    fn retreat(&mut self) -> Phase {
        match self.exploration.back() {
            Some(step) => {
                self.strategy.returned(&mut self.exploration, step);
                Phase::Choose
            }
            None => Phase::Done,
        }
    }
}

impl<A: Strategy> Walk for Stateless<'_, A> {
    #[inline]
    fn go_on(&mut self, findings: &mut Findings) -> Status {
        if self.phase == Phase::Choose {
            self.phase = self.choose(findings);
        }
        if self.phase == Phase::Arrive {
            self.phase = self.arrive(findings);
        }
        self.phase.status()
    }

    fn counts(&self) -> &Counts {
        &self.exploration.counts
    }

    fn depth(&self) -> u64 {
        self.exploration.depth() as u64
    }

    fn estimate(&self) -> Option<Estimate> {
        self.estimator.estimate()
    }

    fn complete(&self, outcome: &mut Outcome) {
        outcome.counts.extra_steps += self.exploration.world.rebuilding_steps();
        self.strategy.complete(outcome);
    }
}
