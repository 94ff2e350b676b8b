//! TruSt: every consistent execution graph exactly once (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022, algorithm 1).
//!
//! `Visit(G)` takes the next event of some thread and adds it in every way: a read with every write that it may read from, a write at every place in
//! modification order. A write also *revisits* reads that were added before it and could have read from it: in another graph they do, and what was
//! added after them is forgotten, unless the write comes after it. So that no graph is reached twice, a read is revisited only from one graph: that in
//! which the read and all that is forgotten were added *maximally*, as if nothing had been there to choose from.
//!
//! What is still to be visited stands on a stack, so that a search can be paused after any number of events. What it keeps is bounded by a polynomial in
//! the size of the largest graph, however many graphs there are.

use crate::coherence::{floor, is_free};
use crate::event::{Event, EventId, Kind, Order, Source};
use crate::graph::Graph;
use crate::maximal::is_revisited;
use crate::models::Model;
use crate::program::{Answer, Fault, Next, Program, Seen, fresh};
use crate::races::race;
use crate::replay::{Strange, read_value, replay};
use crate::visitor::{Counts, Ending, Limits, Status, Visitor};

/// What is still to be visited.
enum Visit {
    /// An event is to be added in other ways.
    Add { graph: Graph, event: Event, choices: Vec<Choice> },
    /// Reads are to be revisited by a write.
    Revisit { graph: Graph, write: EventId, reads: Vec<EventId> },
    /// A read was revisited; what it does with its new value is not known yet.
    Settle { graph: Graph, write: EventId, read: EventId },
}

/// A way to add an event.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// A read takes its value from here.
    From(Source),
    /// A write comes there in modification order. Of other events, nothing.
    At(u32),
}

/// A search.
pub struct Search<P: Program> {
    program: P,
    model: &'static dyn Model,
    limits: Limits,
    /// The graph that is being extended, with its threads run along it.
    current: Option<(Graph, P::Run)>,
    stack: Vec<Visit>,
    counts: Counts,
    stopped: bool,
}

impl<P: Program> Search<P> {
    /// A search that has visited nothing.
    pub fn new(program: P, model: &'static dyn Model, limits: Limits) -> Self {
        Search {
            current: Some((Graph::default(), program.start())),
            program,
            model,
            limits,
            stack: Vec::new(),
            counts: Counts::default(),
            stopped: false,
        }
    }

    /// The program.
    pub fn program(&self) -> &P {
        &self.program
    }

    /// What was visited so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Visits until so many more events are added.
    pub fn advance(&mut self, events: u64, visitor: &mut dyn Visitor<P>) -> Status {
        let until = self.counts.events.saturating_add(events);
        while self.counts.events < until {
            if self.stopped || self.counts.graphs >= self.limits.graphs && (self.current.is_some() || !self.stack.is_empty()) {
                self.stopped = true;
                return Status::Stopped;
            }
            match (self.current.take(), self.stack.pop()) {
                (Some((graph, run)), waiting) => {
                    self.stack.extend(waiting);
                    self.extend(graph, run, visitor);
                }
                (None, Some(Visit::Add { graph, event, choices })) => self.add(graph, None, event, choices, visitor),
                (None, Some(Visit::Revisit { graph, write, reads })) => self.revisit(graph, write, reads),
                (None, Some(Visit::Settle { graph, write, read })) => self.settle(graph, write, read, visitor),
                (None, None) if self.counts.too_large > 0 => return Status::Stopped,
                (None, None) => return Status::Complete,
            }
        }
        Status::Running
    }

    /// Visits all.
    pub fn run(&mut self, visitor: &mut dyn Visitor<P>) -> Status {
        loop {
            let status = self.advance(1 << 20, visitor);
            if status != Status::Running {
                return status;
            }
        }
    }

    /// `Visit(G)`: adds the next event.
    fn extend(&mut self, mut graph: Graph, run: P::Run, visitor: &mut dyn Visitor<P>) {
        for thread in 0..self.program.threads(&run) {
            graph.thread(thread, self.program.birth(&run, thread));
        }
        if graph.is_empty()
            && let Some(fault) = self.program.fault(&run)
        {
            self.tell(&graph, &run, &Ending::Fault(fault), visitor);
        }
        let Some((thread, next)) = self.next(&graph, &run) else {
            return self.end(&graph, &run, visitor);
        };
        if graph.len() as u32 >= self.limits.events {
            self.counts.too_large += 1;
            return self.tell(&graph, &run, &Ending::TooLarge, visitor);
        }
        let event = fresh(&graph, thread, &next);
        let heard = graph.heard_before(thread, event.index);
        let coherent = |graph: &Graph| floor(graph, event.location, &heard)..=graph.last_place(event.location);
        let choices: Vec<Choice> = match next {
            Next::Read { location, .. } => coherent(&graph)
                .map(|place| Choice::From(graph.written_at(location, place)))
                .collect(),
            Next::Write { location, .. } => {
                // Which reads are revisited does not depend on the place.
                let mut with = graph.clone();
                let place = graph.last_place(location) + 1;
                let write = with.add(Event { place, ..event });
                self.push_revisits(with, write);
                let free = coherent(&graph).filter(|place| is_free(&graph, location, graph.written_at(location, *place)));
                free.map(|place| Choice::At(place + 1)).collect()
            }
            Next::Fence(_) | Next::Join(_) => vec![Choice::At(0)],
            Next::Done | Next::Stuck(_) => Vec::new(),
        };
        self.add(graph, Some(run), event, choices, visitor);
    }

    /// `next(G)`: the first thread that can go on, and what it does.
    fn next(&self, graph: &Graph, run: &P::Run) -> Option<(u32, Next)> {
        (0..self.program.threads(run)).find_map(|thread| {
            let waits = graph.last(thread).is_some_and(|last| graph.event(last).kind == Kind::Wait);
            match self.program.next(run, thread) {
                _ if waits => None,
                Next::Done | Next::Stuck(_) => None,
                Next::Join(other) if self.program.next(run, other) != Next::Done => None,
                next => Some((thread, next)),
            }
        })
    }

    /// Adds an event in the last of the ways to add it; the others are kept for later.
    fn add(&mut self, mut graph: Graph, run: Option<P::Run>, mut event: Event, mut choices: Vec<Choice>, visitor: &mut dyn Visitor<P>) {
        let Some(choice) = choices.pop() else { return };
        if !choices.is_empty() {
            let graph = graph.clone();
            self.stack.push(Visit::Add { graph, event, choices });
        }
        let Some(run) = run.or_else(|| self.replay(&mut graph, None, visitor)) else {
            return;
        };
        self.counts.events += 1;
        let mut is_atomic = true;
        match choice {
            Choice::At(place) => event.place = place,
            Choice::From(source) => {
                event.source = source;
                let value = read_value(&self.program, &run, &graph, &event);
                match self.answer(&run, event.thread, value) {
                    (Kind::Update, order, value) => {
                        is_atomic = is_free(&graph, event.location, source);
                        let (kind, place) = (Kind::Update, graph.place_of(source) + 1);
                        event = Event {
                            kind,
                            order,
                            value,
                            place,
                            ..event
                        };
                    }
                    (kind, order, _) => event = Event { kind, order, ..event },
                }
            }
        }
        let id = graph.add(event);
        if event.kind == Kind::Update {
            self.push_revisits(graph.clone(), id);
        }
        if is_atomic && self.model.allows(&graph, &[id]) {
            self.take(graph, run, id, visitor);
        }
    }

    /// Runs the threads along a graph. Without a result they did something else this time.
    fn replay(&mut self, graph: &mut Graph, last: Option<EventId>, visitor: &mut dyn Visitor<P>) -> Option<P::Run> {
        match replay(&self.program, graph, last) {
            Ok(run) => Some(run),
            Err(Strange(thread)) => {
                let run = self.program.start();
                self.stopped = true;
                self.tell(graph, &run, &Ending::Strange(thread), visitor);
                None
            }
        }
    }

    /// What a read does with a value.
    fn answer(&self, run: &P::Run, thread: u32, value: u64) -> (Kind, Order, u64) {
        let Next::Read { order, success, .. } = self.program.next(run, thread) else {
            unreachable!("the thread reads next")
        };
        match self.program.answer(run, thread, value) {
            Answer::Read => (Kind::Read, order, 0),
            Answer::Wait => (Kind::Wait, Order::Relaxed, 0),
            Answer::Write(value) => (Kind::Update, success, value),
            Answer::WriteAs(value, order) => (Kind::Update, order, value),
        }
    }

    /// The thread of an event that was added takes it.
    fn take(&mut self, graph: Graph, mut run: P::Run, id: EventId, visitor: &mut dyn Visitor<P>) {
        let event = *graph.event(id);
        self.counts.largest = self.counts.largest.max(graph.len() as u32);
        if event.kind != Kind::Wait {
            let value = read_value(&self.program, &run, &graph, &event);
            let seen = Seen {
                value,
                heard: graph.heard(id),
                is_last: event.place == graph.last_place(event.location),
            };
            self.program.take(&mut run, event.thread, seen);
        }
        if let Some(race) = race(&graph, id) {
            self.tell(&graph, &run, &Ending::Race(race), visitor);
        }
        // Of a read that was revisited, the write is as new as itself.
        let source = match event.source {
            Source::Event(write) => Some(graph.event(write).thread),
            Source::Initial => None,
        };
        let is_new = |fault: &Fault| fault.thread == event.thread || Some(fault.thread) == source;
        if let Some(fault) = self.program.fault(&run).filter(is_new) {
            let is_last = fault.is_last;
            self.tell(&graph, &run, &Ending::Fault(fault), visitor);
            if is_last {
                return;
            }
        }
        self.current = Some((graph, run));
    }

    /// Nothing can be added.
    fn end(&mut self, graph: &Graph, run: &P::Run, visitor: &mut dyn Visitor<P>) {
        let waits = graph.events().iter().filter(|e| e.kind == Kind::Wait);
        let mut is_stale = waits.into_iter().any(|e| graph.place_of(e.source) < graph.last_place(e.location));
        let mut is_done = true;
        for thread in 0..self.program.threads(run) {
            let next = self.program.next(run, thread);
            is_done &= next == Next::Done;
            if let Next::Stuck(seen) = next {
                let value = |location| match graph.written_at(location, graph.last_place(location)) {
                    Source::Initial => self.program.initial(run, location),
                    Source::Event(write) => graph.event(write).value,
                };
                is_stale |= seen.iter().any(|(x, seen)| self.program.seen_as(run, *x, value(*x)) != *seen);
            }
        }
        let ending = match (is_stale, is_done) {
            (true, _) => Ending::Blocked,
            (false, true) => Ending::Complete,
            (false, false) => Ending::Deadlock,
        };
        match ending {
            Ending::Blocked => self.counts.blocked += 1,
            _ => self.counts.graphs += 1,
        }
        self.tell(graph, run, &ending, visitor);
    }

    fn tell(&mut self, graph: &Graph, run: &P::Run, ending: &Ending, visitor: &mut dyn Visitor<P>) {
        self.stopped |= !visitor.ended(graph, run, ending);
    }

    /// The reads that a write revisits: those that do not come before it, and after which everything was added maximally that is forgotten.
    fn push_revisits(&mut self, graph: Graph, write: EventId) {
        let location = graph.event(write).location;
        let is_read = |(id, e): &(EventId, &Event)| *id != write && e.kind.reads() && e.location == location;
        let could = |id: &EventId| !graph.is_in_past(*id, write);
        let reads = graph.iter().filter(is_read).map(|(id, _)| id).filter(could);
        let reads: Vec<EventId> = reads.filter(|read| is_revisited(&graph, write, *read)).collect();
        if !reads.is_empty() {
            self.stack.push(Visit::Revisit { graph, write, reads });
        }
    }

    /// `VisitCOs(SetRF(G without D, r, w))` for one of the reads; the others are kept for later.
    fn revisit(&mut self, graph: Graph, write: EventId, mut reads: Vec<EventId>) {
        let Some(read) = reads.pop() else { return };
        let event = *graph.event(write);
        let is_update = event.kind == Kind::Update;
        // A read-modify-write comes where it was, right after what it reads; a write at every place.
        let keep = |id: EventId| (is_update && id == write) || id != write && (id <= read || graph.is_in_past(id, write));
        let (mut without, names) = graph.restricted(keep);
        let name = |id: EventId| names[id.index()];
        if let Some(read) = name(read) {
            let source = without.event(read).source;
            without.read_from(read, source);
            match name(write) {
                Some(write) => self.place(without, write, read),
                None => self.place_everywhere(&without, event, read),
            }
        }
        if !reads.is_empty() {
            self.stack.push(Visit::Revisit { graph, write, reads });
        }
    }

    fn place_everywhere(&mut self, graph: &Graph, event: Event, read: EventId) {
        let heard = graph.heard_before(event.thread, event.index);
        for place in floor(graph, event.location, &heard)..=graph.last_place(event.location) {
            if is_free(graph, event.location, graph.written_at(event.location, place)) {
                let mut with = graph.clone();
                let write = with.add(Event { place: place + 1, ..event });
                self.place(with, write, read);
            }
        }
    }

    fn place(&mut self, mut graph: Graph, write: EventId, read: EventId) {
        let (event, reader) = (*graph.event(write), *graph.event(read));
        let is_atomic = match event.kind {
            Kind::Update => !graph.is_replaced_twice(event.location, event.source),
            _ => true,
        };
        let heard = graph.heard_before(reader.thread, reader.index);
        if is_atomic && floor(&graph, event.location, &heard) <= event.place {
            graph.read_from(read, Source::Event(write));
            self.stack.push(Visit::Settle { graph, write, read });
        }
    }

    /// A read that was revisited does with its new value what its thread says.
    fn settle(&mut self, mut graph: Graph, write: EventId, read: EventId, visitor: &mut dyn Visitor<P>) {
        let Some(run) = self.replay(&mut graph, Some(read), visitor) else {
            return;
        };
        if let Some(fault) = self.program.fault(&run).filter(|fault| fault.is_last) {
            return self.settle_nothing(&graph, &run, write, read, fault, visitor);
        }
        let event = *graph.event(read);
        let value = read_value(&self.program, &run, &graph, &event);
        let (kind, order, value) = self.answer(&run, event.thread, value);
        graph.settle(read, kind, order, value);
        self.counts.events += 1;
        if kind == Kind::Update {
            self.push_revisits(graph.clone(), read);
        }
        if self.model.allows(&graph, &[write, read]) {
            self.take(graph, run, read, visitor);
        }
    }

    /// After the write that revisits comes something after which nothing means anything, whatever the read does.
    fn settle_nothing(&mut self, graph: &Graph, run: &P::Run, write: EventId, read: EventId, fault: Fault, visitor: &mut dyn Visitor<P>) {
        let (without, names) = graph.restricted(|id| id != read);
        let write: Vec<EventId> = names[write.index()].into_iter().collect();
        if self.model.allows(&without, &write) {
            self.tell(&without, run, &Ending::Fault(fault), visitor);
        }
    }
}
