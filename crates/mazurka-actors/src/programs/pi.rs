//! An approximation of π by workers and a master (FORTE'12 `pi5`, FORTE'14 Pi).

use crate::{Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Worker {
    nth: u32,
}

#[derive(Clone, Hash, Debug)]
enum Work {
    Intervals(Address<Master>, u32),
    Stop,
}

impl Actor for Worker {
    type Message = Work;

    fn handle(&mut self, message: Work, context: &mut Context<Self>) {
        if let Work::Intervals(master, workers) = message {
            context.send(master, Collect::Sum(area(self.nth, workers)));
        }
    }

    fn touches(message: &Work, fields: &mut Fields) {
        if let Work::Intervals(..) = message {
            fields.read("nth");
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Intervals").send::<Master>("Sum");
        sends.on("Stop");
    }
}

/// One worker's part of π in units of 10⁻⁶: the midpoint rule on 4 / (1 + x²), in whole numbers so that sums commute.
fn area(nth: u32, workers: u32) -> u64 {
    let x = (f64::from(nth) + 0.5) / f64::from(workers);
    (4e6 / (1.0 + x * x) / f64::from(workers)) as u64
}

#[derive(Clone, Hash, Debug)]
struct Master {
    workers: Vec<Address<Worker>>,
    answers: usize,
    pi: u64,
}

#[derive(Clone, Hash, Debug)]
enum Collect {
    Boot,
    Sum(u64),
}

impl Actor for Master {
    type Message = Collect;

    fn handle(&mut self, message: Collect, context: &mut Context<Self>) {
        match message {
            Collect::Boot => {
                let (me, workers) = (context.me(), self.workers.len() as u32);
                for &worker in &self.workers {
                    context.send(worker, Work::Intervals(me, workers));
                }
            }
            Collect::Sum(part) => {
                self.answers += 1;
                self.pi += part;
                if self.answers == self.workers.len() {
                    for &worker in &self.workers {
                        context.send(worker, Work::Stop);
                    }
                }
            }
        }
    }

    fn touches(message: &Collect, fields: &mut Fields) {
        fields.read("workers");
        if let Collect::Sum(_) = message {
            fields.write("answers").write("pi");
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Boot").send::<Worker>("Intervals");
        sends.on("Sum").send::<Worker>("Stop");
    }
}

pub(super) fn system(n: u32) -> System {
    let mut system = System::new();
    let workers = (0..n)
        .map(|nth| system.create_named(&format!("worker {nth}"), Worker { nth }))
        .collect();
    let master = system.create_named(
        "master",
        Master {
            workers,
            answers: 0,
            pi: 0,
        },
    );
    system.send(master, Collect::Boot);
    system
}
