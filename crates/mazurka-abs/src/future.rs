//! What a task, and all tasks that come of it, may touch from a state on; and which fields nobody reads any more.
//!
//! Code is followed from where the task stands to its end, and through everything that it calls, on the objects that there are in this
//! state. A receiver that is `this`, a field that never changes or a variable that keeps its value is one object; any other may be every
//! object that has the method. What will be made later has no locations yet that anybody could have touched.

use crate::code::{Kind, Op};
use crate::deeds::{Call, Deeds};
use crate::receivers::Source;
use crate::run::identity::Place;
use crate::run::state::{Future, NOBODY, Run, Stopped, Task};
use crate::run::{Machine, Naming, cogs_of};
use crate::value::Value;
use mazurka_core::{Dependency, Fingerprint, Footprint, Futures, Liveness, Location, Process};
use rustc_hash::FxHashSet;

/// Where code may run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Where {
    /// In this object.
    Object(u32),
    /// In the main block or in an object that is not there yet, of this cog.
    New(u32),
    /// In an object of a cog that is not there yet.
    Elsewhere,
}

/// What may happen to a cog.
#[derive(Clone, Copy, Default)]
struct Reached {
    touched: bool,
    /// A condition looks at its fields.
    looked_at: bool,
    held: bool,
}

/// The places that are still to be followed, and what was found.
struct Following<'m> {
    machine: &'m Machine,
    run: &'m Run,
    seen: FxHashSet<(u32, Where)>,
    todo: Vec<(u32, Where)>,
    /// The names of methods that were followed on every object.
    everywhere: FxHashSet<u32>,
    cogs: Vec<Reached>,
    /// Whether futures that are not known are waited for.
    waits: bool,
    /// Fields that may be read, by object.
    read: FxHashSet<(u32, u32)>,
}

impl Futures<Run> for Machine {
    fn future(&self, run: &Run, process: Process, out: &mut Footprint) -> bool {
        // The clock, and whether anything can move, are everybody's business. Where names are given again, tasks to come have the futures of
        // tasks that have ended.
        if self.program.timed || self.settings.names == Naming::Forget {
            return false;
        }
        let Some(place) = run.find(process.0) else {
            return false;
        };
        let task = &run.live[place].task;
        let mut following = Following::new(self, run);
        following.task(task, out);
        for (cog, reached) in following.cogs.iter().enumerate().filter(|(_, r)| r.touched) {
            self.add_cog(run, cog as u32, *reached, out);
        }
        self.add_futures(run, task, following.waits, out);
        true
    }
}

impl Liveness<Run> for Machine {
    fn live_fingerprint(&self, run: &Run) -> Fingerprint {
        let mut following = Following::new(self, run);
        let mut touched = Footprint::new();
        for live in run.live.iter() {
            following.task(&live.task, &mut touched);
        }
        run.fingerprint_of(&self.ids, self.seen(), Some(&following.read))
    }
}

impl Machine {
    fn add_cog(&self, run: &Run, cog: u32, reached: Reached, out: &mut Footprint) {
        let it = run.cogs.get(cog);
        if self.settings.dependency == Dependency::Actor {
            out.update(it.all);
            if reached.looked_at {
                out.guard(it.all);
            }
        } else if self.reaches.outside {
            out.update(it.inside);
            if reached.looked_at {
                out.guard(it.inside);
            }
        }
        if self.holdable(it.class) {
            out.guard(it.control);
            if reached.held {
                out.update(it.control);
            }
        }
    }

    /// Adds the futures that are resolved or waited for. Those of tasks to come are not there yet.
    fn add_futures(&self, run: &Run, task: &Task, waits: bool, out: &mut Footprint) {
        if !self.reaches.futures {
            return;
        }
        if task.observed {
            out.update(task.future);
        }
        if self.program.field_futures {
            out.accumulate(self.ids.location(Place::Futures));
        }
        let mut known = FxHashSet::default();
        waited_for(task, &mut known);
        if waits {
            of_task(task, &mut known);
        }
        if waits && self.deeds.futures_travel {
            run.live.iter().for_each(|live| of_task(&live.task, &mut known));
            if self.program.uses_destiny {
                // Each of them may still give its own away.
                known.extend(run.live.iter().map(|live| live.task.id));
            }
            run.objects.iter().flat_map(|o| &o.fields).for_each(|v| mentioned(v, &mut known));
            for future in run.futures.iter() {
                if let Future::Value(value) | Future::Failed(value) = &future.result {
                    mentioned(value, &mut known);
                }
            }
        }
        let mut known: Vec<u32> = known.into_iter().collect();
        known.sort_unstable();
        known.into_iter().for_each(|id| out.guard(self.ids.future(id)));
    }
}

impl<'m> Following<'m> {
    fn new(machine: &'m Machine, run: &'m Run) -> Self {
        Following {
            machine,
            run,
            seen: FxHashSet::default(),
            todo: Vec::new(),
            everywhere: FxHashSet::default(),
            cogs: vec![Reached::default(); run.cogs.next_index() as usize],
            waits: false,
            read: FxHashSet::default(),
        }
    }

    /// Follows a task from where it stands, and all that comes of it.
    fn task(&mut self, task: &Task, out: &mut Footprint) {
        self.present(task, out);
        while let Some((code, at)) = self.todo.pop() {
            let deeds = self.machine.deeds.from(&self.machine.program, code, 0);
            self.code(code, &deeds, at, &[], out);
        }
    }

    /// Follows the activations of a task.
    fn present(&mut self, task: &Task, out: &mut Footprint) {
        let machine = self.machine;
        let mut held = task.stopped.holds();
        for frame in &task.frames {
            let at = match frame.this {
                NOBODY => Where::New(task.cog),
                object => Where::Object(object),
            };
            let variables = &task.stack[(frame.base as usize).min(task.stack.len())..];
            let deeds = machine.deeds.from(&machine.program, frame.code, frame.pc);
            self.code(frame.code, &deeds, at, variables, out);
            held |= machine.reaches.holding[frame.code as usize];
        }
        if let Stopped::Await(waiting) | Stopped::Look(waiting) = &task.stopped
            && let Some(top) = task.frames.last()
        {
            // The `await` itself lies behind.
            let guard = Op::Await(waiting.guard);
            let mut deeds = Deeds::default();
            deeds.add(&machine.program, &machine.program.codes[top.code as usize], guard);
            let at = match top.this {
                NOBODY => Where::New(task.cog),
                object => Where::Object(object),
            };
            self.fields(&deeds, at, out);
        }
        for cog in cogs_of(self.run, task.cog, &task.frames) {
            let reached = &mut self.cogs[cog as usize];
            reached.touched = true;
            reached.held |= held;
        }
        if let Some(bottom) = task.frames.first()
            && bottom.this != NOBODY
        {
            self.recover(self.run.objects.get(bottom.this).class, Where::Object(bottom.this));
        }
    }

    /// Adds what code does in one place, and what it calls.
    fn code(&mut self, code: u32, deeds: &Deeds, at: Where, variables: &[Value], out: &mut Footprint) {
        let (machine, run) = (self.machine, self.run);
        self.waits |= deeds.waits;
        self.fields(deeds, at, out);
        if let Some(cog) = self.cog(at) {
            let reached = &mut self.cogs[cog as usize];
            reached.touched = true;
            reached.held |= machine.reaches.holding[code as usize];
        }
        if let Kind::Method { class, .. } = machine.program.codes[code as usize].kind {
            self.recover(class, at);
            if let Where::Object(object) = at
                && machine.reaches.dying
                && machine.settings.dependency == Dependency::Field
            {
                let life = machine.program.classes[class as usize].fields.len() as u32;
                out.read(Location(run.objects.get(object).location.0 + life));
            }
        }
        for call in &deeds.calls {
            match *call {
                Call::Own(callee) => self.follow(callee, at),
                Call::New { class, cog } => {
                    let class = &machine.program.classes[class as usize];
                    let place = match self.cog(at) {
                        Some(own) if !cog => Where::New(own),
                        _ => Where::Elsewhere,
                    };
                    [class.init, class.run].into_iter().flatten().for_each(|c| self.follow(c, place));
                }
                Call::Method(selector, Source::This) => self.method(selector, at),
                Call::Method(selector, Source::Field(field)) => match self.constant(at, field) {
                    Some(object) => self.method(selector, Where::Object(object)),
                    None => self.any(selector),
                },
                Call::Method(selector, Source::Local(local)) => match variables.get(local as usize) {
                    Some(Value::Object(object)) => self.method(selector, Where::Object(object.slot)),
                    _ => self.any(selector),
                },
                Call::Method(selector, Source::Unknown) => self.any(selector),
            }
        }
    }

    fn fields(&mut self, deeds: &Deeds, at: Where, out: &mut Footprint) {
        let waits_in_fields = deeds.future_fields.iter().next().is_some();
        if waits_in_fields {
            out.guard(self.machine.ids.location(Place::Futures));
        }
        let Where::Object(object) = at else {
            if let Some(cog) = self.cog(at) {
                self.cogs[cog as usize].looked_at |= waits_in_fields || deeds.conditions.iter().next().is_some();
            }
            return;
        };
        let slot = object;
        let read = deeds.reads.iter().chain(deeds.conditions.iter()).chain(deeds.future_fields.iter());
        self.read.extend(read.map(|field| (slot, field)));
        let object = self.run.objects.get(object);
        let class = &self.machine.program.classes[object.class as usize];
        let changing = |field: &u32| !class.constant[*field as usize];
        let by_field = self.machine.settings.dependency == Dependency::Field;
        let location = |field: u32| Location(object.location.0 + field);
        let mut looked_at = false;
        for field in deeds.conditions.iter().filter(changing).chain(deeds.future_fields.iter()) {
            looked_at = true;
            if by_field {
                out.guard(location(field));
            }
        }
        self.cogs[object.cog as usize].looked_at |= looked_at;
        if by_field {
            deeds.reads.iter().filter(changing).for_each(|field| out.read(location(field)));
            deeds.writes.iter().for_each(|field| out.update(location(field)));
        }
    }

    fn cog(&self, at: Where) -> Option<u32> {
        match at {
            Where::Object(object) => Some(self.run.objects.get(object).cog),
            Where::New(cog) => Some(cog),
            Where::Elsewhere => None,
        }
    }

    /// The object in a field that keeps it.
    fn constant(&self, at: Where, field: u32) -> Option<u32> {
        let Where::Object(object) = at else {
            return None;
        };
        let object = self.run.objects.get(object);
        let constant = self.machine.program.classes[object.class as usize].constant[field as usize];
        match object.fields.get(field as usize) {
            // An initialiser that stops on its way may still assign it.
            Some(Value::Object(it)) if constant && !self.machine.reaches.stopping_inits => Some(it.slot),
            _ => None,
        }
    }

    fn follow(&mut self, code: u32, at: Where) {
        if self.seen.insert((code, at)) {
            self.todo.push((code, at));
        }
    }

    fn recover(&mut self, class: u32, at: Where) {
        if let Some(recover) = self.machine.program.classes[class as usize].recover {
            self.follow(recover, at);
        }
    }

    /// The method of an object; where the object is not there yet, of every class.
    fn method(&mut self, selector: u32, at: Where) {
        match at {
            Where::Object(object) => {
                let class = self.run.objects.get(object).class;
                if let Some(code) = self.machine.program.classes[class as usize].methods[selector as usize] {
                    self.follow(code, at);
                }
            }
            Where::New(_) | Where::Elsewhere => {
                let classes = self.machine.program.classes.iter();
                let codes: Vec<u32> = classes.filter_map(|class| class.methods[selector as usize]).collect();
                codes.into_iter().for_each(|code| self.follow(code, at));
            }
        }
    }

    /// The method of any object that has it, now or later.
    fn any(&mut self, selector: u32) {
        if !self.everywhere.insert(selector) {
            return;
        }
        let run = self.run;
        for slot in 0..run.objects.next_index() {
            self.method(selector, Where::Object(slot));
        }
        self.method(selector, Where::Elsewhere);
        // Others may make objects in any of the cogs.
        if self.machine.reaches.shared_cogs {
            for cog in 0..run.cogs.next_index() {
                self.method(selector, Where::New(cog));
            }
        }
    }
}

/// The futures that a task knows.
fn of_task(task: &Task, known: &mut FxHashSet<u32>) {
    task.stack.iter().for_each(|value| mentioned(value, known));
    waited_for(task, known);
}

/// The futures that a task waits for.
fn waited_for(task: &Task, known: &mut FxHashSet<u32>) {
    match &task.stopped {
        Stopped::Get(future) => drop(known.insert(future.id)),
        Stopped::Await(waiting) | Stopped::Look(waiting) => known.extend(waiting.futures.iter().map(|f| f.id)),
        Stopped::Fresh | Stopped::Suspended | Stopped::Choose(_) | Stopped::Sleep(_) => {}
    }
}

fn mentioned(value: &Value, known: &mut FxHashSet<u32>) {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Future(future) => drop(known.insert(future.id)),
            Value::Data(node) => todo.extend(&node.args),
            _ => {}
        }
    }
}
