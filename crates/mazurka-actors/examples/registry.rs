//! A registry that hands out numbers: whatever the order of arrival, every worker gets a number of its own.
//!
//! `cargo run -p mazurka-actors --example registry`

use mazurka_actors::{Actor, Address, Context, System};

#[derive(Clone, Hash, Debug, Default)]
struct Registry {
    workers: Vec<Address<Worker>>,
}

#[derive(Clone, Hash, Debug)]
enum ToRegistry {
    Register(Address<Worker>),
}

impl Actor for Registry {
    type Message = ToRegistry;

    fn handle(&mut self, ToRegistry::Register(worker): ToRegistry, context: &mut Context<Self>) {
        // A worker that is impatient registers twice; it keeps its number.
        let known = self.workers.iter().position(|w| *w == worker);
        let number = known.unwrap_or_else(|| {
            self.workers.push(worker);
            self.workers.len() - 1
        });
        context.send(worker, ToWorker::YouAre(number));
    }
}

#[derive(Clone, Hash, Debug)]
struct Worker {
    registry: Address<Registry>,
    number: Option<usize>,
}

#[derive(Clone, Hash, Debug)]
enum ToWorker {
    Start,
    YouAre(usize),
}

impl Actor for Worker {
    type Message = ToWorker;

    fn handle(&mut self, message: ToWorker, context: &mut Context<Self>) {
        match message {
            ToWorker::Start => context.send(self.registry, ToRegistry::Register(context.me())),
            ToWorker::YouAre(number) => {
                assert!(self.number.is_none_or(|mine| mine == number), "a worker's number changed");
                self.number = Some(number);
            }
        }
    }
}

/// Workers that start, the first of them twice.
pub fn system(workers: usize) -> System {
    let mut system = System::new();
    let registry = system.create_named("registry", Registry::default());
    for nth in 0..workers {
        let worker = system.create_named(&format!("worker {nth}"), Worker { registry, number: None });
        for _ in 0..if nth == 0 { 2 } else { 1 } {
            system.send(worker, ToWorker::Start);
        }
    }
    system.at_end(move |end| {
        let mut numbers: Vec<usize> = end.states::<Worker>().filter_map(|w| w.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..workers).collect::<Vec<_>>(), "every worker has a number of its own");
    })
}

/// Checks three workers.
pub fn main() {
    println!("{}", system(3).check().run().report());
}
