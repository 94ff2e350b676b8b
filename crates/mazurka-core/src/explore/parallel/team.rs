//! What the workers of one search have in common.

use super::leaves::Leaves;
use super::rations::Rations;
use super::region::Leaf;
use super::worker::Worker;
use crate::any_program::{AnyProgram, any};
use crate::describe::Describe;
use crate::findings::Findings;
use crate::footprints::CommonFootprints;
use crate::locked::locked;
use crate::outcome::Counts;
use crate::program::Program;
use crate::running::Running;
use crate::search::{Options, Status, Unobserved};
use crate::stateful::StateSpace;
use crate::world::{Facts, World};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Between two looks whether to stop or to pause, a worker should take about so long.
const OFTEN: Duration = Duration::from_micros(300);
const SELDOM: Duration = Duration::from_millis(2);
/// The most steps between two looks.
const MOST: u64 = 1 << 14;

/// When a worker publishes what is still to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// When another one has nothing to do.
    #[default]
    OnDemand,
    /// After each execution. Slow, and good for nothing but tests: the shared part of the tree is then all of it, even with one worker.
    Always,
}

/// How many executions are still wanted.
#[derive(Debug)]
pub(crate) struct Quota(AtomicU64);

impl Quota {
    /// At most so many.
    pub fn new(most: Option<u64>) -> Self {
        Quota(AtomicU64::new(most.unwrap_or(u64::MAX)))
    }

    /// Whether one more is wanted.
    pub fn take(&self) -> bool {
        let one_less = |left: u64| if left == u64::MAX { Some(left) } else { left.checked_sub(1) };
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
    }
}

/// See the module.
pub(super) struct Team {
    pub options: Options,
    pub sharing: Sharing,
    pub leaves: Leaves<Leaf>,
    pub rations: Rations,
    pub footprints: Arc<CommonFootprints>,
    pub quota: Arc<Quota>,
    /// By worker.
    pub done: Vec<Mutex<Done>>,
}

/// What a worker has done so far.
pub(super) struct Done {
    pub findings: Findings,
    pub counts: Counts,
}

impl Team {
    /// For so many workers.
    pub fn new(options: &Options, workers: usize, sharing: Sharing) -> Self {
        let done = |_| {
            Mutex::new(Done {
                findings: Findings::new(options),
                counts: Counts::default(),
            })
        };
        Team {
            options: options.clone(),
            sharing,
            leaves: Leaves::new(workers, Leaf::default()),
            rations: Rations::new(workers),
            footprints: Arc::default(),
            quota: Arc::new(Quota::new(options.limits.executions)),
            done: (0..workers).map(done).collect(),
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.leaves.close();
        self.rations.close();
    }
}

/// The place of one worker in what several do together, each with a program of its own.
pub struct Seat<'w>(Place<'w>);

enum Place<'w> {
    Searching(Searcher),
    Lending(Box<To<'w>>),
}

/// What is done with a program that is lent.
type To<'w> = dyn FnOnce(&dyn AnyProgram) + Send + 'w;

impl<'w> Seat<'w> {
    pub(super) fn new(team: Arc<Team>, number: usize) -> Self {
        Seat(Place::Searching(Searcher { team, number }))
    }

    /// A place where something else is done with the program than searching.
    pub fn lending(to: impl FnOnce(&dyn AnyProgram) + Send + 'w) -> Self {
        Seat(Place::Lending(Box::new(to)))
    }

    /// Does what is to be done here, until all of it is done. What the program calls its processes and locations by must be the same for all
    /// workers: a process or a location has one id, whoever meets it first.
    pub fn work<P>(self, program: P)
    where
        P: Describe + StateSpace,
        P::State: 'static,
    {
        match self.0 {
            Place::Searching(searcher) => searcher.search(&program),
            Place::Lending(to) => to(&*any(program)),
        }
    }
}

/// The place of one worker in a search.
struct Searcher {
    team: Arc<Team>,
    number: usize,
}

impl Searcher {
    fn search<P>(self, program: &P)
    where
        P: Program,
        P::State: Clone,
    {
        assert!(
            self.team.options.algorithm.fits(program.features()).is_ok(),
            "the program of a worker has other features than was said"
        );
        let world: Box<dyn World + '_> = if self.team.options.replay {
            Box::new(Running::rebuilding(program, Box::new(Unobserved)))
        } else {
            Box::new(Running::with_snapshots(program, Box::new(Unobserved)))
        };
        self.work_in(Facts::of(program), world);
    }

    fn work_in<'p>(&self, facts: Facts<'p>, world: Box<dyn World + 'p>) {
        let team = &self.team;
        let mut worker = Worker::new(facts, world, Arc::clone(team), self.number);
        let mut pace = 16;
        while let Some(leaf) = team.leaves.take(self.number) {
            let mut status = {
                let done = &mut *locked(&team.done[self.number]);
                worker.begin(leaf, &mut done.findings)
            };
            while status == Status::Running {
                let Some(ration) = team.rations.take(pace) else { return };
                let begun = Instant::now();
                let unused;
                {
                    let done = &mut *locked(&team.done[self.number]);
                    (status, unused) = worker.advance(ration, &mut done.findings);
                    done.counts = worker.counts();
                }
                team.rations.give_back(unused);
                match begun.elapsed() {
                    took if took < OFTEN && ration == pace => pace = (pace * 2).min(MOST),
                    took if took > SELDOM => pace = (pace / 2).max(1),
                    _ => {}
                }
            }
            if locked(&team.done[self.number]).findings.end_the_search() {
                team.stop();
                return;
            }
            team.leaves.done();
        }
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        // Nobody waits for leaves that a worker has taken with it.
        if std::thread::panicking() {
            self.team.stop();
        }
        self.team.rations.leave();
    }
}
