//! The exploration tree: every step that a search took, where it stopped and why.

/// The tree, or as much of it as was kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// The nodes, each after its parent. The first is the start.
    pub nodes: Vec<Node>,
    /// Whether the search took more steps than were kept.
    pub truncated: bool,
}

/// A step in the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The step before, by index; the start is its own parent.
    pub parent: usize,
    /// Who moved.
    pub process: String,
    /// What it did.
    pub label: String,
    /// The process, as schedules name it; empty at the start.
    pub key: String,
    /// Its choice, where it has several.
    pub choice: u32,
    /// How the execution ended here, if one did.
    pub end: Option<End>,
}

/// How an execution ended in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Every process finished.
    Finished,
    /// Some process waits for ever.
    Deadlock,
    /// All that was enabled slept: what follows was explored from another node.
    Sleep,
    /// The state had been reached before.
    Context,
    /// The depth limit.
    Bound,
    /// A step failed.
    Failed,
}

impl End {
    /// The word used in the report.
    pub fn name(self) -> &'static str {
        match self {
            End::Finished => "finished",
            End::Deadlock => "deadlock",
            End::Sleep => "sleep",
            End::Context => "context",
            End::Bound => "bound",
            End::Failed => "failed",
        }
    }
}
