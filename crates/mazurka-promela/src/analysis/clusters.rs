//! Process types that may meet in a rendezvous, on one channel or through chains of channels.
//!
//! A rendezvous moves two processes at once. What one of them could have done instead is gone when the other starts it, so to an engine
//! whose processes move by their own steps only, processes that may meet are one process with many alternatives.

use super::collect::{Access, ChannelRef, Collector};
use super::{Fixed, LocationAccesses};
use crate::machine::Machine;
use crate::model::{Ex, Op};
use rustc_hash::FxHashMap;

/// Process types that may meet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cluster {
    /// The process types.
    pub proctypes: Vec<usize>,
    /// What decides about any statement of any of them.
    pub guards: Vec<Access>,
    /// Everything that any statement of any of them accesses.
    pub all: Vec<Access>,
    /// Whether others may start processes of these types.
    pub joined: bool,
}

/// The channels of the rendezvous that a statement may take part in.
fn meeting_channels(collector: &Collector<'_>, op: &Op, out: &mut Vec<ChannelRef>) {
    let mut add = |channel: &Ex| out.push(collector.channel(channel));
    match op {
        Op::Send { channel, .. } | Op::Receive { channel, .. } if collector.offers(op) || collector.accepts(op) => add(channel),
        Op::Deterministic(inside) => {
            for (op, _) in inside.nodes.iter().take(1).flat_map(|n| &n.edges) {
                meeting_channels(collector, op, out);
            }
        }
        _ => {}
    }
}

/// Finds the clusters; returns them with the cluster of each process type.
pub(super) fn clusters(machine: &Machine, fixed: &Fixed, accesses: &[Vec<LocationAccesses>]) -> (Vec<Cluster>, Vec<Option<usize>>) {
    let model = machine.model();
    let mut parent: Vec<usize> = (0..model.proctypes.len()).collect();
    let mut meets: Vec<Vec<ChannelRef>> = Vec::new();
    for (index, proctype) in model.proctypes.iter().enumerate() {
        let collector = Collector::new(machine, fixed, index);
        let mut channels = Vec::new();
        for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
            meeting_channels(&collector, &edge.op, &mut channels);
        }
        meets.push(channels);
    }
    let mut users: FxHashMap<u32, usize> = FxHashMap::default();
    let unknown = meets.iter().position(|c| c.iter().any(|c| !matches!(c, ChannelRef::Global(_))));
    for (index, channels) in meets.iter().enumerate() {
        if let (Some(unknown), false) = (unknown, channels.is_empty()) {
            join(&mut parent, unknown, index);
        }
        for channel in channels {
            if let ChannelRef::Global(number) = channel {
                let first = *users.entry(*number).or_insert(index);
                join(&mut parent, first, index);
            }
        }
    }
    let mut of: Vec<Option<usize>> = vec![None; model.proctypes.len()];
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    for index in (0..model.proctypes.len()).filter(|&i| !meets[i].is_empty()) {
        let root = find(&mut parent, index);
        let number = *numbers.entry(root).or_insert_with(|| {
            clusters.push(Cluster::default());
            clusters.len() - 1
        });
        of[index] = Some(number);
        let cluster = &mut clusters[number];
        cluster.proctypes.push(index);
        for location in &accesses[index] {
            cluster.guards.extend(location.guards.iter().map(Access::seen_from_outside));
            cluster
                .all
                .extend(location.edges.iter().flat_map(|e| &e.own).map(Access::seen_from_outside));
        }
    }
    for (number, cluster) in clusters.iter_mut().enumerate() {
        // Who is met inside of a sequence may store what later decides which way it goes.
        let mut edges = cluster.proctypes.iter().flat_map(|&p| &accesses[p]).flat_map(|l| &l.edges);
        if edges.any(|e| e.branches || e.wild) {
            cluster
                .guards
                .extend(cluster.all.iter().filter(|a| a.looks()).map(Access::as_guard));
        }
        super::collect::tidy(&mut cluster.guards);
        super::collect::tidy(&mut cluster.all);
        cluster.joined = model.proctypes.iter().enumerate().any(|(i, p)| {
            let edges = p.locations.iter().flat_map(|l| &l.edges);
            let starts = |op: &Op| matches!(op, Op::Run { proctype, .. } if of[*proctype] == Some(number));
            of[i] != Some(number) && edges.into_iter().any(|e| starts(&e.op))
        });
    }
    (clusters, of)
}

fn find(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b)] = a.min(b);
}
