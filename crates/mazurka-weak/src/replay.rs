//! Running the threads of a program along a graph.

use crate::event::{Event, EventId, Kind, Source};
use crate::graph::Graph;
use crate::program::Program;

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

/// Runs the threads along a graph, up to `last`, whose thread stops before it.
pub(crate) fn replay<P: Program>(program: &P, graph: &Graph, last: Option<EventId>) -> P::Run {
    let mut run = program.start();
    for id in schedule(graph, last) {
        let event = graph.event(id);
        if event.kind == Kind::Wait {
            continue;
        }
        let value = read_value(program, &run, graph, event);
        program.take(&mut run, event.thread, value);
    }
    run
}
