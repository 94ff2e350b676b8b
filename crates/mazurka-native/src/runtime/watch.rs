//! What the code under test is doing, for who waits in another thread: when it gets stuck, it can tell no more.

use super::op::Op;
use std::panic::Location;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Counts how often code under test was entered and left: odd while it runs. One check runs at a time.
static MOVES: AtomicU64 = AtomicU64::new(0);
/// The process that runs.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// Where its last operation was; null before the first.
static PLACE: AtomicPtr<Location<'static>> = AtomicPtr::new(null_mut());
/// What people call processes.
static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// How many executions were started, plus one.
static EXECUTIONS: AtomicU64 = AtomicU64::new(1);
/// Executions with numbers below this got stuck, and were given up.
static GIVEN_UP: AtomicU64 = AtomicU64::new(0);

/// The number of a new execution.
pub(super) fn next_execution() -> u64 {
    EXECUTIONS.fetch_add(1, Relaxed)
}

/// Code under test is about to run: that of this process, after its operation at this place.
#[inline]
pub(super) fn entering(process: u32, op: Op, at: &'static Location<'static>) {
    PROCESS.store(process, Relaxed);
    let place = if op == Op::Choose(1) {
        null_mut()
    } else {
        std::ptr::from_ref(at).cast_mut()
    };
    PLACE.store(place, Relaxed);
    MOVES.store(MOVES.load(Relaxed) | 1, Relaxed);
}

/// It has come to its next operation.
#[inline]
pub(super) fn leaving(execution: u64) {
    while execution < GIVEN_UP.load(Relaxed) {
        // It got stuck and has come back, but nobody waits for it any more.
        std::thread::park();
    }
    MOVES.store((MOVES.load(Relaxed) | 1) + 1, Relaxed);
}

/// People call a process by this name.
pub(super) fn name(process: u32, name: String) {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let index = process as usize;
    if names.len() <= index {
        names.resize(index + 1, String::new());
    }
    names[index] = name;
}

/// Looks whether code under test still comes to its next operation.
pub(crate) struct Watch {
    patience: Duration,
    moves: u64,
    since: Instant,
}

impl Watch {
    /// That loses patience after so much time within one step.
    pub fn new(patience: Duration) -> Self {
        Watch {
            patience,
            moves: MOVES.load(Relaxed),
            since: Instant::now(),
        }
    }

    /// How often to look.
    pub fn interval(&self) -> Duration {
        (self.patience / 4).max(Duration::from_millis(1))
    }

    /// Whether a step has taken too long.
    pub fn is_stuck(&mut self) -> bool {
        let moves = MOVES.load(Relaxed);
        if moves != self.moves || moves.is_multiple_of(2) {
            (self.moves, self.since) = (moves, Instant::now());
        }
        self.since.elapsed() >= self.patience
    }

    /// Who is stuck, and where it was last.
    pub fn explain(&self) -> String {
        GIVEN_UP.store(EXECUTIONS.load(Relaxed), Relaxed);
        MOVES.store((MOVES.load(Relaxed) | 1) + 1, Relaxed);
        let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let process = PROCESS.load(Relaxed) as usize;
        let name = names.get(process).filter(|name| !name.is_empty()).map_or("main", String::as_str);
        let place = PLACE.load(Relaxed);
        let place = if place.is_null() {
            "since it began".to_owned()
        } else {
            // SAFETY: only references to locations that live for ever are stored there.
            format!("since the operation at {}", unsafe { &*place })
        };
        format!(
            "{name} has not come to its next operation for {} {place}: it waits for something that the check does not see (a file, a lock \
             of `std`), or goes on for ever",
            time(self.patience)
        )
    }
}

fn time(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        1 => "a second".to_owned(),
        n => format!("{n} seconds"),
    }
}
