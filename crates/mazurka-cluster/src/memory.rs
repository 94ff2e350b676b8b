//! An engine in memory, for tests: several handles of one, as several machines have of a server.

use crate::engine::{Engine, Lease, Trouble};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

type Unit = (String, u64, Vec<u8>);

#[derive(Default)]
struct Kept {
    jobs: HashMap<String, Vec<u8>>,
    queue: VecDeque<Unit>,
    leased: BTreeMap<u64, (Instant, Unit)>,
    taken: u64,
    /// By job, in the order in which they were committed.
    results: HashMap<String, Vec<(u64, Vec<u8>)>>,
}

/// See the module.
#[derive(Clone)]
pub struct Memory {
    kept: Arc<(Mutex<Kept>, Condvar)>,
    lease: Duration,
    /// How many results of each job this handle has returned.
    returned: HashMap<String, usize>,
}

impl Memory {
    /// An empty one, where leases are so long.
    pub fn new(lease: Duration) -> Self {
        Memory {
            kept: Arc::default(),
            lease,
            returned: HashMap::new(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `ask` has an answer, but only so long.
    fn wait<T>(&self, wait: Duration, mut ask: impl FnMut(&mut Kept) -> Option<T>) -> Option<T> {
        let until = Instant::now() + wait;
        let mut kept = self.kept();
        loop {
            if let answer @ Some(_) = ask(&mut kept) {
                return answer;
            }
            let left = until.checked_duration_since(Instant::now())?;
            // Leases end without a word.
            let look = left.min(Duration::from_millis(5));
            (kept, _) = self.kept.1.wait_timeout(kept, look).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Engine for Memory {
    type Token = u64;

    fn announce(&mut self, job: &str, what: &[u8]) -> Result<(), Trouble> {
        self.kept().jobs.insert(job.to_owned(), what.to_vec());
        Ok(())
    }

    fn job(&mut self, job: &str) -> Result<Option<Vec<u8>>, Trouble> {
        Ok(self.kept().jobs.get(job).cloned())
    }

    fn offer(&mut self, job: &str, unit: u64, bytes: &[u8]) -> Result<(), Trouble> {
        self.kept().queue.push_back((job.to_owned(), unit, bytes.to_vec()));
        self.kept.1.notify_all();
        Ok(())
    }

    fn take(&mut self, wait: Duration) -> Result<Option<Lease<u64>>, Trouble> {
        let lease = self.lease;
        Ok(self.wait(wait, |kept| {
            let now = Instant::now();
            let over: Vec<u64> = kept
                .leased
                .iter()
                .filter(|(_, (until, _))| *until <= now)
                .map(|(token, _)| *token)
                .collect();
            for token in over {
                kept.queue.extend(kept.leased.remove(&token).map(|(_, unit)| unit));
            }
            let unit = kept.queue.pop_front()?;
            kept.taken += 1;
            let token = kept.taken;
            kept.leased.insert(token, (now + lease, unit.clone()));
            let (job, unit, bytes) = unit;
            Some(Lease { job, unit, bytes, token })
        }))
    }

    fn commit(&mut self, job: &str, unit: u64, result: &[u8]) -> Result<bool, Trouble> {
        let mut kept = self.kept();
        let results = kept.results.entry(job.to_owned()).or_default();
        let new = results.iter().all(|(known, _)| *known != unit);
        if new {
            results.push((unit, result.to_vec()));
            self.kept.1.notify_all();
        }
        Ok(new)
    }

    fn acknowledge(&mut self, lease: Lease<u64>) -> Result<(), Trouble> {
        self.kept().leased.remove(&lease.token);
        Ok(())
    }

    fn results(&mut self, job: &str, wait: Duration) -> Result<Vec<Vec<u8>>, Trouble> {
        let from = self.returned.get(job).copied().unwrap_or(0);
        let new = self.wait(wait, |kept| {
            let new = kept.results.get(job)?.get(from..)?;
            (!new.is_empty()).then(|| new.iter().map(|(_, result)| result.clone()).collect::<Vec<_>>())
        });
        let new = new.unwrap_or_default();
        self.returned.insert(job.to_owned(), from + new.len());
        Ok(new)
    }

    fn close(&mut self, job: &str) -> Result<(), Trouble> {
        let mut kept = self.kept();
        kept.jobs.remove(job);
        kept.results.remove(job);
        kept.queue.retain(|(of, ..)| of != job);
        kept.leased.retain(|_, (_, (of, ..))| of != job);
        Ok(())
    }
}
