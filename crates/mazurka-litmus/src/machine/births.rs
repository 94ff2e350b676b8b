//! Which process has which id, and where its cells are in a run.

use super::hash::Key;
use mazurka_core::{Growing, Names, Process};
use std::sync::atomic::{AtomicU32, Ordering};

/// The place of a process: what it runs, where its cells start, and the key of its fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub body: u32,
    pub base: u32,
    pub key: Key,
    /// Whether it is spawned by another one.
    pub task: bool,
}

/// The table of all processes that any run has seen. Ids and cells are handed out in the order of first birth; keys, and with them
/// fingerprints, depend on the place of birth only.
#[derive(Debug)]
pub(super) struct Births {
    names: Names,
    bodies: u32,
    slots: Growing<Slot>,
    cells: AtomicU32,
}

impl Births {
    pub(super) fn new(bodies: usize, shared: usize) -> Self {
        Births {
            names: Names::default(),
            bodies: bodies as u32,
            slots: Growing::default(),
            cells: AtomicU32::new(shared as u32),
        }
    }

    /// The names of all of them.
    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// A process that exists from the start.
    pub(super) fn root(&self, nth: usize, body: usize, cells: usize) -> (Process, Slot) {
        let id = self.names.root(nth as u32);
        (Process(id), self.slot_of(id, body, cells, || (Key::root(nth), false)))
    }

    /// The `nth` process that `parent` spawned, if it runs `body`.
    pub(super) fn child(&self, parent: Process, nth: u32, body: usize, cells: usize) -> (Process, Slot) {
        // The body is part of the name, so that an id always stands for the same code and the same number of cells.
        let id = self.names.child(parent.0, nth.wrapping_mul(self.bodies).wrapping_add(body as u32));
        let key = || (self.slot(parent).key.child(nth, body), true);
        (Process(id), self.slot_of(id, body, cells, key))
    }

    /// The slot of that number; if the process was never seen, it gets the key that `made` returns, with whether it is a task.
    fn slot_of(&self, id: u32, body: usize, cells: usize, made: impl FnOnce() -> (Key, bool)) -> Slot {
        *self.slots.get_or_add(id, || {
            let (key, task) = made();
            Slot {
                body: body as u32,
                base: self.cells.fetch_add(cells as u32, Ordering::Relaxed),
                key,
                task,
            }
        })
    }

    #[inline]
    pub(super) fn slot(&self, process: Process) -> Slot {
        *self.slots.get(process.0).expect("a process that was born")
    }

    /// The parent, if there is one, and which of its spawns this is.
    pub(super) fn birth(&self, process: Process) -> (Option<Process>, u32) {
        let (parent, nth) = self.names.birth(process.0);
        match parent {
            None => (None, nth),
            Some(p) => (Some(Process(p)), nth / self.bodies),
        }
    }
}
