//! New cogs, objects and tasks.

use super::exec::{Mover, Stack};
use super::identity::Place;
use super::machine::Machine;
use super::state::{Cog, Frame, Live, NOBODY, NOWHERE, Object, Promise, Returned, Stopped, Task};
use crate::value::{Ref, Value};
use mazurka_core::{Dependency, Location, Process};
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;
use std::rc::Rc;

impl Mover<'_> {
    /// Makes an object from the arguments on the stack; runs its initialiser as a new activation, or pushes the object if there is none.
    pub(super) fn create(&mut self, stack: &mut Stack, class: u32, new_cog: bool) {
        let machine = self.machine;
        let it = &machine.program.classes[class as usize];
        let id = machine.ids.object(self.id, self.objects, class);
        self.objects += 1;
        let slot = self.run.objects.next_index();
        let cog = if new_cog {
            self.run.cogs.push(machine.new_cog(Some(id), Some(class)))
        } else {
            match stack.frames.last() {
                Some(frame) if frame.this != NOBODY => self.run.objects.get(frame.this).cog,
                _ => self.cog,
            }
        };
        let first = stack.values.len() - it.params as usize;
        let mut fields: SmallVec<[Value; 4]> = stack.values.drain(first..).collect();
        fields.extend(it.blank[it.params as usize..].iter().cloned());
        let location = match machine.settings.dependency {
            Dependency::Actor => Location(0),
            Dependency::Field => machine.ids.fields(id, it.fields.len() as u32 + 1),
        };
        self.run.objects.push(Rc::new(Object::new(id, class, cog, location, fields)));
        match it.init {
            Some(init) => self.enter(stack, init, slot),
            None => {
                stack.values.push(Value::Object(Ref { slot, id }));
                self.start_run(class, slot);
            }
        }
    }

    /// An initialised object that has a `run` method starts it.
    pub(super) fn start_run(&mut self, class: u32, slot: u32) {
        if let Some(run) = self.machine.program.classes[class as usize].run {
            let name = self.new_name();
            self.spawn(slot, run, SmallVec::new(), (false, false), name);
        }
    }

    /// Starts a task with this name and tells its future, which somebody can ask for if it is `observed`, and only the code that is running
    /// if it is `private`.
    pub(super) fn spawn(
        &mut self,
        receiver: u32,
        code: u32,
        mut args: SmallVec<[Value; 3]>,
        (observed, private): (bool, bool),
        name: Returned,
    ) -> Value {
        let machine = self.machine;
        let id = machine.ids.task(self.id, name.nth);
        let observed = observed || machine.program.uses_destiny;
        let slot = match name.slot {
            _ if !observed => NOWHERE,
            NOWHERE => self.run.futures.push(Promise::OPEN),
            again => {
                *self.run.futures.get_mut(again) = Promise::OPEN;
                again
            }
        };
        let future = if observed { machine.ids.future(id) } else { Location(0) };
        args.truncate(machine.program.codes[code as usize].params as usize);
        let cog = self.run.objects.get(receiver).cog;
        self.births.push(Process(id));
        self.run.live.push(Live {
            task: Rc::new(Task {
                id,
                slot,
                cog,
                deadline: None,
                children: 0,
                returned: SmallVec::new(),
                objects: 0,
                observed,
                private,
                future,
                stopped: Stopped::Fresh,
                frames: smallvec![Frame {
                    code,
                    pc: 0,
                    base: 0,
                    this: receiver,
                }],
                stack: args,
                also_holds: SmallVec::new(),
                hash: Cell::new(0),
            }),
            ready: true,
        });
        Value::Future(Ref { slot, id })
    }
}

impl Machine {
    /// A new cog with its locations.
    pub fn new_cog(&self, first: Option<u32>, class: Option<u32>) -> Cog {
        Cog {
            first,
            class,
            holder: None,
            all: self.ids.location(Place::Cog(first)),
            control: self.ids.location(Place::Control(first)),
            inside: self.ids.location(Place::Inside(first)),
        }
    }
}
