//! Random actor programs.

use super::script::{Comparison, Initial, Method, NUMBERS, Operation, Script, Start, Test, Whom};
use crate::random::Numbers;

/// A random program: creation, references passed in messages, self-sends, reads and writes of fields; with `constraints` some messages
/// are accepted only in some states. A method sends only methods after it, so every execution ends.
pub fn generate(numbers: &mut Numbers, constraints: bool) -> Script {
    let actors = 1 + numbers.below(3);
    let methods = 3 + numbers.below(4);
    let mut script = Script {
        actors: (0..actors)
            .map(|_| Initial {
                numbers: [0; NUMBERS].map(|_| if numbers.chance(1, 4) { 1 + numbers.below(2) as u8 } else { 0 }),
                reference: numbers.chance(1, 3).then(|| numbers.below(actors)),
            })
            .collect(),
        ..Script::default()
    };
    for at in 0..methods {
        let length = [0, 1, 1, 2, 2, 3][numbers.below(6)];
        let mut operations = Vec::new();
        let mut created = false;
        for _ in 0..length {
            let operation = operation(numbers, at, methods, created, true);
            created |= operation == Operation::Create;
            operations.push(operation);
        }
        script.methods.push(Method {
            name: format!("m{at}"),
            guard: (constraints && numbers.chance(1, 3)).then(|| test(numbers)),
            operations,
        });
    }
    let messages = 2 + numbers.below(3);
    for _ in 0..messages {
        script.start.push(Start {
            to: numbers.below(actors),
            // Early methods do more: they can send the later ones.
            method: numbers.below(methods).min(numbers.below(methods)),
            argument: numbers.chance(1, 2).then(|| numbers.below(actors)),
        });
    }
    script
}

pub(super) fn test(numbers: &mut Numbers) -> Test {
    Test {
        number: numbers.below(NUMBERS),
        comparison: numbers.pick(&Comparison::ALL),
        value: 1 + numbers.below(2) as u8,
    }
}

pub(super) fn operation(numbers: &mut Numbers, at: usize, methods: usize, created: bool, nested: bool) -> Operation {
    let number = numbers.below(NUMBERS);
    match numbers.below(14) {
        0 => Operation::Set(number, numbers.below(3) as u8),
        1 => Operation::Add(number, 1 + numbers.below(2) as u8),
        2 => Operation::Double(number),
        3 => Operation::Copy(number, numbers.below(NUMBERS)),
        4 => Operation::Remember,
        5 if numbers.chance(1, 2) => Operation::Forget,
        6 if !created => Operation::Create,
        7 if numbers.chance(1, 2) => Operation::Assert(test(numbers)),
        8 if nested => {
            let condition = test(numbers);
            Operation::If(condition, Box::new(operation(numbers, at, methods, created, false)))
        }
        _ if at + 1 < methods => {
            let method = at + 1 + numbers.below(methods - at - 1);
            let to = if created && numbers.chance(1, 3) {
                Whom::Created
            } else {
                numbers.pick(&[Whom::Me, Whom::Argument, Whom::Argument, Whom::Field])
            };
            let argument = numbers.pick(&[Whom::Nobody, Whom::Me, Whom::Argument, Whom::Field, Whom::Created]);
            Operation::Send(to, method, argument)
        }
        _ => Operation::Add(number, 1),
    }
}
