//! Dining philosophers as actors (FORTE'12 `diningphil`). The paper's source is not public; this is the natural program: a fork does
//! not accept a second `Take` while it is taken.

use crate::{Accepts, Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug, Default)]
struct Fork {
    holder: Option<Address<Philosopher>>,
}

#[derive(Clone, Hash, Debug)]
enum ToFork {
    Take(Address<Philosopher>),
    PutBack,
}

impl Actor for Fork {
    type Message = ToFork;

    fn handle(&mut self, message: ToFork, context: &mut Context<Self>) {
        match message {
            ToFork::Take(philosopher) => {
                self.holder = Some(philosopher);
                context.send(philosopher, ToPhilosopher::Taken);
            }
            ToFork::PutBack => self.holder = None,
        }
    }

    fn accepts(&self, message: &ToFork) -> Accepts {
        match message {
            ToFork::Take(_) => Accepts::When(self.holder.is_none()),
            ToFork::PutBack => Accepts::Always,
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Take").send::<Philosopher>("Taken");
        sends.on("PutBack");
    }
}

#[derive(Clone, Hash, Debug)]
struct Philosopher {
    left: Address<Fork>,
    right: Address<Fork>,
    forks: u32,
}

#[derive(Clone, Hash, Debug)]
enum ToPhilosopher {
    GetHungry,
    Taken,
}

impl Actor for Philosopher {
    type Message = ToPhilosopher;

    fn handle(&mut self, message: ToPhilosopher, context: &mut Context<Self>) {
        match message {
            ToPhilosopher::GetHungry => context.send(self.left, ToFork::Take(context.me())),
            ToPhilosopher::Taken => {
                self.forks += 1;
                if self.forks == 1 {
                    context.send(self.right, ToFork::Take(context.me()));
                } else {
                    self.forks = 0;
                    context.send(self.right, ToFork::PutBack);
                    context.send(self.left, ToFork::PutBack);
                }
            }
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("GetHungry").send::<Fork>("Take");
        sends.on("Taken").send::<Fork>("Take").send::<Fork>("PutBack");
    }
}

pub(super) fn system(n: u32) -> System {
    let mut system = System::new();
    let n = n as usize;
    let forks: Vec<Address<Fork>> = (0..n)
        .map(|nth| system.create_named(&format!("fork {nth}"), Fork::default()))
        .collect();
    for nth in 0..n {
        let philosopher = Philosopher {
            left: forks[nth],
            right: forks[(nth + 1) % n],
            forks: 0,
        };
        let philosopher = system.create_named(&format!("philosopher {nth}"), philosopher);
        system.send(philosopher, ToPhilosopher::GetHungry);
    }
    system
}
