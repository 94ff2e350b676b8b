//! Running the threads of a program along a graph.

use crate::event::{Event, EventId, Kind, Source};
use crate::graph::Graph;
use crate::program::{Answer, Next, Program, Seen};

/// The value that an event reads; of others 0.
pub(crate) fn read_value<P: Program>(program: &P, run: &P::Run, graph: &Graph, event: &Event) -> u64 {
    if !event.kind.reads() {
        return 0;
    }
    match event.source {
        Source::Initial => program.initial(run, event.location),
        Source::Event(write) => graph.event(write).value,
    }
}

/// The order in which the events of a graph can be taken: each after what comes before it in its thread, what it reads from, and what it joins. `last` is left out.
pub(crate) fn schedule(graph: &Graph, last: Option<EventId>) -> Vec<EventId> {
    let mut order = Vec::with_capacity(graph.len());
    let mut taken = vec![false; graph.len()];
    let mut done = vec![0; graph.threads() as usize];
    loop {
        let before = order.len();
        for (id, event) in graph.iter() {
            let in_turn = !taken[id.index()] && done[event.thread as usize] == event.index && Some(id) != last;
            let is_there = |source| matches!(source, Source::Event(write) if !taken[write.index()]);
            let waits = match event.kind {
                Kind::Join(other) => done.get(other as usize).copied().unwrap_or(0) < graph.length(other),
                kind => kind.reads() && is_there(event.source),
            };
            if in_turn && !waits && graph.is_born(event.thread, &done) {
                taken[id.index()] = true;
                done[event.thread as usize] += 1;
                order.push(id);
            }
        }
        if order.len() == before {
            return order;
        }
    }
}

/// A thread did not do what it did before when it read the same values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strange(pub u32);

/// Runs the threads along a graph, up to `last`, whose thread stops before it. Values are computed anew: addresses are others in every run.
pub(crate) fn replay<P: Program>(program: &P, graph: &mut Graph, last: Option<EventId>) -> Result<P::Run, Strange> {
    let mut run = program.start();
    let mut taken = vec![false; graph.len()];
    for id in schedule(graph, last) {
        let event = *graph.event(id);
        let strange = Err(Strange(event.thread));
        if event.kind == Kind::Wait {
            continue;
        }
        let read = read_value(program, &run, graph, &event);
        let value = match (program.next(&run, event.thread), event.kind) {
            (Next::Read { location, .. }, kind) if kind.reads() && location == event.location => {
                match (program.answer(&run, event.thread, read), kind) {
                    (Answer::Read, Kind::Read) => 0,
                    (Answer::Write(value) | Answer::WriteAs(value, _), Kind::Update) => value,
                    _ => return strange,
                }
            }
            (Next::Write { location, value, .. }, Kind::Write) if location == event.location => value,
            (Next::Fence(_), Kind::Fence) => 0,
            (Next::Join(other), Kind::Join(joined)) if other == joined => 0,
            _ => return strange,
        };
        graph.set_value(id, value);
        taken[id.index()] = true;
        let is_later = |(other, e): (EventId, &Event)| {
            taken[other.index()] && e.kind.writes() && e.location == event.location && e.place > event.place
        };
        let seen = Seen {
            value: read,
            heard: graph.heard(id),
            is_last: !graph.iter().any(is_later),
        };
        program.take(&mut run, event.thread, seen);
    }
    Ok(run)
}
