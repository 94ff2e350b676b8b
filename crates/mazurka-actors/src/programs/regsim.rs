//! A server registration simulation (FORTE'12 `regsim`): workers register with the first of them.

use crate::{Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug, Default)]
struct Worker {
    registered: Vec<u32>,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Result(u32),
    Boot(Address<Worker>, u32),
}

impl Actor for Worker {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Result(who) => self.registered.push(who),
            Message::Boot(registry, who) => context.send(registry, Message::Result(who)),
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Boot").send::<Worker>("Result");
        sends.on("Result");
    }
}

#[derive(Clone, Hash, Debug)]
struct Master;

/// How many workers to create.
#[derive(Clone, Hash, Debug)]
struct Start(u32);

impl Actor for Master {
    type Message = Start;

    fn handle(&mut self, Start(n): Start, context: &mut Context<Self>) {
        let workers: Vec<_> = (0..n)
            .map(|nth| context.create_named(&format!("c{nth}"), Worker::default()))
            .collect();
        context.send(workers[0], Message::Result(0));
        for (nth, &worker) in workers.iter().enumerate().skip(1) {
            context.send(worker, Message::Boot(workers[0], nth as u32));
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Start").send::<Worker>("Result").send::<Worker>("Boot");
    }
}

pub(super) fn system(n: u32) -> System {
    let mut system = System::new();
    let master = system.create_named("master", Master);
    system.send(master, Start(n));
    system
}
