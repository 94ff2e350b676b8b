//! Total store order: what x86 does (Sewell, Sarkar, Owens, Zappa Nardelli, Myreen, 2010; in axioms, Alglave, Maranget, Tautschnig, 2014).
//!
//! A write may be delayed past later reads of its thread. Read-modify-writes and sequentially consistent fences wait until it is done, and so do
//! sequentially consistent writes, which are compiled to an exchange. Other fences are no instructions, and a join that need not wait is a read.

use super::Model;
use super::relation::has_cycle;
use super::sc::communicates;
use crate::event::{Event, EventId, Kind, Order, Source};
use crate::graph::Graph;

/// Total store order.
#[derive(Clone, Copy, Debug)]
pub struct Tso;

impl Model for Tso {
    fn name(&self) -> &'static str {
        "tso"
    }

    fn about(&self) -> &'static str {
        "total store order, as of x86"
    }

    fn allows(&self, graph: &Graph, fresh: &[EventId]) -> bool {
        !has_cycle(graph, fresh, |x, y| {
            let (a, b) = (graph.event(x), graph.event(y));
            if a.thread == b.thread {
                return a.index < b.index && is_kept(graph, a, b);
            }
            // A thread reads its own writes before others do, so only what is read from other threads counts.
            let reads_from = b.kind.reads() && b.source == Source::Event(x);
            b.kind == Kind::Join(a.thread) || reads_from || b.kind.writes() && communicates(graph, a, b)
        })
    }
}

/// Whether the machine keeps the program order of two events.
fn is_kept(graph: &Graph, a: &Event, b: &Event) -> bool {
    if a.kind != Kind::Write || b.kind.writes() || drains(a) || drains(b) {
        return true;
    }
    let between = |e: &&Event| e.thread == a.thread && a.index < e.index && e.index < b.index;
    graph.events().iter().filter(between).any(drains)
}

/// Whether all earlier writes of the thread are done when this is.
fn drains(event: &Event) -> bool {
    event.locked || event.is_sc_fence() || event.kind == Kind::Write && event.order == Order::SeqCst
}
