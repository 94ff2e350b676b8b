//! Promises on random graphs, held against the definition: some set of states can be the one that an execution comes by without end.

use super::graph::{FairGraph, Promise};
use crate::outcome::Failure;
use crate::program::{Fingerprint, Process, Transition};
use crate::stateful::states::{States, Successor};
use proptest::prelude::*;

/// States are numbers; a transition has a target and an action.
#[derive(Clone, Debug)]
struct Explicit {
    edges: Vec<Vec<(usize, Option<u64>)>>,
    labels: Vec<u64>,
}

impl States for Explicit {
    type State = usize;

    fn start(&self) -> (usize, Option<Failure>) {
        (0, None)
    }

    fn successors(&self, state: &usize, mut visit: impl FnMut(Successor<'_, usize>)) {
        for (nth, &(target, _)) in self.edges[*state].iter().enumerate() {
            visit(Successor {
                transition: Transition::of(Process(nth as u32)),
                alternative: 0,
                after: &mut { target },
                failure: None,
                statements: &[],
            });
        }
    }

    fn fingerprint(&self, state: &usize) -> Fingerprint {
        *state as u128 + 1
    }

    fn failures_at_end(&self, _: &usize, _: &mut Vec<Failure>) {}
}

impl Explicit {
    fn action(&self, state: usize, transition: Transition) -> Option<u64> {
        self.edges[state][transition.process.index()].1
    }

    /// Which states are reached from some through states with the promise open.
    fn reached(&self, from: &[usize], kept: u32) -> Vec<bool> {
        let open = |at: usize| self.labels[at] >> kept & 1 == 0;
        let mut reached = vec![false; self.edges.len()];
        let mut todo: Vec<usize> = from.iter().copied().filter(|at| open(*at)).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                todo.extend(self.edges[at].iter().map(|e| e.0).filter(|to| open(*to)));
            }
        }
        reached
    }

    /// By trying every set of states.
    fn is_broken(&self, promise: Promise) -> bool {
        let all = self.edges.len();
        let everywhere = self.everything();
        let made: Vec<usize> = match promise.made {
            None => vec![0],
            Some(bit) => (0..all).filter(|at| everywhere[*at] && self.labels[*at] >> bit & 1 == 1).collect(),
        };
        let reached = self.reached(&made, promise.kept);
        (1u32..1 << all).any(|set| {
            let has = |at: usize| set >> at & 1 == 1;
            (0..all).all(|at| !has(at) || reached[at]) && self.is_connected(&has) && self.is_fair(&has)
        })
    }

    fn everything(&self) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                todo.extend(self.edges[at].iter().map(|e| e.0));
            }
        }
        reached
    }

    fn is_connected(&self, has: &dyn Fn(usize) -> bool) -> bool {
        let members: Vec<usize> = (0..self.edges.len()).filter(|at| has(*at)).collect();
        members.iter().all(|&from| {
            let mut seen = vec![false; self.edges.len()];
            let mut todo = vec![from];
            while let Some(at) = todo.pop() {
                if !std::mem::replace(&mut seen[at], true) {
                    todo.extend(self.edges[at].iter().map(|e| e.0).filter(|to| has(*to)));
                }
            }
            members.iter().all(|to| seen[*to])
        })
    }

    fn is_fair(&self, has: &dyn Fn(usize) -> bool) -> bool {
        let members: Vec<usize> = (0..self.edges.len()).filter(|at| has(*at)).collect();
        let moves = members.iter().any(|&at| self.edges[at].iter().any(|e| has(e.0)));
        (0..4).all(|action| {
            let disabled = members.iter().any(|&at| self.edges[at].iter().all(|e| e.1 != Some(action)));
            let taken = members
                .iter()
                .any(|&at| self.edges[at].iter().any(|e| has(e.0) && e.1 == Some(action)));
            disabled || (moves && taken)
        })
    }

    /// Whether a schedule is an execution that breaks the promise, fairly.
    fn breaks(&self, promise: Promise, schedule: &[Transition], stem: usize) -> bool {
        let mut way = vec![0];
        for t in schedule {
            way.push(self.edges[way[way.len() - 1]][t.process.index()].0);
        }
        let (end, open) = (way[way.len() - 1], |at: usize| self.labels[at] >> promise.kept & 1 == 0);
        let around = &way[stem..];
        let since = match promise.made {
            None => Some(0),
            Some(bit) => (0..=stem)
                .rev()
                .find(|&at| self.labels[way[at]] >> bit & 1 == 1 && way[at..].iter().all(|s| open(*s))),
        };
        let taken: Vec<Option<u64>> = (stem..schedule.len()).map(|at| self.action(way[at], schedule[at])).collect();
        let fair = (0..4)
            .all(|action| around.iter().any(|&at| self.edges[at].iter().all(|e| e.1 != Some(action))) || taken.contains(&Some(action)));
        end == way[stem] && since.is_some_and(|since| way[since..].iter().all(|s| open(*s))) && fair
    }
}

fn explicit() -> impl Strategy<Value = Explicit> {
    (2usize..7).prop_flat_map(|n| {
        let edge = (0..n, proptest::option::weighted(0.8, 0u64..4));
        let edges = proptest::collection::vec(proptest::collection::vec(edge, 0..4), n);
        (edges, proptest::collection::vec(0u64..4, n)).prop_map(|(edges, labels)| Explicit { edges, labels })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_promise_is_broken_exactly_if_some_set_of_states_says_so(program in explicit(), always in any::<bool>()) {
        let promise = Promise { made: always.then_some(1), kept: 0 };
        let actions = |state: &usize, t: Transition| program.action(*state, t);
        let labels = |state: &usize| program.labels[*state];
        let graph = FairGraph::new(&program, &actions, &labels, &mut |_| None).unwrap();
        let broken = graph.broken(promise);
        prop_assert_eq!(broken.is_some(), program.is_broken(promise));
        if let Some(lasso) = broken {
            let schedule = lasso.schedule(&graph, &program, &actions);
            prop_assert_eq!(schedule.len(), lasso.len());
            prop_assert!(program.breaks(promise, &schedule, lasso.stem()), "{:?} {:?}", schedule, lasso);
        }
    }
}
