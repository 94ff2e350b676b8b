//! Running a search to its end: in slices, so that progress can be shown and Ctrl-C obeyed between them.

use mazurka_core::{Outcome, Progress, Search, Status};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often Ctrl-C was pressed.
static PRESSED: AtomicUsize = AtomicUsize::new(0);
static HANDLER: Once = Once::new();

/// How long a slice should take.
const SLICE: Duration = Duration::from_millis(25);
/// How often progress is told.
const TELL: Duration = Duration::from_millis(250);

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    PRESSED.load(Ordering::Relaxed) > 0
}

/// The first Ctrl-C ends the search in an orderly way, the second ends the tool.
fn listen() {
    HANDLER.call_once(|| {
        let result = ctrlc::set_handler(|| {
            if PRESSED.fetch_add(1, Ordering::Relaxed) > 0 {
                std::process::exit(130);
            }
        });
        // Without a handler Ctrl-C simply ends the tool, which is bearable.
        drop(result);
    });
}

/// Advances the search to its end; `tell` is called a few times a second. Returns what was found and how long it took.
pub fn drive(search: &mut dyn Search, tell: &mut dyn FnMut(&Progress, Duration)) -> (Outcome, Duration) {
    listen();
    let start = Instant::now();
    let mut told = start;
    let mut steps: u64 = 256;
    loop {
        if interrupted() {
            search.interrupt();
        }
        let before = Instant::now();
        let status = search.advance(steps);
        let now = Instant::now();
        if status == Status::Done {
            return (search.outcome(), now - start);
        }
        steps = next_slice(steps, now - before);
        if now - told >= TELL {
            told = now;
            tell(&search.progress(), now - start);
        }
    }
}

/// How many steps to take next so that the slice takes about [`SLICE`], growing slowly: the first steps tell little about the others.
fn next_slice(steps: u64, took: Duration) -> u64 {
    if took < SLICE / 2 {
        steps.saturating_mul(2).min(1 << 24)
    } else if took > SLICE * 2 {
        (steps / 2).max(16)
    } else {
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_adapt_to_the_speed_of_the_program() {
        assert_eq!(next_slice(256, Duration::from_millis(1)), 512);
        assert_eq!(next_slice(256, Duration::from_millis(25)), 256);
        assert_eq!(next_slice(256, Duration::from_secs(1)), 128);
        assert_eq!(next_slice(16, Duration::from_secs(1)), 16);
    }
}
