//! The search itself: one loop over an explicit stack, the same for every algorithm.

use super::estimate::Estimator;
use super::exploration::Exploration;
use super::strategy::{Entered, Strategy};
use crate::findings::Findings;
use crate::outcome::{Failure, FailureKind, Limit, Outcome};
use crate::pace::Pace;
use crate::search::{Ending, Limits, Options, Progress, Search, Status};
use crate::world::{Equality, Facts, World};
use std::time::{Duration, Instant};

/// A search in progress.
pub(crate) struct Driver<'p, A> {
    exploration: Exploration<'p>,
    strategy: A,
    limits: Limits,
    keep_going: bool,
    findings: Findings,
    elapsed: Duration,
    pace: Pace,
    estimator: Estimator,
    phase: Phase,
    /// What was wrong with the last end; kept for its memory.
    at_end: Vec<Failure>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The top node was just reached.
    Arrive,
    /// The top node may have more to explore.
    Choose,
    Done,
}

impl<'p, A: Strategy> Driver<'p, A> {
    /// A search that has not started.
    pub fn new(facts: &'p dyn Facts, world: Box<dyn World + 'p>, options: &Options, strategy: A) -> Self {
        let mut exploration = Exploration::new(facts, options.order, world);
        exploration.mutation = options.mutation;
        Driver {
            exploration,
            strategy,
            limits: options.limits,
            keep_going: options.keep_going,
            findings: Findings::new(options),
            elapsed: Duration::ZERO,
            pace: Pace::default(),
            estimator: Estimator::default(),
            phase: Phase::Arrive,
            at_end: Vec::new(),
        }
    }

    fn arrive(&mut self) -> Phase {
        if self.exploration.failure.take().is_some_and(|f| self.fail(f)) {
            return Phase::Done;
        }
        let depth = self.exploration.depth() as u64;
        let over = self.limits.depth.is_some_and(|limit| depth >= limit);
        if self.exploration.top().enabled().next().is_none() {
            self.end()
        } else if over {
            self.findings.limit = Some(Limit::Depth);
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
    fn end(&mut self) -> Phase {
        self.exploration.counts.executions += 1;
        if self.exploration.broken {
            // The state that a panic left behind is nobody's business.
            self.strategy.maximal(&mut self.exploration);
            return self.retreat();
        }
        let mut failures = std::mem::take(&mut self.at_end);
        let state = self.exploration.world.current();
        state.failures_at_end(&mut failures);
        self.findings.end(|| state.fingerprint(Equality::Exact));
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
            ends |= self.fail(failure);
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
            self.findings.limit = Some(Limit::Executions);
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
    fn fail(&mut self, failure: Failure) -> bool {
        let counts = self
            .findings
            .fail(failure, &self.exploration.schedule, self.exploration.counts.executions);
        counts && !self.keep_going
    }

    fn choose(&mut self) -> Phase {
        match self.strategy.choose(&mut self.exploration) {
            Some(transition) => {
                let depth = self.exploration.depth();
                self.exploration.world.tell_step(depth, transition);
                if !self.exploration.take(transition) {
                    let ends = self.fail(Failure {
                        kind: FailureKind::Nondeterminism,
                        message: "a step that was possible here before is not possible any more: the program does not always do the same"
                            .to_owned(),
                        at: None,
                    });
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

    /// Ends the search if a limit on time or memory is reached.
    fn check_limits(&mut self, begun: Instant) {
        if let Some(limit) = self.pace.limit_reached(&self.limits, self.elapsed, begun) {
            self.stop(limit);
        }
    }

    fn stop(&mut self, limit: Limit) {
        if self.phase != Phase::Done {
            self.findings.limit = Some(limit);
            self.phase = Phase::Done;
        }
    }
}

impl<A: Strategy> Search for Driver<'_, A> {
    fn advance(&mut self, steps: u64) -> Status {
        let begun = Instant::now();
        let until = self.exploration.counts.steps.saturating_add(steps);
        while self.phase != Phase::Done && self.exploration.counts.steps < until {
            self.phase = match self.phase {
                Phase::Arrive => {
                    let next = self.arrive();
                    self.check_limits(begun);
                    if self.phase == Phase::Done { Phase::Done } else { next }
                }
                Phase::Choose => self.choose(),
                Phase::Done => Phase::Done,
            };
        }
        self.elapsed += begun.elapsed();
        if self.phase == Phase::Done { Status::Done } else { Status::Running }
    }

    fn progress(&self) -> Progress {
        Progress {
            counts: self.exploration.counts,
            depth: self.exploration.depth() as u64,
            estimate: self.estimator.estimate(),
        }
    }

    fn interrupt(&mut self) {
        self.stop(Limit::Interrupt);
    }

    fn outcome(&self) -> Outcome {
        let mut counts = self.exploration.counts;
        counts.extra_steps += self.exploration.world.rebuilding_steps();
        self.findings.outcome(counts, self.phase == Phase::Done)
    }
}
