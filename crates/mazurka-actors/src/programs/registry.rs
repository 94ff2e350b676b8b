//! FORTE'12 Fig. 1 with the fields of FORTE'14 Fig. 3: a registry and two workers that register with it.

use crate::{Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Registry {
    f: u32,
    g: u32,
}

/// `P` comes from the master, `M` and `T` from the workers.
#[derive(Clone, Hash, Debug)]
enum Register {
    P,
    M,
    T,
}

impl Actor for Registry {
    type Message = Register;

    fn handle(&mut self, message: Register, _: &mut Context<Self>) {
        match message {
            Register::P => self.f += 1,
            Register::M => self.g *= 2,
            Register::T => self.g += 1,
        }
    }

    fn touches(message: &Register, fields: &mut Fields) {
        fields.write(match message {
            Register::P => "f",
            Register::M | Register::T => "g",
        });
    }

    fn sends(sends: &mut Sends<Self>) {
        for message in ["P", "M", "T"] {
            sends.on(message);
        }
    }
}

#[derive(Clone, Hash, Debug)]
struct Worker {
    registers: Register,
}

#[derive(Clone, Hash, Debug)]
struct Work(Address<Registry>);

impl Actor for Worker {
    type Message = Work;

    fn handle(&mut self, Work(registry): Work, context: &mut Context<Self>) {
        context.send(registry, self.registers.clone());
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Work").send::<Registry>("M").send::<Registry>("T");
    }
}

pub(super) fn system() -> System {
    let mut system = System::new();
    let registry = system.create_named("registry", Registry { f: 1, g: 1 });
    let first = system.create_named("worker 1", Worker { registers: Register::M });
    let second = system.create_named("worker 2", Worker { registers: Register::T });
    system.send(registry, Register::P);
    system.send(first, Work(registry));
    system.send(second, Work(registry));
    system
}
