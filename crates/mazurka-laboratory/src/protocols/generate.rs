//! Random protocols, as users write them: most have one or two faults, and a few messages or timers.

use super::script::{Faults, Method, Operation, REGISTERS, Script};
use crate::random::Numbers;
use mazurka_actors::Delivery;
use mazurka_core::Dependency;

/// A random protocol.
pub fn generate(numbers: &mut Numbers) -> Script {
    let nodes = 1 + numbers.below(3);
    let methods = 2 + numbers.below(3);
    let timed = numbers.chance(1, 2);
    let mut script = Script {
        nodes: (0..nodes).map(|_| [0; REGISTERS].map(|_| u8::from(numbers.chance(1, 4)))).collect(),
        methods: (0..methods).map(|at| method(numbers, at, methods, timed)).collect(),
        start: Vec::new(),
        timers: Vec::new(),
        restart: None,
        delivery: numbers.pick(&[Delivery::Unordered, Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo]),
        dependency: numbers.pick(&[Dependency::Actor, Dependency::Field]),
        clock: timed && numbers.chance(1, 4),
        fast: false,
        invariant: numbers.chance(1, 4).then(|| (1 + numbers.below(3) as u8, numbers.chance(1, 2))),
        faults: faults(numbers),
        interchangeable: 0,
    };
    for _ in 0..1 + numbers.below(2) {
        script
            .start
            .push((numbers.below(nodes), numbers.below(methods).min(numbers.below(methods))));
    }
    if timed && numbers.chance(1, 2) {
        let timer = (
            numbers.below(nodes),
            numbers.below(2),
            numbers.below(3) as u64,
            numbers.below(methods),
        );
        script.timers.push(timer);
    }
    script.fast = script.clock && numbers.chance(1, 2);
    // It holds at the start.
    let sum: u8 = script.nodes.iter().map(|n| n[0]).sum();
    script.invariant = script.invariant.filter(|(most, _)| sum <= *most);
    if numbers.chance(1, 2) {
        script.restart = Some(match numbers.below(3) {
            0 => Operation::Send(numbers.below(3), methods - 1),
            1 if timed => Operation::Timer(numbers.below(2), numbers.below(3) as u64, methods - 1),
            _ => Operation::If(0, 1, Box::new(Operation::Set(1, 2))),
        });
    }
    if nodes > 1 && numbers.chance(1, 3) {
        make_interchangeable(numbers, &mut script);
    }
    script
}

/// Some nodes become interchangeable; mostly they begin in the same way.
fn make_interchangeable(numbers: &mut Numbers, script: &mut Script) {
    let nodes = script.nodes.len();
    script.interchangeable = 2 + numbers.below(nodes - 1);
    script.faults.one_link = false;
    script.invariant = script.invariant.map(|(most, _)| (most, false));
    if numbers.chance(3, 4) {
        let same = script.nodes[0];
        script.nodes[..script.interchangeable].fill(same);
        // It still holds at the start.
        let sum: u8 = script.nodes.iter().map(|n| n[0]).sum();
        script.invariant = script.invariant.filter(|(most, _)| sum <= *most);
    }
    if numbers.chance(1, 2) {
        let (_, method) = script.start[0];
        script.start = (0..script.interchangeable).map(|node| (node, method)).collect();
    }
}

fn faults(numbers: &mut Numbers) -> Faults {
    let mut faults = Faults::default();
    for _ in 0..1 + numbers.below(2) {
        match numbers.below(5) {
            0 => {
                faults.losses = 1 + numbers.below(2) as u32;
                faults.one_link = numbers.chance(1, 3);
            }
            1 => faults.duplicates = 1,
            2 => {
                faults.crashes = 1 + u32::from(numbers.chance(1, 3));
                faults.for_good = numbers.chance(1, 3);
            }
            3 => faults.partitions = 1,
            _ => {}
        }
    }
    faults
}

fn method(numbers: &mut Numbers, at: usize, methods: usize, timed: bool) -> Method {
    let length = [0, 1, 1, 2, 2, 3][numbers.below(6)];
    Method {
        guard: numbers.chance(1, 6).then(|| (numbers.below(REGISTERS), numbers.below(2) as u8)),
        declares: numbers.chance(2, 3),
        operations: (0..length).map(|_| operation(numbers, at, methods, timed, true)).collect(),
    }
}

fn operation(numbers: &mut Numbers, at: usize, methods: usize, timed: bool, nested: bool) -> Operation {
    let register = numbers.below(REGISTERS);
    let later = |numbers: &mut Numbers| at + 1 + numbers.below(methods - at - 1);
    let has_later = at + 1 < methods;
    match numbers.below(12) {
        0 => Operation::Set(register, numbers.below(3) as u8),
        1 | 2 => Operation::Add(register, 1 + numbers.below(2) as u8),
        3 if numbers.chance(1, 2) => Operation::Choose(register, 2),
        4 => Operation::Never(register, 1 + numbers.below(3) as u8),
        5 if nested => {
            let inner = operation(numbers, at, methods, timed, false);
            Operation::If(register, numbers.below(2) as u8, Box::new(inner))
        }
        6 if timed => Operation::Cancel(numbers.below(2)),
        7 | 8 if timed && has_later => {
            let (timer, after) = (numbers.below(2), numbers.below(3) as u64);
            Operation::Timer(timer, after, later(numbers))
        }
        _ if has_later => {
            let to = numbers.below(3);
            Operation::Send(to, later(numbers))
        }
        _ => Operation::Add(register, 1),
    }
}
