//! Running units: `optimal` from one leaf after the other, for a while.

use super::away::{Away, Reversal};
use super::speech::{Listener, Speaker};
use super::trace_sum::TraceSum;
use super::tree::{ROOT, Tree};
use crate::driver::Phase;
use crate::explore::exploration::{Exploration, Sleeper};
use crate::explore::optimal::Optimal;
use crate::explore::parallel::Quota;
use crate::explore::stateless::Stateless;
use crate::findings::Findings;
use crate::outcome::Counts;
use crate::saved::{Misfit, save_limit};
use crate::search::{Options, Status};
use crate::wakeup::Tree as Planned;
use crate::world::{Facts, World};
use std::sync::Arc;

/// What was done of a unit so far.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Slice {
    /// Executions.
    pub executions: u64,
    /// Reversals that the hub must look at.
    pub reversals: usize,
}

/// Runs units of one search.
pub struct Runner<'p> {
    walk: Stateless<'p, Optimal>,
    options: Options,
    /// For each node of the way to the current leaf, how much of its sleep set was there when it was reached. The rest are elder branches.
    inherited: Vec<usize>,
}

/// A unit as it was read.
struct Unit {
    number: u64,
    /// To be run: their numbers here and at the hub.
    leaves: Vec<(u32, u64)>,
    /// Steps that nobody was told to count before.
    fresh: Vec<bool>,
}

impl<'p> Runner<'p> {
    pub(super) fn new(facts: Facts<'p>, world: Box<dyn World + 'p>, options: &Options) -> Self {
        let exploration = Exploration::new(facts, options.order, world);
        Runner {
            walk: Stateless::of_worker(exploration, options, Arc::new(Quota::new(None))),
            options: options.clone(),
            inherited: Vec::new(),
        }
    }

    /// Runs a unit to its end, or until `enough` says so at the end of an execution; returns the result.
    ///
    /// # Errors
    /// If it is not a unit of a search of this program with these options.
    pub fn run(&mut self, unit: &[u8], enough: &mut dyn FnMut(Slice) -> bool) -> Result<Vec<u8>, Misfit> {
        self.reset();
        let names = self.walk.exploration.facts.names.0[0];
        let (unit, tree) = self.read(&mut Listener::new(names, unit))?;
        self.walk.strategy.set_away(Some(Away::new(tree)));
        self.walk.exploration.counts = Counts::default();
        self.walk.strategy.sum_traces(Some(TraceSum::default()));
        let mut findings = Findings::new(&self.options);
        let mut speaker = Speaker::new(names);
        speaker.out.number(unit.number);
        let mut stopped = false;
        let mut left = unit.leaves.clone();
        let mut current = None;
        while let Some((leaf, id)) = left.pop() {
            let mut status = self.begin(leaf, &unit.fresh, &mut findings)?;
            let mut executions = self.walk.exploration.counts.executions;
            while status == Status::Running && !stopped {
                status = self.walk.advance(&mut findings);
                if status == Status::Running && executions < self.walk.exploration.counts.executions {
                    executions = self.walk.exploration.counts.executions;
                    let reversals = self.walk.strategy.away().map_or(0, |away| away.reversals.len());
                    stopped = enough(Slice { executions, reversals });
                }
            }
            if status == Status::Running {
                current = Some(id);
            }
            if status == Status::Running || findings.end_the_search() {
                break;
            }
        }
        self.walk.exploration.counts.extra_steps += self.walk.exploration.world.rebuilding_steps();
        self.answer(&mut speaker, &findings, &unit, &left, current);
        Ok(speaker.out.into_bytes())
    }

    /// Goes back to the initial state.
    fn reset(&mut self) {
        let exploration = &mut self.walk.exploration;
        while exploration.back().is_some() {}
        exploration.truncate_sleep(0);
        exploration.fresh_from = 0;
        exploration.failure = None;
        exploration.broken = false;
        self.inherited.clear();
        self.walk.strategy.begin(0);
    }

    /// Reads a unit. The tree in it is run, because its steps have the footprints that they have where they are pending.
    fn read(&mut self, listener: &mut Listener<'_, '_>) -> Result<(Unit, Tree), Misfit> {
        let mut unit = Unit {
            number: listener.from.number()?,
            leaves: Vec::new(),
            fresh: vec![false],
        };
        let mut tree = Tree::new();
        let exploration = &mut self.walk.exploration;
        // Each node with how many of its children are still to come.
        let mut above = Vec::new();
        if listener.from.flag()? {
            unit.leaves.push((ROOT, listener.from.number()?));
        } else {
            above.push((ROOT, listener.from.number()?));
        }
        while let Some((parent, to_come)) = above.last_mut() {
            if *to_come == 0 {
                above.pop();
                if !above.is_empty() {
                    exploration.back();
                }
                continue;
            }
            *to_come -= 1;
            let transition = listener.step()?;
            let next = exploration.top().pending().iter().find(|n| n.transition == transition);
            let footprint = next.ok_or(Misfit::OtherProgram)?.footprint;
            let node = tree.add(*parent, Sleeper { transition, footprint });
            let kind: u8 = listener.from.small()?;
            unit.fresh.push(kind & FRESH != 0);
            tree.nodes[node as usize].leaf = kind & LEAF != 0;
            tree.nodes[node as usize].unknown = kind & UNKNOWN != 0;
            if kind & WANTED != 0 {
                unit.leaves.push((node, listener.from.number()?));
            }
            if kind & OPEN != 0 {
                let children = listener.from.number()?;
                if !exploration.rerun(transition) {
                    return Err(Misfit::OtherProgram);
                }
                above.push((node, children));
            }
        }
        listener.from.end()?;
        exploration.fresh_from = 0;
        Ok((unit, tree))
    }

    /// Goes to a leaf.
    fn begin(&mut self, leaf: u32, fresh: &[bool], findings: &mut Findings) -> Result<Status, Misfit> {
        let Stateless { exploration, strategy, .. } = &mut self.walk;
        let Some(away) = strategy.away() else { return Err(Misfit::Garbled) };
        let way = away.tree.way_to(leaf);
        let common = way
            .iter()
            .zip(&away.way)
            .take_while(|(a, b)| a == b)
            .count()
            .min(self.inherited.len());
        while exploration.depth() > common {
            exploration.back();
        }
        if let Some(inherited) = self.inherited.get(common) {
            exploration.truncate_sleep(*inherited);
        }
        self.inherited.truncate(common);
        self.walk.phase = Phase::Arrive;
        for &node in &way[common..] {
            let Stateless { exploration, strategy, .. } = &mut self.walk;
            let Some(away) = strategy.away() else { return Err(Misfit::Garbled) };
            let step = away.tree.nodes[node as usize].step;
            let elder: Vec<Sleeper> = away.tree.elder(node).collect();
            self.inherited.push(exploration.top().sleep.len());
            elder.into_iter().for_each(|elder| exploration.put_to_sleep(elder));
            let counts = exploration.counts;
            if exploration.top().sleeps(step.transition) {
                return Err(Misfit::Garbled);
            }
            if !exploration.take(step.transition) {
                return Ok(self.walk.impossible(findings));
            }
            let failure = exploration.failure.take();
            if !fresh[node as usize] {
                let extra_steps = counts.extra_steps + 1;
                exploration.counts = Counts { extra_steps, ..counts };
                if exploration.broken {
                    return Ok(Status::Done);
                }
            } else if let Some(failure) = failure
                && self.walk.fail(findings, failure)
            {
                return Ok(Status::Done);
            }
        }
        let Stateless { exploration, strategy, .. } = &mut self.walk;
        if !exploration.broken && !exploration.top().sleep.is_empty() {
            return Err(Misfit::Garbled);
        }
        let depth = exploration.depth();
        strategy.begin(depth);
        strategy.at_leaf(leaf, way);
        self.walk.floor = depth;
        Ok(Status::Running)
    }

    /// Writes the result.
    fn answer(&mut self, speaker: &mut Speaker<'_>, findings: &Findings, unit: &Unit, left: &[(u32, u64)], current: Option<u64>) {
        let Stateless {
            exploration,
            strategy,
            floor,
            ..
        } = &mut self.walk;
        exploration.counts.save(&mut speaker.out);
        speaker.out.number(strategy.sum_traces(None).map_or(0, |traces| traces.sum));
        save_limit(findings.limit, &mut speaker.out);
        findings.speak(&mut speaker.out);
        speaker.out.number(findings.failures.len() as u64);
        for found in &findings.failures {
            found.failure.save(&mut speaker.out);
            speaker.steps(&found.schedule);
            speaker.out.number(found.after_executions);
        }
        speaker.out.list(left.iter(), |out, (_, id)| out.number(*id));
        let id = |leaf: u32| unit.leaves.iter().find(|(here, _)| *here == leaf).map_or(0, |(_, id)| *id);
        let reversals: Vec<Reversal> = strategy.set_away(None).map_or(Vec::new(), |away| away.reversals);
        speaker.out.number(reversals.len() as u64);
        for (leaf, e, steps) in &reversals {
            speaker.out.number(id(*leaf));
            speaker.out.number((*e).into());
            speaker.steps(steps);
        }
        speaker.out.flag(current.is_some());
        if let Some(current) = current {
            speaker.out.number(current);
            write_levels(speaker, exploration, strategy, *floor);
        }
    }
}

/// What a node of a unit is: its step is to be counted, it is a leaf, it has children that are not listed, it is to be run, its children follow.
pub(super) const FRESH: u8 = 1;
pub(super) const LEAF: u8 = 2;
pub(super) const UNKNOWN: u8 = 4;
pub(super) const WANTED: u8 = 8;
pub(super) const OPEN: u8 = 16;

/// Writes what a walk has done below its leaf, and what it has planned: node by node along its execution, down to the last that has something planned.
fn write_levels(speaker: &mut Speaker<'_>, exploration: &Exploration<'_>, strategy: &Optimal, floor: usize) {
    let depth = exploration.depth();
    let last = (floor..=depth).rev().find(|d| !strategy.planned(*d).is_empty());
    let levels = last.map_or(0, |last| last + 1 - floor);
    speaker.out.number(levels as u64);
    for at in floor..floor + levels {
        let sleep = &exploration.frame(at as u32).sleep;
        let current = exploration.schedule.get(at).copied();
        // All that was taken from here sleeps, but for what is being run.
        let done = strategy.branches_taken(at) as usize - usize::from(current.is_some());
        let done: Vec<_> = sleep[sleep.len() - done..].iter().map(|s| s.transition).collect();
        speaker.steps(&done);
        speaker.out.flag(current.is_some());
        if let Some(current) = current {
            speaker.step(current);
        }
        write_plan(speaker, strategy, strategy.planned(at));
    }
}

/// Depth first: each branch with how many there are below it.
fn write_plan(speaker: &mut Speaker<'_>, strategy: &Optimal, plan: Planned) {
    let wakeup = strategy.wakeup();
    speaker.out.number(wakeup.width(plan));
    let mut left = vec![wakeup.list(plan)];
    while let Some(branches) = left.last_mut() {
        match branches.next() {
            Some((transition, _, below)) => {
                speaker.step(transition);
                speaker.out.number(wakeup.width(below));
                left.push(wakeup.list(below));
            }
            None => drop(left.pop()),
        }
    }
}
