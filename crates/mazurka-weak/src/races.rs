//! Data races: two accesses of one location, of which one writes and one is of plain data, and neither happens before the other.

use crate::event::{EventId, Order};
use crate::graph::Graph;

/// Two accesses that race; the second was added later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race(pub EventId, pub EventId);

/// A race of an event, which nothing comes after, with an earlier one.
pub fn race(graph: &Graph, id: EventId) -> Option<Race> {
    let event = graph.event(id);
    if !event.accesses() {
        return None;
    }
    let races = graph.iter().find(|(other, e)| {
        e.accesses()
            && e.location == event.location
            && e.thread != event.thread
            && (e.kind.writes() || event.kind.writes())
            && (e.order == Order::Plain || event.order == Order::Plain)
            && !graph.happens_before(*other, id)
    });
    races.map(|(other, _)| Race(other, id))
}
