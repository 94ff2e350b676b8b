//! Coherence and atomicity: what all models have in common.
//!
//! A new event comes after nothing, so coherence leaves it the end of the modification order: everything from the last write on that its thread has heard
//! of, or of which it has heard that somebody read it. A read-modify-write comes right after the write that it reads.

use crate::event::{Location, Source};
use crate::graph::Graph;

/// The first place in modification order that an event may read from, or come after, if its thread has heard so much.
pub(crate) fn floor(graph: &Graph, location: Location, heard: &[u16]) -> u32 {
    let known = graph.events().iter().filter(|e| e.location == location && e.accesses());
    let places = known
        .filter(|e| graph.is_known_to(e, heard))
        .map(|e| if e.kind.writes() { e.place } else { graph.place_of(e.source) });
    places.max().unwrap_or(0)
}

/// Whether a write may come right after this one: not if a read-modify-write already does.
pub(crate) fn is_free(graph: &Graph, location: Location, after: Source) -> bool {
    graph.replaced_by(location, after).is_none()
}
