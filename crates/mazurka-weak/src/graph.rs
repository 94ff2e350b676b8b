//! Execution graphs: events in program order, what each read reads from, and in which order the writes of each location come.
//!
//! Events stand in one list, in the order in which they were added. What comes before an event is kept with it as the number of events of each thread,
//! because all of these relations contain program order:
//!
//! - *past*: by program order and reads-from, transitively (`porf` in the literature);
//! - *heard*: by happens-before;
//! - *message*: what is heard by who acquires the write: of a release the release itself, of what follows a release fence that fence, and of a
//!   read-modify-write also what was to be heard through the value it replaced;
//! - *unheard*: what was read but not acquired, which an acquire fence makes heard;
//! - *fenced*: what the last release fence had heard.

use crate::event::{Event, EventId, Kind, Location, Order, Source};
use crate::program::Birth;

const PAST: usize = 0;
const HEARD: usize = 1;
const MESSAGE: usize = 2;
const UNHEARD: usize = 3;
const FENCED: usize = 4;
const CLOCKS: usize = 5;

/// An execution graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    events: Vec<Event>,
    /// For each event, its clocks, each of `width` numbers.
    clocks: Vec<u16>,
    /// How many threads there may be.
    width: usize,
    /// For each thread, who started it.
    births: Vec<Option<Birth>>,
    /// For each thread, how many events it has.
    lengths: Vec<u32>,
}

impl Graph {
    /// All events, in the order in which they were added.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The events with their names.
    pub fn iter(&self) -> impl Iterator<Item = (EventId, &Event)> {
        self.events.iter().enumerate().map(|(i, e)| (EventId(i as u32), e))
    }

    /// An event.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// How many threads are known.
    pub fn threads(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// How many events a thread has.
    pub fn length(&self, thread: u32) -> u32 {
        self.lengths.get(thread as usize).copied().unwrap_or(0)
    }

    /// The event of a thread at a place in program order.
    pub fn at(&self, thread: u32, index: u32) -> Option<EventId> {
        let found = self.events.iter().position(|e| e.thread == thread && e.index == index)?;
        Some(EventId(found as u32))
    }

    /// The last event of a thread.
    pub fn last(&self, thread: u32) -> Option<EventId> {
        let found = self.events.iter().rposition(|e| e.thread == thread)?;
        Some(EventId(found as u32))
    }

    /// The writes of a location in modification order.
    pub fn writes(&self, location: Location) -> Vec<EventId> {
        let mut writes: Vec<EventId> = self.writes_of(location).map(|(id, _)| id).collect();
        writes.sort_unstable_by_key(|id| self.event(*id).place);
        writes
    }

    fn writes_of(&self, location: Location) -> impl Iterator<Item = (EventId, &Event)> {
        self.iter().filter(move |(_, e)| e.kind.writes() && e.location == location)
    }

    /// The write at a place in modification order.
    pub fn written_at(&self, location: Location, place: u32) -> Source {
        match self.writes_of(location).find(|(_, e)| e.place == place) {
            Some((id, _)) => Source::Event(id),
            None => Source::Initial,
        }
    }

    /// The last place in the modification order of a location.
    pub fn last_place(&self, location: Location) -> u32 {
        self.writes_of(location).count() as u32
    }

    /// The place of what is read from.
    pub fn place_of(&self, source: Source) -> u32 {
        match source {
            Source::Initial => 0,
            Source::Event(id) => self.event(id).place,
        }
    }

    /// The read-modify-write that replaces this value, if there is one.
    pub fn replaced_by(&self, location: Location, source: Source) -> Option<EventId> {
        let found = |e: &Event| e.kind == Kind::Update && e.location == location && e.source == source;
        self.iter().find(|(_, e)| found(e)).map(|(id, _)| id)
    }

    /// Whether two read-modify-writes replace this value.
    pub(crate) fn is_replaced_twice(&self, location: Location, source: Source) -> bool {
        let replaces = |e: &&Event| e.kind == Kind::Update && e.location == location && e.source == source;
        self.events.iter().filter(replaces).count() > 1
    }

    /// Where an access stands among those of its location: less for what comes before by reads-from, modification order and reads-before. `eco` of the
    /// literature is the order of these numbers.
    pub fn rank(&self, event: &Event) -> u32 {
        if event.kind.writes() {
            2 * event.place
        } else {
            2 * self.place_of(event.source) + 1
        }
    }

    fn clock(&self, event: usize, which: usize) -> &[u16] {
        let start = (event * CLOCKS + which) * self.width;
        &self.clocks[start..start + self.width]
    }

    /// How many events of each thread happen before an event, or are it.
    pub fn heard(&self, id: EventId) -> &[u16] {
        self.clock(id.index(), HEARD)
    }

    /// The value of a write turns out to be this.
    pub(crate) fn set_value(&mut self, id: EventId, value: u64) {
        self.events[id.index()].value = value;
    }

    /// Whether `before` comes before `after`, or is it, by program order and reads-from.
    pub fn is_in_past(&self, before: EventId, after: EventId) -> bool {
        let event = self.event(before);
        u32::from(self.clock(after.index(), PAST)[event.thread as usize]) > event.index
    }

    /// Whether `before` happens before `after`.
    pub fn happens_before(&self, before: EventId, after: EventId) -> bool {
        let event = self.event(before);
        before != after && u32::from(self.clock(after.index(), HEARD)[event.thread as usize]) > event.index
    }

    /// Whether an event has been heard of in the thread at its next event, whatever that reads.
    pub(crate) fn is_known_to(&self, before: &Event, heard: &[u16]) -> bool {
        u32::from(heard[before.thread as usize]) > before.index
    }

    /// A thread is there, started by that one.
    pub(crate) fn thread(&mut self, thread: u32, birth: Option<Birth>) {
        let threads = thread as usize + 1;
        if self.births.len() < threads {
            self.births.resize(threads, None);
            self.lengths.resize(threads, 0);
        }
        self.births[thread as usize] = birth;
        if self.width < threads {
            self.widen(threads.next_multiple_of(4));
        }
    }

    /// Whether a thread was started, after so many events of each.
    pub(crate) fn is_born(&self, thread: u32, done: &[u32]) -> bool {
        match self.births[thread as usize] {
            Some(birth) => done[birth.parent as usize] >= birth.after && self.is_born(birth.parent, done),
            None => true,
        }
    }

    fn widen(&mut self, width: usize) {
        let mut clocks = vec![0; self.events.len() * CLOCKS * width];
        if self.width > 0 {
            for (old, new) in self.clocks.chunks(self.width).zip(clocks.chunks_mut(width)) {
                new[..self.width].copy_from_slice(old);
            }
        }
        (self.clocks, self.width) = (clocks, width);
    }

    /// The event that comes before the next event of a thread at this index: its own last one, or that which started it.
    fn before(&self, thread: u32, index: u32) -> Option<EventId> {
        if index > 0 {
            return self.at(thread, index - 1);
        }
        let birth = self.births[thread as usize]?;
        // A thread that was started before its starter's first event comes after whoever started that one.
        self.before(birth.parent, birth.after)
    }

    /// What a thread has heard of before its event at this index.
    pub(crate) fn heard_before(&self, thread: u32, index: u32) -> Vec<u16> {
        match self.before(thread, index) {
            Some(before) => self.clock(before.index(), HEARD).to_vec(),
            None => vec![0; self.width],
        }
    }

    /// Adds an event as the last one. What it reads from is there.
    pub(crate) fn add(&mut self, event: Event) -> EventId {
        let id = EventId(self.events.len() as u32);
        if event.kind.writes() {
            self.make_room(event.location, event.place);
        }
        self.lengths[event.thread as usize] = event.index + 1;
        self.events.push(event);
        self.clocks.resize(self.events.len() * CLOCKS * self.width, 0);
        self.set_clocks(id);
        id
    }

    fn make_room(&mut self, location: Location, place: u32) {
        for e in &mut self.events {
            if e.kind.writes() && e.location == location && e.place >= place {
                e.place += 1;
            }
        }
    }

    /// A read reads from elsewhere, and no longer writes.
    pub(crate) fn read_from(&mut self, id: EventId, source: Source) {
        let (event, before) = (self.events[id.index()], Source::Event(id));
        debug_assert!(self.events.iter().all(|e| !e.kind.reads() || e.source != before));
        if event.kind.writes() {
            for e in &mut self.events {
                if e.kind.writes() && e.location == event.location && e.place > event.place {
                    e.place -= 1;
                }
            }
        }
        let event = &mut self.events[id.index()];
        (event.kind, event.source, event.place) = (Kind::Read, source, 0);
        self.set_clocks(id);
    }

    /// It turned out what a read does: it goes on, waits, or writes right after what it reads.
    pub(crate) fn settle(&mut self, id: EventId, kind: Kind, order: Order, value: u64) {
        let event = self.events[id.index()];
        if kind.writes() {
            let place = self.place_of(event.source) + 1;
            self.make_room(event.location, place);
            self.events[id.index()].place = place;
        }
        let event = &mut self.events[id.index()];
        (event.kind, event.order, event.value) = (kind, order, value);
        self.set_clocks(id);
    }

    /// The clocks of an event that nothing comes after.
    fn set_clocks(&mut self, id: EventId) {
        let (width, at) = (self.width, id.index());
        let event = self.events[at];
        let block = CLOCKS * width;
        let mut own = vec![0; block];
        if let Some(before) = self.before(event.thread, event.index) {
            own.copy_from_slice(&self.clocks[before.index() * block..(before.index() + 1) * block]);
            own[MESSAGE * width..(MESSAGE + 1) * width].fill(0);
            if self.events[before.index()].thread != event.thread {
                // Fences and unheard messages are a thread's own.
                own[UNHEARD * width..].fill(0);
            }
        }
        let thread = event.thread as usize;
        own[PAST * width + thread] = event.index as u16 + 1;
        own[HEARD * width + thread] = event.index as u16 + 1;
        let mut join = |into: usize, from: &[u16]| {
            for (a, b) in own[into * width..(into + 1) * width].iter_mut().zip(from) {
                *a = (*a).max(*b);
            }
        };
        let is_atomic = event.order != Order::Plain;
        if event.kind.reads()
            && let Source::Event(write) = event.source
        {
            join(PAST, self.clock(write.index(), PAST));
            let message = self.clock(write.index(), MESSAGE);
            if is_atomic {
                join(if event.order.acquires() { HEARD } else { UNHEARD }, message);
            }
            if event.kind == Kind::Update {
                join(MESSAGE, message);
            }
        }
        if let Kind::Join(other) = event.kind
            && let Some(last) = self.before(other, self.length(other))
        {
            join(PAST, self.clock(last.index(), PAST));
            join(HEARD, self.clock(last.index(), HEARD));
        }
        let copy = |own: &mut [u16], from: usize, into: usize| {
            for i in 0..width {
                own[into * width + i] = own[into * width + i].max(own[from * width + i]);
            }
        };
        if event.kind == Kind::Fence {
            if event.order.acquires() {
                copy(&mut own, UNHEARD, HEARD);
            }
            if event.order.releases() {
                copy(&mut own, HEARD, FENCED);
            }
        }
        if event.kind.writes() && is_atomic {
            let from = if event.order.releases() { HEARD } else { FENCED };
            copy(&mut own, from, MESSAGE);
        }
        self.clocks[at * block..(at + 1) * block].copy_from_slice(&own);
    }

    /// The same without the events that are not to be kept: for each event that is, its new name.
    pub(crate) fn restricted(&self, keep: impl Fn(EventId) -> bool) -> (Graph, Vec<Option<EventId>>) {
        let block = CLOCKS * self.width;
        let mut names: Vec<Option<EventId>> = vec![None; self.events.len()];
        let mut graph = Graph {
            events: Vec::with_capacity(self.events.len() + 1),
            clocks: Vec::with_capacity(self.clocks.len()),
            width: self.width,
            births: self.births.clone(),
            lengths: vec![0; self.lengths.len()],
        };
        for (id, event) in self.iter().filter(|(id, _)| keep(*id)) {
            names[id.index()] = Some(EventId(graph.events.len() as u32));
            graph.events.push(*event);
            graph
                .clocks
                .extend_from_slice(&self.clocks[id.index() * block..(id.index() + 1) * block]);
            let length = &mut graph.lengths[event.thread as usize];
            *length = (*length).max(event.index + 1);
        }
        for event in &mut graph.events {
            if let Source::Event(write) = event.source
                && let Some(name) = names[write.index()]
            {
                event.source = Source::Event(name);
            }
        }
        graph.close_gaps();
        (graph, names)
    }

    /// Places in modification order are counted without gaps.
    fn close_gaps(&mut self) {
        let places: Vec<(Location, u32)> = self
            .events
            .iter()
            .filter(|e| e.kind.writes())
            .map(|e| (e.location, e.place))
            .collect();
        for event in self.events.iter_mut().filter(|e| e.kind.writes()) {
            let earlier = places.iter().filter(|(l, p)| *l == event.location && *p < event.place).count();
            event.place = earlier as u32 + 1;
        }
    }

    /// What the graph is, whatever the order in which its events were added: for each event in program order what it reads from, or its place.
    pub fn shape(&self) -> Vec<(u32, u32, u32, u32)> {
        let name = |source: Source| match source {
            Source::Initial => u32::MAX,
            Source::Event(id) => self.event(id).thread << 16 | self.event(id).index,
        };
        let mut shape: Vec<_> = self
            .events
            .iter()
            .map(|e| (e.thread, e.index, if e.kind.reads() { name(e.source) } else { 0 }, e.place))
            .collect();
        shape.sort_unstable();
        shape
    }
}
