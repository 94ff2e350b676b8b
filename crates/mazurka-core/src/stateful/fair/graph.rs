//! The state graph with what promises and fairness need to know of it.

use super::components::components;
use super::lasso::Lasso;
use crate::outcome::Limit;
use crate::program::{Fingerprint, Transition};
use crate::stateful::states::States;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Which action of a fair scheduler a transition is; `None` for what need never happen, such as a fault.
pub type Actions<'a, S> = dyn Fn(&S, Transition) -> Option<u64> + 'a;
/// What is true in a state, one bit for each question.
pub type Labels<'a, S> = dyn Fn(&S) -> u64 + 'a;
/// Is told how many states are known, and says whether to stop.
pub type Stop<'a> = dyn FnMut(usize) -> Option<Limit> + 'a;

/// Something that is promised, by the bits of [`Labels`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// Where it is made; at the start only if nothing is named.
    pub made: Option<u32>,
    /// Where it is kept.
    pub kept: u32,
}

/// The whole state graph of a program.
pub struct FairGraph {
    pub(super) nodes: Vec<Node>,
    /// Those of one node side by side.
    pub(super) edges: Vec<Edge>,
}

pub(super) struct Node {
    pub fingerprint: Fingerprint,
    pub labels: u64,
    /// Where its edges begin; they end where those of the next node begin.
    pub first: usize,
    /// The edge by which it was reached first, and the node that it comes from.
    pub parent: Option<(u32, u32)>,
}

#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub target: u32,
    pub action: Option<u64>,
}

impl FairGraph {
    /// Goes through all states, breadth-first.
    ///
    /// # Errors
    /// The limit that `stop` names.
    pub fn new<S: States>(
        states: &S,
        actions: &Actions<'_, S::State>,
        labels: &Labels<'_, S::State>,
        stop: &mut Stop<'_>,
    ) -> Result<Self, Limit> {
        let (mut nodes, mut edges): (Vec<Node>, Vec<Edge>) = (Vec::new(), Vec::new());
        let mut known: FxHashMap<Fingerprint, u32> = FxHashMap::default();
        let mut queue: VecDeque<S::State> = VecDeque::new();
        let (start, _) = states.start();
        let node = |state: &S::State, fingerprint, parent| Node {
            fingerprint,
            labels: labels(state),
            first: 0,
            parent,
        };
        let fingerprint = states.fingerprint(&start);
        known.insert(fingerprint, 0);
        nodes.push(node(&start, fingerprint, None));
        queue.push_back(start);
        let mut at = 0;
        while let Some(state) = queue.pop_front() {
            if let Some(limit) = stop(nodes.len()) {
                return Err(limit);
            }
            nodes[at].first = edges.len();
            states.successors(&state, |successor| {
                let fingerprint = states.fingerprint(successor.after);
                let next = nodes.len() as u32;
                let target = *known.entry(fingerprint).or_insert(next);
                if target == next {
                    nodes.push(node(successor.after, fingerprint, Some((at as u32, edges.len() as u32))));
                    queue.push_back(successor.after.clone());
                }
                let action = actions(&state, successor.transition);
                edges.push(Edge { target, action });
            });
            at += 1;
        }
        Ok(FairGraph { nodes, edges })
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// The shortest way to a state with that label; `None` if there is none.
    pub fn way_to(&self, label: u32) -> Option<Lasso> {
        let at = self.nodes.iter().position(|n| n.labels >> label & 1 == 1)?;
        Some(Lasso {
            stem: self.way_from_start(at as u32),
            around: Vec::new(),
        })
    }

    /// A fair execution that breaks the promise, if there is one.
    pub fn broken(&self, promise: Promise) -> Option<Lasso> {
        let open = |at: u32| self.nodes[at as usize].labels >> promise.kept & 1 == 0;
        let made = |at: u32| promise.made.map_or(at == 0, |made| self.nodes[at as usize].labels >> made & 1 == 1);
        let from: Vec<u32> = (0..self.nodes.len() as u32).filter(|&at| made(at) && open(at)).collect();
        let reached = self.reach(&from, &open);
        let mut best: Option<Lasso> = None;
        for part in components(self, &reached.order, &|at| reached.is(at)) {
            let inside = |at: u32| part.binary_search(&at).is_ok();
            if !self.is_fair(&part, &inside) {
                continue;
            }
            let lasso = self.lasso(&part, &inside, &reached);
            if best.as_ref().is_none_or(|b| lasso.len() < b.len()) {
                best = Some(lasso);
            }
        }
        best
    }

    /// The edges of a node, with their numbers.
    pub(super) fn edges_of(&self, at: u32) -> impl Iterator<Item = (u32, Edge)> + '_ {
        let first = self.nodes[at as usize].first;
        let end = self.nodes.get(at as usize + 1).map_or(self.edges.len(), |next| next.first);
        (first..end).map(|edge| (edge as u32, self.edges[edge]))
    }

    /// The actions that are enabled in a state, each once.
    pub(super) fn enabled(&self, at: u32) -> Vec<u64> {
        let mut actions: Vec<u64> = self.edges_of(at).filter_map(|(_, edge)| edge.action).collect();
        actions.sort_unstable();
        actions.dedup();
        actions
    }

    /// Whether a strongly connected part has a fair execution that stays in it: no action is enabled in all of its states and never taken.
    fn is_fair(&self, part: &[u32], inside: &dyn Fn(u32) -> bool) -> bool {
        let mut kept_waiting = self.enabled(part[0]);
        let goes_on = part.len() > 1 || self.edges_of(part[0]).any(|(_, edge)| edge.target == part[0]);
        if !goes_on {
            return kept_waiting.is_empty();
        }
        for &at in part {
            if kept_waiting.is_empty() {
                break;
            }
            let enabled = self.enabled(at);
            let taken: Vec<u64> = self
                .edges_of(at)
                .filter(|(_, e)| inside(e.target))
                .filter_map(|(_, e)| e.action)
                .collect();
            kept_waiting.retain(|action| enabled.binary_search(action).is_ok() && !taken.contains(action));
        }
        kept_waiting.is_empty()
    }
}
