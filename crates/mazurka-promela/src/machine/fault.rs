//! What goes wrong while a model runs.

use crate::words::counted;
use mazurka_diagnostics::Span;

/// The kinds of errors, as SPIN's verifier reports them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An assertion does not hold.
    Assertion,
    /// An index outside of its array.
    Index {
        /// The index.
        value: i32,
        /// The number of elements.
        length: u32,
    },
    /// Division or remainder by zero.
    DivisionByZero,
    /// A channel variable that was never given a channel.
    NoChannel,
    /// A channel whose process is gone, or a number that is no channel.
    DeadChannel,
    /// A message with the wrong number of fields.
    MessageFields {
        /// How many the statement has.
        given: usize,
        /// How many the channel has.
        expected: usize,
    },
    /// Looking at the messages of a rendezvous channel, which has none.
    PollRendezvous,
    /// More processes than there can be.
    TooManyProcesses,
    /// More channels than there can be.
    TooManyChannels,
    /// A priority outside of 1 to 255.
    Priority(i32),
    /// A process that asks whether it could move itself.
    EnabledSelf,
    /// A statement in the middle of a `d_step` that cannot be executed.
    BlockedDeterministic,
    /// A rendezvous inside of a `d_step`.
    RendezvousInDeterministic,
    /// An `atomic` or `d_step` sequence that does not come to an end.
    Endless,
}

/// An error with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Which process.
    pub slot: usize,
    /// The statement.
    pub span: Span,
}

/// What went wrong in a step of control.
#[derive(Debug)]
pub(super) struct Failed {
    pub kind: FaultKind,
    /// The statement within a `d_step`.
    pub inside: Option<Span>,
}

impl From<FaultKind> for Failed {
    fn from(kind: FaultKind) -> Self {
        Failed { kind, inside: None }
    }
}

impl Failed {
    pub fn inside(self, span: Span) -> Self {
        Failed {
            inside: self.inside.or(Some(span)),
            ..self
        }
    }
}

impl FaultKind {
    /// The error as a sentence.
    pub fn message(&self) -> String {
        match self {
            FaultKind::Assertion => "assertion violated".into(),
            FaultKind::Index { value, length } => format!("index {value} is outside of an array of {length} elements"),
            FaultKind::DivisionByZero => "division by zero".into(),
            FaultKind::NoChannel => "the channel variable has no channel yet".into(),
            FaultKind::DeadChannel => "the channel does not exist any more".into(),
            FaultKind::MessageFields { given, expected } => format!("{} for a channel with {expected}", counted(*given, "message field")),
            FaultKind::PollRendezvous => "a rendezvous channel has no messages to look at".into(),
            FaultKind::TooManyProcesses => format!("more than {} processes", crate::lower::MAX_PROCESSES),
            FaultKind::TooManyChannels => format!("more than {} channels", crate::lower::MAX_CHANNELS),
            FaultKind::Priority(value) => format!("the priority {value} is not in the range 1 to 255"),
            FaultKind::EnabledSelf => "a process asks whether it is enabled itself".into(),
            FaultKind::BlockedDeterministic => "a statement inside of `d_step` blocks".into(),
            FaultKind::RendezvousInDeterministic => "a rendezvous inside of `d_step`".into(),
            FaultKind::Endless => "this sequence did not come to an end within the statements that one step may have".into(),
        }
    }

    /// Whether the process can go on after it: SPIN goes on after a failed assertion.
    pub fn is_fatal(&self) -> bool {
        *self != FaultKind::Assertion
    }
}
