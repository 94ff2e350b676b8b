//! `optimal` by several workers (`docs/src/soundness.md`, "In any order").
//!
//! Each worker has a thread and a program of its own and runs the sequential algorithm below a leaf of the common tree. The nodes of its execution
//! are private but for those above its *base*. It publishes more of them only when somebody has nothing to do: the highest one where something is
//! planned, with what leads there. Reversals of events above the base are inserted into the shared part (`region.rs`); those below cost what
//! they cost a single worker.

mod leaves;
mod rations;
mod region;
mod sync;
mod team;
mod upper;
mod worker;

pub(super) use team::Quota;
pub use team::{Seat, Sharing};
pub(super) use upper::Upper;

use crate::bound::Departure;
use crate::findings::Findings;
use crate::locked::locked;
use crate::memory::resident_bytes;
use crate::outcome::{Counts, Limit, Outcome};
use crate::program::Features;
use crate::search::{Options, Progress, Search, SearchError, Status};
use rations::Rest;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use team::Team;

/// How often limits are looked at while the workers are busy.
const LOOK: Duration = Duration::from_millis(5);
/// Interpreters of user code may need as much as on the main thread.
const STACK: usize = 16 << 20;

/// What a worker does on its thread: make the program, and call [`Seat::work`] with it.
pub type Crew = Arc<dyn Fn(Seat<'_>) + Send + Sync>;

/// A search by several workers, each on a thread of its own with a program that `crew` makes, which has these `features`.
///
/// Executions, deadlocks, final states, the length of the longest execution, the failures that there are and the verdict are those of a search by
/// one. How many steps it took, and which failure was met first, differ from run to run.
///
/// # Errors
/// If there is no proof that the branches of the algorithm may be run in any order, if it does not fit the program, or if the options ask for
/// something else than one search to its end.
pub fn parallel_search(
    crew: &Crew,
    features: Features,
    options: &Options,
    workers: usize,
    sharing: Sharing,
) -> Result<Box<dyn Search + Send>, SearchError> {
    let alone = |name, reason| Err(SearchError::Alone { name, reason });
    if options.sampling.is_some() {
        return alone("--mode", "random executions of a seed are drawn one after the other");
    }
    if let Some(bound) = options.bound {
        let name = match bound.counted {
            Departure::Preemption => "--preemptions",
            Departure::Delay => "--delays",
        };
        return alone(name, "there is no proof that its branches may be run in any order");
    }
    let algorithm = options.algorithm;
    if !algorithm.runs_in_parallel() {
        return alone(
            algorithm.name(),
            "there is no proof that its branches may be run in any order; take `optimal`",
        );
    }
    algorithm.fits(features)?;
    let workers = workers.max(1);
    let team = Arc::new(Team::new(options, workers, sharing));
    let start = |number| {
        let (crew, seat) = (Arc::clone(crew), Seat::new(Arc::clone(&team), number));
        let thread = std::thread::Builder::new().name(format!("worker {number}")).stack_size(STACK);
        // Where there are no more threads, the seat is dropped, and the others do its part.
        thread.spawn(move || crew(seat)).ok()
    };
    let threads = (0..workers).filter_map(start).collect();
    Ok(Box::new(Parallel {
        options: options.clone(),
        team,
        threads,
        elapsed: Duration::ZERO,
        limit: None,
        done: false,
    }))
}

/// A search under way.
struct Parallel {
    options: Options,
    team: Arc<Team>,
    threads: Vec<JoinHandle<()>>,
    elapsed: Duration,
    limit: Option<Limit>,
    done: bool,
}

impl Parallel {
    fn counts(&self) -> Counts {
        let mut all = Counts {
            states: 1,
            ..Counts::default()
        };
        for done in &self.team.done {
            all.add(&locked(done).counts);
        }
        all
    }

    fn stop(&mut self, limit: Limit) {
        self.limit.get_or_insert(limit);
        self.team.stop();
    }

    /// Waits for the threads to end; a panic in one of them is an error of this tool, and goes on here.
    fn join(&mut self) {
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join()
                && !std::thread::panicking()
            {
                std::panic::resume_unwind(panic);
            }
        }
        let leaves = &self.team.leaves;
        let ended = leaves.all_done() || leaves.is_closed();
        assert!(ended || std::thread::panicking(), "workers left before the search was done");
        self.done = true;
    }
}

impl Search for Parallel {
    fn advance(&mut self, steps: u64) -> Status {
        if self.done {
            return Status::Done;
        }
        let begun = Instant::now();
        self.team.rations.refill(steps);
        loop {
            let rest = self.team.rations.wait(LOOK);
            if rest == Rest::Gone {
                self.join();
                break;
            }
            let late = |limit| self.elapsed + begun.elapsed() >= limit;
            let full = |limit| resident_bytes().is_some_and(|resident| resident >= limit);
            if self.options.limits.time.is_some_and(late) {
                self.stop(Limit::Time);
            } else if self.options.limits.memory.is_some_and(full) {
                self.stop(Limit::Memory);
            }
            // However short the turns are, limits are looked at in each.
            if rest == Rest::Paused && self.limit.is_none() {
                break;
            }
        }
        self.elapsed += begun.elapsed();
        if self.done { Status::Done } else { Status::Running }
    }

    fn progress(&self) -> Progress {
        let counts = self.counts();
        Progress {
            counts,
            depth: counts.max_depth,
            estimate: None,
        }
    }

    fn interrupt(&mut self) {
        if !self.done {
            self.stop(Limit::Interrupt);
        }
    }

    fn outcome(&self) -> Outcome {
        let mut all = Findings::new(&self.options);
        for done in &self.team.done {
            all.join(&locked(done).findings);
        }
        all.limit = all.limit.or(self.limit);
        all.outcome(self.counts(), self.done)
    }
}

impl Drop for Parallel {
    fn drop(&mut self) {
        self.team.stop();
        self.join();
    }
}
