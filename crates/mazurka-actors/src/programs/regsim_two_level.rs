//! Registration on two levels (FORTE'12 `regsim-2-level`). The paper's source is not public; this is the natural program: workers
//! register with their sub-master, and a sub-master whose workers are all there registers with the master.

use crate::{Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Master {
    parent: Option<Address<Master>>,
    me: u32,
    expected: usize,
    registered: Vec<u32>,
}

#[derive(Clone, Hash, Debug)]
struct Register(u32);

impl Actor for Master {
    type Message = Register;

    fn handle(&mut self, Register(who): Register, context: &mut Context<Self>) {
        self.registered.push(who);
        if let (true, Some(parent)) = (self.registered.len() == self.expected, self.parent) {
            context.send(parent, Register(self.me));
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Register").send::<Master>("Register");
    }
}

#[derive(Clone, Hash, Debug)]
struct Worker {
    nth: u32,
}

#[derive(Clone, Hash, Debug)]
struct Boot(Address<Master>);

impl Actor for Worker {
    type Message = Boot;

    fn handle(&mut self, Boot(master): Boot, context: &mut Context<Self>) {
        context.send(master, Register(self.nth));
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Boot").send::<Master>("Register");
    }
}

pub(super) fn system(n: u32) -> System {
    let master = |parent, me| Master {
        parent,
        me,
        expected: n as usize,
        registered: Vec::new(),
    };
    let mut system = System::new();
    let top = system.create_named("master", master(None, 0));
    for sub in 0..n {
        let sub_master = system.create_named(&format!("sub-master {sub}"), master(Some(top), sub));
        for nth in 0..n {
            let worker = system.create_named(&format!("worker {sub}.{nth}"), Worker { nth });
            system.send(worker, Boot(sub_master));
        }
    }
    system
}
