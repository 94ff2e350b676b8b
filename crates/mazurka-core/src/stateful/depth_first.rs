//! Depth-first search over an explicit stack of generated states.

use super::explorer::{Explorer, Next};
use super::graph::{Generated, Slot};
use super::report::{Chosen, Reports, StateReport};
use crate::driver::Walk;
use crate::findings::Findings;
use crate::outcome::{Counts, Limit, Outcome};
use crate::program::Transition;
use crate::search::Status;

/// The walk.
pub(super) struct DepthFirst<'p> {
    explorer: Explorer<'p>,
    /// States still to look at; those of one frame side by side, the next one last.
    todo: Vec<Generated>,
    /// For each state of the current execution that has successors: where in `todo` they begin.
    frames: Vec<usize>,
    /// The transitions from the start to the current state.
    schedule: Vec<Transition>,
    /// The successors of the newest state.
    batch: Vec<Generated>,
    started: bool,
}

impl<'p> DepthFirst<'p> {
    pub fn new(explorer: Explorer<'p>) -> Self {
        DepthFirst {
            explorer,
            todo: Vec::new(),
            frames: Vec::new(),
            schedule: Vec::new(),
            batch: Vec::new(),
            started: false,
        }
    }

    fn start(&mut self, findings: &mut Findings) -> Status {
        let (start, failure) = self.explorer.graph.start();
        if failure.is_some_and(|f| self.explorer.fail(findings, f, Vec::new)) {
            return Status::Done;
        }
        self.arrive(findings, start)
    }

    /// Looks at the state after the schedule; it gets a frame if it is new and there is something to explore from it.
    fn arrive(&mut self, findings: &mut Findings, state: Slot) -> Status {
        if !self.explorer.store(state) {
            return Status::Running;
        }
        let (depth, schedule) = (self.schedule.len() as u64, &self.schedule);
        match self.explorer.expand(findings, state, depth, &mut self.batch, || schedule.clone()) {
            Next::Stop => return Status::Done,
            Next::Leave => {}
            Next::Expand => {
                self.frames.push(self.todo.len());
                self.todo.extend(self.batch.drain(..).rev());
            }
        }
        Status::Running
    }

    /// Goes to the next successor of the deepest frame, or leaves the frame.
    fn next(&mut self, findings: &mut Findings) -> Status {
        let Some(&begin) = self.frames.last() else {
            return Status::Done;
        };
        self.schedule.truncate(self.frames.len() - 1);
        if self.todo.len() == begin {
            self.frames.pop();
            return Status::Running;
        }
        let Some(next) = self.todo.pop() else {
            return Status::Running;
        };
        self.schedule.push(next.transition);
        self.explorer.counts.steps += 1;
        let schedule = &self.schedule;
        let failed = next.failure.is_some_and(|f| self.explorer.fail(findings, f, || schedule.clone()));
        let status = if failed { Status::Done } else { self.arrive(findings, next.state) };
        self.explorer.graph.give_back(next.state);
        status
    }
}

impl Walk for DepthFirst<'_> {
    fn go_on(&mut self, findings: &mut Findings) -> Status {
        if !self.started {
            self.started = true;
            return self.start(findings);
        }
        let status = self.next(findings);
        if status == Status::Running && self.explorer.is_full() {
            findings.limit = Some(Limit::Executions);
            return Status::Done;
        }
        status
    }

    fn counts(&self) -> &Counts {
        &self.explorer.counts
    }

    fn depth(&self) -> u64 {
        self.schedule.len() as u64
    }

    fn complete(&self, outcome: &mut Outcome) {
        self.explorer.complete(outcome);
    }
}

impl Reports for DepthFirst<'_> {
    fn report(&self) -> StateReport {
        self.explorer.report()
    }

    fn ends(&self) -> &[Vec<Transition>] {
        &self.explorer.ends
    }

    fn tell(&mut self, told: Chosen) -> bool {
        self.explorer.told = Some(told);
        true
    }
}
