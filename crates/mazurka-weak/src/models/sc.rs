//! Sequential consistency: one order of all events in which each read sees the last write (Lamport, 1979).
//!
//! There is one exactly if program order, reads-from, modification order and reads-before have no cycle together (Shasha and Snir, 1988).

use super::Model;
use super::relation::has_cycle;
use crate::event::EventId;
use crate::graph::Graph;

/// Sequential consistency.
#[derive(Clone, Copy, Debug)]
pub struct Sc;

impl Model for Sc {
    fn name(&self) -> &'static str {
        "sc"
    }

    fn about(&self) -> &'static str {
        "sequential consistency"
    }

    fn allows(&self, graph: &Graph, fresh: &[EventId]) -> bool {
        !has_cycle(graph, fresh, |a, b| {
            let (a, b) = (graph.event(a), graph.event(b));
            let program_order = a.thread == b.thread && a.index < b.index;
            let joined = b.kind == crate::event::Kind::Join(a.thread);
            program_order || joined || communicates(graph, a, b)
        })
    }
}

/// Whether `a` comes before `b` by reads-from, modification order, reads-before, or several of them.
pub(super) fn communicates(graph: &Graph, a: &crate::event::Event, b: &crate::event::Event) -> bool {
    a.accesses() && b.accesses() && a.location == b.location && graph.rank(a) < graph.rank(b)
}
