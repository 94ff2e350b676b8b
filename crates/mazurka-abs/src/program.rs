//! An ABS model as the engine sees it: tasks are processes; cogs or fields, futures and the control of cogs are locations.
//!
//! # Locations
//! With `--dependency actor` a step writes the one location of its cog. With `--dependency field` it reads and writes the fields that its
//! code may touch up to the next scheduling points ([`crate::reach`]). Either way:
//! * the *future* of a task is written by the task and guards those who wait for it; starting a task is a birth and touches nothing;
//! * the *control* of a cog is written by steps that end, or started, blocked in the middle of their work (`get`, a synchronous call of
//!   another cog, a look at a future, a choice) and guards the steps of all other tasks of the cog. Cogs that can never be held have none.

use crate::code::FutureAt;
use crate::reach::Reach;
use crate::run::Machine;
use crate::run::identity::Place;
use crate::run::state::{NOBODY, Run, Stopped, Task, Waiting};
use mazurka_core::{
    Dependency, Effects, Failure, Features, Fingerprint, Footprint, Location, Order, Pending, Process, Program, StateSpace, Transition,
};

impl Program for Machine {
    type Run = Run;

    fn start(&self) -> Run {
        Machine::start(self)
    }

    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        for live in &run.live {
            let enabled = self.enabled(run, live);
            let process = Process(live.task.id);
            let choices = match live.task.stopped {
                Stopped::Choose(n) => n,
                _ => 1,
            };
            out.extend((0..choices).map(|choice| Pending {
                transition: Transition { process, choice },
                enabled,
            }));
        }
    }

    fn footprint(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        if let Some(place) = run.find(transition.process.0) {
            self.task_footprint(run, &run.live[place].task, out);
        }
    }

    fn step(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        Machine::step(self, run, transition.process.0, transition.choice, effects);
    }

    fn fingerprint(&self, run: &Run) -> Fingerprint {
        run.fingerprint(&self.ids, self.program.property.is_some())
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        Machine::failures_at_end(self, run, out);
    }

    fn may_guard(&self, location: Location) -> bool {
        match self.ids.place(location) {
            Some(Place::Field(object, field)) => self.guarded_fields[self.ids.object_class(object) as usize]
                .get(field as usize)
                .copied()
                .unwrap_or(false),
            _ => true,
        }
    }

    fn features(&self) -> Features {
        let holds = self.reaches.main_holds || self.reaches.class_holds.contains(&true);
        let apart = !self.reaches.futures && !holds;
        Features {
            static_footprints: true,
            one_location_per_step: self.settings.dependency == Dependency::Actor && apart,
            terminating: self.reaches.acyclic,
            actors: apart,
        }
    }

    fn actor(&self, run: &Run, transition: Transition) -> Option<u32> {
        let task = &run.live[run.find(transition.process.0)?].task;
        // The number of the cog's location is the same in every schedule.
        Some(run.cogs.get(task.cog).all.0)
    }

    fn precedence(&self, run: &Run, order: Order, transition: Transition) -> Option<u64> {
        let task = &run.live[run.find(transition.process.0)?].task;
        match order {
            Order::Eca => Some(u64::from(task.cog)),
            Order::Lca => Some(u64::from(u32::MAX - task.cog)),
            Order::Stable => Some(self.instability(run, task.cog)),
            Order::Fifo | Order::Random(_) => None,
        }
    }
}

impl StateSpace for Machine {}

impl Machine {
    fn task_footprint(&self, run: &Run, task: &Task, out: &mut Footprint) {
        let cog = run.cogs.get(task.cog);
        let by_field = self.settings.dependency == Dependency::Field;
        if !by_field {
            out.may_write(cog.all);
        }
        let holdable = match cog.class {
            Some(class) => self.reaches.class_holds[class as usize],
            None => self.reaches.main_holds,
        };
        let this = task.frames.last().map_or(NOBODY, |f| f.this);
        match &task.stopped {
            Stopped::Fresh | Stopped::Suspended | Stopped::Choose(_) => {}
            Stopped::Await(waiting) => self.guard_footprint(run, waiting, this, true, cog.all, out),
            Stopped::Look(waiting) => self.guard_footprint(run, waiting, this, false, cog.all, out),
            Stopped::Get(future) => out.guard(self.ids.future(future.id)),
        }
        let mut monotone = match &task.stopped {
            Stopped::Await(waiting) => self.program.guards[waiting.guard as usize].condition.is_none(),
            _ => true,
        };
        let holds = (by_field || holdable) && self.code_footprint(run, task, by_field, out);
        if holdable {
            if task.stopped.holds() {
                out.may_write(cog.control);
            } else {
                monotone = false;
                out.guard(cog.control);
                if holds {
                    out.may_write(cog.control);
                }
            }
            for other in &task.also_holds {
                out.may_write(run.cogs.get(*other).control);
            }
        }
        if task.observed && self.reaches.futures {
            out.may_write(task.future);
            if self.program.field_futures {
                out.accumulate(self.ids.location(Place::Futures));
            }
        }
        out.monotone_guard = monotone && out.is_guarded();
    }

    fn guard_footprint(&self, run: &Run, waiting: &Waiting, this: u32, guard: bool, cog: Location, out: &mut Footprint) {
        let mut look = |location: Location| if guard { out.guard(location) } else { out.read(location) };
        for future in &waiting.futures {
            look(self.ids.future(future.id));
        }
        let it = &self.program.guards[waiting.guard as usize];
        let in_fields = it.futures.iter().filter_map(|f| match f {
            FutureAt::Field(field) => Some(*field),
            FutureAt::Local(_) => None,
        });
        let mut reads_cog = it.condition.is_some();
        for field in in_fields {
            reads_cog = true;
            look(self.ids.location(Place::Futures));
            if self.settings.dependency == Dependency::Field {
                look(self.field(run, this, field));
            }
        }
        if self.settings.dependency == Dependency::Actor {
            if reads_cog {
                look(cog);
            }
        } else if this != NOBODY {
            let class = &self.program.classes[run.objects.get(this).class as usize];
            for field in it.reads.iter().filter(|f| !class.constant[**f as usize]) {
                look(self.field(run, this, *field));
            }
        }
    }

    fn field(&self, run: &Run, object: u32, field: u32) -> Location {
        Location(run.objects.get(object).location.0 + field)
    }

    /// Adds what the code of a task may touch from where it stands; whether it may end holding its cog.
    fn code_footprint(&self, run: &Run, task: &Task, by_field: bool, out: &mut Footprint) -> bool {
        let program = &self.program;
        let mut holds = false;
        let mut running = true;
        let mut touched_inside = false;
        let top = task.frames.len() - 1;
        for (depth, frame) in task.frames.iter().enumerate().rev() {
            let mut add = |reach: &Reach, running: &mut bool| {
                holds |= reach.holds;
                *running |= reach.returns;
                if by_field && frame.this != NOBODY {
                    touched_inside |= self.add_fields(run, frame.this, reach, out);
                }
                if by_field && reach.outside {
                    out.may_write(run.cogs.get(task.cog).inside);
                }
            };
            let mut continues = false;
            if running {
                add(&self.reaches.from(program, frame.code, frame.pc), &mut continues);
            }
            // An exception may come out of what runs above, or out of the future that is looked at.
            if frame.pc > 0
                && (depth < top || !matches!(task.stopped, Stopped::Suspended))
                && let Some(handler) = self.reaches.handler(program, frame.code, frame.pc - 1)
            {
                add(&handler, &mut continues);
            }
            running = continues;
        }
        let bottom = task.frames[0];
        if bottom.this != NOBODY && by_field {
            let object = run.objects.get(bottom.this);
            let class = &program.classes[object.class as usize];
            if let Some(recover) = class.recover {
                touched_inside |= self.add_fields(run, bottom.this, &self.reaches.from(program, recover, 0), out);
            }
            if self.reaches.dying && matches!(task.stopped, Stopped::Fresh) {
                out.read(Location(object.location.0 + class.fields.len() as u32));
            }
        }
        if touched_inside && self.reaches.outside {
            out.read(run.cogs.get(task.cog).inside);
        }
        holds
    }

    /// Adds fields of an object; whether there were any.
    fn add_fields(&self, run: &Run, this: u32, reach: &Reach, out: &mut Footprint) -> bool {
        let object = run.objects.get(this);
        let class = &self.program.classes[object.class as usize];
        let mut any = false;
        for field in reach.reads.iter() {
            if !class.constant[field as usize] {
                out.read(Location(object.location.0 + field));
                any = true;
            }
        }
        for field in reach.writes.iter() {
            let location = Location(object.location.0 + field);
            if reach.blind.contains(field) && !self.reaches.dying {
                out.write(location);
            } else {
                out.may_write(location);
            }
            any = true;
        }
        any
    }
}
