//! What the handlers of a [`Script`](super::Script) declare: the fields that they touch and the messages that they send.

use super::puppet::{Ask, Puppet};
use super::script::{Declares, Method, NUMBER_NAMES, Operation, Script, Whom};
use mazurka_actors::{Actor, Fields, Sends};

/// How an operation touches a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Read,
    Write,
    Add,
}

/// Declares what a method touches, as far as it says so.
pub(super) fn declare_fields(method: &Method, fields: &mut Fields<'_>) {
    match method.declares {
        Declares::All | Declares::AllAndTheGuard => fields.all(),
        Declares::Exactly | Declares::NotTheGuard => {
            let mut touched = Vec::new();
            method.operations.iter().for_each(|o| touches(o, &mut touched));
            for &(field, how) in &touched {
                // Adding commutes only with adding.
                let only_added = touched.iter().all(|t| t.0 != field || t.1 == Touch::Add);
                match how {
                    Touch::Read => fields.read(field),
                    Touch::Add if only_added => fields.accumulate(field),
                    Touch::Add | Touch::Write => fields.write(field),
                };
            }
        }
    }
    if matches!(method.declares, Declares::Exactly | Declares::AllAndTheGuard) {
        for test in &method.guard {
            fields.guard(NUMBER_NAMES[test.number]);
        }
    }
}

/// Whether a method touches no field at all.
pub(super) fn touches_nothing(method: &Method) -> bool {
    let mut touched = Vec::new();
    method.operations.iter().for_each(|o| touches(o, &mut touched));
    touched.is_empty()
}

fn touches(operation: &Operation, out: &mut Vec<(&'static str, Touch)>) {
    let name = |n: usize| NUMBER_NAMES[n];
    match operation {
        Operation::Set(number, _) | Operation::Double(number) | Operation::Take(number) => out.push((name(*number), Touch::Write)),
        Operation::Add(number, _) => out.push((name(*number), Touch::Add)),
        Operation::Copy(to, from) => out.extend([(name(*from), Touch::Read), (name(*to), Touch::Write)]),
        Operation::Remember | Operation::Forget => out.push(("g", Touch::Write)),
        Operation::Create(_) | Operation::Fail => {}
        Operation::Send(send) => {
            if [send.to, send.argument].iter().any(|w| matches!(w, Whom::Field | Whom::Everyone)) {
                out.push(("g", Touch::Read));
            }
            out.extend(send.value.map(|number| (name(number), Touch::Read)));
        }
        Operation::Assert(test) => out.push((name(test.number), Touch::Read)),
        Operation::If(test, inner) => {
            out.push((name(test.number), Touch::Read));
            touches(inner, out);
        }
    }
}

/// Declares what the methods of a script send when an actor of this class handles them.
pub(super) fn declare_sends<A: Actor<Message = Ask>>(script: &Script, class: usize, sends: &mut Sends<'_, A>) {
    for method in script.methods.iter().filter(|m| !m.sends_anything) {
        let mut handler = sends.on(&method.name);
        for send in method.operations.iter().filter_map(Operation::sent) {
            let name = &script.methods[send.method].name;
            let created = |class: usize| method.operations.iter().any(|o| *o.core() == Operation::Create(class));
            let classes = match send.to {
                Whom::Nobody => [false, false],
                Whom::Me => [class == 0, class == 1],
                Whom::Created => [created(0), created(1)],
                Whom::Argument | Whom::Field | Whom::Everyone => [true, true],
            };
            if classes[0] {
                handler = handler.send::<Puppet<0>>(name);
            }
            if classes[1] {
                handler = handler.send::<Puppet<1>>(name);
            }
        }
    }
}
