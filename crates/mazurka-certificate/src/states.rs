//! Certificates of searches that store states: for each state which of its successors are explored.
//!
//! What is proved: the states that are reached from the first one in this way are closed. Every state has all its successors among them, or
//! those of a *source set* whose steps all go upwards in an order that no cycle follows (P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas:
//! Comparing Source Sets and Persistent Sets for Partial Order Reduction, 2017, Theorems 2 and 3). So every deadlock and every failure is
//! among them, too. The checker goes through the states itself and keeps their fingerprints; only the choices are read.

use crate::Rejection;
use crate::findings::Findings;
use crate::format::In;
use crate::verified::{Claimed, Evidence, Verified};
use mazurka_core::{AccessSet, Alternative, Alternatives, Fingerprint, Generated, Graph, Slot};
use rustc_hash::FxHashSet;
use std::io::Read;

/// Checks that the states are closed.
pub(crate) fn closed<R: Read>(
    mut graph: Box<dyn Graph + '_>,
    deadlock_is_error: bool,
    input: &mut In<R>,
    claimed: Claimed,
) -> Result<Verified, Rejection> {
    let mut found = Findings::new(deadlock_is_error);
    let mut known: FxHashSet<Fingerprint> = FxHashSet::default();
    let mut alternatives = Alternatives::default();
    let (mut statements, mut at_end) = (Vec::new(), Vec::new());
    let (mut steps, mut reduced) = (0, 0);
    let (start, failure) = graph.start();
    found.step(failure.as_ref())?;
    let mut to_visit = vec![start];
    while let Some(state) = to_visit.pop() {
        if !known.insert(graph.fingerprint(state)) {
            graph.give_back(state);
            continue;
        }
        let mut successors = Vec::new();
        graph.successors(state, &mut successors, &mut statements);
        statements.clear();
        if successors.is_empty() {
            at_end.clear();
            graph.failures_at_end(state, &mut at_end);
            found.end(graph.fingerprint(state), &at_end)?;
        } else {
            let explored = read_choice(input, successors.len())?;
            if explored.contains(&false) {
                reduced += 1;
                alternatives.clear();
                graph.alternatives(state, &mut alternatives);
                if !is_enough(&*graph, state, &alternatives, &successors, &explored) {
                    return Err(Rejection::refused("a state in it lacks successors that may lead elsewhere"));
                }
            }
            // The youngest process first, and the alternatives of each in their order: the last one that is pushed is visited next.
            let mut processes: Vec<_> = successors.into_iter().zip(explored).collect();
            processes
                .chunk_by_mut(|(a, _), (b, _)| a.transition.process == b.transition.process)
                .for_each(<[_]>::reverse);
            for (successor, explored) in processes {
                if !explored {
                    graph.give_back(successor.state);
                    continue;
                }
                steps += 1;
                found.step(successor.failure.as_ref())?;
                to_visit.push(successor.state);
            }
        }
        graph.give_back(state);
    }
    let proved = claimed.compare(input, found.claims()?)?;
    let states = known.len() as u64;
    Ok(Verified::new(proved, steps, Evidence::States { states, reduced }))
}

/// Which of so many successors are explored.
fn read_choice<R: Read>(input: &mut In<R>, all: usize) -> Result<Vec<bool>, Rejection> {
    let count = input.number()?;
    if count == 0 {
        return Ok(vec![true; all]);
    }
    let mut explored = vec![false; all];
    let mut next: u64 = 0;
    for _ in 0..count {
        let number = next.saturating_add(input.number()?);
        let chosen = usize::try_from(number).ok().and_then(|number| explored.get_mut(number));
        *chosen.ok_or_else(|| Rejection::unreadable("a state in it has fewer successors"))? = true;
        next = number + 1;
    }
    Ok(explored)
}

/// Whether the successors that are explored are those of a source set, and all go upwards.
fn is_enough(graph: &dyn Graph, state: Slot, alternatives: &Alternatives, successors: &[Generated], explored: &[bool]) -> bool {
    let begins_with = |g: &Generated, a: &Alternative| g.transition.process == a.transition.process && g.alternative == a.transition.choice;
    if successors.iter().any(|g| !alternatives.iter().any(|a| begins_with(g, a))) {
        return false;
    }
    let goes_up = |g: &Generated| graph.advances(state, g.transition.process, g.state);
    let mut offers = Vec::new();
    for a in alternatives.iter() {
        let own = || successors.iter().zip(explored).filter(|(g, _)| begins_with(g, a));
        let taken = own().filter(|(_, explored)| **explored).count();
        let enabled = own().count();
        if taken > 0 && (taken < enabled || !own().all(|(g, _)| goes_up(g))) {
            return false;
        }
        offers.push(Offer {
            alternative: a,
            enabled: enabled > 0,
            taken: taken > 0,
        });
    }
    is_source_set(&offers)
}

/// An alternative of a state.
struct Offer<'a> {
    alternative: &'a Alternative,
    enabled: bool,
    /// It is in the set.
    taken: bool,
}

/// Whether each execution begins, up to the order of independent steps, with a step of the set, or can begin with it. An adversary moves
/// what he can without taking a step of the set before others have made it dependent: a process with an enabled step outside of the set, and
/// one whose next step, or its guard, conflicts with what those that moved may still do. Whoever can never move has a step in the set
/// that comes first.
fn is_source_set(offers: &[Offer<'_>]) -> bool {
    let process = |o: &Offer<'_>| o.alternative.transition.process;
    let mut moves: Vec<bool> = offers.iter().map(|o| o.enabled && !o.taken).collect();
    loop {
        let can_follow = |(at, o): (usize, &Offer<'_>)| {
            let touched: &AccessSet = if o.enabled { &o.alternative.init } else { &o.alternative.guard };
            let others = offers.iter().zip(&moves).filter(|(q, moves)| **moves && process(q) != process(o));
            !moves[at] && others.into_iter().any(|(q, _)| q.alternative.future.conflicts(touched))
        };
        let Some(next) = offers.iter().enumerate().position(can_follow) else {
            break;
        };
        moves[next] = true;
    }
    let stays = |o: &Offer<'_>| !offers.iter().zip(&moves).any(|(q, moves)| *moves && process(q) == process(o));
    offers.iter().any(|o| o.taken && stays(o))
}
