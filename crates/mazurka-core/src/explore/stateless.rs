//! Stateless search: one loop over an explicit stack, the same for every algorithm.

use super::estimate::Estimator;
use super::exploration::Exploration;
use super::optimal::Optimal;
use super::parallel::Quota;
use super::strategy::{Entered, Strategy};
use crate::driver::{Phase, Walk};
use crate::findings::Findings;
use crate::outcome::{Counts, Failure, FailureKind, Limit, Outcome};
use crate::saved::{Decoder, Encoder, Misfit};
use crate::search::{Ending, Estimate, Limits, Options, Status};
use crate::world::{Equality, Facts, World};
use std::sync::Arc;

/// Where a search can stand between two steps, by number: before anything, somewhere, at its end.
const PHASES: [Phase; 3] = [Phase::Arrive, Phase::Choose, Phase::Done];

/// A walk through the executions that the strategy chooses.
pub(crate) struct Stateless<'p, A> {
    pub(super) exploration: Exploration<'p>,
    pub(super) strategy: A,
    limits: Limits,
    estimator: Estimator,
    pub(super) phase: Phase,
    /// The number of steps that are not taken back.
    pub(super) floor: usize,
    /// How many executions all workers may still complete, if there are several.
    quota: Option<Arc<Quota>>,
    /// What was wrong with the last end; kept for its memory.
    at_end: Vec<Failure>,
}

impl<'p, A: Strategy> Stateless<'p, A> {
    /// At the initial state, where `world` is.
    pub fn new(facts: Facts<'p>, world: Box<dyn World + 'p>, options: &Options, strategy: A) -> Self {
        Stateless::at(Exploration::new(facts, options.order, world), options, strategy)
    }

    fn at(exploration: Exploration<'p>, options: &Options, strategy: A) -> Self {
        Stateless {
            exploration,
            strategy,
            limits: options.limits,
            estimator: Estimator::default(),
            phase: Phase::Arrive,
            floor: 0,
            quota: None,
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
        if self.quota.as_ref().is_some_and(|quota| !quota.take()) {
            findings.limit = Some(Limit::Executions);
            return Phase::Done;
        }
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
    pub(super) fn fail(&self, findings: &mut Findings, failure: Failure) -> bool {
        let Exploration { schedule, counts, .. } = &self.exploration;
        findings.fail(failure, counts.executions, || schedule.clone())
    }

    fn choose(&mut self, findings: &mut Findings) -> Phase {
        match self.strategy.choose(&mut self.exploration) {
            Some(transition) => {
                let depth = self.exploration.depth();
                self.exploration.world.tell_step(depth, transition);
                if !self.exploration.take(transition) {
                    return if self.changed(findings) { Phase::Done } else { Phase::Choose };
                }
                self.strategy.executed(&mut self.exploration);
                Phase::Arrive
            }
            None => self.retreat(),
        }
    }

    /// Notes that the program does not always do the same; true if it ends the search.
    fn changed(&self, findings: &mut Findings) -> bool {
        let message = "a step that was possible here before is not possible any more: the program does not always do the same";
        let failure = Failure {
            kind: FailureKind::Nondeterminism,
            message: message.to_owned(),
            at: None,
        };
        self.fail(findings, failure)
    }

    /// Goes back one step.
    fn retreat(&mut self) -> Phase {
        if self.exploration.depth() == self.floor {
            return Phase::Done;
        }
        match self.exploration.back() {
            Some(step) => {
                self.strategy.returned(&mut self.exploration, step);
                Phase::Choose
            }
            None => Phase::Done,
        }
    }
}

impl<'p> Stateless<'p, Optimal> {
    /// One of several workers, which complete at most `quota` executions.
    pub fn of_worker(exploration: Exploration<'p>, options: &Options, quota: Arc<Quota>) -> Self {
        Stateless {
            quota: Some(quota),
            ..Stateless::at(exploration, options, Optimal::default())
        }
    }

    /// A step on the way to a leaf could not be taken; nothing is to be run from there.
    pub fn impossible(&mut self, findings: &mut Findings) -> Status {
        self.changed(findings);
        Status::Done
    }
}

impl<A: Strategy> Stateless<'_, A> {
    /// Does the next thing, as [`Walk::go_on`].
    #[inline]
    pub fn advance(&mut self, findings: &mut Findings) -> Status {
        if self.phase == Phase::Choose {
            self.phase = self.choose(findings);
        }
        if self.phase == Phase::Arrive {
            self.phase = self.arrive(findings);
        }
        self.phase.status()
    }
}

impl<A: Strategy> Walk for Stateless<'_, A> {
    #[inline]
    fn go_on(&mut self, findings: &mut Findings) -> Status {
        self.advance(findings)
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

    fn save(&mut self, out: &mut Encoder) -> Result<(), &'static str> {
        let Stateless { exploration, strategy, .. } = self;
        let Some(strategy) = strategy.resumable() else {
            return Err("it does not say where it stands; take `optimal` or `source`");
        };
        out.number(PHASES.iter().position(|phase| *phase == self.phase).unwrap_or(0) as u64);
        if self.phase == Phase::Choose {
            self.estimator.save(out);
            exploration.save(strategy, out);
        } else {
            exploration.counts.save(out);
        }
        Ok(())
    }

    fn resume(&mut self, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        self.phase = *PHASES.get(from.small::<usize>()?).ok_or(Misfit::Garbled)?;
        let Stateless { exploration, strategy, .. } = self;
        if self.phase == Phase::Choose {
            self.estimator = Estimator::resumed(from)?;
            let strategy = strategy.resumable().ok_or(Misfit::OtherSearch)?;
            exploration.resume(strategy, from)?;
        } else {
            exploration.counts = Counts::resumed(from)?;
        }
        Ok(())
    }

    fn complete(&self, outcome: &mut Outcome) {
        outcome.counts.extra_steps += self.exploration.world.rebuilding_steps();
        self.strategy.complete(outcome);
    }
}
