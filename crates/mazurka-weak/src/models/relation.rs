//! Whether a relation leads from an event back to it.

use crate::event::EventId;
use crate::graph::Graph;

/// Whether a way along `follows` leads from one of `from` back to itself.
pub(super) fn has_cycle(graph: &Graph, from: &[EventId], follows: impl Fn(EventId, EventId) -> bool) -> bool {
    let n = graph.len() as u32;
    let mut seen = vec![false; graph.len()];
    let mut open = Vec::new();
    for &start in from {
        seen.fill(false);
        open.push(start);
        while let Some(at) = open.pop() {
            for next in (0..n).map(EventId) {
                if next != at && !seen[next.index()] && follows(at, next) {
                    if next == start {
                        return true;
                    }
                    seen[next.index()] = true;
                    open.push(next);
                }
            }
        }
    }
    false
}
