//! All schedules, best first, with equal states merged.
//!
//! A state together with the process that moved last is visited once, in the order of cost, so the first failure met is the cheapest one.
//! Costs that reach the best known schedule are not followed.

use super::super::events::ends_in;
use super::pool::Pool;
use super::{Wanted, switches};
use crate::effects::Effects;
use crate::program::{Process, Program, Transition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is counted first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Switches, then steps.
    FewestSwitches,
    /// Steps, then switches.
    FewestSteps,
}

/// How a state was reached: the node before and the transition, and whether that fails as wanted.
struct Node {
    parent: usize,
    transition: Transition,
    fails: bool,
}

/// Switches and steps of a path, whichever counts first in front.
type Cost = (usize, usize);

/// Where the path of the start ends.
const NONE: usize = usize::MAX;

/// Searches for a better schedule than those of the pool, running at most `budget` steps, or until it is to stop. True if there is certainly
/// none left.
pub(super) fn search<P: Program + ?Sized>(program: &P, wanted: Wanted<'_>, goal: Goal, pool: &mut Pool, budget: usize) -> bool
where
    P::State: Clone,
{
    let known = match goal {
        Goal::FewestSwitches => pool.fewest_switches(),
        Goal::FewestSteps => pool.fewest_steps(),
    };
    let bound = cost(goal, switches(known), known.len());
    let mut nodes: Vec<Node> = Vec::new();
    // The node's number keeps the order of equal costs fixed, so that the result is.
    let mut queue: BinaryHeap<Reverse<(Cost, usize)>> = BinaryHeap::new();
    let mut states: FxHashMap<usize, P::State> = FxHashMap::default();
    let mut seen: FxHashSet<(u128, Option<Process>)> = FxHashSet::default();
    let (mut pending, mut effects) = (Vec::new(), Effects::default());
    queue.push(Reverse(((0, 0), NONE)));
    states.insert(NONE, program.start());
    let mut spent = 0;
    while let Some(Reverse((spent_here, at))) = queue.pop() {
        let Some(state) = states.remove(&at) else { continue };
        if at != NONE && nodes[at].fails {
            pool.add(path(&nodes, at));
            return true;
        }
        let last = (at != NONE).then(|| nodes[at].transition.process);
        if !seen.insert((program.fingerprint(&state), last)) {
            continue;
        }
        pending.clear();
        program.pending(&state, &mut pending);
        if !pending.iter().any(|p| p.enabled) {
            if ends_in(program, &state, wanted.target) {
                pool.add(path(&nodes, at));
                return true;
            }
            continue;
        }
        let (switched, length) = match goal {
            Goal::FewestSwitches => spent_here,
            Goal::FewestSteps => (spent_here.1, spent_here.0),
        };
        for next in pending.iter().filter(|p| p.enabled) {
            let switch = usize::from(last.is_some_and(|p| p != next.transition.process));
            let cost = cost(goal, switched + switch, length + 1);
            if cost >= bound {
                continue;
            }
            if spent == budget || (wanted.stop)() {
                return false;
            }
            spent += 1;
            let mut after = state.clone();
            effects.clear();
            program.step(&mut after, next.transition, &mut effects);
            let node = nodes.len();
            nodes.push(Node {
                parent: at,
                transition: next.transition,
                fails: effects.failure.as_ref().is_some_and(|f| wanted.target.is(f)),
            });
            queue.push(Reverse((cost, node)));
            states.insert(node, after);
        }
    }
    true
}

fn cost(goal: Goal, switches: usize, steps: usize) -> Cost {
    match goal {
        Goal::FewestSwitches => (switches, steps),
        Goal::FewestSteps => (steps, switches),
    }
}

fn path(nodes: &[Node], mut at: usize) -> Vec<Transition> {
    let mut path = Vec::new();
    while at != NONE {
        path.push(nodes[at].transition);
        at = nodes[at].parent;
    }
    path.reverse();
    path
}
