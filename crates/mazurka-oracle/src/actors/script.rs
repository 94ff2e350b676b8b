//! Small actor programs as data: they can be generated, shrunk, printed, and read back.
//!
//! There is one class of actors with three numbers `x`, `y`, `z` and one reference `g`. A message is a method with at most one reference
//! `p` as argument; a method is a list of operations, one of which may create an actor `c`.

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

/// An actor at the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Initial {
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
}

/// What an actor can be asked to do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Method {
    /// What it is called.
    pub name: String,
    /// The message is accepted only while this holds.
    pub guard: Option<Test>,
    /// What is done, in order.
    pub operations: Vec<Operation>,
}

/// A test of one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Test {
    /// Which number.
    pub number: usize,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub value: u8,
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

impl Test {
    /// Whether it holds for these numbers.
    pub fn holds(self, numbers: &[u8; NUMBERS]) -> bool {
        let (a, b) = (numbers[self.number], self.value);
        match self.comparison {
            Comparison::Equal => a == b,
            Comparison::Different => a != b,
            Comparison::AtLeast => a >= b,
            Comparison::Below => a < b,
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
}

impl Whom {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Whom::Nobody => "",
            Whom::Me => "me",
            Whom::Argument => "p",
            Whom::Field => "g",
            Whom::Created => "c",
        }
    }
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
    /// `g=p`
    Remember,
    /// `g=null`
    Forget,
    /// `new`
    Create,
    /// `p!m(me)`; nothing happens if the receiver is null
    Send(Whom, usize, Whom),
    /// `assert x!=2`
    Assert(Test),
    /// `if x==1 y=2`
    If(Test, Box<Operation>),
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", NUMBER_NAMES[self.number], self.comparison.sign(), self.value)
    }
}

impl Script {
    fn operation(&self, operation: &Operation) -> String {
        let n = |number: usize| NUMBER_NAMES[number];
        match operation {
            Operation::Set(number, value) => format!("{}={value}", n(*number)),
            Operation::Add(number, value) => format!("{}+={value}", n(*number)),
            Operation::Double(number) => format!("{}*=2", n(*number)),
            Operation::Copy(to, from) => format!("{}={}", n(*to), n(*from)),
            Operation::Remember => "g=p".into(),
            Operation::Forget => "g=null".into(),
            Operation::Create => "new".into(),
            Operation::Send(to, method, argument) => {
                format!("{}!{}({})", to.name(), self.methods[*method].name, argument.name())
            }
            Operation::Assert(test) => format!("assert {test}"),
            Operation::If(test, inner) => format!("if {test} {}", self.operation(inner)),
        }
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "actors {}", self.actors.len())?;
        let mut initial = Vec::new();
        for (at, actor) in self.actors.iter().enumerate() {
            for (number, value) in actor.numbers.iter().enumerate().filter(|(_, v)| **v != 0) {
                initial.push(format!("a{at}.{}={value}", NUMBER_NAMES[number]));
            }
            initial.extend(actor.reference.map(|to| format!("a{at}.g=a{to}")));
        }
        if !initial.is_empty() {
            writeln!(f, "init {}", initial.join(", "))?;
        }
        for method in &self.methods {
            let guard = method.guard.map_or(String::new(), |g| format!(" when {g}"));
            let operations: Vec<String> = method.operations.iter().map(|o| self.operation(o)).collect();
            writeln!(f, "{}{guard}: {}", method.name, operations.join("; "))?;
        }
        let start: Vec<String> = self
            .start
            .iter()
            .map(|s| {
                let argument = s.argument.map_or(String::new(), |a| format!("a{a}"));
                format!("a{}!{}({argument})", s.to, self.methods[s.method].name)
            })
            .collect();
        writeln!(f, "start {}", start.join(", "))
    }
}
