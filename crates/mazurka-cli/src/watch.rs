//! Ending a step that is under way, when Ctrl-C is pressed or the time is up: searches look at both only between steps.

use crate::drive::{interrupted, listen};
use crate::session::Session;
use mazurka_core::{Limit, Outcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often it is looked.
const OFTEN: Duration = Duration::from_millis(20);

/// A look-out while steps are taken. Once it is dropped, steps take their time again.
pub struct Watch {
    halt: Option<Arc<AtomicBool>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Looks out for Ctrl-C, and for the end of the time if it is limited, from now on.
    pub fn new(session: &Session<'_>, timeout: Option<Duration>) -> Self {
        listen();
        let over = Arc::new(AtomicBool::new(false));
        let watching = |halt: Arc<AtomicBool>| {
            let (over, begun) = (Arc::clone(&over), Instant::now());
            let late = move || timeout.is_some_and(|limit| begun.elapsed() >= limit);
            let look = move || {
                while !over.load(Ordering::Relaxed) {
                    if interrupted() || late() {
                        halt.store(true, Ordering::Relaxed);
                        return;
                    }
                    thread::park_timeout(OFTEN);
                }
            };
            // Without a thread a step takes as long as it takes.
            thread::Builder::new().spawn(look).ok()
        };
        let thread = session.halt.clone().and_then(watching);
        Watch {
            halt: session.halt.clone(),
            over,
            thread,
        }
    }

    /// What ended the steps, if they were ended.
    pub fn limit(&self) -> Option<Limit> {
        let halted = self.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed));
        halted.then(|| if interrupted() { Limit::Interrupt } else { Limit::Time })
    }

    /// Says of a search that ended in the middle of a step why it did.
    pub fn explain(&self, outcome: &mut Outcome) {
        if let (Some(Limit::Step), Some(limit)) = (outcome.limit, self.limit()) {
            outcome.limit = Some(limit);
            outcome.large_step = None;
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It does nothing that could panic.
            drop(thread.join());
        }
        if let Some(halt) = &self.halt {
            halt.store(false, Ordering::Relaxed);
        }
    }
}
