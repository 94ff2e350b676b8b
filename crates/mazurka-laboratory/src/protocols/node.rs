//! The actors that play a [`Script`].

use super::script::{Method, NAMES, Operation, REGISTERS, Script, TIMERS};
use mazurka_actors::{Accepts, Actor, Address, AddressSet, Context, Crashes, Duplicates, Fields, Losses, Partitions, System, Values};
use mazurka_core::Dependency;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

impl Script {
    /// The system that plays the script.
    pub fn system(&self) -> System {
        let script = Rc::new(self.clone());
        let mut system = System::new().deliver(self.delivery).dependency(self.dependency);
        if self.clock {
            system = system.virtual_clock();
            if self.fast {
                system = system.fast_messages();
            }
        }
        let nodes = system.create_many("node", self.nodes.len(), |nodes, at| Node {
            at,
            registers: self.nodes[at],
            nodes: nodes.into(),
            peers: nodes.iter().copied().filter(|n| *n != nodes[at]).collect(),
            heard_from: None,
            script: Rc::clone(&script),
        });
        let ask = |method| Ask {
            method,
            from: None,
            script: Rc::clone(&script),
        };
        for &(to, method) in &self.start {
            system.send(nodes[to], ask(method));
        }
        for &(of, timer, after, method) in &self.timers {
            system.set_timer(nodes[of], TIMERS[timer], after, ask(method));
        }
        let system = self.with_faults(system, &nodes);
        match self.interchangeable {
            0 => system,
            n => system.interchangeable(&nodes[..n]),
        }
    }

    /// Those that may crash.
    pub(super) fn frail(&self) -> usize {
        if self.interchangeable > 0 {
            self.nodes.len()
        } else {
            self.nodes.len().min(2)
        }
    }

    /// Those that may be cut off, each alone.
    pub(super) fn remote(&self) -> usize {
        if self.interchangeable > 0 { self.nodes.len() } else { 1 }
    }

    fn with_faults(&self, mut system: System, nodes: &[Address<Node>]) -> System {
        let (faults, last) = (self.faults, nodes.len() - 1);
        if faults.losses > 0 {
            let losses = Losses::at_most(faults.losses);
            system = system.may_lose(if faults.one_link {
                losses.on(nodes[0], nodes[last])
            } else {
                losses
            });
        }
        if faults.duplicates > 0 {
            system = system.may_duplicate(Duplicates::at_most(faults.duplicates));
        }
        if faults.crashes > 0 {
            let crashes = Crashes::at_most(faults.crashes).of(&nodes[..self.frail()]);
            system = system.may_crash(if faults.for_good { crashes.for_good() } else { crashes });
        }
        if faults.partitions > 0 {
            system = system.may_partition(Partitions::at_most(faults.partitions).isolating(&nodes[..self.remote()]));
        }
        if let Some((most, _)) = self.invariant.filter(|_| self.interchangeable > 0) {
            return system.invariant_about("few", most, |world, most| {
                world.states::<Node>().map(|n| n.registers[0]).sum::<u8>() <= *most
            });
        }
        if let Some((most, of_some)) = self.invariant {
            let some: Vec<Address<Node>> = if of_some {
                nodes.iter().copied().take(2).collect()
            } else {
                nodes.to_vec()
            };
            let read = some.clone();
            let few = move |world: &mazurka_actors::World<'_>| read.iter().map(|n| world.state(*n).registers[0]).sum::<u8>() <= most;
            system = if of_some {
                system.invariant_of("few", &some, few)
            } else {
                system.invariant("few", few)
            };
        }
        system
    }
}

/// A node.
#[derive(Clone)]
pub(super) struct Node {
    at: usize,
    registers: [u8; REGISTERS],
    nodes: Rc<[Address<Node>]>,
    /// What it knows instead of these if nodes are interchangeable.
    peers: AddressSet<Node>,
    heard_from: Option<Address<Node>>,
    script: Rc<Script>,
}

/// A call of a method.
#[derive(Clone)]
pub(super) struct Ask {
    method: usize,
    from: Option<Address<Node>>,
    script: Rc<Script>,
}

impl Ask {
    fn method(&self) -> &Method {
        &self.script.methods[self.method]
    }
}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if self.script.interchangeable > 0 {
            (&self.peers, self.heard_from, self.registers).hash(state);
        } else {
            (&self.nodes, self.registers).hash(state);
        }
    }
}

impl Hash for Ask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.method, self.from).hash(state);
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r0={} r1={}", self.registers[0], self.registers[1])
    }
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.method)
    }
}

impl Node {
    fn perform(&mut self, operation: &Operation, context: &mut Context<'_, Self>) {
        let are_interchangeable = self.script.interchangeable > 0;
        let ask = |method| Ask {
            method,
            from: are_interchangeable.then(|| context.me()),
            script: Rc::clone(&self.script),
        };
        match *operation {
            Operation::Set(register, value) => self.registers[register] = value,
            Operation::Add(register, value) => self.registers[register] = (self.registers[register] + value) % 4,
            Operation::Choose(register, n) => self.registers[register] = context.choose(n) as u8,
            Operation::Send(further, method) if are_interchangeable => {
                let (me, ask) = (context.me(), ask(method));
                let to: Vec<Address<Node>> = match further {
                    0 => vec![me],
                    1 => self.peers.iter().collect(),
                    _ => self.heard_from.into_iter().collect(),
                };
                to.into_iter().for_each(|to| context.send(to, ask.clone()));
            }
            Operation::Send(further, method) => context.send(self.nodes[(self.at + further) % self.nodes.len()], ask(method)),
            Operation::Timer(timer, after, method) => {
                let ask = Ask { from: None, ..ask(method) };
                context.set_timer(TIMERS[timer], after, ask);
            }
            Operation::Cancel(timer) => context.cancel_timer(TIMERS[timer]),
            Operation::Never(register, value) => assert!(self.registers[register] != value, "assertion: {} is {value}", NAMES[register]),
            Operation::If(register, value, ref inner) => {
                if self.registers[register] == value {
                    self.perform(inner, context);
                }
            }
        }
    }
}

impl Actor for Node {
    type Message = Ask;
    const TIMERS: &'static [&'static str] = &TIMERS;

    fn handle(&mut self, ask: Ask, context: &mut Context<Self>) {
        self.heard_from = ask.from.or(self.heard_from);
        for operation in &ask.method().operations {
            self.perform(operation, context);
        }
    }

    fn accepts(&self, ask: &Ask) -> Accepts {
        match ask.method().guard {
            Some((register, value)) => Accepts::When(self.registers[register] == value),
            None => Accepts::Always,
        }
    }

    fn chooses(ask: &Ask) -> bool {
        ask.method().chooses()
    }

    fn restart(&mut self, before: &Self, context: &mut Context<Self>) {
        self.registers[0] = before.registers[0];
        if let Some(operation) = &self.script.clone().restart {
            self.perform(operation, context);
        }
    }

    fn touches(ask: &Ask, fields: &mut Fields) {
        let method = ask.method();
        if !method.declares || ask.script.dependency == Dependency::Actor || ask.script.interchangeable > 0 {
            fields.all();
        }
        for operation in &method.operations {
            touches(operation, fields);
        }
        if let Some((register, _)) = method.guard {
            fields.guard(NAMES[register]);
        }
    }

    fn values(&self, values: &mut Values) {
        for (name, value) in NAMES.iter().zip(&self.registers) {
            values.of(name, value);
        }
    }

    fn perturb(&mut self, field: &str, seed: u64) -> bool {
        let Some(register) = NAMES.iter().position(|n| *n == field) else {
            return false;
        };
        self.registers[register] = (self.registers[register] + 1 + (seed % 3) as u8) % 4;
        true
    }
}

fn touches(operation: &Operation, fields: &mut Fields<'_>) {
    match *operation {
        Operation::Set(register, _) | Operation::Add(register, _) | Operation::Choose(register, _) => {
            fields.write(NAMES[register]);
        }
        Operation::Timer(..) | Operation::Cancel(_) => {
            fields.timers();
        }
        Operation::Never(register, _) => {
            fields.read(NAMES[register]);
        }
        Operation::If(register, _, ref inner) => {
            fields.read(NAMES[register]);
            touches(inner, fields);
        }
        Operation::Send(..) => {}
    }
}
