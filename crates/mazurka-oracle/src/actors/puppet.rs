//! The actor that plays a [`Script`].

use super::script::{MODULUS, NUMBER_NAMES, NUMBERS, Operation, Script, Whom};
use mazurka_actors::{Accepts, Actor, Address, Context, Fields, Sends, System};
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

thread_local! {
    /// The script whose system is being built: what its methods may send is declared once per system, by type.
    static BEING_BUILT: RefCell<Option<Rc<Script>>> = const { RefCell::new(None) };
}

impl Script {
    /// The system of actors that plays the script.
    pub fn system(&self) -> System {
        let script = Rc::new(self.clone());
        BEING_BUILT.set(Some(Rc::clone(&script)));
        let mut system = System::new();
        let actors = system.create_many("a", self.actors.len(), |all, nth| Puppet {
            numbers: self.actors[nth].numbers,
            reference: self.actors[nth].reference.map(|to| all[to]),
        });
        for start in &self.start {
            let message = Ask {
                method: start.method,
                argument: start.argument.map(|a| actors[a]),
                script: Rc::clone(&script),
            };
            system.send(actors[start.to], message);
        }
        BEING_BUILT.set(None);
        system
    }
}

/// An actor that does what it is asked.
#[derive(Clone, Hash, Debug, Default)]
struct Puppet {
    numbers: [u8; NUMBERS],
    reference: Option<Address<Puppet>>,
}

/// A call of a method.
#[derive(Clone)]
struct Ask {
    method: usize,
    argument: Option<Address<Puppet>>,
    script: Rc<Script>,
}

impl Hash for Ask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.method, self.argument).hash(state);
    }
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.script.methods[self.method].name)?;
        match self.argument {
            Some(argument) => write!(f, "({argument:?})"),
            None => f.write_str("()"),
        }
    }
}

impl Puppet {
    fn whom(&self, whom: Whom, ask: &Ask, created: Option<Address<Puppet>>, context: &Context<'_, Self>) -> Option<Address<Puppet>> {
        match whom {
            Whom::Nobody => None,
            Whom::Me => Some(context.me()),
            Whom::Argument => ask.argument,
            Whom::Field => self.reference,
            Whom::Created => created,
        }
    }

    fn perform(&mut self, operation: &Operation, ask: &Ask, created: &mut Option<Address<Puppet>>, context: &mut Context<'_, Self>) {
        match operation {
            Operation::Set(number, value) => self.numbers[*number] = *value,
            Operation::Add(number, value) => self.numbers[*number] = (self.numbers[*number] + value) % MODULUS,
            Operation::Double(number) => self.numbers[*number] = (self.numbers[*number] * 2) % MODULUS,
            Operation::Copy(to, from) => self.numbers[*to] = self.numbers[*from],
            Operation::Remember => self.reference = ask.argument,
            Operation::Forget => self.reference = None,
            Operation::Create => *created = Some(context.create(Puppet::default())),
            Operation::Send(to, method, argument) => {
                let argument = self.whom(*argument, ask, *created, context);
                if let Some(to) = self.whom(*to, ask, *created, context) {
                    let message = Ask {
                        method: *method,
                        argument,
                        script: Rc::clone(&ask.script),
                    };
                    context.send(to, message);
                }
            }
            Operation::Assert(test) => assert!(test.holds(&self.numbers), "{test} does not hold"),
            Operation::If(test, inner) => {
                if test.holds(&self.numbers) {
                    self.perform(inner, ask, created, context);
                }
            }
        }
    }
}

/// What an operation touches: fields by name, with `true` for those it may write.
fn touched(operation: &Operation, out: &mut Vec<(&'static str, bool)>) {
    let name = |n: usize| NUMBER_NAMES[n];
    match operation {
        Operation::Set(number, _) | Operation::Add(number, _) | Operation::Double(number) => out.push((name(*number), true)),
        Operation::Copy(to, from) => out.extend([(name(*from), false), (name(*to), true)]),
        Operation::Remember | Operation::Forget => out.push(("g", true)),
        Operation::Create => {}
        Operation::Send(to, _, argument) => {
            if *to == Whom::Field || *argument == Whom::Field {
                out.push(("g", false));
            }
        }
        Operation::Assert(test) => out.push((name(test.number), false)),
        Operation::If(test, inner) => {
            out.push((name(test.number), false));
            touched(inner, out);
        }
    }
}

impl Actor for Puppet {
    type Message = Ask;

    fn handle(&mut self, ask: Ask, context: &mut Context<Self>) {
        let mut created = None;
        for operation in &ask.script.methods[ask.method].operations {
            self.perform(operation, &ask, &mut created, context);
        }
    }

    fn accepts(&self, ask: &Ask) -> Accepts {
        match ask.script.methods[ask.method].guard {
            None => Accepts::Always,
            Some(guard) => Accepts::When(guard.holds(&self.numbers)),
        }
    }

    fn touches(ask: &Ask, fields: &mut Fields) {
        let method = &ask.script.methods[ask.method];
        let mut all = Vec::new();
        for operation in &method.operations {
            touched(operation, &mut all);
        }
        for &(field, written) in &all {
            let only_added = method.operations.iter().all(|o| match o {
                Operation::Add(number, _) => NUMBER_NAMES[*number] == field || !all_of(o).contains(&field),
                other => !all_of(other).contains(&field),
            });
            match (written, only_added) {
                (true, true) => fields.accumulate(field),
                (true, false) => fields.write(field),
                (false, _) => fields.read(field),
            };
        }
        if let Some(guard) = method.guard {
            fields.guard(NUMBER_NAMES[guard.number]);
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        fn all_sends<'o>(operation: &'o Operation, out: &mut Vec<&'o usize>) {
            match operation {
                Operation::Send(_, method, _) => out.push(method),
                Operation::If(_, inner) => all_sends(inner, out),
                _ => {}
            }
        }
        BEING_BUILT.with_borrow(|script| {
            let Some(script) = script else { return };
            for method in &script.methods {
                let mut sent = Vec::new();
                method.operations.iter().for_each(|o| all_sends(o, &mut sent));
                let mut handler = sends.on(&method.name);
                for to in sent {
                    handler = handler.send::<Puppet>(&script.methods[*to].name);
                }
            }
        });
    }
}

/// The fields that an operation touches.
fn all_of(operation: &Operation) -> Vec<&'static str> {
    let mut all = Vec::new();
    touched(operation, &mut all);
    all.into_iter().map(|(field, _)| field).collect()
}
