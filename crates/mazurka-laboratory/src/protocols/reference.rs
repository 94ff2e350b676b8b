//! What a [`Script`] does, from the definition of the faults, timers and deliveries: a plain loop over everything that can happen.
//!
//! It shares nothing with the engine or with the front end: no footprints, no fingerprints, no names of messages. Whole worlds are compared by
//! equality. Faults need not happen: a world in which nothing else can happen is final.

use super::script::{NAMES, Operation, REGISTERS, Script};
use mazurka_actors::Delivery;
use mazurka_core::FailureKind;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Everything that can come of a script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Everything {
    /// The final states as they are shown, with the messages that nobody accepts.
    pub finals: BTreeSet<Vec<String>>,
    /// What fails on the way.
    pub failures: BTreeSet<(FailureKind, String)>,
    /// Whether in some final state messages wait.
    pub deadlocks: bool,
    /// How many worlds there are if interchangeable nodes may change places, and how many of them are final.
    pub orbits: (usize, usize),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct World {
    pub(super) nodes: Vec<Person>,
    pub(super) mail: Vec<Letter>,
    pub(super) losses: u32,
    pub(super) duplicates: u32,
    pub(super) crashes: u32,
    pub(super) partitions: u32,
    /// Who is cut off.
    pub(super) cut: Vec<bool>,
    /// Whether the invariant was violated before.
    pub(super) violated: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Person {
    registers: [u8; REGISTERS],
    /// What each timer will say, and when from now, if it is set.
    timers: [Option<(usize, u64)>; 2],
    up: bool,
    /// Where nodes are interchangeable.
    pub(super) heard_from: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Letter {
    pub(super) from: Option<usize>,
    pub(super) to: usize,
    method: usize,
    doubled: bool,
}

type Failure = (FailureKind, String);

/// Tries everything from every state. `None` if there are more states than `most`.
pub fn everything(script: &Script, most: usize) -> Option<Everything> {
    let mut found = Everything::default();
    let start = World::start(script);
    let mut known = FxHashSet::from_iter([start.clone()]);
    let mut open = vec![start];
    let mut ends = FxHashSet::default();
    while let Some(world) = open.pop() {
        let mut after: Vec<World> = Vec::new();
        world.progress(script, &mut after, &mut found.failures);
        if after.is_empty() {
            found.deadlocks |= !world.mail.is_empty();
            found.finals.insert(world.show());
            ends.insert(world.without_budgets().with_places_forgotten(script));
        }
        world.faults(script, &mut after, &mut found.failures);
        for mut next in after {
            if script.delivery == Delivery::Unordered {
                next.mail.sort_unstable();
            }
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    let all: FxHashSet<World> = known.iter().map(|world| world.with_places_forgotten(script)).collect();
    found.orbits = (all.len(), ends.len());
    Some(found)
}

impl World {
    fn start(script: &Script) -> World {
        let person = |registers: &[u8; REGISTERS]| Person {
            registers: *registers,
            timers: [None; 2],
            up: true,
            heard_from: None,
        };
        let letter = |&(to, method): &(usize, usize)| Letter {
            from: None,
            to,
            method,
            doubled: false,
        };
        let mut world = World {
            nodes: script.nodes.iter().map(person).collect(),
            mail: script.start.iter().map(letter).collect(),
            losses: script.faults.losses,
            duplicates: script.faults.duplicates,
            crashes: script.faults.crashes,
            partitions: script.faults.partitions,
            cut: vec![false; script.remote()],
            violated: false,
        };
        for &(of, timer, after, method) in &script.timers {
            world.nodes[of].timers[timer] = Some((method, if script.clock { after } else { 0 }));
        }
        world
    }

    /// What is no fault: deliveries, timers, restarts, and the end of a partition.
    fn progress(&self, script: &Script, after: &mut Vec<World>, failures: &mut BTreeSet<Failure>) {
        let first = self.nodes.iter().flat_map(|n| n.timers).flatten().map(|(_, due)| due).min();
        // Fast messages let everything happen first that is due at this moment, and arrive before anything later.
        let arrive: Vec<usize> = (0..self.mail.len()).filter(|&at| self.deliverable(script, at)).collect();
        let messages_move = !script.fast || self.nothing_is_due(first);
        let timers_wait = script.fast && messages_move && !arrive.is_empty();
        for at in arrive.into_iter().filter(|_| messages_move) {
            let mut next = self.clone();
            let letter = next.mail.remove(at);
            if next.nodes[letter.to].up {
                next.handle(script, (letter.to, letter.from), letter.method, after, failures);
            } else {
                after.push(next);
            }
        }
        for (at, timer) in (0..self.nodes.len()).flat_map(|at| [(at, 0), (at, 1)]) {
            let Some((method, due)) = self.nodes[at].timers[timer] else {
                continue;
            };
            if timers_wait || (script.clock && Some(due) != first) {
                continue;
            }
            let mut next = self.clone();
            next.nodes[at].timers[timer] = None;
            for (_, left) in next.nodes.iter_mut().flat_map(|n| &mut n.timers).flatten() {
                *left -= due;
            }
            next.handle(script, (at, None), method, after, failures);
        }
        for at in (0..self.nodes.len()).filter(|&at| !self.nodes[at].up && !script.faults.for_good) {
            let mut next = self.clone();
            next.nodes[at] = Person {
                registers: [self.nodes[at].registers[0], script.nodes[at][1]],
                timers: [None; 2],
                up: true,
                heard_from: None,
            };
            if let Some(operation) = &script.restart {
                // It neither chooses nor fails.
                drop(next.perform(script, at, operation, &mut Vec::new()));
            }
            next.look(script, at, failures);
            after.push(next);
        }
        for at in (0..self.cut.len()).filter(|&at| self.cut[at]) {
            let mut next = self.clone();
            next.cut[at] = false;
            after.push(next);
        }
    }

    /// Whether nothing is due at this moment.
    fn nothing_is_due(&self, first: Option<u64>) -> bool {
        first.is_none_or(|due| due > 0)
    }

    fn faults(&self, script: &Script, after: &mut Vec<World>, failures: &mut BTreeSet<Failure>) {
        let last = self.nodes.len() - 1;
        for (at, letter) in self.mail.iter().enumerate() {
            let Some(from) = letter.from else { continue };
            if self.losses > 0 && (!script.faults.one_link || (from, letter.to) == (0, last)) {
                let mut next = self.clone();
                next.losses -= 1;
                next.mail.remove(at);
                after.push(next);
            }
            if self.duplicates > 0 && !letter.doubled {
                let mut next = self.clone();
                next.duplicates -= 1;
                next.mail[at].doubled = true;
                next.mail.insert(at + 1, *letter);
                after.push(next);
            }
        }
        for at in (0..script.frail()).filter(|&at| self.crashes > 0 && self.nodes[at].up) {
            let mut next = self.clone();
            next.crashes -= 1;
            next.nodes[at].up = false;
            next.nodes[at].timers = [None; 2];
            next.look(script, at, failures);
            after.push(next);
        }
        for at in (0..self.cut.len()).filter(|&at| self.partitions > 0 && !self.cut[at]) {
            let mut next = self.clone();
            next.partitions -= 1;
            next.cut[at] = true;
            after.push(next);
        }
    }

    fn deliverable(&self, script: &Script, at: usize) -> bool {
        let letter = self.mail[at];
        let node = &self.nodes[letter.to];
        let in_the_way = |earlier: &Letter| match script.delivery {
            Delivery::Unordered => false,
            Delivery::PairFifo => earlier.to == letter.to && earlier.from == letter.from,
            Delivery::MailboxFifo => earlier.to == letter.to,
        };
        let separates = |at: usize| self.cut[at] && letter.from.is_some_and(|from| (from == at) != (letter.to == at));
        let separated = (0..self.cut.len()).any(separates);
        // Nobody who is down accepts anything, and nobody refuses it.
        let accepted = !node.up
            || script.methods[letter.method]
                .guard
                .is_none_or(|(register, value)| node.registers[register] == value);
        !self.mail[..at].iter().any(in_the_way) && !separated && accepted
    }

    /// Every way in which a node can handle a method. If that fails, nothing of what it did remains.
    fn handle(
        &self,
        script: &Script,
        (at, from): (usize, Option<usize>),
        method: usize,
        after: &mut Vec<World>,
        failures: &mut BTreeSet<Failure>,
    ) {
        let mut next = Some(Vec::new());
        while let Some(script_of_choices) = next.take() {
            let mut world = self.clone();
            if script.interchangeable > 0 {
                world.nodes[at].heard_from = from.or(world.nodes[at].heard_from);
            }
            let mut choices: Vec<(u32, u32)> = script_of_choices;
            let mut taken = Vec::new();
            let operations = &script.methods[method].operations;
            let mut plan = choices.clone();
            plan.reverse();
            let mut choose = Choose { plan, taken: &mut taken };
            let done = operations
                .iter()
                .try_for_each(|o| world.perform_choosing(script, at, o, &mut choose));
            match done {
                Ok(()) => {
                    world.look(script, at, failures);
                    after.push(world);
                }
                Err(failure) => {
                    failures.insert(failure);
                    after.push(self.clone());
                }
            }
            choices = taken;
            while let Some((chosen, n)) = choices.pop() {
                if chosen + 1 < n {
                    choices.push((chosen + 1, n));
                    next = Some(choices);
                    break;
                }
            }
        }
    }

    fn perform(&mut self, script: &Script, at: usize, operation: &Operation, taken: &mut Vec<(u32, u32)>) -> Result<(), Failure> {
        self.perform_choosing(script, at, operation, &mut Choose { plan: Vec::new(), taken })
    }

    fn perform_choosing(&mut self, script: &Script, at: usize, operation: &Operation, choose: &mut Choose<'_>) -> Result<(), Failure> {
        let nodes = self.nodes.len();
        let node = &mut self.nodes[at];
        match *operation {
            Operation::Set(register, value) => node.registers[register] = value,
            Operation::Add(register, value) => node.registers[register] = (node.registers[register] + value) % 4,
            Operation::Choose(register, n) => node.registers[register] = choose.one_of(n) as u8,
            Operation::Send(further, method) => {
                let to = match (script.interchangeable, further) {
                    (0, _) => vec![(at + further) % nodes],
                    (_, 0) => vec![at],
                    (_, 1) => (0..nodes).filter(|to| *to != at).collect(),
                    (..) => node.heard_from.into_iter().collect(),
                };
                self.mail.extend(to.into_iter().map(|to| Letter {
                    from: Some(at),
                    to,
                    method,
                    doubled: false,
                }));
            }
            Operation::Timer(timer, after, method) => node.timers[timer] = Some((method, if script.clock { after } else { 0 })),
            Operation::Cancel(timer) => node.timers[timer] = None,
            Operation::Never(register, value) if node.registers[register] == value => {
                let message = format!("assertion: {} is {value}", NAMES[register]);
                return Err((FailureKind::Assertion, message));
            }
            Operation::Never(..) => {}
            Operation::If(register, value, ref inner) => {
                if node.registers[register] == value {
                    return self.perform_choosing(script, at, inner, choose);
                }
            }
        }
        Ok(())
    }

    /// Looks at the invariant after a step of a node.
    fn look(&mut self, script: &Script, at: usize, failures: &mut BTreeSet<Failure>) {
        let Some((most, of_some)) = script.invariant else { return };
        let read = if of_some { self.nodes.len().min(2) } else { self.nodes.len() };
        let sum: u8 = self.nodes[..read].iter().map(|n| n.registers[0]).sum();
        if at < read && sum > most && !self.violated {
            self.violated = true;
            failures.insert((FailureKind::Assertion, "`few` does not hold".to_owned()));
        }
    }

    fn show(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (at, Person { registers, up, .. }) in self.nodes.iter().enumerate() {
            let down = if *up { "" } else { "down, was " };
            lines.push(format!("node {at}: {down}r0={} r1={}", registers[0], registers[1]));
        }
        lines.extend(self.mail.iter().map(|l| format!("m{} to node {}", l.method, l.to)));
        lines.sort();
        lines
    }
}

/// What is chosen, and what was.
struct Choose<'c> {
    /// The last one comes first.
    plan: Vec<(u32, u32)>,
    taken: &'c mut Vec<(u32, u32)>,
}

impl Choose<'_> {
    fn one_of(&mut self, n: u32) -> u32 {
        let chosen = self.plan.pop().map_or(0, |(chosen, _)| chosen);
        self.taken.push((chosen, n));
        chosen
    }
}
