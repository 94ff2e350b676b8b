//! A search whose units are run elsewhere.

use crate::engine::{Engine, Trouble};
use crate::job::{Answer, Job};
use mazurka_core::units::Hub;
use mazurka_core::{Limit, Outcome, Progress, Search, Status, Verdict};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// So long a turn waits for results.
const TURN: Duration = Duration::from_millis(50);
/// At least so many units are kept under way, so that a worker that comes finds something to do.
const AHEAD: usize = 4;
/// So many units for each worker: one that it runs, and the next.
const EACH: usize = 2;
/// At most so many leaves are one unit.
const BUNDLE: usize = 64;
/// After so long without any result, what is under way is handed out again: the engine may have lost its queue.
const PATIENCE: Duration = Duration::from_secs(60);
/// A worker of which nothing was heard for so long is not counted any more.
const SILENT: Duration = Duration::from_secs(30);

/// Who takes part, and what went wrong; shared with whoever shows it.
#[derive(Clone, Default)]
pub struct Workers(Rc<RefCell<Heard>>);

#[derive(Default)]
struct Heard {
    last: BTreeMap<String, Instant>,
    trouble: Option<String>,
}

impl Workers {
    /// How many have answered lately.
    pub fn count(&self) -> usize {
        self.0.borrow().last.values().filter(|last| last.elapsed() < SILENT).count()
    }

    /// How many have ever answered.
    pub fn ever(&self) -> usize {
        self.0.borrow().last.len()
    }

    /// What went wrong, if anything did: then the search has ended without a verdict.
    pub fn trouble(&self) -> Option<String> {
        self.0.borrow().trouble.clone()
    }

    fn fail(&self, trouble: impl ToString) {
        self.0.borrow_mut().trouble.get_or_insert(trouble.to_string());
    }
}

/// Of how many leaves the next unit should be at most, if it is time for one, where so many leaves wait and so many units are under way.
pub fn next_bundle(waiting: usize, under_way: usize, workers: usize) -> Option<usize> {
    let wanted = AHEAD.max(workers * EACH);
    (waiting > 0 && under_way < wanted).then(|| waiting.div_ceil(2 * wanted).min(BUNDLE))
}

/// See the module.
pub struct Submitted<'p, E: Engine> {
    hub: Hub<'p>,
    engine: E,
    job: String,
    workers: Workers,
    begun: Instant,
    timeout: Option<Duration>,
    heard: Instant,
    limit: Option<Limit>,
    done: bool,
}

impl<'p, E: Engine> Submitted<'p, E> {
    /// Announces a job under a name that nobody else has.
    ///
    /// # Errors
    /// If the engine cannot.
    pub fn new(hub: Hub<'p>, mut engine: E, name: &str, job: &Job, timeout: Option<Duration>) -> Result<Self, Trouble> {
        engine.announce(name, &job.write())?;
        let now = Instant::now();
        Ok(Submitted {
            hub,
            engine,
            job: name.to_owned(),
            workers: Workers::default(),
            begun: now,
            timeout,
            heard: now,
            limit: None,
            done: false,
        })
    }

    /// Who takes part.
    pub fn workers(&self) -> Workers {
        self.workers.clone()
    }

    /// A number that stands for the traces that were run.
    pub fn traces(&self) -> u64 {
        self.hub.traces()
    }

    /// Hands out units, and takes what results there are.
    fn turn(&mut self) -> Result<(), String> {
        let workers = self.workers.count();
        while let Some(most) = next_bundle(self.hub.waiting(), self.hub.under_way(), workers) {
            let Some(task) = self.hub.hand_out(most) else { break };
            self.engine.offer(&self.job, task.number, &task.bytes).map_err(|e| e.to_string())?;
        }
        let results = self.engine.results(&self.job, TURN).map_err(|e| e.to_string())?;
        let now = Instant::now();
        if !results.is_empty() {
            self.heard = now;
        }
        for result in results {
            let answer = Answer::read(&result).map_err(|misfit| format!("a worker has sent something else than a result: {misfit}"))?;
            let Answer { worker, result } = answer;
            let result = result.map_err(|why| format!("worker {worker} cannot run this program: {why}"))?;
            let taken = self.hub.take(&result);
            taken.map_err(|misfit| format!("worker {worker} has sent a result that does not fit: {misfit}"))?;
            self.workers.0.borrow_mut().last.insert(worker, now);
        }
        if now - self.heard > PATIENCE {
            self.heard = now;
            self.hub.call_back();
        }
        Ok(())
    }
}

impl<E: Engine> Search for Submitted<'_, E> {
    fn advance(&mut self, _: u64) -> Status {
        if !self.done {
            if let Err(trouble) = self.turn() {
                self.workers.fail(trouble);
                self.limit = Some(Limit::Interrupt);
            }
            if self.timeout.is_some_and(|timeout| self.begun.elapsed() >= timeout) && !self.hub.is_done() {
                self.limit.get_or_insert(Limit::Time);
            }
            self.done = self.limit.is_some() || self.hub.is_done();
        }
        if self.done { Status::Done } else { Status::Running }
    }

    fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        progress.counts = self.hub.counts();
        progress.depth = self.hub.counts().max_depth;
        progress
    }

    fn interrupt(&mut self) {
        if !self.done {
            self.limit.get_or_insert(Limit::Interrupt);
        }
    }

    fn outcome(&self) -> Outcome {
        let mut outcome = self.hub.outcome();
        if let Some(limit) = self.limit {
            outcome.limit = Some(limit);
            if outcome.verdict == Verdict::Complete {
                outcome.verdict = Verdict::Incomplete;
            }
        }
        outcome
    }
}

impl<E: Engine> Drop for Submitted<'_, E> {
    fn drop(&mut self) {
        // Whoever cannot be told finds out by itself.
        let _ = self.engine.close(&self.job);
    }
}
