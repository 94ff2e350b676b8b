//! Depth-first search over an explicit stack of generated states.

use super::batch::Generated;
use super::explorer::{Explorer, Next};
use super::report::{StateReport, StatefulSearch};
use super::states::States;
use crate::outcome::{Limit, Outcome};
use crate::program::Transition;
use crate::search::{Progress, Search, Status};
use std::time::Instant;

/// The search.
pub(super) struct DepthFirst<S: States> {
    explorer: Explorer<S>,
    /// States still to look at; those of one frame side by side, the next one last.
    todo: Vec<Generated<S::State>>,
    /// For each state of the current execution that has successors: where in `todo` they begin.
    frames: Vec<usize>,
    /// The transitions from the start to the current state.
    schedule: Vec<Transition>,
    /// The successors of the newest state.
    batch: Vec<Generated<S::State>>,
    started: bool,
    done: bool,
}

impl<S: States> DepthFirst<S> {
    pub fn new(explorer: Explorer<S>) -> Self {
        DepthFirst {
            explorer,
            todo: Vec::new(),
            frames: Vec::new(),
            schedule: Vec::new(),
            batch: Vec::new(),
            started: false,
            done: false,
        }
    }

    /// Looks at the state after the schedule; it gets a frame if it is new and there is something to explore from it.
    fn arrive(&mut self, run: &S::State) {
        if !self.explorer.store(run) {
            return;
        }
        let (depth, schedule) = (self.schedule.len() as u64, &self.schedule);
        match self.explorer.expand(run, depth, &mut self.batch, || schedule.clone()) {
            Next::Stop => self.done = true,
            Next::Leave => {}
            Next::Expand => {
                self.frames.push(self.todo.len());
                self.todo.extend(self.batch.drain(..).rev());
            }
        }
    }

    /// Goes to the next successor of the deepest frame, or leaves the frame.
    fn go_on(&mut self) {
        let Some(&begin) = self.frames.last() else {
            self.done = true;
            return;
        };
        self.schedule.truncate(self.frames.len() - 1);
        if self.todo.len() == begin {
            self.frames.pop();
            return;
        }
        let Some(next) = self.todo.pop() else { return };
        self.schedule.push(next.transition);
        self.explorer.ledger.counts.steps += 1;
        let schedule = &self.schedule;
        if next.failure.is_some_and(|f| self.explorer.fail(f, || schedule.clone())) {
            self.done = true;
        } else {
            self.arrive(&next.run);
        }
        self.explorer.pool.give_back(next.run);
    }

    fn stop(&mut self, limit: Limit) {
        if !self.done {
            self.explorer.ledger.limit = Some(limit);
            self.done = true;
        }
    }
}

impl<S: States> Search for DepthFirst<S> {
    fn advance(&mut self, steps: u64) -> Status {
        let begun = Instant::now();
        if !self.started {
            self.started = true;
            let (start, failure) = self.explorer.program.start();
            self.done = failure.is_some_and(|f| self.explorer.fail(f, Vec::new));
            if !self.done {
                self.arrive(&start);
            }
        }
        let until = self.explorer.ledger.counts.steps.saturating_add(steps);
        while !self.done && self.explorer.ledger.counts.steps < until {
            self.go_on();
            if let Some(limit) = self.explorer.ledger.limit_reached(begun) {
                self.stop(limit);
            }
        }
        self.explorer.ledger.pause(begun);
        if self.done { Status::Done } else { Status::Running }
    }

    fn progress(&self) -> Progress {
        Progress {
            counts: self.explorer.ledger.counts,
            depth: self.schedule.len() as u64,
            estimate: None,
        }
    }

    fn interrupt(&mut self) {
        self.stop(Limit::Interrupt);
    }

    fn outcome(&self) -> Outcome {
        self.explorer.ledger.outcome()
    }
}

impl<S: States> StatefulSearch for DepthFirst<S> {
    fn report(&self) -> StateReport {
        self.explorer.report()
    }
}
