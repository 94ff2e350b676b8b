//! The actors that play a [`Script`].

use super::declare::{declare_fields, declare_sends};
use super::script::{Comparison, MODULUS, Method, NUMBER_NAMES, NUMBERS, Operand, Operation, Script, Send, Test, Whom};
use mazurka_actors::{Accepts, Actor, Address, Context, Fields, Sends, System, Values};
use std::any::Any;
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
        let first = self.actors.iter().filter(|a| a.class == 0).count();
        let mut all: Vec<Someone> = Vec::new();
        let zero = system.create_many("a", first, |own, nth| {
            let known: Vec<Someone> = own.iter().map(|a| Someone::Zero(*a)).collect();
            self.puppet(nth, &known)
        });
        all.extend(zero.into_iter().map(Someone::Zero));
        let one = system.create_many("b", self.actors.len() - first, |own, nth| {
            let known: Vec<Someone> = all.iter().copied().chain(own.iter().map(|a| Someone::One(*a))).collect();
            self.puppet(first + nth, &known)
        });
        all.extend(one.into_iter().map(Someone::One));
        for start in &self.start {
            let ask = Ask {
                method: start.method,
                argument: start.argument.map(|a| all[a]),
                value: start.value,
                script: Rc::clone(&script),
            };
            match all[start.to] {
                Someone::Zero(to) => system.send(to, ask),
                Someone::One(to) => system.send(to, ask),
            }
        }
        BEING_BUILT.set(None);
        system
    }

    fn puppet<const CLASS: usize>(&self, at: usize, known: &[Someone]) -> Puppet<CLASS> {
        Puppet {
            numbers: self.actors[at].numbers,
            reference: self.actors[at].reference.map(|to| known[to]),
        }
    }
}

/// An actor that does what it is asked.
#[derive(Clone, Hash, Default)]
pub(super) struct Puppet<const CLASS: usize> {
    numbers: [u8; NUMBERS],
    reference: Option<Someone>,
}

/// An actor of any class.
#[derive(Clone, Copy, Hash)]
enum Someone {
    Zero(Address<Puppet<0>>),
    One(Address<Puppet<1>>),
}

/// A call of a method.
#[derive(Clone)]
pub(super) struct Ask {
    method: usize,
    argument: Option<Someone>,
    value: u8,
    script: Rc<Script>,
}

impl Ask {
    fn method(&self) -> &Method {
        &self.script.methods[self.method]
    }
}

impl Hash for Ask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.method, self.argument, self.value).hash(state);
    }
}

impl fmt::Debug for Someone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Someone::Zero(address) => address.fmt(f),
            Someone::One(address) => address.fmt(f),
        }
    }
}

impl<const CLASS: usize> fmt::Debug for Puppet<CLASS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in NUMBER_NAMES.iter().zip(self.numbers) {
            write!(f, "{name}={value} ")?;
        }
        match self.reference {
            Some(reference) => write!(f, "g={reference:?}"),
            None => f.write_str("g=null"),
        }
    }
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.method().name)?;
        match self.argument {
            Some(argument) => write!(f, "({argument:?},{})", self.value),
            None => write!(f, "({})", self.value),
        }
    }
}

/// A method while it runs.
struct Performance<'a> {
    ask: &'a Ask,
    created: Option<Someone>,
    /// Which of its operations it is at.
    at: usize,
}

impl<const CLASS: usize> Puppet<CLASS> {
    fn holds(&self, test: Test, ask: &Ask) -> bool {
        let value = self.numbers[test.number];
        let with = match test.with {
            Operand::Constant(constant) => constant,
            Operand::Value => ask.value,
        };
        match test.comparison {
            Comparison::Equal => value == with,
            Comparison::Different => value != with,
            Comparison::AtLeast => value >= with,
            Comparison::Below => value < with,
        }
    }

    fn me(context: &Context<'_, Self>) -> Someone {
        let me = context.me();
        let me: &dyn Any = &me;
        let zero = me.downcast_ref().map(|zero| Someone::Zero(*zero));
        let one = || me.downcast_ref().map(|one| Someone::One(*one));
        zero.or_else(one).expect("there are two classes")
    }

    fn whom(&self, whom: Whom, now: &Performance<'_>, context: &Context<'_, Self>) -> Vec<Someone> {
        let one = match whom {
            Whom::Nobody => None,
            Whom::Me => Some(Self::me(context)),
            Whom::Argument => now.ask.argument,
            Whom::Field => self.reference,
            Whom::Created => now.created,
            Whom::Everyone => return [now.ask.argument, self.reference, now.created].into_iter().flatten().collect(),
        };
        one.into_iter().collect()
    }

    fn send(&self, send: &Send, now: &Performance<'_>, context: &mut Context<'_, Self>) {
        let argument = self.whom(send.argument, now, context).first().copied();
        for to in self.whom(send.to, now, context) {
            let ask = Ask {
                method: send.method,
                argument,
                value: send.value.map_or(0, |number| self.numbers[number]),
                script: Rc::clone(&now.ask.script),
            };
            match to {
                Someone::Zero(to) => context.send(to, ask),
                Someone::One(to) => context.send(to, ask),
            }
        }
    }

    fn perform(&mut self, operation: &Operation, now: &mut Performance<'_>, context: &mut Context<'_, Self>) {
        match operation {
            Operation::Set(number, value) => self.numbers[*number] = *value,
            Operation::Add(number, value) => self.numbers[*number] = (self.numbers[*number] + value) % MODULUS,
            Operation::Double(number) => self.numbers[*number] = (self.numbers[*number] * 2) % MODULUS,
            Operation::Copy(to, from) => self.numbers[*to] = self.numbers[*from],
            Operation::Take(number) => self.numbers[*number] = now.ask.value,
            Operation::Remember => self.reference = now.ask.argument,
            Operation::Forget => self.reference = None,
            Operation::Create(0) => now.created = Some(Someone::Zero(context.create(Puppet::default()))),
            Operation::Create(_) => now.created = Some(Someone::One(context.create(Puppet::default()))),
            Operation::Send(send) => self.send(send, now, context),
            Operation::Assert(test) => {
                if !self.holds(*test, now.ask) {
                    let (name, at) = (&now.ask.method().name, now.at);
                    let value = self.numbers[test.number];
                    panic!("assertion {test} of {name} at {at} failed, but it is {value}");
                }
            }
            Operation::Fail => panic!("{} fails at {}", now.ask.method().name, now.at),
            Operation::If(test, inner) => {
                if self.holds(*test, now.ask) {
                    self.perform(inner, now, context);
                }
            }
        }
    }
}

impl<const CLASS: usize> Actor for Puppet<CLASS> {
    type Message = Ask;

    fn handle(&mut self, ask: Ask, context: &mut Context<Self>) {
        let mut now = Performance {
            ask: &ask,
            created: None,
            at: 0,
        };
        for (at, operation) in ask.method().operations.iter().enumerate() {
            now.at = at;
            self.perform(operation, &mut now, context);
        }
    }

    fn accepts(&self, ask: &Ask) -> Accepts {
        let guard = &ask.method().guard;
        if guard.is_empty() {
            return Accepts::Always;
        }
        Accepts::When(guard.iter().all(|test| self.holds(*test, ask)))
    }

    fn touches(ask: &Ask, fields: &mut Fields) {
        declare_fields(ask.method(), fields);
    }

    fn values(&self, values: &mut Values) {
        for (name, value) in NUMBER_NAMES.iter().zip(&self.numbers) {
            values.of(name, value);
        }
        values.of("g", &self.reference);
    }

    fn perturb(&mut self, field: &str, seed: u64) -> bool {
        match NUMBER_NAMES.iter().position(|n| *n == field) {
            Some(number) => self.numbers[number] = (self.numbers[number] + 1 + (seed % 3) as u8) % MODULUS,
            None if self.reference.is_some() => self.reference = None,
            None => return false,
        }
        true
    }

    fn sends(sends: &mut Sends<Self>) {
        BEING_BUILT.with_borrow(|script| {
            if let Some(script) = script {
                declare_sends(script, CLASS, sends);
            }
        });
    }
}
