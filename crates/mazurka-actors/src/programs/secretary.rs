//! Registration through a secretary (FORTE'14 RegSim): workers register once however often they are told to.

use crate::{Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug, Default)]
struct Registry {
    a: u32,
    b: u32,
}

#[derive(Clone, Hash, Debug)]
enum Register {
    RegA,
    RegB,
}

impl Actor for Registry {
    type Message = Register;

    fn handle(&mut self, message: Register, _: &mut Context<Self>) {
        match message {
            Register::RegA => self.a += 1,
            Register::RegB => self.b += 1,
        }
    }

    fn touches(message: &Register, fields: &mut Fields) {
        fields.write(match message {
            Register::RegA => "a",
            Register::RegB => "b",
        });
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("RegA");
        sends.on("RegB");
    }
}

#[derive(Clone, Hash, Debug, Default)]
struct Worker {
    registered: bool,
}

#[derive(Clone, Hash, Debug)]
struct RegYourSelf(Address<Registry>);

impl Actor for Worker {
    type Message = RegYourSelf;

    fn handle(&mut self, RegYourSelf(registry): RegYourSelf, context: &mut Context<Self>) {
        if !self.registered {
            context.send(registry, Register::RegB);
            self.registered = true;
        }
    }

    fn touches(_: &RegYourSelf, fields: &mut Fields) {
        fields.write("registered");
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("RegYourSelf").send::<Registry>("RegB");
    }
}

#[derive(Clone, Hash, Debug)]
struct Secretary {
    registry: Address<Registry>,
}

#[derive(Clone, Hash, Debug)]
enum Task {
    RegYourSelf,
    TellWorkers(Vec<Address<Worker>>),
}

impl Actor for Secretary {
    type Message = Task;

    fn handle(&mut self, message: Task, context: &mut Context<Self>) {
        match message {
            Task::RegYourSelf => context.send(self.registry, Register::RegA),
            Task::TellWorkers(workers) => {
                for worker in workers {
                    context.send(worker, RegYourSelf(self.registry));
                }
            }
        }
    }

    fn touches(_: &Task, fields: &mut Fields) {
        fields.read("registry");
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("RegYourSelf").send::<Registry>("RegA");
        sends.on("TellWorkers").send::<Worker>("RegYourSelf");
    }
}

pub(super) fn system(workers: u32, times: u32) -> System {
    let mut system = System::new();
    let list: Vec<_> = (0..workers)
        .map(|nth| system.create_named(&format!("worker {nth}"), Worker::default()))
        .collect();
    let registry = system.create_named("registry", Registry::default());
    let secretary = system.create_named("secretary", Secretary { registry });
    system.send(secretary, Task::RegYourSelf);
    for _ in 0..times {
        system.send(secretary, Task::TellWorkers(list.clone()));
    }
    system
}
