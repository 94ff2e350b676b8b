//! Which process to try first.

/// How the first process to try at a new state is picked. It changes how much work some algorithms do, never what they cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Oldest pending first: the order in which [`Program::pending`](crate::Program::pending) lists transitions.
    #[default]
    Fifo,
    /// Earliest created actor first.
    Eca,
    /// Latest created actor first.
    Lca,
    /// An actor that no other can still send to first (FORTE'14).
    Stable,
    /// Any, decided by a seeded hash of the transition and the depth.
    Random(u64),
}
