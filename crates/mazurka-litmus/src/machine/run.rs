//! A state of a [`super::Machine`].

/// A state: the values of all cells, who was spawned, and the fingerprint of both.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub(super) cells: Vec<i32>,
    /// The processes that were spawned, in the order of their birth.
    pub(super) spawned: Vec<u32>,
    /// Those of them that are unfinished.
    pub(super) live: Vec<u32>,
    pub(super) fingerprint: u128,
    /// The part of the fingerprint that the cells of spawned processes contribute.
    pub(super) tasks: u128,
    /// The part of the fingerprint that the shared variables contribute.
    pub(super) shared: u128,
    /// What the finished ones of the spawned processes knew in the end: a sum over them that does not depend on their names.
    pub(super) finished: u128,
}

impl Run {
    pub(super) fn new(cells: Vec<i32>) -> Self {
        Run {
            cells,
            spawned: Vec::new(),
            live: Vec::new(),
            fingerprint: 0,
            tasks: 0,
            shared: 0,
            finished: 0,
        }
    }
}

impl Clone for Run {
    fn clone(&self) -> Self {
        Run {
            cells: self.cells.clone(),
            spawned: self.spawned.clone(),
            live: self.live.clone(),
            fingerprint: self.fingerprint,
            tasks: self.tasks,
            shared: self.shared,
            finished: self.finished,
        }
    }

    /// Reuses the memory of the old run.
    fn clone_from(&mut self, source: &Self) {
        self.cells.clone_from(&source.cells);
        // Most programs spawn nothing.
        if !(self.spawned.is_empty() && source.spawned.is_empty()) {
            self.spawned.clone_from(&source.spawned);
            self.live.clone_from(&source.live);
        }
        self.fingerprint = source.fingerprint;
        self.tasks = source.tasks;
        self.shared = source.shared;
        self.finished = source.finished;
    }
}
