//! Equivalent schedules: only what the failure depends on, in an order with few context switches.
//!
//! Steps outside the causal past of a failing step can be left out: what remains is a prefix of the same trace, so every step in it does what
//! it did. Of the orders that this partial order allows, a beam search over "which process runs next, for as long as it can" finds one with
//! few switches. Letting a process run for as long as it can loses nothing: steps moved into an earlier turn of their process are missing
//! from a later one, and never end up in a new one.

use super::super::causes::Causes;
use super::super::events::{Afterwards, Events, attempt};
use super::Wanted;
use super::pool::Pool;
use crate::program::{Process, Program, Transition};
use rustc_hash::FxHashSet;

/// How many partial orders are followed at once.
const BEAM: usize = 128;

/// Adds schedules equivalent to (the needed part of) `schedule` to the pool.
pub(super) fn straighten<P: Program + ?Sized>(program: &P, schedule: &[Transition], wanted: Wanted<'_>, pool: &mut Pool) {
    let events = Events::of(program, schedule);
    let count = events.steps.len();
    if count == 0 || count > 20_000 {
        return;
    }
    let keep = if wanted.at_end {
        vec![true; count]
    } else {
        events.causes.past(&[count - 1])
    };
    let kept: Vec<usize> = (0..count).filter(|&s| keep[s]).collect();
    let step = |at: &usize| events.steps[*at].0;
    let mut offer = |order: Vec<Transition>| {
        let tried = attempt(program, &order, wanted.target, Afterwards::Stop);
        if tried.failed {
            pool.add(tried.schedule);
        }
    };
    offer(kept.iter().map(step).collect());
    offer(few_switches(&events, &kept, wanted.stop).iter().map(step).collect());
}

/// One way to go on: how many steps of each process were taken.
struct Path {
    taken: Vec<usize>,
    last: usize,
    order: Vec<usize>,
}

/// The steps `kept` in an order that respects causes and switches rarely; as they are once it is to stop.
fn few_switches(events: &Events, kept: &[usize], stop: &dyn Fn() -> bool) -> Vec<usize> {
    let mut processes: Vec<(Process, Vec<usize>)> = Vec::new();
    let mut place = vec![(0, 0); events.steps.len()];
    for &step in kept {
        let process = events.steps[step].0.process;
        let at = processes.iter().position(|(p, _)| *p == process).unwrap_or_else(|| {
            processes.push((process, Vec::new()));
            processes.len() - 1
        });
        place[step] = (at, processes[at].1.len());
        processes[at].1.push(step);
    }
    let ready = |path: &Path, step: usize, causes: &Causes| {
        causes.direct(step).iter().all(|&cause| {
            let (process, nth) = place[cause];
            path.taken[process] > nth
        })
    };
    let mut beam = vec![Path {
        taken: vec![0; processes.len()],
        last: usize::MAX,
        order: Vec::new(),
    }];
    loop {
        let mut next: Vec<Path> = Vec::new();
        let mut seen = FxHashSet::default();
        for path in &beam {
            for (at, (_, steps)) in processes.iter().enumerate().filter(|(at, _)| *at != path.last) {
                let mut longer = Path {
                    taken: path.taken.clone(),
                    last: at,
                    order: path.order.clone(),
                };
                while let Some(&step) = steps.get(longer.taken[at])
                    && ready(&longer, step, &events.causes)
                {
                    longer.order.push(step);
                    longer.taken[at] += 1;
                }
                if longer.order.len() == kept.len() {
                    return longer.order;
                }
                if longer.order.len() > path.order.len() && seen.insert((longer.taken.clone(), at)) {
                    next.push(longer);
                }
            }
        }
        if next.is_empty() || stop() {
            return kept.to_vec();
        }
        next.sort_by_key(|path| std::cmp::Reverse(path.order.len()));
        next.truncate(BEAM);
        beam = next;
    }
}
