//! All pairs of a state and a state of the automaton, and their components: by definition, with nothing clever.

use mazurka_core::{Failure, FailureKind, States};
use mazurka_promela::{PromelaStates, State};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Larger products are left out.
const MOST_PAIRS: usize = 6_000;

/// A pair.
struct Pair {
    state: State,
    at: u32,
    accepting: bool,
    /// The processes that can move.
    enabled: BTreeSet<u32>,
    /// Who moves (nobody if the program stays where it is), and where that leads.
    next: Vec<(Option<u32>, usize)>,
}

/// Whether a property is violated, with and without weak fairness; `None` if there is too much to look at, or a step is too large.
pub fn violated(states: &PromelaStates<'_>, property: usize) -> Option<[bool; 2]> {
    let asked = &states.properties()[property];
    let (first, failure) = states.start();
    if failure.is_some() {
        return None;
    }
    let key = |state: &State, at: u32| {
        let mut bytes = at.to_le_bytes().to_vec();
        states.encode(state, &mut bytes);
        bytes
    };
    let mut numbers: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut todo = vec![(first, asked.start)];
    numbers.insert(key(&todo[0].0, asked.start), 0);
    let mut so_far = false;
    while let Some((state, at)) = todo.get(pairs.len()).cloned() {
        if todo.len() > MOST_PAIRS {
            return None;
        }
        let mut readings = Vec::new();
        states.read(property, &state, at, &mut readings);
        let mut steps: Vec<(Option<u32>, State)> = Vec::new();
        let mut too_large = false;
        states.successors(&state, |next| {
            too_large |= matches!(
                &next.failure,
                Some(Failure {
                    kind: FailureKind::Limit,
                    ..
                })
            );
            steps.push((Some(next.transition.process.0), next.after.clone()));
        });
        if too_large {
            return None;
        }
        let enabled = steps.iter().filter_map(|(who, _)| *who).collect();
        if steps.is_empty() && asked.stutters {
            steps.push((None, state.clone()));
        }
        let mut next = Vec::new();
        for reading in readings {
            if reading.failure.is_some() {
                so_far = true;
                continue;
            }
            for (who, after) in &steps {
                let new = todo.len();
                let number = *numbers.entry(key(after, reading.target)).or_insert(new);
                if number == new {
                    todo.push((after.clone(), reading.target));
                }
                next.push((*who, number));
            }
        }
        pairs.push(Pair {
            accepting: states.accepts(property, &state, at),
            state,
            at,
            enabled,
            next,
        });
    }
    debug_assert!(pairs.iter().all(|p| p.state.processes() < 256 && p.at < u32::MAX));
    let fits = |members: &[usize], fair: bool| {
        let inside: BTreeSet<usize> = members.iter().copied().collect();
        let moves: BTreeSet<u32> = (members.iter().flat_map(|&m| &pairs[m].next))
            .filter(|(_, to)| inside.contains(to))
            .filter_map(|(who, _)| *who)
            .collect();
        let cycle = members.iter().any(|&m| pairs[m].next.iter().any(|(_, to)| inside.contains(to)));
        // A process is treated fairly if it moves, or if it cannot at some place of the loop.
        let always_enabled = |p: &u32| members.iter().all(|&m| pairs[m].enabled.contains(p));
        let starved = (0..256).any(|p| always_enabled(&p) && !moves.contains(&p));
        cycle && members.iter().any(|&m| pairs[m].accepting) && !(fair && starved)
    };
    let components = components(&pairs);
    let any = |fair: bool| so_far || components.iter().any(|members| fits(members, fair));
    Some([any(false), any(true)])
}

/// The strongly connected components: Kosaraju's algorithm.
fn components(pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); pairs.len()];
    for (from, pair) in pairs.iter().enumerate() {
        pair.next.iter().for_each(|(_, to)| before[*to].push(from));
    }
    let (mut seen, mut finished) = (vec![false; pairs.len()], Vec::new());
    for root in 0..pairs.len() {
        let mut stack = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            stack.push((root, 0));
        }
        while let Some((at, way)) = stack.pop() {
            match pairs[at].next.get(way) {
                None => finished.push(at),
                Some(&(_, to)) => {
                    stack.push((at, way + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
            }
        }
    }
    let mut taken = vec![false; pairs.len()];
    let mut found = Vec::new();
    for root in finished.into_iter().rev() {
        let mut members = Vec::new();
        let mut todo = vec![root];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut taken[at], true) {
                members.push(at);
                todo.extend(&before[at]);
            }
        }
        if !members.is_empty() {
            found.push(members);
        }
    }
    found
}
