//! Small actor programs as data: they can be generated, shrunk, printed, and read back.
//!
//! There are two classes of actors that understand the same methods. An actor has three numbers `x`, `y`, `z` and one reference `g`. A
//! message is a method with at most one reference `p` and one number `n`; a method is a list of operations, some of which may create an
//! actor, of which the last is `c`.

use std::fmt;

/// An actor program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Script {
    /// The actors that exist from the start.
    pub actors: Vec<Initial>,
    /// What they can be asked to do.
    pub methods: Vec<Method>,
    /// The messages under way from the start.
    pub start: Vec<Start>,
}

/// How many numbers an actor has.
pub const NUMBERS: usize = 3;

/// Their names.
pub const NUMBER_NAMES: [&str; NUMBERS] = ["x", "y", "z"];

/// Numbers are counted modulo this.
pub const MODULUS: u8 = 8;

/// How many classes of actors there are.
pub const CLASSES: usize = 2;

/// An actor at the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Initial {
    /// Its class, below [`CLASSES`].
    pub class: usize,
    /// Its numbers.
    pub numbers: [u8; NUMBERS],
    /// The actor that its `g` refers to.
    pub reference: Option<usize>,
}

/// A message at the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// To which actor.
    pub to: usize,
    /// Which method.
    pub method: usize,
    /// The actor that is its argument.
    pub argument: Option<usize>,
    /// The number that it carries.
    pub value: u8,
}

/// What an actor can be asked to do.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Method {
    /// What it is called.
    pub name: String,
    /// What the handler says about the fields that it touches.
    pub declares: Declares,
    /// Whether the handler does not say what it sends.
    pub sends_anything: bool,
    /// The message is accepted only while all of this holds.
    pub guard: Vec<Test>,
    /// What is done, in order.
    pub operations: Vec<Operation>,
}

/// What a handler says about the fields that it touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Declares {
    /// What it touches and what its constraint reads, no more.
    #[default]
    Exactly,
    /// What it touches, but not what its constraint reads.
    NotTheGuard,
    /// That it may touch everything.
    All,
    /// That it may touch everything, and what its constraint reads.
    AllAndTheGuard,
}

impl Declares {
    /// All of them.
    pub const ALL: [Declares; 4] = [Self::Exactly, Self::NotTheGuard, Self::All, Self::AllAndTheGuard];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Declares::Exactly => "",
            Declares::NotTheGuard => "fields",
            Declares::All => "all",
            Declares::AllAndTheGuard => "all+guard",
        }
    }
}

/// A test of one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Test {
    /// Which number.
    pub number: usize,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub with: Operand,
}

/// What a number is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A constant.
    Constant(u8),
    /// `n`, the number in the message.
    Value,
}

/// How a number is compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Comparison; 4] = [Self::Equal, Self::Different, Self::AtLeast, Self::Below];

    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::Different => "!=",
            Comparison::AtLeast => ">=",
            Comparison::Below => "<",
        }
    }
}

/// A reference that a method has at hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Whom {
    /// None: an empty argument.
    Nobody,
    /// `me`
    Me,
    /// `p`, the argument
    Argument,
    /// `g`, the field
    Field,
    /// `c`, the actor last created
    Created,
    /// `every`: as a receiver, all of `p`, `g` and `c` that there are, in this order
    Everyone,
}

impl Whom {
    /// All of them.
    pub const ALL: [Whom; 6] = [Whom::Nobody, Whom::Me, Whom::Argument, Whom::Field, Whom::Created, Whom::Everyone];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Whom::Nobody => "",
            Whom::Me => "me",
            Whom::Argument => "p",
            Whom::Field => "g",
            Whom::Created => "c",
            Whom::Everyone => "every",
        }
    }
}

/// A message that a method sends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Send {
    /// To whom; nothing is sent to nobody.
    pub to: Whom,
    /// Which method.
    pub method: usize,
    /// The reference that it carries.
    pub argument: Whom,
    /// Which number of the sender it carries; otherwise 0.
    pub value: Option<usize>,
}

/// One thing that a method does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `x=1`
    Set(usize, u8),
    /// `x+=1`
    Add(usize, u8),
    /// `x*=2`
    Double(usize),
    /// `x=y`
    Copy(usize, usize),
    /// `x=n`
    Take(usize),
    /// `g=p`
    Remember,
    /// `g=null`
    Forget,
    /// `new`, `new1`: an actor of that class
    Create(usize),
    /// `p!m(me,x)`
    Send(Send),
    /// `assert x!=2`
    Assert(Test),
    /// `fail`
    Fail,
    /// `if x==1 y=2`
    If(Test, Box<Operation>),
}

impl Operation {
    /// The operation inside of all conditions.
    pub fn core(&self) -> &Operation {
        match self {
            Operation::If(_, inner) => inner.core(),
            other => other,
        }
    }

    /// As [`Operation::core`].
    pub fn core_mut(&mut self) -> &mut Operation {
        match self {
            Operation::If(_, inner) => inner.core_mut(),
            other => other,
        }
    }

    /// What it sends, if it does.
    pub fn sent(&self) -> Option<&Send> {
        match self.core() {
            Operation::Send(send) => Some(send),
            _ => None,
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", NUMBER_NAMES[self.number], self.comparison.sign())?;
        match self.with {
            Operand::Constant(value) => write!(f, "{value}"),
            Operand::Value => f.write_str("n"),
        }
    }
}

/// What stands between the parentheses of a message.
fn arguments(reference: &str, value: &str) -> String {
    match value {
        "" => reference.to_owned(),
        value => format!("{reference},{value}"),
    }
}

impl Script {
    pub(super) fn text(&self, operation: &Operation) -> String {
        let n = |number: usize| NUMBER_NAMES[number];
        match operation {
            Operation::Set(number, value) => format!("{}={value}", n(*number)),
            Operation::Add(number, value) => format!("{}+={value}", n(*number)),
            Operation::Double(number) => format!("{}*=2", n(*number)),
            Operation::Copy(to, from) => format!("{}={}", n(*to), n(*from)),
            Operation::Take(number) => format!("{}=n", n(*number)),
            Operation::Remember => "g=p".into(),
            Operation::Forget => "g=null".into(),
            Operation::Create(0) => "new".into(),
            Operation::Create(class) => format!("new{class}"),
            Operation::Send(send) => {
                let inside = arguments(send.argument.name(), send.value.map_or("", n));
                format!("{}!{}({inside})", send.to.name(), self.methods[send.method].name)
            }
            Operation::Assert(test) => format!("assert {test}"),
            Operation::Fail => "fail".into(),
            Operation::If(test, inner) => format!("if {test} {}", self.text(inner)),
        }
    }

    fn initial_values(&self) -> Vec<String> {
        let mut initial = Vec::new();
        for (at, actor) in self.actors.iter().enumerate() {
            if actor.class != 0 {
                initial.push(format!("a{at}.class={}", actor.class));
            }
            for (number, value) in actor.numbers.iter().enumerate().filter(|(_, v)| **v != 0) {
                initial.push(format!("a{at}.{}={value}", NUMBER_NAMES[number]));
            }
            initial.extend(actor.reference.map(|to| format!("a{at}.g=a{to}")));
        }
        initial
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "actors {}", self.actors.len())?;
        let initial = self.initial_values();
        if !initial.is_empty() {
            writeln!(f, "init {}", initial.join(", "))?;
        }
        for method in &self.methods {
            f.write_str(&method.name)?;
            if method.sends_anything {
                f.write_str(" open")?;
            }
            if method.declares != Declares::default() {
                write!(f, " {}", method.declares.name())?;
            }
            for (nth, test) in method.guard.iter().enumerate() {
                write!(f, " {} {test}", if nth == 0 { "when" } else { "&&" })?;
            }
            let operations: Vec<String> = method.operations.iter().map(|o| self.text(o)).collect();
            writeln!(f, ": {}", operations.join("; "))?;
        }
        let start: Vec<String> = self
            .start
            .iter()
            .map(|s| {
                let value = if s.value == 0 { String::new() } else { s.value.to_string() };
                let inside = arguments(&s.argument.map_or(String::new(), |a| format!("a{a}")), &value);
                format!("a{}!{}({inside})", s.to, self.methods[s.method].name)
            })
            .collect();
        writeln!(f, "start {}", start.join(", "))
    }
}
