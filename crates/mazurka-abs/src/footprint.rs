//! What the next step of a task may touch, in any context: a function of the task's own state.

use crate::code::FutureAt;
use crate::reach::Reach;
use crate::run::Machine;
use crate::run::cogs_of;
use crate::run::identity::Place;
use crate::run::state::{NOBODY, Run, Stopped, Task, Waiting};
use mazurka_core::{Dependency, Footprint, Location};
use smallvec::SmallVec;

impl Machine {
    /// Adds what the next step of `task` may touch.
    pub(crate) fn task_footprint(&self, run: &Run, task: &Task, out: &mut Footprint) {
        let by_field = self.settings.dependency == Dependency::Field;
        let cogs = cogs_of(run, task.cog, &task.frames);
        if !by_field {
            for cog in &cogs {
                out.update(run.cogs.get(*cog).all);
            }
        }
        let this = task.frames.last().map_or(NOBODY, |f| f.this);
        match &task.stopped {
            Stopped::Fresh | Stopped::Suspended | Stopped::Choose(_) | Stopped::Sleep(_) => {}
            Stopped::Await(waiting) => self.guard_footprint(run, waiting, this, true, out),
            Stopped::Look(waiting) => self.guard_footprint(run, waiting, this, false, out),
            Stopped::Get(future) => out.guard(self.ids.future(future.id)),
        }
        // A variable always holds the same future; a field may get another one, which is not resolved.
        let mut monotone = match &task.stopped {
            Stopped::Await(waiting) => self.waits_for_variables(waiting),
            _ => true,
        };
        let holdable = |cog: &u32| self.holdable(run.cogs.get(*cog).class);
        let holds = (by_field || cogs.iter().any(holdable)) && self.code_footprint(run, task, by_field, out);
        for cog in cogs.iter().filter(|cog| holdable(cog)) {
            let control = run.cogs.get(*cog).control;
            if !task.stopped.holds() {
                monotone = false;
                out.guard(control);
            }
            if holds || task.stopped.holds() {
                out.update(control);
            }
        }
        if task.observed && self.reaches.futures {
            out.update(task.future);
            if self.program.field_futures {
                out.accumulate(self.ids.location(Place::Futures));
            }
        }
        if self.program.timed {
            out.accumulate(self.ids.location(Place::Idleness));
            if task.stopped.until().is_some() {
                out.guard(self.ids.location(Place::Time));
            } else if self.program.reads_clock {
                out.read(self.ids.location(Place::Time));
            }
        }
        out.monotone_guard = monotone && out.is_guarded();
    }

    /// Whether a cog made for an object of this class, or for the main block, can be held against other tasks.
    pub(crate) fn holdable(&self, class: Option<u32>) -> bool {
        match class {
            Some(class) => self.reaches.class_holds[class as usize],
            None => self.reaches.main_holds,
        }
    }

    /// Whether a guard waits for futures in variables and for nothing else.
    fn waits_for_variables(&self, waiting: &Waiting) -> bool {
        let guard = &self.program.guards[waiting.guard as usize];
        guard.condition.is_none() && guard.futures.iter().all(|f| matches!(f, FutureAt::Local(_)))
    }

    fn guard_footprint(&self, run: &Run, waiting: &Waiting, this: u32, guard: bool, out: &mut Footprint) {
        let mut look = |location: Location| if guard { out.guard(location) } else { out.read(location) };
        for future in &waiting.futures {
            look(self.ids.future(future.id));
        }
        let it = &self.program.guards[waiting.guard as usize];
        let mut fields: SmallVec<[u32; 4]> = SmallVec::new();
        for future in &it.futures {
            if let FutureAt::Field(field) = future {
                look(self.ids.location(Place::Futures));
                fields.push(*field);
            }
        }
        if this == NOBODY {
            return;
        }
        let object = run.objects.get(this);
        let cog = run.cogs.get(object.cog);
        let class = &self.program.classes[object.class as usize];
        fields.extend(it.reads.iter().copied().filter(|f| !class.constant[*f as usize]));
        if fields.is_empty() {
            return;
        }
        if self.settings.dependency == Dependency::Actor {
            look(cog.all);
            return;
        }
        for field in fields {
            look(Location(object.location.0 + field));
        }
        // Calls from other objects of the cog say only that they may change anything inside.
        if self.reaches.outside {
            look(cog.inside);
        }
    }

    /// Adds what the code of a task may touch from where it stands; whether it may end holding its cog.
    fn code_footprint(&self, run: &Run, task: &Task, by_field: bool, out: &mut Footprint) -> bool {
        let program = &self.program;
        let mut holds = false;
        let mut running = true;
        let mut touched_inside = false;
        let top = task.frames.len() - 1;
        // A method that is called on another object of the cog may read what this one writes.
        let certain = self.certainly_goes_on(task) && !self.reaches.outside;
        for (depth, frame) in task.frames.iter().enumerate().rev() {
            let mut add = |reach: &Reach, certain: bool, running: &mut bool| {
                holds |= reach.holds;
                *running |= reach.returns;
                if by_field && frame.this != NOBODY {
                    touched_inside |= self.add_fields(run, frame.this, reach, certain, out);
                }
                if by_field && reach.outside {
                    let cog = if frame.this == NOBODY {
                        task.cog
                    } else {
                        run.objects.get(frame.this).cog
                    };
                    out.update(run.cogs.get(cog).inside);
                }
            };
            let mut continues = false;
            if running {
                let certain = certain && depth == top;
                add(&self.reaches.from(program, frame.code, frame.pc), certain, &mut continues);
            }
            // An exception may come out of what runs above, or out of the future that is looked at.
            if frame.pc > 0
                && (depth < top || !matches!(task.stopped, Stopped::Suspended))
                && let Some(handler) = self.reaches.handler(program, frame.code, frame.pc - 1)
            {
                add(&handler, false, &mut continues);
            }
            running = continues;
        }
        let bottom = task.frames[0];
        if bottom.this != NOBODY && by_field {
            let object = run.objects.get(bottom.this);
            let class = &program.classes[object.class as usize];
            if let Some(recover) = class.recover {
                let reach = self.reaches.from(program, recover, 0);
                touched_inside |= self.add_fields(run, bottom.this, &reach, false, out);
                if reach.outside {
                    out.update(run.cogs.get(task.cog).inside);
                }
            }
            if self.reaches.dying && matches!(task.stopped, Stopped::Fresh) {
                out.read(Location(object.location.0 + class.fields.len() as u32));
                touched_inside = true;
            }
        }
        if touched_inside && self.reaches.outside {
            for cog in cogs_of(run, task.cog, &task.frames) {
                out.read(run.cogs.get(cog).inside);
            }
        }
        holds
    }

    /// Whether the next step certainly runs the code that comes next: nothing is thrown instead, no guard turns out to be false.
    fn certainly_goes_on(&self, task: &Task) -> bool {
        match &task.stopped {
            Stopped::Fresh => task.stack.len() >= self.program.codes[task.frames[0].code as usize].params as usize && !self.reaches.dying,
            Stopped::Suspended | Stopped::Choose(_) | Stopped::Sleep(_) => true,
            Stopped::Await(waiting) => self.waits_for_variables(waiting),
            Stopped::Look(_) | Stopped::Get(_) => false,
        }
    }

    /// Adds fields of an object; whether there were any. `certain`: the code runs for sure, so what it writes blindly is written.
    fn add_fields(&self, run: &Run, this: u32, reach: &Reach, certain: bool, out: &mut Footprint) -> bool {
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
            if certain && reach.blind.contains(field) {
                out.overwrite(location);
            } else {
                out.update(location);
            }
            any = true;
        }
        any
    }
}
