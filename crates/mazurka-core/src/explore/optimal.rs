//! `optimal`: Optimal-DPOR with wakeup trees (JACM'17, Algorithm 2), with races of blocked steps and of alternatives.
//!
//! Races are looked at when an execution is complete, because `v` must contain *all* of it that does not depend on the first event of
//! the race: with the part up to the second event only, executions are lost (program A7). Each trace is then explored exactly once, and
//! no exploration is ever blocked by its sleep set.

mod away;
mod saved;

use super::exploration::{Exploration, Sleeper};
use super::known_choices::KnownChoices;
use super::open_reversals::{News, Open};
use super::parallel::Upper;
use super::resumable::Resumable;
use super::reversal::{Reversal, Walk};
use super::reversals::Reversals;
use super::strategy::{Entered, Strategy};
use super::units::TraceSum;
use crate::cover::Cover;
use crate::program::Transition;
use crate::sequence::{First, Sequence};
use crate::trace::{At, NOWHERE};
use crate::wakeup::{Tree, Wakeup};
use std::cell::RefCell;

/// What must still be explored from one node.
#[derive(Clone, Copy, Default)]
struct Node {
    tree: Tree,
    taken: u64,
}

/// Wakeup trees and sleep sets.
#[derive(Default)]
pub(crate) struct Optimal {
    plan: Plan,
    /// The tree that the step just taken leads to.
    inherited: Tree,
    reversals: Reversals,
    news: News,
    /// Races of the common prefix that may have to be looked at again, by their second events.
    open_races: Vec<Open>,
    /// The same for those of guards.
    open_guards: Vec<Open>,
    /// What those become in the current execution; kept for its memory.
    still_open: Vec<Open>,
    /// What stands for the traces that were run, if somebody wants to know.
    traces: Option<TraceSum>,
}

/// What must still be explored from the nodes of the current execution.
#[derive(Default)]
struct Plan {
    wakeup: Wakeup,
    nodes: Vec<Node>,
    known_choices: KnownChoices,
    /// The reversal that is looked at.
    v: Reversal,
    copy: Sequence,
    /// The nodes that other workers share, if there are any; `nodes` has nothing for them.
    upper: Upper,
}

impl Plan {
    /// Line 5: what covers `v` among the steps that sleep at the node before `e`.
    #[inline]
    fn sleeper(&mut self, exploration: &Exploration<'_>, e: At) -> Option<Cover> {
        let v = &self.v;
        let covers = |s: &Sleeper| match v.first(exploration, s.transition, s.footprint) {
            First::No => None,
            First::Independent => Some(Cover::stranger(s.transition, s.footprint)),
            First::Initial(index) => Some(Cover::initial(v.event(index))),
        };
        exploration.frame(e).sleep.iter().find_map(covers)
    }

    /// Lines 6-7: makes sure that `v` will be explored from the node before `e`.
    #[inline]
    fn insert(&mut self, exploration: &mut Exploration<'_>, e: At) -> Cover {
        if e < self.upper.base() {
            self.v.copy_to(&mut self.copy, exploration);
            return self.upper.insert(e, &mut self.copy, &mut exploration.footprints);
        }
        let (tree, v) = (&mut self.nodes[e as usize].tree, &mut self.v);
        self.wakeup.insert_left(tree, &mut Walk { v, exploration })
    }

    /// Lines 4-7: unless a sleeping step covers `v`, make sure that it will be explored from the node before `e`.
    #[inline]
    fn reverse(&mut self, exploration: &mut Exploration<'_>, e: At) -> Cover {
        let sleeper = self.sleeper(exploration, e);
        sleeper.unwrap_or_else(|| self.insert(exploration, e))
    }

    /// The race of two events that were executed.
    fn reverse_race(&mut self, exploration: &mut Exploration<'_>, e: At, second: At) -> Option<Open> {
        self.v.set_race(exploration, e, second);
        let cover = self.reverse(exploration, e);
        Open::unless_settled(e, second, cover)
    }

    /// An alternative to the event at `e`, with which `v` ends.
    fn reverse_choice(&mut self, exploration: &mut Exploration<'_>, e: At, v: &Sequence) {
        let (asleep, tree) = (&exploration.frame(e).sleep, self.nodes[e as usize].tree);
        let shared = e < self.upper.base();
        if shared || !self.known_choices.cover(e, v, asleep, &self.wakeup, tree, &exploration.footprints) {
            self.v.set(exploration, e, v);
            self.reverse(exploration, e);
        }
    }
}

impl Optimal {
    /// Races between executed steps.
    ///
    /// Races of the prefix that the last execution had too are other ones now, because `v` is another one. They need not be looked at if what covers
    /// `v` still does: all of it is still there, and what is not in `v` is independent of what has come to it. If it consists of events of `v` no
    /// later than the race, the race is *settled* for all executions with that prefix. What covers `v` as a later event or as a weak initial need
    /// not cover the next one: some orders of `p0:[x=0] p1:[l=x] p2:[y=0] p3:[l=y; l=x] p4:[l=y]` lose a trace if that is overlooked. That an
    /// *inner* node of the wakeup tree is such an event is not enough
    /// (`init a[2]; p0:[l=a[1]] p1:[a[1]=0][a[1]=0] p2:[a[0]=z] p3:[z=0] p4:[l=a[0]; l=a[1]] p5:[l=a[0]]`): what must follow it depends on all of `v`.
    fn reverse_races(&mut self, exploration: &mut Exploration<'_>) {
        let Optimal {
            plan,
            reversals,
            news,
            open_races,
            still_open,
            ..
        } = self;
        open_races.truncate(open_races.partition_point(|open| open.second < exploration.fresh_from));
        for open in open_races.drain(..) {
            still_open.extend(if news.leave(&open, exploration) {
                Some(open)
            } else {
                plan.reverse_race(exploration, open.e, open.second)
            });
        }
        for second in exploration.fresh_from..exploration.trace.len() {
            for &e in reversals.races_with(exploration, second) {
                still_open.extend(plan.reverse_race(exploration, e, second));
            }
        }
        std::mem::swap(open_races, still_open);
    }

    /// Races of guarded steps that were taken.
    ///
    /// They are covered or settled like other races if the first event writes all that the guard reads: then every later write of it depends on
    /// that event, nothing in `v` writes it, and whether the step is enabled after `v` is decided by what precedes it.
    fn reverse_guards(&mut self, exploration: &mut Exploration<'_>) {
        let mut known = std::mem::take(&mut self.open_guards);
        known.truncate(known.partition_point(|open| open.second < exploration.fresh_from));
        for of_one in known.chunk_by(|a, b| a.second == b.second) {
            if of_one.iter().all(|open| self.news.leave(open, exploration)) {
                self.still_open.extend_from_slice(of_one);
            } else {
                self.reverse_guard(exploration, of_one[0].second);
            }
        }
        for second in exploration.fresh_from..exploration.trace.len() {
            self.reverse_guard(exploration, second);
        }
        known.clear();
        self.open_guards = std::mem::replace(&mut self.still_open, known);
    }

    /// Races of the guarded step that was taken at `second`; adds to `still_open`.
    fn reverse_guard(&mut self, exploration: &mut Exploration<'_>, second: At) {
        // Both closures plan, and say what covers a sequence.
        let state = RefCell::new((&mut self.plan, &mut self.still_open));
        let same_in_all = self.reversals.guards(
            exploration,
            second,
            |exploration, e, v| {
                let (plan, open) = &mut *state.borrow_mut();
                plan.v.set(exploration, e, v);
                let cover = plan.sleeper(exploration, e);
                let covered = cover.is_some();
                open.extend(cover.and_then(|cover| Open::unless_settled(e, second, cover)));
                covered
            },
            |exploration, e, v| {
                let (plan, open) = &mut *state.borrow_mut();
                plan.v.set(exploration, e, v);
                let cover = plan.reverse(exploration, e);
                open.extend(Open::unless_settled(e, second, cover));
            },
        );
        if !same_in_all {
            self.still_open
                .extend(Open::unless_settled(second, second, Cover::initial(NOWHERE)));
        }
    }

    /// The nodes that other workers share.
    pub(super) fn upper(&mut self) -> &mut Upper {
        &mut self.plan.upper
    }

    /// A leaf was reached, which is as deep as that: nothing is planned from there.
    pub(super) fn begin(&mut self, depth: usize) {
        self.inherited = Tree::default();
        self.plan.nodes.truncate(depth);
        self.plan.nodes.resize(depth, Node::default());
    }

    /// Publishes the highest node of the current execution at which something is planned, if there is one, with those above it.
    pub(super) fn publish(&mut self, exploration: &Exploration<'_>) {
        let Plan { wakeup, nodes, upper, .. } = &mut self.plan;
        let private = upper.base() as usize..exploration.depth();
        let Some(depth) = private.into_iter().find(|d| !nodes[*d].tree.is_empty()) else {
            return;
        };
        let plan = std::mem::take(&mut nodes[depth].tree);
        upper.publish(exploration, depth, |at| nodes[at].taken, wakeup, plan);
        wakeup.forget(plan);
    }

    fn open(&mut self, depth: usize) {
        let node = Node {
            tree: std::mem::take(&mut self.inherited),
            taken: 0,
        };
        match self.plan.nodes.get_mut(depth) {
            Some(old) => *old = node,
            None => self.plan.nodes.push(node),
        }
    }
}

impl Strategy for Optimal {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        let depth = exploration.depth();
        self.open(depth);
        if self.plan.nodes[depth].tree.is_empty() {
            // Lines 10-11: no plan leads here, so any step that does not sleep will do.
            match exploration.first_choice(|frame, t| !frame.sleeps(t)) {
                Some(first) => self.plan.nodes[depth].tree = self.plan.wakeup.leaf(first.transition, first.footprint),
                None => return Entered::Blocked,
            }
        }
        Entered::Open
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let node = &mut self.plan.nodes[exploration.depth()];
        let (transition, _, below) = self.plan.wakeup.take(&mut node.tree)?;
        node.taken += 1;
        self.inherited = below;
        Some(transition)
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.open(exploration.depth());
        self.news.of(exploration);
        if let Some(traces) = &mut self.traces {
            traces.add(&exploration.trace, exploration.facts.names.0[0]);
        }
        self.reverse_races(exploration);
        self.reverse_guards(exploration);
        // What the waiting steps and the other choices lead to depends on all that precedes, so they are always looked at again.
        let len = exploration.trace.len();
        let (plan, reversals) = (&mut self.plan, &mut self.reversals);
        let covered = |exploration: &Exploration<'_>, e, v: &Sequence| exploration.sleep_covers(e, v);
        reversals.guards(exploration, len, covered, |exploration, e, v| {
            plan.v.set(exploration, e, v);
            plan.reverse(exploration, e);
        });
        plan.known_choices.forget();
        reversals.choices(exploration, |exploration, e, v| plan.reverse_choice(exploration, e, v));
        exploration.fresh_from = len;
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        exploration.put_to_sleep(step);
    }

    fn resumable(&mut self) -> Option<&mut dyn Resumable> {
        Some(self)
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.plan
            .nodes
            .get(depth)
            .map_or((0, 0), |n| (n.taken, n.taken + self.plan.wakeup.width(n.tree)))
    }
}
