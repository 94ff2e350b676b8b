//! Random actor programs, as users write them.
//!
//! One to three actors of up to two classes, three to six methods, two to four messages at the start. A method sends only methods after
//! it, so every execution ends. How often each shape occurs is said by `mazurka fuzz --language actors --stats`.

use super::script::{CLASSES, Comparison, Declares, Initial, Method, NUMBERS, Operand, Operation, Script, Send, Start, Test, Whom};
use crate::random::Numbers;

/// A random program. With `constraints` some messages are accepted only in some states.
pub fn generate(numbers: &mut Numbers, constraints: bool) -> Script {
    let actors = 1 + numbers.below(3);
    let methods = 3 + numbers.below(4);
    let first = if numbers.chance(1, 3) { numbers.below(actors + 1) } else { actors };
    let mut script = Script {
        actors: (0..actors).map(|at| initial(numbers, at, first, actors)).collect(),
        ..Script::default()
    };
    // Most programs declare their handlers precisely; in the others a few handlers say less.
    let vague = numbers.chance(1, 3);
    for at in 0..methods {
        script.methods.push(method(numbers, at, methods, constraints, vague));
    }
    let messages = 2 + numbers.below(3);
    for _ in 0..messages {
        script.start.push(Start {
            to: numbers.below(actors),
            // Early methods do more: they can send the later ones.
            method: numbers.below(methods).min(numbers.below(methods)),
            argument: numbers.chance(1, 2).then(|| numbers.below(actors)),
            value: if numbers.chance(1, 4) { numbers.below(3) as u8 } else { 0 },
        });
    }
    script
}

/// Actor `at`; the first ones are of class 0, and refer to each other only.
fn initial(numbers: &mut Numbers, at: usize, first: usize, actors: usize) -> Initial {
    let class = usize::from(at >= first);
    let known = if class == 0 { first } else { actors };
    Initial {
        class,
        numbers: [0; NUMBERS].map(|_| if numbers.chance(1, 4) { 1 + numbers.below(2) as u8 } else { 0 }),
        reference: numbers.chance(1, 3).then(|| numbers.below(known)),
    }
}

fn method(numbers: &mut Numbers, at: usize, methods: usize, constraints: bool, vague: bool) -> Method {
    let length = [0, 1, 1, 2, 2, 3][numbers.below(6)];
    let mut operations: Vec<Operation> = Vec::new();
    for _ in 0..length {
        let created = operations.iter().any(creates);
        operations.push(operation(numbers, at, methods, created, true));
    }
    Method {
        name: format!("m{at}"),
        declares: if vague { numbers.pick(&Declares::ALL) } else { Declares::Exactly },
        sends_anything: vague && numbers.chance(1, 4),
        guard: if constraints && numbers.chance(1, 3) {
            (0..1 + usize::from(numbers.chance(1, 4))).map(|_| test(numbers)).collect()
        } else {
            Vec::new()
        },
        operations,
    }
}

pub(super) fn creates(operation: &Operation) -> bool {
    matches!(operation.core(), Operation::Create(_))
}

pub(super) fn test(numbers: &mut Numbers) -> Test {
    Test {
        number: numbers.below(NUMBERS),
        comparison: numbers.pick(&Comparison::ALL),
        with: match numbers.below(5) {
            0 => Operand::Value,
            n => Operand::Constant(1 + (n % 2) as u8),
        },
    }
}

pub(super) fn operation(numbers: &mut Numbers, at: usize, methods: usize, created: bool, nested: bool) -> Operation {
    let number = numbers.below(NUMBERS);
    match numbers.below(16) {
        0 => Operation::Set(number, numbers.below(3) as u8),
        1 => Operation::Add(number, 1 + numbers.below(2) as u8),
        2 => Operation::Double(number),
        3 => Operation::Copy(number, numbers.below(NUMBERS)),
        4 => Operation::Take(number),
        5 => Operation::Remember,
        6 if numbers.chance(1, 2) => Operation::Forget,
        7 if !created => Operation::Create(if numbers.chance(1, 4) { numbers.below(CLASSES) } else { 0 }),
        8 if numbers.chance(2, 3) => Operation::Assert(test(numbers)),
        9 if numbers.chance(1, 6) => Operation::Fail,
        10 if nested => {
            let condition = test(numbers);
            Operation::If(condition, Box::new(operation(numbers, at, methods, created, false)))
        }
        _ if at + 1 < methods => Operation::Send(send(numbers, at, methods, created)),
        _ => Operation::Add(number, 1),
    }
}

fn send(numbers: &mut Numbers, at: usize, methods: usize, created: bool) -> Send {
    let to = if created && numbers.chance(1, 3) {
        Whom::Created
    } else {
        numbers.pick(&[
            Whom::Me,
            Whom::Me,
            Whom::Argument,
            Whom::Argument,
            Whom::Argument,
            Whom::Argument,
            Whom::Field,
            Whom::Field,
            Whom::Everyone,
        ])
    };
    Send {
        to,
        method: at + 1 + numbers.below(methods - at - 1),
        argument: numbers.pick(&[Whom::Nobody, Whom::Me, Whom::Argument, Whom::Field, Whom::Created]),
        value: numbers.chance(1, 4).then(|| numbers.below(NUMBERS)),
    }
}
