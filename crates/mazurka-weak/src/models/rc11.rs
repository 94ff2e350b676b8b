//! The repaired model of C11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, 2017), with the release sequences of C++20, which is what Rust has.
//!
//! It forbids what needs a cycle of program order and reads-from, such as load buffering. Coherence holds by construction; what is left is the order of
//! sequentially consistent events: `psc` has no cycle.

use super::Model;
use crate::event::{Event, EventId, Order};
use crate::graph::Graph;

/// RC11.
#[derive(Clone, Copy, Debug)]
pub struct Rc11;

impl Model for Rc11 {
    fn name(&self) -> &'static str {
        "rc11"
    }

    fn about(&self) -> &'static str {
        "RC11, the memory model of Rust and C++20 without load buffering"
    }

    fn allows(&self, graph: &Graph, _: &[EventId]) -> bool {
        let sc: Vec<EventId> = graph
            .iter()
            .filter(|(_, e)| e.order == Order::SeqCst && (e.accesses() || e.is_sc_fence()))
            .map(|(id, _)| id)
            .collect();
        // A cycle has two events at least, which are of different threads.
        let several = sc.iter().any(|id| graph.event(*id).thread != graph.event(sc[0]).thread);
        !several || !Psc { graph, sc }.has_cycle()
    }
}

/// The relation `psc` of the paper.
struct Psc<'a> {
    graph: &'a Graph,
    sc: Vec<EventId>,
}

impl Psc<'_> {
    fn has_cycle(&self) -> bool {
        let n = self.sc.len();
        let follows: Vec<Vec<usize>> = self.sc.iter().map(|from| self.after(*from)).collect();
        // 0 for what was not looked at, 1 for what is being looked at, 2 for what is on no cycle.
        let mut colour = vec![0u8; n];
        (0..n).any(|start| is_on_cycle(&follows, start, &mut colour))
    }

    /// `psc_base ∪ psc_F` after an event, as places in the list.
    fn after(&self, from: EventId) -> Vec<usize> {
        let graph = self.graph;
        let is_fence = graph.event(from).is_sc_fence();
        // `[E_sc] ∪ [F_sc] ; hb?`
        let begins: Vec<EventId> = (0..graph.len() as u32)
            .map(EventId)
            .filter(|e| *e == from || is_fence && graph.happens_before(from, *e))
            .collect();
        let mut reached = vec![false; self.sc.len()];
        for end in (0..graph.len() as u32).map(EventId) {
            let by_scb = begins.iter().any(|begin| self.scb(*begin, end));
            // `psc_F = [F_sc] ; (hb ∪ hb ; eco ; hb) ; [F_sc]`
            let by_eco = is_fence && begins.iter().any(|begin| *begin != from && self.eco(*begin, end));
            let by_hb = is_fence && graph.happens_before(from, end);
            if !by_scb && !by_eco && !by_hb {
                continue;
            }
            for (at, to) in self.sc.iter().enumerate() {
                let to_fence = graph.event(*to).is_sc_fence();
                let heard = to_fence && graph.happens_before(end, *to);
                reached[at] |= by_scb && (end == *to || heard) || by_eco && heard || by_hb && to_fence && end == *to;
            }
        }
        (0..self.sc.len()).filter(|at| reached[*at]).collect()
    }

    /// `scb = po ∪ po≠loc ; hb ; po≠loc ∪ hb=loc ∪ mo ∪ rb`.
    fn scb(&self, a: EventId, b: EventId) -> bool {
        let graph = self.graph;
        let (x, y) = (graph.event(a), graph.event(b));
        if a == b {
            return false;
        }
        if x.thread == y.thread && x.index < y.index {
            return true;
        }
        if same_location(x, y) && (graph.happens_before(a, b) || y.kind.writes() && graph.rank(x) < graph.rank(y)) {
            return true;
        }
        self.goes_round(a, b)
    }

    /// `po≠loc ; hb ; po≠loc`. Of program order, the next event elsewhere is the best to go on from, and the last one the best to arrive at.
    fn goes_round(&self, a: EventId, b: EventId) -> bool {
        let graph = self.graph;
        let (x, y) = (graph.event(a), graph.event(b));
        let next = graph
            .iter()
            .filter(|(_, e)| e.thread == x.thread && e.index > x.index && !same_location(x, e));
        let last = graph
            .iter()
            .filter(|(_, e)| e.thread == y.thread && e.index < y.index && !same_location(y, e));
        let (next, last) = (next.min_by_key(|(_, e)| e.index), last.max_by_key(|(_, e)| e.index));
        matches!((next, last), (Some((next, _)), Some((last, _))) if graph.happens_before(next, last))
    }

    fn eco(&self, a: EventId, b: EventId) -> bool {
        let (x, y) = (self.graph.event(a), self.graph.event(b));
        same_location(x, y) && self.graph.rank(x) < self.graph.rank(y)
    }
}

fn same_location(a: &Event, b: &Event) -> bool {
    a.accesses() && b.accesses() && a.location == b.location
}

fn is_on_cycle(follows: &[Vec<usize>], at: usize, colour: &mut [u8]) -> bool {
    match colour[at] {
        1 => return true,
        2 => return false,
        _ => colour[at] = 1,
    }
    let found = follows[at].iter().any(|next| is_on_cycle(follows, *next, colour));
    colour[at] = 2;
    found
}
