//! What a cone knows about the guard of its last step: whether `f` could be taken after `s.u`.

use super::intern::Interner;
use crate::comparable::{Comparable, Predicate};
use crate::footprint::{Access, Mode};
use crate::program::{Location, Process, Program};
use smallvec::SmallVec;

/// The number of what is known about a guard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct GuardId(pub u32);

impl GuardId {
    /// The step has no guard.
    pub const NONE: GuardId = GuardId(0);
    /// The step waits for what the process waits for now, and nothing in `u` touches that.
    pub const FRESH: GuardId = GuardId(1);
    /// Something in `u` touches what the guard reads, or the process moves in `u`.
    pub const AFFECTED: GuardId = GuardId(2);
    /// The first number that stands for a condition.
    const CONDITIONS: u32 = 3;
    /// Not a guard: the cone stands for many.
    pub const COLLAPSED: GuardId = GuardId(u32::MAX);
}

/// A location that the step changed, with its values before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub location: Location,
    pub mode: Mode,
    pub before: i64,
    pub after: i64,
}

/// The changes of one step.
pub(crate) type Changes = SmallVec<[Change; 2]>;

/// How much of the values the search can see.
pub(crate) trait Lens<P: Program> {
    /// What is known of the guard of the step that `process` takes next.
    fn guard(&mut self, program: &P, run: &P::Run, process: Process, accesses: &[Access]) -> GuardId;

    /// The values that a step is about to change (`before`), and has changed.
    fn before(&self, program: &P, run: &P::Run, accesses: &[Access], changes: &mut Changes);

    /// Completes what [`Lens::before`] began.
    fn after(&self, program: &P, run: &P::Run, changes: &mut Changes);

    /// The guard when a step is put before everything else in `u`; `touches` says whether that step touches what the guard reads, or
    /// is of the same process, or its birth.
    fn extended(&mut self, guard: GuardId, changes: &Changes, touches: bool) -> GuardId;

    /// Whether the step can be taken after `run.u`; true if that is not known. `enabled` says whether its process is enabled at `run`.
    fn holds(&mut self, program: &P, run: &P::Run, guard: GuardId, enabled: bool) -> bool;
}

/// Sees no values: a guard that something in `u` touches is taken to hold. That is sound, since a reversal that turns out to be
/// impossible only costs explorations.
#[derive(Default)]
pub(crate) struct Opaque;

impl<P: Program> Lens<P> for Opaque {
    fn guard(&mut self, _: &P, _: &P::Run, _: Process, _: &[Access]) -> GuardId {
        GuardId::FRESH
    }

    fn before(&self, _: &P, _: &P::Run, _: &[Access], _: &mut Changes) {}

    fn after(&self, _: &P, _: &P::Run, _: &mut Changes) {}

    fn extended(&mut self, guard: GuardId, _: &Changes, touches: bool) -> GuardId {
        if touches { GuardId::AFFECTED } else { guard }
    }

    fn holds(&mut self, _: &P, _: &P::Run, guard: GuardId, enabled: bool) -> bool {
        guard == GuardId::AFFECTED || enabled
    }
}

/// What a location that a condition reads is after `u`, compared with before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Binding {
    /// As before, plus what `u` accumulates there.
    Shifted(i64),
    /// What `u` writes there.
    Set(i64),
}

/// A predicate, what it knows of local values, and what became of the shared values it reads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Condition {
    pub predicate: Predicate,
    pub locals: SmallVec<[i64; 4]>,
    pub reads: SmallVec<[(Location, Binding); 2]>,
}

impl Default for Condition {
    fn default() -> Self {
        Condition {
            predicate: Predicate(u32::MAX),
            locals: SmallVec::new(),
            reads: SmallVec::new(),
        }
    }
}

impl Condition {
    /// Its value after `run.u`.
    pub fn evaluate<P: Comparable>(&self, program: &P, run: &P::Run) -> u64 {
        let mut instead: SmallVec<[(Location, i64); 4]> = SmallVec::new();
        for (location, binding) in &self.reads {
            match *binding {
                Binding::Shifted(0) => {}
                Binding::Shifted(by) => instead.push((*location, program.value(run, *location).wrapping_add(by))),
                Binding::Set(value) => instead.push((*location, value)),
            }
        }
        program.evaluate(run, self.predicate, &self.locals, &instead)
    }

    /// Puts a step before `u`. `None` if that changes nothing.
    pub fn extended(&self, changes: &Changes) -> Option<Condition> {
        let mut new: Option<Condition> = None;
        for change in changes {
            for (i, (location, binding)) in self.reads.iter().enumerate() {
                if let (true, Binding::Shifted(by)) = (*location == change.location, *binding) {
                    let binding = match change.mode {
                        Mode::Accumulate => Binding::Shifted(by.wrapping_add(change.after.wrapping_sub(change.before))),
                        _ => Binding::Set(change.after.wrapping_add(by)),
                    };
                    new.get_or_insert_with(|| self.clone()).reads[i].1 = binding;
                }
            }
        }
        new
    }
}

/// Sees values: guards are evaluated in the context where they would be.
#[derive(Default)]
pub(crate) struct Seeing {
    pub conditions: Interner<Condition>,
    locals: Vec<i64>,
}

impl Seeing {
    fn intern(&mut self, condition: Condition) -> GuardId {
        GuardId(self.conditions.intern(condition).0 + GuardId::CONDITIONS)
    }

    pub fn condition(&self, guard: GuardId) -> &Condition {
        self.conditions.get(guard.0 - GuardId::CONDITIONS)
    }
}

impl<P: Comparable> Lens<P> for Seeing {
    fn guard(&mut self, program: &P, run: &P::Run, process: Process, accesses: &[Access]) -> GuardId {
        self.locals.clear();
        let predicate = program.guard(run, process, &mut self.locals);
        let condition = Condition {
            predicate,
            locals: SmallVec::from_slice(&self.locals),
            reads: accesses
                .iter()
                .filter(|a| a.guard)
                .map(|a| (a.location, Binding::Shifted(0)))
                .collect(),
        };
        self.intern(condition)
    }

    fn before(&self, program: &P, run: &P::Run, accesses: &[Access], changes: &mut Changes) {
        changes.clear();
        for a in accesses.iter().filter(|a| a.mode != Mode::Read) {
            let before = program.value(run, a.location);
            changes.push(Change {
                location: a.location,
                mode: a.mode,
                before,
                after: before,
            });
        }
    }

    fn after(&self, program: &P, run: &P::Run, changes: &mut Changes) {
        changes.iter_mut().for_each(|c| c.after = program.value(run, c.location));
    }

    fn extended(&mut self, guard: GuardId, changes: &Changes, touches: bool) -> GuardId {
        if !touches {
            return guard;
        }
        match self.condition(guard).extended(changes) {
            Some(condition) => self.intern(condition),
            None => guard,
        }
    }

    fn holds(&mut self, program: &P, run: &P::Run, guard: GuardId, _: bool) -> bool {
        self.condition(guard).evaluate(program, run) != 0
    }
}
