//! What a thread knows of itself, as in `shuttle::current`.

use mazurka_native::model::steps_so_far;

/// A thread or task of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(u32);

impl From<TaskId> for usize {
    fn from(id: TaskId) -> usize {
        id.0 as usize
    }
}

/// The thread or task that runs this.
pub fn me() -> TaskId {
    TaskId(steps_so_far().0)
}

/// How many steps it has taken.
pub fn context_switches() -> usize {
    steps_so_far().1 as usize
}
