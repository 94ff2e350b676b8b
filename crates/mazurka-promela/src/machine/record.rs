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

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static GUARD: Cell<bool> = const { Cell::new(false) };
    static NOTES: RefCell<Vec<Note>> = const { RefCell::new(Vec::new()) };
}

/// Notes the accesses of the current thread while it is asked to: a machine is shared by all that run it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recorder;

impl Recorder {
    /// Notes what `work` accesses.
    pub fn notes<T>(&self, work: impl FnOnce() -> T) -> (T, Vec<Note>) {
        // Left over if somebody panicked while it was on.
        NOTES.take();
        ON.set(true);
        let result = work();
        ON.set(false);
        (result, NOTES.take())
    }

    /// What `work` reads decides about what can be executed.
    pub fn deciding<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = GUARD.replace(true);
        let result = work();
        GUARD.set(before);
        result
    }

    /// Notes nothing of what `work` accesses.
    pub fn paused<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = ON.replace(false);
        let result = work();
        ON.set(before);
        result
    }

    #[inline]
    pub fn read(&self, what: Touched) {
        if ON.get() {
            self.note(what, false);
        }
    }

    #[inline]
    pub fn write(&self, what: Touched) {
        if ON.get() {
            self.note(what, true);
        }
    }

    #[cold]
    fn note(&self, what: Touched, write: bool) {
        let note = Note {
            what,
            write,
            guard: GUARD.get(),
        };
        NOTES.with_borrow_mut(|notes| {
            if !notes.contains(&note) {
                notes.push(note);
            }
        });
    }
}
