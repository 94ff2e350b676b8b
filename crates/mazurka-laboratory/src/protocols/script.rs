//! Small protocols as data.
//!
//! There are up to three nodes of one kind. A node has two registers, the first of which survives a crash, and two timers. A message is a method; a
//! method sends only later ones, by itself or through a timer, so every execution ends.
//!
//! Nodes know each other by their places, or, if some are interchangeable, as a set without an order; then they remember who they heard from last.

use mazurka_actors::Delivery;
use mazurka_core::Dependency;

/// How many registers, and how many timers, a node has.
pub const REGISTERS: usize = 2;
/// Their names.
pub const NAMES: [&str; REGISTERS] = ["r0", "r1"];
/// The names of the timers.
pub const TIMERS: [&str; 2] = ["t0", "t1"];

/// A protocol with the world that it runs in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The registers of the nodes at the start.
    pub nodes: Vec<[u8; REGISTERS]>,
    /// What nodes can be asked to do.
    pub methods: Vec<Method>,
    /// The messages under way at the start: to whom, and which.
    pub start: Vec<(usize, usize)>,
    /// Timers that are set at the start: whose, which, after what time, and what it says.
    pub timers: Vec<(usize, usize, u64, usize)>,
    /// What a node does when it restarts.
    pub restart: Option<Operation>,
    /// In which order messages arrive.
    pub delivery: Delivery,
    /// How finely steps on one node are told apart.
    pub dependency: Dependency,
    /// Whether timers fire in the order of their times.
    pub clock: bool,
    /// Whether messages are faster than timers; needs a clock.
    pub fast: bool,
    /// The first registers of all nodes, or of the first two, are never more than this together.
    pub invariant: Option<(u8, bool)>,
    /// What may go wrong.
    pub faults: Faults,
    /// So many of the first nodes are interchangeable; 0 if none are.
    pub interchangeable: usize,
}

/// What may go wrong: how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// Messages that get lost.
    pub losses: u32,
    /// Only those from the first node to the last get lost.
    pub one_link: bool,
    /// Messages that arrive twice.
    pub duplicates: u32,
    /// Crashes of the first two nodes.
    pub crashes: u32,
    /// Who crashes stays down.
    pub for_good: bool,
    /// Partitions around the first node.
    pub partitions: u32,
}

/// What a node can be asked to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Method {
    /// It is accepted only while this register has this value.
    pub guard: Option<(usize, u8)>,
    /// Whether the handler says which registers it touches.
    pub declares: bool,
    /// What is done, in order.
    pub operations: Vec<Operation>,
}

/// One thing that a method does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A register gets a value.
    Set(usize, u8),
    /// A register grows, modulo 4.
    Add(usize, u8),
    /// A register gets one of so many values.
    Choose(usize, u32),
    /// A message to the node so many places further. Where nodes are interchangeable: to itself, to all others, or to the one that it heard from last.
    Send(usize, usize),
    /// A timer is set: which, after what time, and what it says.
    Timer(usize, u64, usize),
    /// A timer is cancelled.
    Cancel(usize),
    /// Fails if a register has a value.
    Never(usize, u8),
    /// Only if a register has a value.
    If(usize, u8, Box<Operation>),
}

impl Operation {
    /// The operation inside of all conditions.
    pub fn core(&self) -> &Operation {
        match self {
            Operation::If(_, _, inner) => inner.core(),
            other => other,
        }
    }
}

impl Method {
    /// Whether the handler chooses.
    pub fn chooses(&self) -> bool {
        self.operations.iter().any(|o| matches!(o.core(), Operation::Choose(..)))
    }
}
