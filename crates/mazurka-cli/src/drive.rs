//! Running a search to its end: in slices, so that progress can be shown and Ctrl-C obeyed between them.

use mazurka_core::{Limit, Outcome, Progress, Search, Status, Verdict};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often Ctrl-C was pressed.
static PRESSED: AtomicUsize = AtomicUsize::new(0);
static HANDLER: Once = Once::new();

/// How long a slice should take.
const SLICE: Duration = Duration::from_millis(25);
/// How many steps the first slice has: few, as steps may be long.
const FIRST_SLICE: u64 = 16;
/// How often progress is told.
const TELL: Duration = Duration::from_millis(250);

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    PRESSED.load(Ordering::Relaxed) > 0
}

/// The first Ctrl-C ends the search in an orderly way, the second ends the tool.
pub fn listen() {
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

/// Advances the search to its end, or until Ctrl-C; `tell` is called a few times a second. Returns what was found and how long it took.
pub fn drive(search: &mut dyn Search, tell: &mut dyn FnMut(&Progress, Duration)) -> (Outcome, Duration) {
    drive_until(search, &interrupted, tell)
}

/// As [`drive`], but ends when `stop` says so.
pub fn drive_until(search: &mut dyn Search, stop: &dyn Fn() -> bool, tell: &mut dyn FnMut(&Progress, Duration)) -> (Outcome, Duration) {
    listen();
    let start = Instant::now();
    let mut told = start;
    let mut steps = FIRST_SLICE;
    loop {
        if stop() {
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

/// For so many steps the first of two searches runs alone: most programs are done by then.
const HEAD_START: u64 = 100_000;
/// How many steps the second of two searches takes in its turn, and how many times as many the first takes. A step of a search that merges
/// costs up to ten times as much, so both get about the same time; counting steps keeps the result independent of the machine.
const TURN: (u64, u64) = (512, 8);

/// So many steps of random executions are run between the head start and the first turn of the second search. Most bugs need few decisions, and a search
/// that goes through one corner after the other may come to the right one last.
const RANDOM: u64 = 100_000;

/// Which of the searches gave the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    First,
    Second,
    Random,
}

/// The first of two searches.
pub enum First<'s> {
    /// It takes turns with the second.
    Alone(&'s mut dyn Search),
    /// It has threads of its own, and runs beside the second.
    Together(&'s mut (dyn Search + Send)),
}

impl First<'_> {
    fn search(&mut self) -> &mut dyn Search {
        match self {
            First::Alone(search) => *search,
            First::Together(search) => *search,
        }
    }
}

/// After so many turns it is asked whether the second search merges anything at all.
const REVIEW: u64 = 16;

/// Advances two searches of the same program in turns, or side by side, until one of them is done. The second gets no more turns once it has given
/// up its store: without one it merges nothing, and the first is faster. Random executions of the program have one turn, in which they end the race only with
/// a failure. Returns which one it was, what it found and how long it took.
pub fn race(
    mut first: First<'_>,
    second: &mut dyn Search,
    mut random: Option<&mut dyn Search>,
    timeout: Option<Duration>,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&Progress, Duration),
) -> (Winner, Outcome, Duration) {
    listen();
    let start = Instant::now();
    let mut told = start;
    let mut steps = 0;
    let mut turns: u64 = 0;
    let mut worth_it = true;
    let (mut slice, mut other_slice) = (FIRST_SLICE, FIRST_SLICE);
    let late = || timeout.is_some_and(|limit| start.elapsed() >= limit);
    let stop = || late() || stop();
    let mut tell_now = |search: &dyn Search| {
        let now = Instant::now();
        if now - told >= TELL {
            told = now;
            tell(&search.progress(), now - start);
        }
    };
    loop {
        let (turn, times) = TURN;
        let beside = steps > HEAD_START && worth_it;
        let mut second_is_done = false;
        let mut status = match &mut first {
            First::Together(first) if beside => {
                let (status, other) = side_by_side(*first, second, &mut slice);
                tell_now(*first);
                second_is_done = status == Status::Running && other == Status::Done;
                turns += 1;
                if second_is_done { Status::Done } else { status }
            }
            first => take_turn(first.search(), turn * times, &mut slice, &stop, &mut tell_now),
        };
        steps += turn * times;
        let head_start_is_over = status == Status::Running && steps > HEAD_START;
        if let Some(random) = random.take_if(|_| head_start_is_over) {
            take_turn(random, RANDOM, &mut FIRST_SLICE.clone(), &stop, &mut |_| {});
            let outcome = random.outcome();
            if outcome.verdict == Verdict::Violation {
                return (Winner::Random, outcome, start.elapsed());
            }
        }
        if head_start_is_over && worth_it {
            if let First::Alone(_) = first {
                status = take_turn(second, turn, &mut other_slice, &stop, &mut |_| {});
                second_is_done = status == Status::Done;
                turns += 1;
            }
            if turns.is_multiple_of(REVIEW) {
                worth_it = !second.outcome().merged.is_some_and(|m| m.store_dropped);
            }
        }
        if status == Status::Running && stop() {
            first.search().interrupt();
            status = first.search().advance(1);
        }
        if status == Status::Done {
            let mut outcome = if second_is_done {
                second.outcome()
            } else {
                first.search().outcome()
            };
            if late() && outcome.limit == Some(Limit::Interrupt) {
                outcome.limit = Some(Limit::Time);
            }
            let winner = if second_is_done { Winner::Second } else { Winner::First };
            return (winner, outcome, start.elapsed());
        }
    }
}

/// Advances the first search on its own threads and the second on this one, by as many steps as take about a slice.
fn side_by_side(first: &mut (dyn Search + Send), second: &mut dyn Search, slice: &mut u64) -> (Status, Status) {
    let (_, times) = TURN;
    let (steps, begun) = (*slice, Instant::now());
    let statuses = std::thread::scope(|scope| {
        let first = scope.spawn(move || first.advance(steps));
        let second = second.advance((steps / times).max(1));
        match first.join() {
            Ok(first) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    *slice = next_slice(steps, begun.elapsed());
    statuses
}

/// Advances the search by so many steps, or until `stop` says so: in slices, so that this is asked and progress told often however long a
/// step takes.
fn take_turn(search: &mut dyn Search, steps: u64, slice: &mut u64, stop: &dyn Fn() -> bool, tell: &mut dyn FnMut(&dyn Search)) -> Status {
    let mut left = steps;
    while left > 0 && !stop() {
        let now = left.min(*slice);
        let before = Instant::now();
        if search.advance(now) == Status::Done {
            return Status::Done;
        }
        *slice = next_slice(*slice, before.elapsed());
        left -= now;
        tell(search);
    }
    Status::Running
}

/// How many steps to take next so that the slice takes about [`SLICE`], growing slowly: the first steps tell little about the others.
fn next_slice(steps: u64, took: Duration) -> u64 {
    if took < SLICE / 2 {
        steps.saturating_mul(2).min(1 << 24)
    } else if took > SLICE * 2 {
        (steps / 2).max(1)
    } else {
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::Merged;

    /// A search that is done after so many steps.
    struct Fake {
        left: u64,
        taken: u64,
        store_dropped: bool,
        /// It fails when it has taken so many.
        fails_after: Option<u64>,
    }

    impl Search for Fake {
        fn advance(&mut self, steps: u64) -> Status {
            let now = steps.min(self.left);
            self.left -= now;
            self.taken += now;
            if self.left == 0 { Status::Done } else { Status::Running }
        }

        fn progress(&self) -> Progress {
            Progress::default()
        }

        fn interrupt(&mut self) {
            self.left = 0;
        }

        fn outcome(&self) -> Outcome {
            let mut merged = Merged::default();
            merged.store_dropped = self.store_dropped;
            let fails = self.fails_after.is_some_and(|steps| self.taken >= steps);
            let mut outcome = Outcome::new(if fails { Verdict::Violation } else { Verdict::Complete });
            outcome.merged = Some(merged);
            outcome
        }
    }

    fn fake(left: u64, store_dropped: bool) -> Fake {
        Fake {
            left,
            taken: 0,
            store_dropped,
            fails_after: None,
        }
    }

    #[test]
    fn a_search_that_merges_nothing_gets_no_more_turns() {
        let (mut first, mut second) = (fake(10_000_000, false), fake(u64::MAX, true));
        let (winner, ..) = race(First::Alone(&mut first), &mut second, None, None, &|| false, &mut |_, _| {});
        assert_eq!(winner, Winner::First);
        assert_eq!(second.taken, TURN.0 * REVIEW, "then it had its last turn");
    }

    #[test]
    fn a_search_that_merges_has_turns_until_one_is_done() {
        let (mut first, mut second) = (fake(10_000_000, false), fake(100_000, false));
        let (winner, ..) = race(First::Alone(&mut first), &mut second, None, None, &|| false, &mut |_, _| {});
        assert_eq!(winner, Winner::Second);
        assert!(first.taken > HEAD_START && first.left > 0);
    }

    #[test]
    fn a_search_with_threads_runs_beside_one_that_merges() {
        let (mut first, mut second) = (fake(u64::MAX, false), fake(100_000, false));
        let (winner, ..) = race(First::Together(&mut first), &mut second, None, None, &|| false, &mut |_, _| {});
        assert_eq!(winner, Winner::Second);
        assert!(first.taken > HEAD_START && first.left > 0);
        let (mut first, mut second) = (fake(1_000_000, false), fake(u64::MAX, false));
        let (winner, ..) = race(First::Together(&mut first), &mut second, None, None, &|| false, &mut |_, _| {});
        assert_eq!(winner, Winner::First);
    }

    #[test]
    fn random_executions_have_one_turn_and_end_the_race_with_a_failure_only() {
        for (fails_after, expected) in [(RANDOM, Winner::Random), (RANDOM + 1, Winner::First)] {
            let (mut first, mut second) = (fake(10_000_000, false), fake(u64::MAX, true));
            let mut random = fake(u64::MAX, false);
            random.fails_after = Some(fails_after);
            let (winner, ..) = race(
                First::Alone(&mut first),
                &mut second,
                Some(&mut random),
                None,
                &|| false,
                &mut |_, _| {},
            );
            assert_eq!((winner, random.taken), (expected, RANDOM));
        }
        let (mut first, mut second) = (fake(HEAD_START / 2, false), fake(u64::MAX, true));
        let mut random = fake(u64::MAX, false);
        race(
            First::Alone(&mut first),
            &mut second,
            Some(&mut random),
            None,
            &|| false,
            &mut |_, _| {},
        );
        assert_eq!(random.taken, 0, "small programs are done before");
    }

    #[test]
    fn slices_adapt_to_the_speed_of_the_program() {
        assert_eq!(next_slice(256, Duration::from_millis(1)), 512);
        assert_eq!(next_slice(256, Duration::from_millis(25)), 256);
        assert_eq!(next_slice(256, Duration::from_secs(1)), 128);
        assert_eq!(next_slice(16, Duration::from_secs(1)), 8);
        assert_eq!(next_slice(1, Duration::from_secs(1)), 1);
    }
}
