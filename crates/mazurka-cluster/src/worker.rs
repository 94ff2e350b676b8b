//! Running units for whoever submits some.

use crate::engine::{Engine, Trouble};
use crate::job::{Answer, Job, VERSION};
use mazurka_core::units::Runner;
use std::time::{Duration, Instant};

/// A unit is run so long before its result is committed and the rest handed back. Long against the time of a message, short against that of a search.
const SLICE: Duration = Duration::from_millis(250);
/// With so many reversals for the hub a result is committed early: what is inserted need not be found again.
const REVERSALS: usize = 256;
/// So long a worker waits for a unit before it looks whether to stop.
const WAIT: Duration = Duration::from_millis(500);

/// Loads the program of a job and runs `use_it` with a runner of its search; why it cannot, otherwise.
pub trait Loads {
    /// See the trait.
    ///
    /// # Errors
    /// Why the job cannot be run here.
    fn with_runner(&mut self, job: &Job, use_it: &mut dyn FnMut(Runner<'_>)) -> Result<(), String>;
}

/// When a worker stops.
pub struct Until<'u> {
    /// Asked between two units.
    pub stopped: &'u dyn Fn() -> bool,
    /// It stops when there was nothing to do for so long.
    pub idle: Option<Duration>,
}

/// Takes units of any job, until there is a reason to stop. Returns how many results of it were the first.
///
/// # Errors
/// If the engine cannot be reached for long.
pub fn work<E: Engine>(engine: &mut E, name: &str, loads: &mut dyn Loads, until: &Until<'_>) -> Result<u64, Trouble> {
    let mut worker = Worker {
        engine,
        name,
        until,
        last: Instant::now(),
        committed: 0,
        next: None,
    };
    while let Some(lease) = worker.take()? {
        let job = lease.job.clone();
        worker.next = Some(lease);
        let Some(what) = worker.engine.job(&job)? else {
            worker.skip()?;
            continue;
        };
        let loaded = match Job::read(&what) {
            Err(misfit) => Err(misfit.to_string()),
            Ok(what) if what.version != VERSION => Err(format!("it is mazurka {VERSION}, and the search is of {}", what.version)),
            Ok(what) => {
                let mut trouble = None;
                let loaded = loads.with_runner(&what, &mut |runner| trouble = worker.run(&job, runner).err());
                if let Some(trouble) = trouble {
                    return Err(trouble);
                }
                loaded
            }
        };
        if let Err(why) = loaded {
            worker.refuse(&why)?;
        }
    }
    Ok(worker.committed)
}

struct Worker<'w, E: Engine> {
    engine: &'w mut E,
    name: &'w str,
    until: &'w Until<'w>,
    /// When it last had something to do.
    last: Instant,
    committed: u64,
    /// The unit that it has taken.
    next: Option<crate::engine::Lease<E::Token>>,
}

impl<E: Engine> Worker<'_, E> {
    /// Waits for a unit; `None` if there is a reason to stop.
    fn take(&mut self) -> Result<Option<crate::engine::Lease<E::Token>>, Trouble> {
        if let taken @ Some(_) = self.next.take() {
            return Ok(taken);
        }
        loop {
            if (self.until.stopped)() || self.until.idle.is_some_and(|idle| self.last.elapsed() >= idle) {
                return Ok(None);
            }
            if let taken @ Some(_) = self.engine.take(WAIT)? {
                self.last = Instant::now();
                return Ok(taken);
            }
        }
    }

    /// Runs units of one job, as long as there come units of it.
    fn run(&mut self, job: &str, mut runner: Runner<'_>) -> Result<(), Trouble> {
        while let Some(lease) = self.take()? {
            if lease.job != job {
                self.next = Some(lease);
                return Ok(());
            }
            let begun = Instant::now();
            let enough = &mut |slice: mazurka_core::units::Slice| begun.elapsed() >= SLICE || slice.reversals >= REVERSALS;
            let result = runner.run(&lease.bytes, enough).map_err(|misfit| misfit.to_string());
            self.answer(lease, result)?;
        }
        Ok(())
    }

    fn answer(&mut self, lease: crate::engine::Lease<E::Token>, result: Result<Vec<u8>, String>) -> Result<(), Trouble> {
        let answer = Answer {
            worker: self.name.to_owned(),
            result,
        };
        let first = self.engine.commit(&lease.job, lease.unit, &answer.write())?;
        self.committed += u64::from(first);
        self.last = Instant::now();
        // Without it somebody runs the unit once more, for nothing.
        let _ = self.engine.acknowledge(lease);
        Ok(())
    }

    fn refuse(&mut self, why: &str) -> Result<(), Trouble> {
        match self.next.take() {
            Some(lease) => self.answer(lease, Err(why.to_owned())),
            None => Ok(()),
        }
    }

    /// Nobody waits for the result.
    fn skip(&mut self) -> Result<(), Trouble> {
        match self.next.take() {
            Some(lease) => self.engine.acknowledge(lease),
            None => Ok(()),
        }
    }
}
