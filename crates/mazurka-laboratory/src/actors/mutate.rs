//! Mutants of the actor programs on which published algorithms miss executions.

use super::generate::{creates, operation, test};
use super::script::{Declares, NUMBERS, Script, Start};
use crate::random::Numbers;

/// Programs A1 to A7 of `docs/src/soundness.md`, and constraints that do not say what they read beside handlers that name their fields.
pub const HARD: [&str; 11] = [
    "actors 1\np: x=2\nr: assert y!=1\nq all when x!=2: fail\nstart a0!p(), a0!q(), a0!r()",
    "actors 1\np all: x=2\nq all+guard when x!=2: fail\nr fields when y==0: y=1\nstart a0!p(), a0!q(), a0!r()",
    "actors 1\np: x=2\nq when x!=2:\nstart a0!p(), a0!q()",
    "actors 2\nw: p!x1(); p!x2()\nx1:\nx2:\nr:\nstart a1!w(a0), a0!r()",
    "actors 1\nw: x=1\nr1: assert x<3\nr2: assert x<3\nstart a0!w(), a0!r1(), a0!r2()",
    "actors 1\nw: x=1\nx1: me!r1()\nx2: me!r2()\nr1: assert x<3\nr2: assert x<3\nstart a0!w(), a0!x1(), a0!x2()",
    "actors 2\nt1: p!x(me)\nx: p!t3()\nt2: y=1\nt3: y=2\nstart a0!t2(), a0!t1(a1)",
    "actors 2\ninit a0.x=1\nm3: p!m4(me)\nm1: x*=2; me!m6()\nm4: p!m6()\nm6: x+=1; assert x!=7\nstart a0!m1(), a0!m3(a1)",
    "actors 2\ninit a0.g=a1, a1.g=a0\nm0: g!m2(me); y=z\nm2: p!m3()\nm3: g!m4()\nm4: y+=2\nstart a1!m0(), a0!m0()",
    "actors 2\nm1:\nm0: g!m2()\nm2: g=p\nstart a1!m1(), a0!m0(), a0!m2(a1)",
    "actors 2\ninit a1.g=a0\na:\nc:\nb: g!e()\nd: me!f()\nf: g=null\ne:\nstart a0!a(), a0!c(), a1!b(), a1!d()",
];

/// A program that differs from the given one in a few places. Methods still send only methods after them, so every execution ends.
pub fn mutate(numbers: &mut Numbers, script: &Script) -> Script {
    let mut mutant = script.clone();
    for _ in 0..1 + numbers.below(3) {
        change(numbers, &mut mutant);
    }
    if numbers.chance(1, 2) {
        numbers.shuffle(&mut mutant.start);
    }
    mutant
}

fn change(numbers: &mut Numbers, script: &mut Script) {
    let (actors, methods) = (script.actors.len(), script.methods.len());
    let at = numbers.below(methods);
    let method = &mut script.methods[at];
    let created = method.operations.iter().any(creates);
    let operation = operation(numbers, at, methods, created, true);
    let place = numbers.below(method.operations.len() + 1);
    match numbers.below(9) {
        0 | 1 => method.operations.insert(place, operation),
        2 if place < method.operations.len() => {
            method.operations.remove(place);
        }
        3 if place < method.operations.len() => method.operations[place] = operation,
        4 if method.guard.is_empty() => method.guard.push(test(numbers)),
        4 => method.guard.clear(),
        5 => {
            let first = script.actors.iter().filter(|a| a.class == 0).count();
            let actor = &mut script.actors[numbers.below(actors)];
            actor.numbers[numbers.below(NUMBERS)] = numbers.below(3) as u8;
            let known = if actor.class == 0 { first } else { actors };
            actor.reference = numbers.chance(1, 2).then(|| numbers.below(known));
        }
        7 => method.declares = numbers.pick(&Declares::ALL),
        6 if script.start.len() < 4 => script.start.push(Start {
            to: numbers.below(actors),
            method: at,
            argument: numbers.chance(1, 2).then(|| numbers.below(actors)),
            value: numbers.below(2) as u8,
        }),
        _ => {
            let message = numbers.below(script.start.len());
            script.start[message].to = numbers.below(actors);
        }
    }
}
