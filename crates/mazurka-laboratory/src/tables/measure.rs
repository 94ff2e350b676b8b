//! Running one cell of a table.

use mazurka_actors::{Run, System};
use mazurka_core::{Algorithm, Counts, Effects, Observer, Options, Order, Program, Status, Transition, Unobserved, search};
use std::cell::Cell;

/// The counts of a search. With `to_first_bug` it ends at the first failure, otherwise failures are passed over.
///
/// # Panics
/// If the algorithm does not exist or does not fit: the tables name their own.
pub(super) fn counts(system: &System, algorithm: &str, order: Order, to_first_bug: bool) -> Counts {
    observed(system, algorithm, order, to_first_bug, Unobserved)
}

fn observed<'p>(
    system: &'p System,
    algorithm: &str,
    order: Order,
    to_first_bug: bool,
    observer: impl Observer<<System as Program>::State> + 'p,
) -> Counts {
    let algorithm = Algorithm::parse(algorithm).expect("tables name known algorithms");
    let options = Options::new(algorithm).order(order).keep_going(!to_first_bug);
    let mut search = search(system, &options, observer).expect("tables name algorithms that fit");
    while search.advance(1 << 20) == Status::Running {}
    search.outcome().counts
}

/// The counts of a search under `--order stable`, and at how many of its nodes no actor was stable.
pub(super) fn stable_counts(system: &System, algorithm: &str) -> (Counts, u64) {
    let unstable = Cell::new(0);
    let watcher = Watcher {
        system,
        runs: vec![system.start()],
        unstable: &unstable,
    };
    watcher.look(&watcher.runs[0]);
    let counts = observed(system, algorithm, Order::Stable, false, watcher);
    (counts, unstable.get())
}

/// Follows a search and counts the nodes at which something is enabled but no enabled actor is stable.
struct Watcher<'a> {
    system: &'a System,
    runs: Vec<Run>,
    unstable: &'a Cell<u64>,
}

impl Watcher<'_> {
    fn look(&self, run: &Run) {
        let mut pending = Vec::new();
        self.system.pending(run, &mut pending);
        pending.retain(|p| p.enabled);
        if !pending.is_empty() && !pending.iter().any(|p| self.system.is_stable(run, p.transition)) {
            self.unstable.set(self.unstable.get() + 1);
        }
    }
}

impl Observer<<System as Program>::State> for Watcher<'_> {
    fn step(&mut self, depth: usize, transition: Transition) {
        self.runs.truncate(depth + 1);
        let mut run = self.runs[depth].clone();
        self.system.step(&mut run, transition, &mut Effects::default());
        self.look(&run);
        self.runs.push(run);
    }
}
