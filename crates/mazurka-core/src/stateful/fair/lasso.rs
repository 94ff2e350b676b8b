//! An execution that never ends: a stem and a loop, as edges of the graph and as a schedule.

use super::graph::{Actions, FairGraph};
use crate::program::Transition;
use crate::stateful::states::States;
use std::collections::VecDeque;

/// An execution of a graph: the stem, and the loop that is repeated for ever. Without a loop it stops after the stem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    pub(super) stem: Vec<u32>,
    pub(super) around: Vec<u32>,
}

impl Lasso {
    /// How many steps come before the loop.
    pub fn stem(&self) -> usize {
        self.stem.len()
    }

    /// How many steps there are, each of the loop once.
    pub fn len(&self) -> usize {
        self.stem.len() + self.around.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The transitions, each of the loop once. The graph knows states up to their fingerprints, so the execution is run to find them; fewer are
    /// returned only if states with equal fingerprints do not have equal futures.
    pub fn schedule<S: States>(&self, graph: &FairGraph, states: &S, actions: &Actions<'_, S::State>) -> Vec<Transition> {
        let (mut state, _) = states.start();
        let mut schedule = Vec::new();
        for &edge in self.stem.iter().chain(&self.around) {
            let edge = graph.edges[edge as usize];
            let target = graph.nodes[edge.target as usize].fingerprint;
            let mut next = None;
            states.successors(&state, |successor| {
                let same = || states.fingerprint(successor.after) == target && actions(&state, successor.transition) == edge.action;
                if next.is_none() && same() {
                    next = Some((successor.transition, successor.after.clone()));
                }
            });
            let Some((transition, after)) = next else { break };
            schedule.push(transition);
            state = after;
        }
        schedule
    }
}

/// What can be reached from some nodes, and how: breadth-first.
pub(super) struct Reached {
    /// Every node that is reached, the nearest first.
    pub order: Vec<u32>,
    /// The edge by which each was reached, and where that comes from; `None` for those to begin with.
    by: Vec<Option<Option<(u32, u32)>>>,
}

impl Reached {
    pub fn is(&self, at: u32) -> bool {
        self.by[at as usize].is_some()
    }

    /// The edges that lead to a node, from one of those to begin with, which is returned too.
    fn way(&self, mut at: u32) -> (u32, Vec<u32>) {
        let mut way = Vec::new();
        while let Some(Some((from, edge))) = self.by[at as usize] {
            way.push(edge);
            at = from;
        }
        way.reverse();
        (at, way)
    }
}

impl FairGraph {
    pub(super) fn reach(&self, from: &[u32], within: &dyn Fn(u32) -> bool) -> Reached {
        let mut by = vec![None; self.nodes.len()];
        let mut queue: VecDeque<u32> = from.iter().copied().collect();
        from.iter().for_each(|at| by[*at as usize] = Some(None));
        let mut order = Vec::new();
        while let Some(at) = queue.pop_front() {
            order.push(at);
            for (number, edge) in self.edges_of(at) {
                if by[edge.target as usize].is_none() && within(edge.target) {
                    by[edge.target as usize] = Some(Some((at, number)));
                    queue.push_back(edge.target);
                }
            }
        }
        Reached { order, by }
    }

    pub(super) fn way_from_start(&self, mut at: u32) -> Vec<u32> {
        let mut way = Vec::new();
        while let Some((from, edge)) = self.nodes[at as usize].parent {
            way.push(edge);
            at = from;
        }
        way.reverse();
        way
    }

    /// The execution that goes to a fair component and stays in it: it comes by a state in which an action is disabled, or takes it, for every
    /// action.
    pub(super) fn lasso(&self, part: &[u32], inside: &dyn Fn(u32) -> bool, reached: &Reached) -> Lasso {
        let entry = reached.order.iter().copied().find(|at| inside(*at)).unwrap_or(part[0]);
        let (made, rest) = reached.way(entry);
        let mut stem = self.way_from_start(made);
        stem.extend(rest);
        let mut waiting = self.enabled(entry);
        let mut around: Vec<u32> = Vec::new();
        let mut at = entry;
        while !waiting.is_empty() {
            let Some(way) = self.way_to_relief(at, &waiting, inside) else {
                break;
            };
            for edge in way {
                at = self.edges[edge as usize].target;
                let (taken, enabled) = (self.edges[edge as usize].action, self.enabled(at));
                waiting.retain(|action| taken != Some(*action) && enabled.binary_search(action).is_ok());
                around.push(edge);
            }
        }
        // Where something can go on for ever without fairness asking for it, stopping is the shortest way not to keep a promise.
        if at != entry {
            let back = self.reach(&[at], inside);
            around.extend(back.way(entry).1);
        }
        Lasso { stem, around }
    }

    /// The shortest way inside of a component that takes one of the actions, or to a state where one of them is disabled.
    fn way_to_relief(&self, from: u32, waiting: &[u64], inside: &dyn Fn(u32) -> bool) -> Option<Vec<u32>> {
        let reached = self.reach(&[from], inside);
        for &at in &reached.order {
            let enabled = self.enabled(at);
            if waiting.iter().any(|action| enabled.binary_search(action).is_err()) {
                return Some(reached.way(at).1);
            }
            let taking = |edge: &super::graph::Edge| inside(edge.target) && edge.action.is_some_and(|a| waiting.contains(&a));
            if let Some((number, _)) = self.edges_of(at).find(|(_, edge)| taking(edge)) {
                let mut way = reached.way(at).1;
                way.push(number);
                return Some(way);
            }
        }
        None
    }
}
