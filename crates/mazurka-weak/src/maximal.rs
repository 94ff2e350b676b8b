//! Which reads a write revisits: so that no graph is reached twice, a read is revisited only from one graph, in which it and all that is forgotten were added
//! maximally (`IsMaximallyAdded` of the paper).

use crate::event::{Event, EventId, Source};
use crate::graph::Graph;

/// Whether a read is revisited by a write: it, and all that would be forgotten, was added maximally.
pub(crate) fn is_revisited(graph: &Graph, write: EventId, read: EventId) -> bool {
    let forgotten = |id: &EventId| *id > read && *id != write && !graph.is_in_past(*id, write);
    is_maximally_added(graph, read, write)
        && graph
            .iter()
            .map(|(id, _)| id)
            .filter(forgotten)
            .all(|id| is_maximally_added(graph, id, write))
}

/// `IsMaximallyAdded(G, e, w)`: of what was there before `e`, and what comes before `w`, nothing reads from `e`, and `e` reads from, or is, the last write.
fn is_maximally_added(graph: &Graph, id: EventId, write: EventId) -> bool {
    let event = graph.event(id);
    let previous = |other: EventId| other != write && (other <= id || graph.is_in_past(other, write));
    if !event.accesses() {
        return true;
    }
    let reads_it = |(other, e): (EventId, &Event)| previous(other) && e.kind.reads() && e.source == Source::Event(id);
    if event.kind.writes() && graph.iter().any(reads_it) {
        return false;
    }
    let source = if event.kind.reads() { event.source } else { Source::Event(id) };
    let is_previous = match source {
        Source::Initial => true,
        Source::Event(other) => previous(other),
    };
    let place = graph.place_of(source);
    let is_later = |(other, e): (EventId, &Event)| {
        other != id && previous(other) && e.kind.writes() && e.location == event.location && e.place > place
    };
    is_previous && !graph.iter().any(is_later)
}
