//! What a [`Script`] does, from the definition of the actors and of the deliveries: a plain loop over everything that can be delivered.
//!
//! It shares nothing with the engine or with the front end: no footprints, no fingerprints, no identities but the place of birth, written
//! out. Whole worlds are compared by equality.

use super::script::{Comparison, MODULUS, NUMBER_NAMES, NUMBERS, Operand, Operation, Script, Send, Test, Whom};
use mazurka_actors::Delivery;
use mazurka_core::FailureKind;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that can come of a script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Everything {
    /// The final states as they are shown, with the messages that nobody accepts.
    pub finals: BTreeSet<Vec<String>>,
    /// What fails on the way.
    pub failures: BTreeSet<(FailureKind, String)>,
    /// Whether in some final state messages wait.
    pub deadlocks: bool,
}

/// Tries every delivery from every state. `None` if there are more states than `most`.
pub fn everything(script: &Script, delivery: Delivery, most: usize) -> Option<Everything> {
    let mut found = Everything::default();
    let start = World::start(script);
    let mut known = FxHashSet::from_iter([start.clone()]);
    let mut open = vec![start];
    while let Some(world) = open.pop() {
        let deliverable: Vec<usize> = (0..world.mail.len())
            .filter(|&at| world.deliverable(script, delivery, at))
            .collect();
        if deliverable.is_empty() {
            found.deadlocks |= !world.mail.is_empty();
            found.finals.insert(world.show(script));
        }
        for at in deliverable {
            let mut next = world.clone();
            let letter = next.mail.remove(at);
            match next.deliver(script, &letter) {
                Ok(after) => next = after,
                Err(failure) => {
                    found.failures.insert(failure);
                }
            }
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(found)
}

/// The actors by name, and the messages under way in the order in which they were sent.
#[derive(Clone, PartialEq, Eq, Hash)]
struct World {
    actors: BTreeMap<String, Person>,
    mail: Vec<Letter>,
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Person {
    numbers: [u8; NUMBERS],
    reference: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Letter {
    /// The places of birth from the start on: `0.1` is the second message that the handler of the first one sent.
    path: String,
    from: Option<String>,
    to: String,
    method: usize,
    argument: Option<String>,
    value: u8,
}

/// What a handler knows while it runs.
struct Running<'a> {
    letter: &'a Letter,
    created: Option<String>,
    creations: usize,
    sent: usize,
}

type Failure = (FailureKind, String);

impl World {
    fn start(script: &Script) -> World {
        let first = script.actors.iter().filter(|a| a.class == 0).count();
        let name = |at: usize| {
            if at < first {
                format!("a {at}")
            } else {
                format!("b {}", at - first)
            }
        };
        let person = |at: usize| Person {
            numbers: script.actors[at].numbers,
            reference: script.actors[at].reference.map(name),
        };
        let letters = script.start.iter().enumerate().map(|(nth, start)| Letter {
            path: nth.to_string(),
            from: None,
            to: name(start.to),
            method: start.method,
            argument: start.argument.map(name),
            value: start.value,
        });
        World {
            actors: (0..script.actors.len()).map(|at| (name(at), person(at))).collect(),
            mail: letters.collect(),
        }
    }

    /// Whether the order of messages and the constraint allow it.
    fn deliverable(&self, script: &Script, delivery: Delivery, at: usize) -> bool {
        let letter = &self.mail[at];
        let in_the_way = |earlier: &Letter| match delivery {
            Delivery::Unordered => false,
            Delivery::PairFifo => earlier.to == letter.to && earlier.from == letter.from,
            Delivery::MailboxFifo => earlier.to == letter.to,
        };
        let accepted = |test: &Test| holds(&self.actors[&letter.to], *test, letter);
        !self.mail[..at].iter().any(in_the_way) && script.methods[letter.method].guard.iter().all(accepted)
    }

    /// The world after the handler has run; if it fails, nothing of what it did remains.
    fn deliver(&self, script: &Script, letter: &Letter) -> Result<World, Failure> {
        let mut world = self.clone();
        let mut running = Running {
            letter,
            created: None,
            creations: 0,
            sent: 0,
        };
        let method = &script.methods[letter.method];
        for (at, operation) in method.operations.iter().enumerate() {
            let place = format!("{} at {at}", method.name);
            world.perform(operation, &place, &mut running)?;
        }
        Ok(world)
    }

    fn perform(&mut self, operation: &Operation, place: &str, running: &mut Running<'_>) -> Result<(), Failure> {
        let letter = running.letter;
        let me = self.actors.get_mut(&letter.to).expect("the receiver exists");
        match operation {
            Operation::Set(number, value) => me.numbers[*number] = *value,
            Operation::Add(number, value) => me.numbers[*number] = (me.numbers[*number] + value) % MODULUS,
            Operation::Double(number) => me.numbers[*number] = me.numbers[*number] * 2 % MODULUS,
            Operation::Copy(to, from) => me.numbers[*to] = me.numbers[*from],
            Operation::Take(number) => me.numbers[*number] = letter.value,
            Operation::Remember => me.reference.clone_from(&letter.argument),
            Operation::Forget => me.reference = None,
            Operation::Create(_) => {
                let name = format!("Puppet {}/{}", letter.path, running.creations);
                running.creations += 1;
                self.actors.insert(name.clone(), Person::default());
                running.created = Some(name);
            }
            Operation::Send(send) => self.send(send, running),
            Operation::Assert(test) if holds(me, *test, letter) => {}
            Operation::Assert(test) => {
                let message = format!("assertion {test} of {place} failed, but it is {}", me.numbers[test.number]);
                return Err((FailureKind::Assertion, message));
            }
            Operation::Fail => {
                let (name, at) = place.split_once(" at ").unwrap_or((place, ""));
                return Err((FailureKind::Panic, format!("{name} fails at {at}")));
            }
            Operation::If(test, inner) => {
                if holds(me, *test, letter) {
                    return self.perform(inner, place, running);
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, send: &Send, running: &mut Running<'_>) {
        let letter = running.letter;
        let me = &self.actors[&letter.to];
        let whom = |whom: Whom| match whom {
            Whom::Nobody => vec![],
            Whom::Me => vec![letter.to.clone()],
            Whom::Argument => letter.argument.iter().cloned().collect(),
            Whom::Field => me.reference.iter().cloned().collect(),
            Whom::Created => running.created.iter().cloned().collect(),
            Whom::Everyone => [&letter.argument, &me.reference, &running.created]
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
        };
        let argument = whom(send.argument).into_iter().next();
        let value = send.value.map_or(0, |number| me.numbers[number]);
        for to in whom(send.to) {
            self.mail.push(Letter {
                path: format!("{}.{}", letter.path, running.sent),
                from: Some(letter.to.clone()),
                to,
                method: send.method,
                argument: argument.clone(),
                value,
            });
            running.sent += 1;
        }
    }

    fn show(&self, script: &Script) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, person) in &self.actors {
            let numbers: Vec<String> = NUMBER_NAMES
                .iter()
                .zip(person.numbers)
                .map(|(n, value)| format!("{n}={value}"))
                .collect();
            let reference = person.reference.as_deref().unwrap_or("null");
            lines.push(format!("{name}: {} g={reference}", numbers.join(" ")));
        }
        for letter in &self.mail {
            let argument = letter.argument.as_ref().map_or(String::new(), |a| format!("{a},"));
            let (name, value) = (&script.methods[letter.method].name, letter.value);
            lines.push(format!("message {}: {name}({argument}{value}) to {}", letter.path, letter.to));
        }
        lines.sort();
        lines
    }
}

fn holds(person: &Person, test: Test, letter: &Letter) -> bool {
    let with = match test.with {
        Operand::Constant(constant) => constant,
        Operand::Value => letter.value,
    };
    let value = person.numbers[test.number];
    match test.comparison {
        Comparison::Equal => value == with,
        Comparison::Different => value != with,
        Comparison::AtLeast => value >= with,
        Comparison::Below => value < with,
    }
}
