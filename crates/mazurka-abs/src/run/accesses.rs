//! What a step, or the evaluation of a guard, really touches: written down at the accesses themselves, and then told in locations.
//!
//! It checks what [`crate::footprint`] promises, and shows in pictures what happened. Reads of fields that are never assigned after the
//! initialisation, of futures that the task has waited for before, and all that happens inside objects that the step itself makes are no
//! accesses: nobody can tell when they took place.

use super::exec::Mover;
use super::guard::Verdict;
use super::identity::Place;
use super::machine::{Machine, cogs_of};
use super::state::{NOBODY, Run, Stopped, Task, Waiting};
use crate::code::FutureAt;
use mazurka_core::{Access, Dependency, Footprint, Location, Mode};
use std::rc::Rc;

/// One access, by the slots of this run.
#[derive(Clone, Copy, Debug)]
pub enum Touch {
    /// A field of an object; the one after the last is its life.
    Field {
        /// The object.
        object: u32,
        /// The field.
        field: u32,
        /// Whether it was assigned.
        write: bool,
    },
    /// Whether a future is resolved: the task that resolves it.
    Future(u32),
    /// The same for a future that was found in a field.
    FieldFuture,
    /// The end of the task, which resolves its own future.
    End,
    /// Whether a cog is held.
    Control {
        /// The cog.
        cog: u32,
        /// Whether it was taken or given back.
        write: bool,
    },
}

impl Mover<'_> {
    /// Writes an access down if somebody wants to know.
    #[inline]
    pub(super) fn note(&mut self, touch: Touch) {
        if let Some(log) = &mut self.log {
            log.push(touch);
        }
    }

    /// Writes down that an object is found alive or dead, or ended.
    pub(super) fn note_life(&mut self, object: u32, write: bool) {
        if self.log.is_some() {
            let class = self.run.objects.get(object).class;
            let field = self.machine.program.classes[class as usize].fields.len() as u32;
            self.note(Touch::Field { object, field, write });
        }
    }

    /// Writes down that a field of `this` is looked at.
    #[inline]
    pub(super) fn note_read(&mut self, object: u32, field: u32) {
        self.note(Touch::Field {
            object,
            field,
            write: false,
        });
    }
}

/// A task before its step, or with its guard, and what there was besides: what is younger is the step's own.
#[derive(Debug)]
pub struct Watched {
    task: Rc<Task>,
    declared: Footprint,
    objects: u32,
}

impl Watched {
    /// Writes down that the cogs in which the task worked were looked at, given back or taken.
    pub(super) fn note_cogs(&self, run: &Run, held: bool, holds: bool, touches: &mut Vec<Touch>) {
        let task = &self.task;
        let mut control = |cog: u32, write: bool| touches.push(Touch::Control { cog, write });
        for cog in cogs_of(run, task.cog, &task.frames) {
            if !held {
                control(cog, false);
            }
            if held || holds {
                control(cog, true);
            }
        }
    }
}

impl Machine {
    /// Remembers a task and what there is.
    pub(super) fn watch(&self, run: &Run, place: usize) -> Watched {
        let task = run.live[place].task.clone();
        let mut declared = Footprint::new();
        self.task_footprint(run, &task, &mut declared);
        Watched {
            task,
            declared,
            objects: run.objects.next_index(),
        }
    }

    /// Adds the locations of what a step touched; a task that is gone has ended.
    pub(super) fn tell_step(&self, run: &Run, watched: &Watched, touches: &[Touch], out: &mut Footprint) {
        self.tell(run, watched, touches, false, out);
        if run.find(watched.task.id).is_none() {
            self.tell(run, watched, &[Touch::End], false, out);
        }
        if self.program.timed {
            out.accumulate(self.ids.location(Place::Idleness));
            if self.program.reads_clock || watched.task.stopped.until().is_some() {
                out.read(self.ids.location(Place::Time));
            }
        }
    }

    /// Adds the locations of what was touched. Calls between objects of one cog are declared as touching its inside, and told so.
    fn tell(&self, run: &Run, watched: &Watched, touches: &[Touch], guard: bool, out: &mut Footprint) {
        let task = &watched.task;
        let mut add = |location: Location, mode: Mode| {
            out.add(Access {
                location,
                mode,
                guard,
                maybe: false,
            });
        };
        for touch in touches {
            match *touch {
                Touch::Field { object, field, write } if object < watched.objects => {
                    self.tell_field(run, (object, field), write, &watched.declared, &mut add);
                }
                Touch::Control { cog, write } => {
                    let it = run.cogs.get(cog);
                    let others = || run.live.iter().any(|live| live.task.cog == cog && live.task.id != task.id);
                    // A cog that is taken for never held matters if somebody else is there after all.
                    if self.holdable(it.class) || (write && others()) {
                        add(it.control, if write { Mode::Write } else { Mode::Read });
                    }
                }
                Touch::Field { .. } => {}
                Touch::Future(id) => add(self.ids.future(id), Mode::Read),
                Touch::FieldFuture => add(self.ids.location(Place::Futures), Mode::Read),
                Touch::End => {
                    if task.observed && self.reaches.futures {
                        add(task.future, Mode::Write);
                        if self.program.field_futures {
                            add(self.ids.location(Place::Futures), Mode::Accumulate);
                        }
                    }
                }
            }
        }
    }

    pub(super) fn tell_field(
        &self,
        run: &Run,
        (object, field): (u32, u32),
        write: bool,
        declared: &Footprint,
        add: &mut impl FnMut(Location, Mode),
    ) {
        let object = run.objects.get(object);
        let class = &self.program.classes[object.class as usize];
        if !write && class.constant.get(field as usize).copied().unwrap_or(!self.reaches.dying) {
            return;
        }
        let cog = run.cogs.get(object.cog);
        let mode = if write { Mode::Write } else { Mode::Read };
        if self.settings.dependency == Dependency::Actor {
            add(cog.all, mode);
            return;
        }
        let location = Location(object.location.0 + field);
        let has = |location: Location, writing: bool| {
            let fits = |a: &Access| a.location == location && (a.mode == Mode::Write || !writing);
            declared.accesses().iter().any(fits)
        };
        if !has(location, write) && has(cog.inside, true) {
            add(cog.inside, Mode::Write);
            return;
        }
        add(location, mode);
        if self.reaches.outside {
            add(cog.inside, Mode::Read);
        }
    }

    /// Adds what decides whether the task `process` can move at `run`.
    pub fn guard_touches(&self, run: &Run, process: u32, out: &mut Footprint) {
        if self.is_clock(process) {
            out.guard(self.ids.location(Place::Idleness));
            return;
        }
        let Some(place) = run.find(process) else {
            return;
        };
        let watched = self.watch(run, place);
        let task = &watched.task;
        if task.stopped.until().is_some() {
            out.guard(self.ids.location(Place::Time));
        }
        let mut touches = Vec::new();
        if !task.stopped.holds() {
            watched.note_cogs(run, false, false, &mut touches);
        }
        let this = task.frames.last().map_or(NOBODY, |f| f.this);
        let mut scratch = run.clone();
        let mut mover = Mover::new(self, &mut scratch, task.id, task.slot, task.cog);
        mover.log = Some(&mut touches);
        match &task.stopped {
            Stopped::Await(waiting) => {
                mover.note_wait(&task.stopped, this);
                let _: Verdict = mover.condition(waiting, this);
            }
            Stopped::Get(_) => mover.note_wait(&task.stopped, this),
            Stopped::Fresh | Stopped::Suspended | Stopped::Look(_) | Stopped::Choose(_) | Stopped::Sleep(_) => {}
        }
        self.tell(run, &watched, &touches, true, out);
    }
}

impl Mover<'_> {
    /// Writes down the futures that a task has waited for, or looks at.
    pub(super) fn note_wait(&mut self, stopped: &Stopped, this: u32) {
        match stopped {
            Stopped::Await(waiting) | Stopped::Look(waiting) => self.note_futures(waiting, this),
            Stopped::Get(future) => self.note(Touch::Future(future.id)),
            Stopped::Fresh | Stopped::Suspended | Stopped::Choose(_) | Stopped::Sleep(_) => {}
        }
    }

    /// Writes down the futures that a guard looks at.
    pub(super) fn note_futures(&mut self, waiting: &Waiting, this: u32) {
        if self.log.is_none() {
            return;
        }
        for future in &waiting.futures {
            self.note(Touch::Future(future.id));
        }
        let machine = self.machine;
        for future in &machine.program.guards[waiting.guard as usize].futures {
            if let FutureAt::Field(field) = future {
                self.note_read(this, *field);
                self.note(Touch::FieldFuture);
            }
        }
    }
}
