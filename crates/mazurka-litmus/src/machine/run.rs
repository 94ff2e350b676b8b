//! A state of a [`super::Machine`].

/// A state: the values of all cells, who was spawned, and the fingerprint of both.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub(super) cells: Vec<i32>,
    /// The processes that were spawned, in the order of their birth.
    pub(super) spawned: Vec<u32>,
    pub(super) fingerprint: u128,
}

impl Run {
    pub(super) fn new(cells: Vec<i32>) -> Self {
        Run {
            cells,
            spawned: Vec::new(),
            fingerprint: 0,
        }
    }
}

impl Clone for Run {
    fn clone(&self) -> Self {
        Run {
            cells: self.cells.clone(),
            spawned: self.spawned.clone(),
            fingerprint: self.fingerprint,
        }
    }

    /// Reuses the memory of the old run.
    fn clone_from(&mut self, source: &Self) {
        self.cells.clone_from(&source.cells);
        self.spawned.clone_from(&source.spawned);
        self.fingerprint = source.fingerprint;
    }
}
