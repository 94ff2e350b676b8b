//! A model in the form that is executed: layouts, expressions, statements, and the control-flow graph of every process type.

use crate::ast::Probe;
use crate::expansion::Expansions;
use mazurka_diagnostics::Span;
use mazurka_ltl::Automaton;
use std::sync::Arc;

/// How a value is kept in the state: SPIN's verifier stores what the C type can hold and forgets the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// One bit, in a byte.
    Bit,
    /// 0 to 255.
    Byte,
    /// 16 bits with sign.
    Short,
    /// 32 bits with sign.
    Int,
    /// The given number of bits without sign.
    Unsigned(u8),
}

impl Kind {
    /// How many bytes of the state it takes.
    pub fn size(self) -> u32 {
        match self {
            Kind::Bit | Kind::Byte => 1,
            Kind::Short => 2,
            Kind::Int => 4,
            Kind::Unsigned(bits) => match bits {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            },
        }
    }

    /// What is left of a value that is stored.
    pub fn wrap(self, value: i32) -> i32 {
        match self {
            Kind::Bit => value & 1,
            Kind::Byte => value & 0xff,
            Kind::Short => i32::from(value as i16),
            Kind::Int => value,
            Kind::Unsigned(bits) if bits >= 32 => value,
            Kind::Unsigned(bits) => value & ((1i32 << bits).wrapping_sub(1)),
        }
    }
}

/// What a value means to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A number.
    Number,
    /// A name of this `mtype` family.
    Mtype(usize),
    /// The number of a channel.
    Channel,
}

/// In which part of the state a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// Shared by all processes.
    Global,
    /// In the frame of the process.
    Local,
    /// Nowhere: the write-only `_`.
    Nowhere,
}

/// A variable, perhaps an element of an array or a field of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where it lives.
    pub space: Space,
    /// The offset with all indices zero.
    pub offset: u32,
    /// How it is stored.
    pub kind: Kind,
    /// The indices, each moving the offset.
    pub indices: Box<[Index]>,
}

/// An index into an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    /// Its value.
    pub value: Ex,
    /// It must be below this.
    pub length: u32,
    /// Bytes per element.
    pub stride: u32,
}

/// Operators on two numbers; the comparisons give 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An expression ready to be evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ex {
    /// A number.
    Const(i32),
    /// The value of a variable.
    Load(Place),
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    ProcessCount,
    /// `timeout`.
    Timeout,
    /// `np_`: no process stands at a `progress` label.
    NonProgress,
    /// `get_priority(pid)`.
    Priority(Box<Ex>),
    /// `enabled(pid)`.
    Enabled(Box<Ex>),
    /// `!`.
    Not(Box<Ex>),
    /// `-`.
    Negate(Box<Ex>),
    /// `~`.
    Invert(Box<Ex>),
    /// A binary operator.
    Binary(Operator, Box<(Ex, Ex)>),
    /// `(c -> a : b)`.
    Conditional(Box<(Ex, Ex, Ex)>),
    /// `len(q)` and its kin.
    Probe(Probe, Box<Ex>),
    /// `q?[…]`.
    Poll {
        /// The channel.
        channel: Box<Ex>,
        /// The pattern.
        pattern: Box<[Pattern]>,
        /// Any message instead of the oldest.
        random: bool,
    },
    /// `P[pid]@label`.
    RemoteLabel {
        /// The process type.
        proctype: usize,
        /// Which process; the first of its type if not said.
        pid: Option<Box<Ex>>,
        /// The location of the label.
        location: u32,
    },
    /// `P[pid]:variable`.
    RemoteVariable {
        /// The process type.
        proctype: usize,
        /// Which process; the first of its type if not said.
        pid: Option<Box<Ex>>,
        /// The variable in its frame.
        place: Box<Place>,
    },
}

/// What a receive wants of one field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// This value.
    Match(Ex),
    /// Any value, stored here.
    Store(Place),
}

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Nothing: `skip`, and jumps that SPIN counts as steps.
    Skip,
    /// `else`: when no earlier alternative can be taken.
    Else,
    /// An expression as a statement.
    Condition(Ex),
    /// An assignment.
    Assign(Place, Ex),
    /// A send.
    Send {
        /// The channel.
        channel: Ex,
        /// The message.
        args: Box<[Ex]>,
        /// In order instead of at the end.
        sorted: bool,
    },
    /// A receive.
    Receive {
        /// The channel.
        channel: Ex,
        /// What is wanted of each field.
        pattern: Box<[Pattern]>,
        /// The first message that fits instead of the oldest.
        random: bool,
        /// The message stays.
        peek: bool,
    },
    /// `run`, with where the new pid goes.
    Run {
        /// The process type.
        proctype: usize,
        /// The values of its parameters.
        args: Box<[Ex]>,
        /// Where the pid is stored.
        result: Option<Place>,
        /// The priority of the new process.
        priority: u8,
    },
    /// `set_priority(pid, n)`.
    SetPriority(Box<(Ex, Ex)>),
    /// `assert`.
    Assert(Ex),
    /// `printf` and `printm`: evaluated for their errors only.
    Print(Box<[Ex]>),
    /// `d_step { … }`.
    Deterministic(Box<Deterministic>),
    /// The process ends and leaves the state, once it is the youngest.
    End,
}

/// The inside of a `d_step`: at each node the first alternative that can be taken is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deterministic {
    /// The nodes; the first one is the start.
    pub nodes: Vec<DeterministicNode>,
}

/// One point inside a `d_step`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeterministicNode {
    /// The alternatives in order: what is done, and the next node, `None` at the end.
    pub edges: Vec<(Op, Option<usize>)>,
    /// Where it stands.
    pub span: Span,
}

/// One alternative at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// What is done.
    pub op: Op,
    /// The location after it.
    pub target: u32,
    /// Whether the process keeps control after it: inside `atomic`, not its last statement.
    pub atomic: bool,
    /// The escape (`unless`) it belongs to; 0 for none. Once an edge of an escape can be taken, edges of others cannot.
    pub escape: u32,
    /// The statement in the source.
    pub span: Span,
}

/// A point of control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The alternatives, in SPIN's order.
    pub edges: Vec<Edge>,
    /// Whether a process may rest here for ever.
    pub is_end: bool,
    /// Whether an `accept` label stands here.
    pub is_accept: bool,
    /// Whether a `progress` label stands here.
    pub is_progress: bool,
    /// Whether a round through a loop may begin here: whoever comes back to where they were has been at such a place.
    pub begins_loop: bool,
    /// The statements of [`Proctype::listed`] that a process comes to here.
    pub listed: Vec<u32>,
    /// The labels that stand here.
    pub labels: Vec<Arc<str>>,
    /// Where it stands.
    pub span: Span,
}

/// The type of a channel: how many messages of which fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its name in the source.
    pub name: String,
    /// How many messages fit; 0 for rendezvous.
    pub capacity: u32,
    /// The fields of a message.
    pub fields: Vec<Kind>,
    /// What the fields mean.
    pub meanings: Vec<Meaning>,
    /// Bytes per message.
    pub message_size: u32,
}

impl Channel {
    /// Bytes of the state: the number of messages, then the messages.
    pub fn size(&self) -> u32 {
        1 + self.capacity * self.message_size
    }
}

/// A channel that comes into being with its owner: the globals, or a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelSlot {
    /// Its type, an index into [`Model::channels`].
    pub channel: usize,
    /// Where its messages are kept, relative to the owner.
    pub storage: u32,
    /// The variable that names it, relative to the owner.
    pub variable: u32,
}

/// A scalar variable, array element or record field with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The name as the user would write it: `x`, `a[2]`, `r.f`.
    pub name: String,
    /// Where it lives, relative to the globals or the frame.
    pub offset: u32,
    /// How it is stored.
    pub kind: Kind,
    /// What its value means.
    pub meaning: Meaning,
    /// The array or record variable it belongs to: an index that groups cells.
    pub variable: u32,
    /// Declared `hidden`: no part of what tells states apart.
    pub hidden: bool,
}

/// A statement that is listed if no process ever comes to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Where it stands.
    pub span: Span,
    /// Whether it is the end of the process.
    pub is_end: bool,
}

/// What a variable is set to before anything runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstValue {
    /// The variable.
    pub place: Place,
    /// The value.
    pub value: Ex,
    /// Its declaration.
    pub span: Span,
}

/// A process type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: Arc<str>,
    /// Where each parameter is kept.
    pub parameters: Vec<(u32, Kind)>,
    /// First values of locals, set in this order when a process is born.
    pub initial: Vec<FirstValue>,
    /// Its own channels.
    pub channels: Vec<ChannelSlot>,
    /// Its local variables.
    pub cells: Vec<Cell>,
    /// Bytes of a frame.
    pub frame_size: u32,
    /// The condition under which its processes may move.
    pub provided: Option<Ex>,
    /// The priority of its processes that exist from the start.
    pub priority: u8,
    /// The control-flow graph.
    pub locations: Vec<Location>,
    /// The statements, in the order of the text.
    pub listed: Vec<Listed>,
    /// Where a process starts.
    pub start: u32,
    /// The location of a process that an error stopped: no way out, and no deadlock either.
    pub crashed: u32,
}

/// What is asked of executions without end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What it is, as a part of a sentence: `claim p1`.
    pub what: String,
    /// Where it is written; nowhere if it follows from labels.
    pub span: Span,
    /// What must not happen.
    pub never: Never,
}

/// What must not happen in executions without end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Never {
    /// What an automaton over expressions accepts: the negation of a formula.
    Formula {
        /// What the atoms stand for.
        atoms: Vec<Ex>,
        /// The automaton.
        automaton: Automaton,
        /// Whether it cannot tell how often a state is repeated.
        stutter_invariant: bool,
    },
    /// What a `never` claim comes to the end of, or goes through its `accept` labels with for ever.
    Process {
        /// Its control-flow graph.
        locations: Vec<Location>,
        /// Where it starts.
        start: u32,
        /// Whether it has `accept` labels. If not, those of the model's processes stand for them.
        accepts: bool,
    },
    /// That some process comes to its `accept` labels for ever.
    AcceptLabels,
    /// That from some time on no process comes to its `progress` labels.
    NonProgress,
}

/// A whole model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The file name, for messages.
    pub name: String,
    /// Global variables.
    pub cells: Vec<Cell>,
    /// First values of globals, in order.
    pub initial: Vec<FirstValue>,
    /// Global channels.
    pub global_channels: Vec<ChannelSlot>,
    /// The types of channels.
    pub channels: Vec<Channel>,
    /// Bytes of the globals with their channels.
    pub globals_size: u32,
    /// Ranges of the globals that are `hidden` and that nothing reads: no part of what tells states apart.
    pub hidden: Vec<std::ops::Range<u32>>,
    /// The process types.
    pub proctypes: Vec<Proctype>,
    /// The processes that exist from the start, by process type.
    pub active: Vec<usize>,
    /// Whether processes have priorities: then every frame begins with one, at [`PRIORITY`].
    pub priorities: bool,
    /// Whether who has a lower priority waits.
    pub ranked: bool,
    /// The names of each `mtype` family by value; value 0 has no name.
    pub mtypes: Vec<Vec<Arc<str>>>,
    /// What is asked of executions without end.
    pub claims: Vec<Claim>,
    /// What calls of inlines stand for.
    pub(crate) expansions: Expansions,
}

/// Bytes at the start of a frame: process type (1) and location (2).
pub const FRAME_HEADER: u32 = 3;
/// Where a frame keeps the priority of its process, in models that have them.
pub const PRIORITY: u32 = FRAME_HEADER;
/// Bytes at the start of the state: the number of processes.
pub const STATE_HEADER: u32 = 1;
