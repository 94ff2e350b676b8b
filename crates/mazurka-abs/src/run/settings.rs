//! What a user can choose about how a model is run.

use mazurka_core::Dependency;

/// What `await g` does when `g` holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AwaitSemantics {
    /// Goes on without letting others run (the formal semantics).
    #[default]
    Formal,
    /// Lets others run first (the reference implementation).
    Release,
}

/// Which endings with unfinished tasks are failures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeadlockPolicy {
    /// All.
    #[default]
    Error,
    /// Only those with a task that is blocked in a `get` or a synchronous call; tasks may wait in an `await` for ever.
    BlockedOnly,
    /// None.
    Ignore,
}

/// Which names tasks get.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// Each another one, so that a model whose loops start tasks never comes back to a state, and can be merged.
    #[default]
    Grow,
    /// That of a task which has ended, where nobody can know it any more: a model that runs for ever may have few states.
    Forget,
}

/// How a model is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What counts as one shared thing.
    pub dependency: Dependency,
    /// What `await g` does when `g` holds.
    pub await_semantics: AwaitSemantics,
    /// Which endings with unfinished tasks are failures.
    pub deadlock: DeadlockPolicy,
    /// Whether it is a failure that a task has not ended by its deadline.
    pub missed_deadlines: bool,
    /// Calls and rounds of loops that one step may do before it is taken for endless.
    pub step_budget: u64,
    /// Numbers that one `random` may choose from.
    pub choices: u32,
    /// Which names tasks get.
    pub names: Naming,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            dependency: Dependency::Field,
            await_semantics: AwaitSemantics::Formal,
            deadlock: DeadlockPolicy::Error,
            missed_deadlines: false,
            step_budget: 5_000_000,
            choices: 1_000_000,
            names: Naming::Grow,
        }
    }
}
