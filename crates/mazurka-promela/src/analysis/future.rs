//! What a process, and those that it starts, may access from a control point to their ends.

use super::collect::{Collector, tidy};
use super::{Access, Analysis, Fixed};
use crate::machine::Machine;
use crate::model::Op;
use rustc_hash::FxHashSet;

/// What may be accessed from a control point on.
#[derive(Debug, Default)]
pub struct Future {
    /// By the process itself; what indices mean as long as nothing changes them.
    pub own: Vec<Access>,
    /// By processes that come of it, seen from outside.
    pub others: Vec<Access>,
    /// The types of those processes.
    pub proctypes: Vec<usize>,
    /// Whether it may start members of a group that others may join.
    pub joins: bool,
}

impl Analysis {
    /// What a process of a type that stands at a location, and those that it starts, may access.
    pub(crate) fn future(&self, machine: &Machine, fixed: &Fixed, proctype: usize, location: u32) -> Future {
        let mut future = Future::default();
        let mut started = Vec::new();
        let reached = self.reach(machine, proctype, location, &mut started);
        let ops: Vec<&Op> = reached
            .iter()
            .flat_map(|&l| &machine.model().proctypes[proctype].locations[l].edges)
            .map(|e| &e.op)
            .collect();
        let assigned = Collector::new(machine, fixed, proctype).assigned_locals(&ops);
        for &l in &reached {
            let here = &self.proctypes[proctype][l];
            let all = here.guards.iter().chain(here.edges.iter().flat_map(|e| &e.step));
            future.own.extend(all.cloned().map(|mut access| {
                access.forget_index(&assigned);
                access
            }));
        }
        tidy(&mut future.own);
        self.add_started(machine, started, &mut future);
        future
    }

    /// What the processes of a group, those that are to join it, and those that they start may access.
    pub(crate) fn future_of_group(&self, machine: &Machine, cluster: usize) -> Future {
        let mut future = Future::default();
        self.add_started(machine, self.clusters[cluster].proctypes.clone(), &mut future);
        future
    }

    /// Adds the lives of processes of these types, and of those that come of them.
    fn add_started(&self, machine: &Machine, mut todo: Vec<usize>, future: &mut Future) {
        let mut seen = FxHashSet::default();
        while let Some(proctype) = todo.pop() {
            if !seen.insert(proctype) {
                continue;
            }
            future.proctypes.push(proctype);
            if let Some(cluster) = self.cluster_of[proctype] {
                let cluster = &self.clusters[cluster];
                todo.extend(&cluster.proctypes);
                future.others.extend(cluster.guards.iter().cloned());
                future.joins |= cluster.joined;
            }
            let start = machine.model().proctypes[proctype].start;
            for l in self.reach(machine, proctype, start, &mut todo) {
                let here = &self.proctypes[proctype][l];
                let all = here.guards.iter().chain(here.edges.iter().flat_map(|e| &e.step));
                future.others.extend(all.map(Access::seen_from_outside));
            }
        }
        tidy(&mut future.others);
    }

    /// The locations that a process may come to, and the types of processes that it may start there.
    pub(super) fn reach(&self, machine: &Machine, proctype: usize, from: u32, started: &mut Vec<usize>) -> Vec<usize> {
        let locations = &machine.model().proctypes[proctype].locations;
        let mut reached = Vec::new();
        let mut seen = vec![false; locations.len()];
        let mut todo = vec![from as usize];
        while let Some(at) = todo.pop() {
            if at >= locations.len() || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            reached.push(at);
            for edge in &locations[at].edges {
                // A `d_step` starts none.
                if let Op::Run { proctype, .. } = edge.op {
                    started.push(proctype);
                }
                // What has ended is nowhere.
                if edge.op != Op::End {
                    todo.push(edge.target as usize);
                }
            }
        }
        reached
    }
}
