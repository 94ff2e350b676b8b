//! A state to start from that no main block made: objects with given fields, and calls that wait for them.

use super::machine::Machine;
use super::state::{Frame, Live, Object, Promise, Run, Stopped, Task};
use super::time::CLOCK;
use crate::value::{Ref, Value};
use mazurka_core::{Dependency, Location};
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;
use std::rc::Rc;

/// An object, alone in its cog.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Its class.
    pub class: u32,
    /// The values of all its fields.
    pub fields: Vec<Value>,
}

/// A call that was made before anything runs.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which of the scene's objects is called.
    pub object: u32,
    /// The code of the method.
    pub code: u32,
    /// The arguments.
    pub args: Vec<Value>,
}

/// What there is when the first step is taken.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The objects.
    pub objects: Vec<Actor>,
    /// The calls.
    pub calls: Vec<Call>,
}

/// The calls are the processes after those of main block and clock.
const FIRST: u32 = 2;

impl Machine {
    /// The reference to the `nth` object of a scene, which is of class `class`.
    pub fn actor(&self, nth: u32, class: u32) -> Value {
        let id = self.ids.object(self.ids.main_task(), nth, class);
        Value::Object(Ref { slot: nth, id })
    }

    /// The slot of the future of the `nth` call of a scene.
    pub fn result_slot(nth: usize) -> u32 {
        nth as u32
    }

    /// The process of the `nth` call of a scene.
    pub fn caller(&self, nth: u32) -> u32 {
        self.ids.tasks.root(FIRST + nth)
    }

    /// The state in which a scene starts.
    pub(super) fn set(&self, scene: &Scene) -> Run {
        let mut run = Run::default();
        let main = self.ids.main_task();
        let clock = self.ids.clock();
        debug_assert_eq!(clock, CLOCK);
        for (nth, actor) in scene.objects.iter().enumerate() {
            let id = self.ids.object(main, nth as u32, actor.class);
            let cog = run.cogs.push(self.new_cog(Some(id), Some(actor.class)));
            let location = match self.settings.dependency {
                Dependency::Actor => Location(0),
                Dependency::Field => self.ids.fields(id, actor.fields.len() as u32 + 1),
            };
            let fields: SmallVec<[Value; 4]> = actor.fields.iter().cloned().collect();
            run.objects.push(Rc::new(Object::new(id, actor.class, cog, location, fields)));
        }
        for (nth, call) in scene.calls.iter().enumerate() {
            let id = self.caller(nth as u32);
            let slot = run.futures.push(Promise::OPEN);
            debug_assert_eq!(slot, Machine::result_slot(nth));
            run.live.push(Live {
                task: Rc::new(Task {
                    id,
                    slot,
                    cog: run.objects.get(call.object).cog,
                    deadline: None,
                    children: 0,
                    returned: SmallVec::new(),
                    objects: 0,
                    observed: true,
                    private: false,
                    future: self.ids.future(id),
                    stopped: Stopped::Fresh,
                    frames: smallvec![Frame {
                        code: call.code,
                        pc: 0,
                        base: 0,
                        this: call.object,
                    }],
                    stack: call.args.iter().cloned().collect(),
                    also_holds: SmallVec::new(),
                    hash: Cell::new(0),
                }),
                ready: true,
            });
        }
        run
    }
}
