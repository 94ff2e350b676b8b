//! The one place where the tree grows: units go out from here, and results come in.

use super::runner::{FRESH, LEAF, OPEN, UNKNOWN, WANTED};
use super::speech::{Listener, Speaker};
use super::tree::{NONE, ROOT, Tree, Walked};
use crate::explore::exploration::{Exploration, Sleeper};
use crate::findings::Findings;
use crate::outcome::{Counts, Failure, FoundFailure, Outcome};
use crate::program::Transition;
use crate::saved::{Misfit, resumed_limit};
use crate::search::Options;
use crate::sequence::Sequence;
use crate::trace::At;
use crate::world::{Facts, World};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// At most so many nodes are sent with a unit besides those on the way to its leaves: they serve to recognise what is covered.
const BESIDES: usize = 4_000;

/// A unit on its way to somebody.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its number.
    pub number: u64,
    /// What a [`Runner`](super::Runner) reads.
    pub bytes: Vec<u8>,
}

/// What became of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// It is the first one for its unit.
    First,
    /// There was one already, or nobody was told to run that unit.
    Again,
}

/// The tree of a search, and what was found.
pub struct Hub<'p> {
    exploration: Exploration<'p>,
    /// The nodes of the current execution.
    way: Vec<u32>,
    tree: Tree,
    /// Leaves that nobody was told to run, those that were found first at the front.
    pool: VecDeque<u32>,
    /// By unit, its leaves.
    out: FxHashMap<u64, Vec<u32>>,
    next: u64,
    counts: Counts,
    findings: Findings,
    traces: u64,
    v: Sequence,
}

impl<'p> Hub<'p> {
    pub(super) fn new(facts: Facts<'p>, world: Box<dyn World + 'p>, options: &Options) -> Self {
        let counts = Counts {
            states: 1,
            ..Counts::default()
        };
        Hub {
            exploration: Exploration::new(facts, options.order, world),
            way: Vec::new(),
            tree: Tree::new(),
            pool: VecDeque::from([ROOT]),
            out: FxHashMap::default(),
            next: 0,
            counts,
            findings: Findings::new(options),
            traces: 0,
            v: Sequence::default(),
        }
    }

    /// How many leaves wait for somebody to run them.
    pub fn waiting(&self) -> usize {
        self.pool.len()
    }

    /// How many units nobody has answered yet.
    pub fn under_way(&self) -> usize {
        self.out.len()
    }

    /// Whether there is nothing to do any more.
    pub fn is_done(&self) -> bool {
        (self.pool.is_empty() && self.out.is_empty()) || self.findings.end_the_search()
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// A number that stands for the traces that were run.
    pub fn traces(&self) -> u64 {
        self.traces
    }

    /// What was found so far.
    pub fn outcome(&self) -> Outcome {
        self.findings.outcome(self.counts, self.is_done())
    }

    /// A unit of at most so many leaves, if any wait.
    pub fn hand_out(&mut self, most: usize) -> Option<Task> {
        if self.findings.end_the_search() || self.pool.is_empty() {
            return None;
        }
        let leaves: Vec<u32> = self.pool.drain(..most.clamp(1, self.pool.len())).collect();
        let number = self.next;
        self.next += 1;
        let bytes = self.write(number, &leaves);
        self.out.insert(number, leaves);
        Some(Task { number, bytes })
    }

    /// Has all units that nobody has answered handed out again, under other numbers: answers that come all the same count for nothing.
    pub fn call_back(&mut self) {
        let mut out: Vec<_> = self.out.drain().collect();
        out.sort_unstable_by_key(|(number, _)| *number);
        self.pool.extend(out.into_iter().flat_map(|(_, leaves)| leaves));
    }

    fn write(&mut self, number: u64, leaves: &[u32]) -> Vec<u8> {
        let wanted: FxHashSet<u32> = leaves.iter().copied().collect();
        let on_the_way: FxHashSet<u32> = leaves.iter().flat_map(|leaf| self.tree.way_to(*leaf)).chain([ROOT]).collect();
        let mut speaker = Speaker::new(self.exploration.facts.names.0[0]);
        speaker.out.number(number);
        speaker.out.flag(wanted.contains(&ROOT));
        if wanted.contains(&ROOT) {
            speaker.out.number(ROOT.into());
            return speaker.out.into_bytes();
        }
        let mut besides = BESIDES;
        speaker.out.number(self.tree.children(ROOT).count() as u64);
        let mut left = vec![self.tree.nodes[ROOT as usize].eldest];
        while let Some(at) = left.last_mut() {
            if *at == NONE {
                left.pop();
                continue;
            }
            let node = &mut self.tree.nodes[*at as usize];
            let here = *at;
            *at = node.next;
            let on_way = on_the_way.contains(&here);
            let wanted = wanted.contains(&here);
            // Who comes from above stops at a leaf, and what is below it is of use only on the way.
            let open = node.eldest != NONE && !wanted && (on_way || (!node.leaf && besides > 0));
            let mut kind = 0;
            if on_way && !std::mem::replace(&mut node.taken, true) {
                kind |= FRESH;
            }
            kind |= if node.leaf { LEAF } else { 0 };
            kind |= if !node.leaf && !open { UNKNOWN } else { 0 };
            kind |= if wanted { WANTED } else { 0 };
            kind |= if open { OPEN } else { 0 };
            let (transition, eldest) = (node.step.transition, node.eldest);
            speaker.step(transition);
            speaker.out.number(kind.into());
            if wanted {
                speaker.out.number(here.into());
            }
            if open {
                speaker.out.number(self.tree.children(here).count() as u64);
                left.push(eldest);
            }
            besides -= usize::from(!on_way && besides > 0);
        }
        speaker.out.into_bytes()
    }

    /// Takes a result.
    ///
    /// # Errors
    /// If it is no result of a search of this program with these options. Nothing was taken then, but what was read before the error is in the tree.
    pub fn take(&mut self, result: &[u8]) -> Result<Taken, Misfit> {
        let mut listener = Listener::new(self.exploration.facts.names.0[0], result);
        let number = listener.from.number()?;
        let Some(leaves) = self.out.get(&number).cloned() else {
            return Ok(Taken::Again);
        };
        let leaf = |listener: &mut Listener<'_, '_>| -> Result<u32, Misfit> {
            let leaf = listener.from.small()?;
            if leaves.contains(&leaf) { Ok(leaf) } else { Err(Misfit::Garbled) }
        };
        let counts = Counts::resumed(&mut listener.from)?;
        let traces = listener.from.number()?;
        let limit = resumed_limit(&mut listener.from)?;
        let mut found = Findings::heard(&mut listener.from, &self.findings)?;
        found.limit = limit;
        for _ in 0..listener.from.count()? {
            found.failures.push(FoundFailure {
                failure: Failure::resumed(&mut listener.from)?,
                schedule: listener.steps()?,
                after_executions: self.counts.executions + listener.from.number()?,
                repeats: None,
            });
        }
        let left: Vec<u32> = (0..listener.from.count()?).map(|_| leaf(&mut listener)).collect::<Result<_, _>>()?;
        for _ in 0..listener.from.count()? {
            let (leaf, e) = (leaf(&mut listener)?, listener.from.small()?);
            let steps = listener.steps()?;
            self.insert(leaf, e, &steps)?;
        }
        if listener.from.flag()? {
            let leaf = leaf(&mut listener)?;
            self.graft(leaf, &mut listener)?;
        }
        listener.from.end()?;
        self.pool.extend(left);
        self.counts.add(&counts);
        self.traces = self.traces.wrapping_add(traces);
        self.findings.join(&found);
        self.out.remove(&number);
        Ok(Taken::First)
    }

    /// Goes to a node.
    fn go_to(&mut self, node: u32) -> Result<(), Misfit> {
        let way = self.tree.way_to(node);
        let common = way.iter().zip(&self.way).take_while(|(a, b)| a == b).count();
        while self.exploration.depth() > common {
            self.exploration.back();
        }
        self.way.truncate(common);
        for &node in &way[common..] {
            if !self.exploration.rerun(self.tree.nodes[node as usize].step.transition) {
                return Err(Misfit::OtherProgram);
            }
            self.way.push(node);
        }
        Ok(())
    }

    /// Makes sure that the steps will be run from the node at depth `e` on the way to a leaf, by a branch younger than the one that leads there.
    fn insert(&mut self, leaf: u32, e: At, steps: &[Transition]) -> Result<(), Misfit> {
        let way = self.tree.way_to(leaf);
        let branch = *way.get(e as usize).ok_or(Misfit::Garbled)?;
        let node = self.tree.nodes[branch as usize].parent;
        self.go_to(node)?;
        for step in steps {
            if !self.exploration.take(*step) {
                return Err(Misfit::OtherProgram);
            }
        }
        self.exploration.failure = None;
        let mut v = std::mem::take(&mut self.v);
        v.clear();
        for at in e..self.exploration.trace.len() {
            v.push_event(&self.exploration.trace, at);
        }
        for _ in steps {
            self.exploration.back();
        }
        let walked = self.tree.walk(branch, &mut v, &self.exploration.footprints);
        if let (Walked::Missing(parent), false) = (walked, v.items.is_empty()) {
            let mut at = parent;
            for item in &v.items {
                at = self.tree.add(
                    at,
                    Sleeper {
                        transition: item.transition,
                        footprint: item.footprint,
                    },
                );
            }
            self.tree.nodes[at as usize].leaf = true;
            self.pool.push_back(at);
        }
        self.v = v;
        Ok(())
    }

    /// Adds what a runner has done below a leaf, and what it has planned there.
    fn graft(&mut self, leaf: u32, listener: &mut Listener<'_, '_>) -> Result<(), Misfit> {
        self.go_to(leaf)?;
        let mut node = leaf;
        for _ in 0..listener.from.count()? {
            for transition in listener.steps()? {
                let done = self.add(node, transition)?;
                // All of it was run.
                self.tree.nodes[done as usize].leaf = true;
                self.tree.nodes[done as usize].taken = true;
            }
            let current = match listener.from.flag()? {
                true => Some(self.add(node, listener.step()?)?),
                false => None,
            };
            self.graft_plan(node, listener)?;
            let Some(current) = current else { break };
            self.tree.nodes[current as usize].taken = true;
            self.go_to(current)?;
            node = current;
        }
        if node != leaf && self.tree.nodes[node as usize].eldest == NONE {
            self.tree.nodes[node as usize].leaf = true;
        }
        Ok(())
    }

    /// Adds what is planned at a node, where the current execution is, and waits for somebody to run its leaves.
    fn graft_plan(&mut self, node: u32, listener: &mut Listener<'_, '_>) -> Result<(), Misfit> {
        let mut above = vec![(node, listener.from.number()?)];
        while let Some((parent, to_come)) = above.last_mut() {
            if *to_come == 0 {
                above.pop();
                if !above.is_empty() {
                    self.exploration.back();
                }
                continue;
            }
            *to_come -= 1;
            let (parent, transition) = (*parent, listener.step()?);
            let planned = self.add(parent, transition)?;
            match listener.from.number()? {
                0 => {
                    self.tree.nodes[planned as usize].leaf = true;
                    self.pool.push_back(planned);
                }
                below => {
                    if !self.exploration.rerun(transition) {
                        return Err(Misfit::OtherProgram);
                    }
                    above.push((planned, below));
                }
            }
        }
        Ok(())
    }

    /// Adds a step that is pending where the current execution is.
    fn add(&mut self, parent: u32, transition: Transition) -> Result<u32, Misfit> {
        let next = self.exploration.top().pending().iter().find(|n| n.transition == transition);
        let footprint = next.ok_or(Misfit::OtherProgram)?.footprint;
        Ok(self.tree.add(parent, Sleeper { transition, footprint }))
    }
}
