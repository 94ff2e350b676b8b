//! One of several workers: `optimal` from one leaf after the other.

use super::region::{Leaf, Step};
use super::team::{Sharing, Team};
use crate::driver::Phase;
use crate::explore::exploration::Exploration;
use crate::explore::optimal::Optimal;
use crate::explore::stateless::Stateless;
use crate::findings::Findings;
use crate::footprints::Footprints;
use crate::outcome::Counts;
use crate::search::Status;
use crate::world::{Facts, World};
use std::sync::Arc;

/// See the module.
pub(super) struct Worker<'p> {
    walk: Stateless<'p, Optimal>,
    team: Arc<Team>,
    number: usize,
    /// Executions that were looked at.
    executions: u64,
    way: Vec<Step>,
}

impl<'p> Worker<'p> {
    /// At the initial state, where `world` is.
    pub fn new(facts: Facts<'p>, world: Box<dyn World + 'p>, team: Arc<Team>, number: usize) -> Self {
        let footprints = Footprints::of_worker(Arc::clone(&team.footprints));
        let mut exploration = Exploration::with_footprints(facts, team.options.order, world, footprints);
        // The initial state is counted once, not by each worker.
        exploration.counts.states = 0;
        let walk = Stateless::of_worker(exploration, &team.options, Arc::clone(&team.quota));
        Worker {
            walk,
            team,
            number,
            executions: 0,
            way: Vec::new(),
        }
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        let mut counts = self.walk.exploration.counts;
        counts.extra_steps += self.walk.exploration.world.rebuilding_steps();
        counts
    }

    /// Goes to a leaf. What is found on the way is found by the first who takes it.
    pub fn begin(&mut self, leaf: Leaf, findings: &mut Findings) -> Status {
        let Stateless { exploration, strategy, .. } = &mut self.walk;
        let upper = strategy.upper();
        let depth = leaf.depth as usize;
        upper.leave_for(leaf, &mut self.way);
        // What sleeps there may have footprints that this worker has not met.
        exploration.footprints.catch_up();
        let common = depth - self.way.len();
        while exploration.depth() > common {
            exploration.back();
        }
        if let Some(inherited) = upper.cut(common) {
            exploration.truncate_sleep(inherited);
        }
        self.walk.phase = Phase::Arrive;
        while let Some(step) = self.way.pop() {
            let Stateless { exploration, strategy, .. } = &mut self.walk;
            let inherited = exploration.top().sleep.len();
            step.elder.iter().for_each(|elder| exploration.put_to_sleep(*elder));
            debug_assert!(!exploration.top().sleeps(step.transition), "a planned step sleeps");
            let counts = exploration.counts;
            if !exploration.take(step.transition) {
                return self.walk.impossible(findings);
            }
            strategy.upper().descend(&step, inherited);
            let failure = exploration.failure.take();
            if !step.first {
                let extra_steps = counts.extra_steps + 1;
                exploration.counts = Counts { extra_steps, ..counts };
                if exploration.broken {
                    // Whoever came here first has seen how it ends.
                    return Status::Done;
                }
            } else if let Some(failure) = failure
                && self.walk.fail(findings, failure)
            {
                return Status::Done;
            }
            if self.walk.exploration.broken {
                break;
            }
        }
        let Stateless { exploration, strategy, .. } = &mut self.walk;
        debug_assert!(exploration.top().sleep.is_empty(), "something sleeps at a leaf");
        strategy.begin(exploration.depth());
        self.walk.floor = exploration.depth();
        Status::Running
    }

    /// Takes about so many steps below the leaf; returns whether it is done, and how many steps were not needed.
    pub fn advance(&mut self, steps: u64, findings: &mut Findings) -> (Status, u64) {
        let until = self.walk.exploration.counts.steps + steps;
        let mut status = Status::Running;
        while status == Status::Running && self.walk.exploration.counts.steps < until {
            status = self.walk.advance(findings);
            if self.executions < self.walk.exploration.counts.executions {
                self.executions = self.walk.exploration.counts.executions;
                self.share();
            }
        }
        (status, until.saturating_sub(self.walk.exploration.counts.steps))
    }

    /// Tells the others of the leaves that the last execution has led to; if somebody has nothing to do, publishes the highest node that has
    /// something planned.
    fn share(&mut self) {
        let Stateless {
            exploration,
            strategy,
            floor,
            ..
        } = &mut self.walk;
        let wanted = match self.team.sharing {
            Sharing::OnDemand => self.team.leaves.wanted(self.number),
            Sharing::Always => true,
        };
        if wanted {
            strategy.publish(exploration);
            *floor = (*floor).max(strategy.upper().base() as usize);
        }
        for leaf in strategy.upper().take_found() {
            self.team.leaves.add(self.number, leaf);
        }
    }
}
