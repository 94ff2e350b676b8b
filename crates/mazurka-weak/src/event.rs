//! Events: what a thread does that others can see or are ordered by.

/// An event of a graph, by the order in which events were added: the stamp of the paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

impl EventId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A shared location, by its number in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location(pub u32);

/// What an access promises about the order of others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// Plain data: unordered accesses of which one writes are a data race.
    Plain,
    /// Atomic, and nothing more.
    Relaxed,
    /// What was released is seen.
    Acquire,
    /// What came before is seen by who acquires.
    Release,
    /// Both.
    AcqRel,
    /// Both, and one order of all accesses like this.
    SeqCst,
}

impl Order {
    /// Whether a read with this order acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a write with this order releases.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Reads.
    Read,
    /// Reads what its thread cannot go on with: the thread waits here, until another write is read instead.
    Wait,
    /// Writes.
    Write,
    /// Reads, and writes right after that.
    Update,
    /// A fence.
    Fence,
    /// Comes after all that another thread did.
    Join(u32),
}

impl Kind {
    /// Whether it reads a location.
    pub fn reads(self) -> bool {
        matches!(self, Kind::Read | Kind::Wait | Kind::Update)
    }

    /// Whether it writes a location.
    pub fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::Update)
    }
}

/// Where a read takes its value from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The value that was there in the beginning.
    Initial,
    /// What this event wrote.
    Event(EventId),
}

/// An event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Whose it is.
    pub thread: u32,
    /// Its place in program order, from 0.
    pub index: u32,
    /// What it does.
    pub kind: Kind,
    /// Where; meaningless for fences and joins.
    pub location: Location,
    /// What it promises.
    pub order: Order,
    /// Of what may write after reading, whether it does or not: a locked instruction of the machine.
    pub locked: bool,
    /// What it reads from.
    pub source: Source,
    /// Of writes: the place in modification order, from 1; the initial value has 0.
    pub place: u32,
    /// Of writes: the value.
    pub value: u64,
}

impl Event {
    /// Whether it reads or writes a location.
    pub fn accesses(&self) -> bool {
        self.kind.reads() || self.kind.writes()
    }

    /// Whether it is a fence that takes part in the order of sequentially consistent events.
    pub fn is_sc_fence(&self) -> bool {
        self.kind == Kind::Fence && self.order == Order::SeqCst
    }
}
