//! What a machine really accesses, noted where it happens: so that what the text is said to access can be held against it.

use std::cell::{Cell, RefCell};

/// Something that processes share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Touched {
    /// The global cell at this offset.
    Cell(u32),
    /// A channel: the process that brought it with it, `None` for a global one, and its place among the channels of its owner.
    Channel(Option<usize>, usize),
    /// A channel that was looked for and is not there.
    NoChannel,
    /// Which channels there are.
    NewChannels,
    /// Who is alive.
    Population,
    /// Births alone.
    Births,
    /// Control points and locals of processes of this type.
    Process(usize),
    /// The priorities of processes.
    Priorities,
    /// What other processes could do.
    Everything,
}

/// One access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Note {
    /// What.
    pub what: Touched,
    /// Changed rather than looked at.
    pub write: bool,
    /// Whether it was looked at to find out what can be executed.
    pub guard: bool,
}

/// Notes accesses while it is asked to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    on: Cell<bool>,
    guard: Cell<bool>,
    notes: RefCell<Vec<Note>>,
}

impl Recorder {
    /// Notes what `work` accesses.
    pub fn notes<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<Note>) {
        self.on.set(true);
        let result = work();
        self.on.set(false);
        (result, self.notes.take())
    }

    /// What `work` reads decides about what can be executed.
    pub fn deciding<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.guard.replace(true);
        let result = work();
        self.guard.set(before);
        result
    }

    /// Notes nothing of what `work` accesses.
    pub fn paused<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.on.replace(false);
        let result = work();
        self.on.set(before);
        result
    }

    #[inline]
    pub fn read(&self, what: Touched) {
        if self.on.get() {
            self.note(what, false);
        }
    }

    #[inline]
    pub fn write(&self, what: Touched) {
        if self.on.get() {
            self.note(what, true);
        }
    }

    #[cold]
    fn note(&self, what: Touched, write: bool) {
        let note = Note {
            what,
            write,
            guard: self.guard.get(),
        };
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}
