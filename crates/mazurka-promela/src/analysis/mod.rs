//! What a step may touch in any context, as the text tells: the accesses of every statement and of every indivisible sequence.

mod clusters;
mod collect;
mod fixed;
mod flows;
mod future;

pub use clusters::Cluster;
pub(crate) use collect::Collector;
pub use collect::{Access, AccessMode, ChannelRef, Object};
pub(crate) use fixed::Fixed;
pub use future::Future;

use crate::machine::Machine;
use crate::model::{Edge, Op, Proctype};

/// The accesses of one edge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EdgeAccesses {
    /// The statement alone.
    pub own: Vec<Access>,
    /// The statement and everything that may follow it without interruption. What decides about it is said by the location: who decides
    /// about one alternative of a process decides about all of them.
    pub step: Vec<Access>,
    /// Whether the indivisible sequence can go more than one way.
    pub branches: bool,
    /// Whether a rendezvous may happen after its first statement: then any process of the cluster may be moved by it.
    pub wild: bool,
    /// Whether the statement may offer a rendezvous.
    pub offers: bool,
}

/// The accesses of one control point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocationAccesses {
    /// What decides which of its edges can be taken.
    pub guards: Vec<Access>,
    /// Its edges.
    pub edges: Vec<EdgeAccesses>,
}

/// The accesses of a whole model: for each process type, its locations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Analysis {
    /// By process type and location.
    pub proctypes: Vec<Vec<LocationAccesses>>,
    /// Process types whose label or locals others look at.
    pub watched: Vec<bool>,
    /// Process types that may meet in a rendezvous.
    pub clusters: Vec<Cluster>,
    /// Per process type: the cluster it belongs to.
    pub cluster_of: Vec<Option<usize>>,
    /// Whether some channel operation does not tell which channel it is about, or its channel may come and go.
    pub unknown_channels: bool,
    /// Whether some step may depend on everything: it waits for `timeout`, asks `enabled`, or there are priorities.
    pub everything: bool,
}

impl Analysis {
    /// Analyses a model.
    pub(crate) fn new(machine: &Machine, fixed: &Fixed) -> Self {
        let model = machine.model();
        let mut analysis = Analysis {
            watched: vec![false; model.proctypes.len()],
            everything: machine.uses_timeout() || machine.looks_around(),
            ..Analysis::default()
        };
        for (index, proctype) in model.proctypes.iter().enumerate() {
            let collector = Collector::new(machine, fixed, index);
            let locations = analysis.proctype(&collector, proctype);
            analysis.proctypes.push(locations);
        }
        analysis.forget_unreachable(machine);
        let mut local_channels = false;
        for locations in &analysis.proctypes {
            let own = locations.iter().flat_map(|l| l.edges.iter().flat_map(|e| &e.own).chain(&l.guards));
            for access in own {
                match access.object {
                    Object::Remote(proctype) if access.mode == AccessMode::Read => analysis.watched[proctype] = true,
                    Object::Channel(ChannelRef::Any) => analysis.unknown_channels = true,
                    Object::Channel(ChannelRef::Local(_)) => local_channels = true,
                    _ => {}
                }
            }
        }
        // A parameter may name a channel of a process that ends earlier.
        analysis.unknown_channels |= local_channels && model.proctypes.iter().any(|p| !p.channels.is_empty());
        (analysis.clusters, analysis.cluster_of) = clusters::clusters(machine, fixed, &analysis.proctypes);
        // Where some process speaks for a whole cluster, which channels it uses is not always known.
        let foreign = analysis.clusters.iter().flat_map(|c| &c.all);
        analysis.unknown_channels |= foreign.into_iter().any(|a| a.object == Object::Channel(ChannelRef::Any));
        analysis
    }

    /// Forgets what is written where no process ever comes, as behind a jump: only a label that is asked about keeps such a place.
    fn forget_unreachable(&mut self, machine: &Machine) {
        for (index, proctype) in machine.model().proctypes.iter().enumerate() {
            let reached = self.reach(machine, index, proctype.start, &mut Vec::new());
            let locations = self.proctypes[index].iter_mut().enumerate();
            for (_, location) in locations.filter(|(number, _)| !reached.contains(number)) {
                location.guards.clear();
                location.edges.fill_with(EdgeAccesses::default);
            }
        }
    }

    fn proctype(&self, collector: &Collector<'_>, proctype: &Proctype) -> Vec<LocationAccesses> {
        let mut locations: Vec<LocationAccesses> = Vec::new();
        for location in &proctype.locations {
            let mut guards = Vec::new();
            if let Some(provided) = &proctype.provided {
                collector.guard(provided, &mut guards);
            }
            collector.rank(&mut guards);
            let mut edges = Vec::new();
            for edge in &location.edges {
                let mut own = Vec::new();
                collector.op(&edge.op, &mut own);
                guards.extend(own.iter().filter(|a| a.guard).map(Access::as_guard));
                edges.push(EdgeAccesses {
                    own,
                    offers: collector.offers(&edge.op),
                    ..EdgeAccesses::default()
                });
            }
            collect::tidy(&mut guards);
            locations.push(LocationAccesses { guards, edges });
        }
        for (number, location) in proctype.locations.iter().enumerate() {
            for (i, edge) in location.edges.iter().enumerate() {
                self.step(collector, proctype, &mut locations, (number, i), edge);
            }
        }
        locations
    }

    /// Fills in what an edge may access together with the indivisible sequence that it starts.
    fn step(&self, collector: &Collector<'_>, proctype: &Proctype, locations: &mut [LocationAccesses], at: (usize, usize), edge: &Edge) {
        let mut step = locations[at.0].edges[at.1].own.clone();
        let (mut branches, mut wild) = (false, false);
        // Fields of a message are stored one after the other: an index may have been received just before.
        if matches!(edge.op, Op::Deterministic(_) | Op::Receive { .. }) {
            let assigned = collector.assigned_locals(&[&edge.op]);
            step.iter_mut().for_each(|access| access.forget_index(&assigned));
        }
        if edge.atomic {
            let region = flows::region(proctype, edge.target);
            let ops: Vec<&Op> = std::iter::once(&edge.op)
                .chain(region.iter().map(|&(l, e)| &proctype.locations[l].edges[e].op))
                .collect();
            let assigned = collector.assigned_locals(&ops);
            branches = region.iter().any(|&(l, _)| proctype.locations[l].edges.len() > 1);
            for &(l, e) in &region {
                let inner = &locations[l].edges[e];
                wild |= inner.offers;
                step.extend(inner.own.iter().cloned());
            }
            for access in &mut step {
                access.forget_index(&assigned);
            }
            // Where there is more than one way, or somebody has to be met on it, what is read inside decides what can be done: a condition may be
            // over what was assigned just before.
            // A round that comes back to the same state is not gone on with, so what is written decides too where there are rounds.
            if branches || wild {
                let rounds = flows::goes_round(proctype, &region);
                let deciding = step.iter().filter(|a| rounds || a.looks()).map(Access::as_guard);
                locations[at.0].guards.extend(deciding);
                collect::tidy(&mut locations[at.0].guards);
            }
        }
        step.iter_mut().for_each(|access| access.guard = false);
        collect::tidy(&mut step);
        let accesses = &mut locations[at.0].edges[at.1];
        accesses.step = step;
        accesses.branches = branches;
        accesses.wild = wild;
    }
}
