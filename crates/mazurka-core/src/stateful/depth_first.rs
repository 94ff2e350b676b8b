//! Depth-first search over an explicit stack of runs that are reused.

use super::explorer::{Explorer, Next};
use super::report::{StateReport, StatefulSearch};
use super::space::StateSpace;
use crate::outcome::{Limit, Outcome};
use crate::program::{Fingerprint, Transition};
use crate::search::{Progress, Search, Status};
use std::time::Instant;

/// The search. Frame `d` belongs to the state after `d` transitions.
pub(super) struct DepthFirst<'p, P: StateSpace> {
    explorer: Explorer<'p, P>,
    frames: Vec<Frame>,
    /// `runs[d]` is the state after `d` transitions; what is deeper than the schedule is memory to reuse.
    runs: Vec<P::Run>,
    /// The transitions from the start to the current state.
    schedule: Vec<Transition>,
    /// What the frames have yet to explore, their parts one after the other.
    todo: Vec<Transition>,
    /// What the newest state has to explore.
    fresh: Vec<Transition>,
    /// The transient states since the last stored one.
    chain: Vec<Fingerprint>,
    started: bool,
    done: bool,
}

struct Frame {
    /// Where its part of `todo` begins.
    begin: usize,
    /// The next of them to explore.
    next: usize,
    /// The length of the chain of transient states up to this one.
    chain: usize,
}

impl<'p, P: StateSpace> DepthFirst<'p, P>
where
    P::Run: Clone,
{
    pub fn new(explorer: Explorer<'p, P>) -> Self {
        DepthFirst {
            runs: vec![explorer.program.start()],
            explorer,
            frames: Vec::new(),
            schedule: Vec::new(),
            todo: Vec::new(),
            fresh: Vec::new(),
            chain: Vec::new(),
            started: false,
            done: false,
        }
    }

    /// Looks at the state after the schedule; it gets a frame if there is something to explore from it.
    fn arrive(&mut self) {
        let run = &self.runs[self.schedule.len()];
        let transient = self.explorer.program.is_transient(run);
        if transient {
            // An indivisible sequence that comes back to where it was would never end.
            let fingerprint = self.explorer.program.fingerprint(run);
            if self.chain.contains(&fingerprint) {
                return;
            }
            self.chain.push(fingerprint);
        } else {
            self.chain.clear();
            if !self.explorer.store(run) {
                return;
            }
        }
        self.fresh.clear();
        let (depth, schedule) = (self.schedule.len() as u64, &self.schedule);
        match self.explorer.expand(run, transient, depth, &mut self.fresh, || schedule.clone()) {
            Next::Stop => self.done = true,
            Next::Leave => {}
            Next::Expand => {
                self.frames.push(Frame {
                    begin: self.todo.len(),
                    next: self.todo.len(),
                    chain: self.chain.len(),
                });
                self.todo.append(&mut self.fresh);
            }
        }
    }

    /// Takes the next transition of the deepest frame, or leaves it.
    fn go_on(&mut self) {
        self.schedule.truncate(self.frames.len().saturating_sub(1));
        let Some(frame) = self.frames.last_mut() else {
            self.done = true;
            return;
        };
        if frame.next == self.todo.len() {
            self.todo.truncate(frame.begin);
            self.frames.pop();
            return;
        }
        let transition = self.todo[frame.next];
        frame.next += 1;
        self.chain.truncate(frame.chain);
        let depth = self.schedule.len();
        if self.runs.len() == depth + 1 {
            self.runs.push(self.runs[depth].clone());
        }
        self.schedule.push(transition);
        let (before, after) = self.runs.split_at_mut(depth + 1);
        let failure = self.explorer.step(&before[depth], &mut after[0], transition);
        let schedule = &self.schedule;
        if failure.is_some_and(|f| self.explorer.ledger.fail(f, || schedule.clone())) {
            self.done = true;
        } else {
            self.arrive();
        }
    }

    fn stop(&mut self, limit: Limit) {
        if !self.done {
            self.explorer.ledger.limit = Some(limit);
            self.done = true;
        }
    }
}

impl<P: StateSpace> Search for DepthFirst<'_, P>
where
    P::Run: Clone,
{
    fn advance(&mut self, steps: u64) -> Status {
        let begun = Instant::now();
        if !self.started {
            self.started = true;
            self.arrive();
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

impl<P: StateSpace> StatefulSearch for DepthFirst<'_, P>
where
    P::Run: Clone,
{
    fn report(&self) -> StateReport {
        self.explorer.report()
    }
}
