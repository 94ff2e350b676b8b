//! Shorter schedules near a failing one: leave out pieces, move turns together, or stop early and let each process run for as long as it can.

use super::super::events::{Afterwards, attempt};
use super::Wanted;
use super::cone::straighten;
use super::pool::Pool;
use crate::program::{Program, Transition};

/// Tries changed schedules until none helps, `left` steps have been run, or it is to stop.
pub(super) fn shrink<P: Program + ?Sized>(program: &P, wanted: Wanted<'_>, pool: &mut Pool, left: &mut usize) {
    loop {
        let from = pool.choose();
        let improved = leave_out(program, wanted, &from, pool, left) | stop_early(program, wanted, &from, pool, left);
        if !improved || *left == 0 {
            return;
        }
        let better = pool.choose();
        straighten(program, &better, wanted, pool);
        if pool.choose() == from {
            return;
        }
    }
}

/// Runs one changed schedule; true if it is worth keeping.
fn offer<P: Program + ?Sized>(
    program: &P,
    wanted: Wanted<'_>,
    schedule: &[Transition],
    more: usize,
    pool: &mut Pool,
    left: &mut usize,
) -> bool {
    let cost = schedule.len() + more;
    if *left < cost || (wanted.stop)() {
        *left = 0;
        return false;
    }
    let tried = attempt(program, schedule, wanted.target, Afterwards::Run(more));
    *left -= tried.schedule.len().max(1);
    tried.failed && pool.add(tried.schedule)
}

/// Leaves out pieces of halving length, from the end to the beginning, for as long as that helps.
fn leave_out<P: Program + ?Sized>(program: &P, wanted: Wanted<'_>, from: &[Transition], pool: &mut Pool, left: &mut usize) -> bool {
    // What waits for ever only shows when everything else has run to its end.
    let more = |schedule: &[Transition]| if wanted.at_end { 2 * schedule.len() } else { 0 };
    let mut improved = false;
    let mut current = from.to_vec();
    let mut piece = current.len() / 2;
    while piece > 0 {
        let mut end = current.len();
        while end > 0 {
            let start = end.saturating_sub(piece);
            let mut without = current[..start].to_vec();
            without.extend(&current[end.min(current.len())..]);
            if offer(program, wanted, &without, more(&without), pool, left) {
                improved = true;
                current = pool.choose();
            }
            if *left == 0 {
                return improved;
            }
            end = start.min(current.len());
        }
        piece /= 2;
    }
    improved
}

/// Keeps a prefix, then lets each process run for as long as it can, starting with each one of the rest.
fn stop_early<P: Program + ?Sized>(program: &P, wanted: Wanted<'_>, from: &[Transition], pool: &mut Pool, left: &mut usize) -> bool {
    let mut improved = false;
    let mut processes: Vec<Transition> = Vec::new();
    for transition in from {
        if !processes.iter().any(|t| t.process == transition.process) {
            processes.push(*transition);
        }
    }
    for keep in 0..from.len() {
        for next in &processes {
            let mut prefix = from[..keep].to_vec();
            // The first later transition of that process leads the rest.
            prefix.extend(from[keep..].iter().find(|t| t.process == next.process));
            improved |= offer(program, wanted, &prefix, 2 * from.len(), pool, left);
            if *left == 0 {
                return improved;
            }
        }
    }
    improved
}
