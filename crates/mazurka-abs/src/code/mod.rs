//! The lowered model: flat code for a small stack machine.
//!
//! Every name is a number here, so running does no lookups by string. One [`Code`] per function, method, initialiser, guard and main block.

use crate::value::{Ctor, Value};
use mazurka_diagnostics::Span;
use smallvec::{SmallVec, smallvec};

/// What a closure's constructor number starts with; see [`Symbols::closure`].
const CLOSURE: u32 = 1 << 31;
/// Marks closures over accessors; closures over constructors carry both marks.
const CLOSURE_ACCESS: u32 = 1 << 30;
const CLOSURE_CONSTRUCT: u32 = 1 << 29;

/// What calling a closure does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClosureOf {
    /// Calls the code with this number.
    Function(u32),
    /// Applies the accessor with this number.
    Access(u32),
    /// Builds data.
    Construct(Ctor),
}

impl ClosureOf {
    /// Closures live on the machine's stack as data values with reserved constructor numbers, so that they need no kind of value of their own.
    pub fn encode(self) -> Ctor {
        Ctor(match self {
            ClosureOf::Function(code) => CLOSURE | code,
            ClosureOf::Access(accessor) => CLOSURE | CLOSURE_ACCESS | accessor,
            ClosureOf::Construct(ctor) => CLOSURE | CLOSURE_CONSTRUCT | ctor.0,
        })
    }

    /// What a closure value calls.
    pub fn decode(ctor: Ctor) -> Option<ClosureOf> {
        let number = ctor.0 & !(CLOSURE | CLOSURE_ACCESS | CLOSURE_CONSTRUCT);
        if ctor.0 & CLOSURE == 0 {
            None
        } else if ctor.0 & CLOSURE_ACCESS != 0 {
            Some(ClosureOf::Access(number))
        } else if ctor.0 & CLOSURE_CONSTRUCT != 0 {
            Some(ClosureOf::Construct(Ctor(number)))
        } else {
            Some(ClosureOf::Function(number))
        }
    }
}

/// An operator with two evaluated operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named after the operators")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    DivTruncated,
    Rem,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// A function that the machine knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named after the ABS functions")]
pub enum Builtin {
    Max,
    Min,
    Abs,
    Sqrt,
    Log,
    Exp,
    Random,
    Truncate,
    Float,
    Rat,
    Floor,
    Ceil,
    Numerator,
    Denominator,
    Substr,
    Strlen,
    ToString,
    Print,
    Println,
    Readln,
    CurrentMs,
    MsSinceModelStart,
    LowlevelDeadline,
    Watch,
    WatchEx,
    Pow,
    Length,
    IsEmpty,
    Concatenate,
    Appendright,
    Reverse,
}

/// One instruction. Operands come from the stack, results go there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    /// Pushes a constant.
    Const(u32),
    /// Pushes a small integer.
    Small(i32),
    /// Pushes a variable.
    Local(u32),
    /// Pops into a variable.
    SetLocal(u32),
    /// Pushes a field of `this`.
    Field(u32),
    /// Pops into a field of `this`.
    SetField(u32),
    /// Pushes `this`.
    This,
    /// Pushes the future of the running task.
    Destiny,
    /// Pops and forgets.
    Pop,
    /// Pops arguments, pushes data.
    Make(Ctor, u32),
    /// Pops elements, pushes a list.
    List(u32),
    /// Pops data, pushes the argument that the accessor picks.
    Access(u32),
    /// Calls a function; its arguments are on the stack.
    Call(u32),
    /// Calls a function in place of the running one.
    TailCall(u32),
    /// Applies a builtin to so many arguments.
    Builtin(Builtin, u32),
    /// Calls the closure in a variable with so many arguments.
    CallClosure(u32, u32),
    /// Pops captured values, pushes a closure.
    Closure(Ctor, u32),
    /// Pops a `Bool`, pushes its negation.
    Not,
    /// Pops a number, pushes its negation.
    Neg,
    /// Pops two, pushes the result.
    Binary(Binary),
    /// Pops so many values, pushes their texts put together.
    Concat(u32),
    /// Goes on elsewhere.
    Jump(u32),
    /// Pops a `Bool`, goes on elsewhere if it is false.
    JumpIfFalse(u32),
    /// If the top is false goes on elsewhere, else pops it.
    And(u32),
    /// If the top is true goes on elsewhere, else pops it.
    Or(u32),
    /// Matches a variable with a pattern, binding the pattern's variables; goes on elsewhere if it does not fit.
    Match {
        /// The variable.
        slot: u32,
        /// The pattern.
        pattern: u32,
        /// Where to go on if it does not fit.
        otherwise: u32,
    },
    /// Throws `PatternMatchFailException`.
    NoMatch,
    /// Takes the head off the list in a variable, or leaves the loop.
    Next {
        /// The list.
        list: u32,
        /// The variable that gets the head.
        element: u32,
        /// Where to go on at the end of the list.
        end: u32,
    },
    /// Pops a reference, pushes whether its class has the interface.
    Implements(u32),
    /// Pops a reference, pushes it or `null` if its class does not have the interface.
    As(u32),
    /// Pops arguments, makes an object and runs its initialiser.
    New {
        /// The class.
        class: u32,
        /// Whether it gets a cog of its own.
        cog: bool,
    },
    /// Pops receiver and arguments, starts a task, pushes its future.
    Async {
        /// The method's name.
        selector: u32,
        /// The number of arguments.
        args: u16,
        /// Whether nobody looks at the future.
        discard: bool,
    },
    /// Pops receiver and arguments, calls and pushes the result.
    Sync {
        /// The method's name.
        selector: u32,
        /// The number of arguments.
        args: u32,
    },
    /// Pops arguments, calls a method of the object that runs, pushes the result.
    CallThis {
        /// The method's code.
        code: u32,
        /// The number of arguments.
        args: u32,
    },
    /// Pops a future, pushes its value. `known`: it is certainly resolved.
    Get {
        /// Whether the future is certainly resolved.
        known: bool,
    },
    /// Pops a resolved future whose exception, if it holds one, is hereby taken note of.
    Acknowledge,
    /// Waits for a guard.
    Await(u32),
    /// Lets other tasks run.
    Suspend,
    /// Pops two times, blocks the cog until at least the first and at most the second has passed.
    Sleep,
    /// Pops a `Duration`: the deadline of the task that was started last.
    Deadline,
    /// Pops an exception and throws it.
    Throw,
    /// Pops an exception that was caught before and throws it on.
    Rethrow,
    /// Pops an exception, ends the object with it.
    Die,
    /// Pops a `Bool`, throws `AssertionFailException` if it is false.
    Assert,
    /// Pops the result and ends the code.
    Return,
}

/// What a [`Code`] is the code of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A function.
    Function,
    /// A method of a class.
    Method {
        /// The class.
        class: u32,
        /// The method's name.
        selector: u32,
    },
    /// Field initialisers and init block of a class.
    Init(u32),
    /// The recover branches of a class: gets the exception, returns whether one matched.
    Recover(u32),
    /// A condition of `await`; gets the variables that it reads.
    Guard,
    /// A main block.
    Main,
}

/// Where exceptions thrown in a piece of code go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The first instruction covered.
    pub from: u32,
    /// The first instruction no longer covered.
    pub to: u32,
    /// Where to go on.
    pub target: u32,
    /// The variable that gets the exception.
    pub slot: u32,
}

/// A piece of code with its own variables.
#[derive(Clone, Debug)]
pub struct Code {
    /// What it is the code of.
    pub kind: Kind,
    /// As stack traces name it: `Main.Node.push`.
    pub name: String,
    /// The instructions.
    pub ops: Vec<Op>,
    /// The place of each instruction.
    pub spans: Vec<Span>,
    /// How many variables are given by the caller.
    pub params: u32,
    /// How many variables there are, parameters included.
    pub locals: u32,
    /// Innermost first.
    pub handlers: Vec<Handler>,
    /// The place of the whole.
    pub span: Span,
}

impl Code {
    /// The handler of an exception thrown by the instruction at `pc`.
    pub fn handler(&self, pc: u32) -> Option<&Handler> {
        self.handlers.iter().find(|h| h.from <= pc && pc < h.to)
    }

    /// The instructions before the one at `pc` that belong to the same statement, last first.
    pub fn statement_before(&self, pc: usize) -> impl Iterator<Item = (Op, Span)> + '_ {
        let whole = self.spans[pc];
        let inside = move |span: &Span| span.start >= whole.start && span.end <= whole.end;
        let before = self.ops[..pc].iter().copied().zip(self.spans.iter().copied());
        before.rev().take_while(move |(_, span)| inside(span))
    }

    /// The instructions that may come after the one at `pc`, exceptions aside.
    pub fn successors(&self, pc: u32) -> SmallVec<[u32; 2]> {
        let next = pc + 1;
        match self.ops[pc as usize] {
            Op::Jump(to) => smallvec![to],
            Op::JumpIfFalse(to) | Op::And(to) | Op::Or(to) => smallvec![next, to],
            Op::Match { otherwise, .. } => smallvec![next, otherwise],
            Op::Next { end, .. } => smallvec![next, end],
            Op::Return | Op::TailCall(_) | Op::NoMatch | Op::Throw | Op::Rethrow | Op::Die => SmallVec::new(),
            _ => smallvec![next],
        }
    }
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Fits everything.
    Any,
    /// Fits everything and keeps it in a variable.
    Bind(u32),
    /// Fits what is equal to a variable.
    Local(u32),
    /// Fits what is equal to a field.
    Field(u32),
    /// Fits what is equal to a constant.
    Constant(Value),
    /// Fits a constructor whose arguments fit.
    Construct(Ctor, Vec<Pattern>),
}

/// Where a guard finds a future.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FutureAt {
    /// In a variable.
    Local(u32),
    /// In a field.
    Field(u32),
}

/// How an `await` starts under the formal semantics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// Some future was made in this very step: the guard is certainly false.
    Fresh,
    /// The guard can be evaluated at once: it reads only fields and futures known to be resolved.
    Local,
    /// Some future may or may not be resolved: looking at it is a step of its own.
    Look,
}

/// What an `await` waits for.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Futures that must be resolved.
    pub futures: Vec<FutureAt>,
    /// The code of the condition and the variables that it gets.
    pub condition: Option<(u32, Vec<u32>)>,
    /// The fields that the condition reads.
    pub reads: Vec<u32>,
    /// Pairs of variables: at least the first and at most the second of these times has to pass.
    pub durations: Vec<(u32, u32)>,
    /// What is known when the `await` is reached.
    pub arrival: Arrival,
    /// Where it stands.
    pub span: Span,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name with its module.
    pub name: String,
    /// The fields' names; the class parameters come first.
    pub fields: Vec<String>,
    /// The initial values of fields that need no code.
    pub blank: Vec<Value>,
    /// How many fields are class parameters.
    pub params: u32,
    /// Fields that are never assigned after initialisation.
    pub constant: Vec<bool>,
    /// The code of each method, by the number of its name.
    pub methods: Vec<Option<u32>>,
    /// The code of the initialiser, if there is any.
    pub init: Option<u32>,
    /// The code of the recover branches.
    pub recover: Option<u32>,
    /// The code of `run`.
    pub run: Option<u32>,
    /// Whether its objects have an interface, by the interface's number.
    pub interfaces: Vec<bool>,
}

/// The names that printing and ordering need.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The constructors' names.
    pub ctors: Vec<String>,
    /// The constructors' places in alphabetical order.
    pub ranks: Vec<u32>,
    /// The classes' names with their modules.
    pub classes: Vec<String>,
}

impl Symbols {
    /// The name of a constructor.
    pub fn ctor_name(&self, ctor: Ctor) -> &str {
        self.ctors.get(ctor.0 as usize).map_or("function", String::as_str)
    }

    /// Its place in alphabetical order.
    pub fn rank(&self, ctor: Ctor) -> u32 {
        self.ranks.get(ctor.0 as usize).copied().unwrap_or(ctor.0)
    }
}

/// A whole lowered model with one main block.
#[derive(Clone, Debug)]
pub struct Program {
    /// All code.
    pub codes: Vec<Code>,
    /// Constants.
    pub constants: Vec<Value>,
    /// Patterns.
    pub patterns: Vec<Pattern>,
    /// Guards.
    pub guards: Vec<Guard>,
    /// For each accessor the constructors that have it, with the position.
    pub accessors: Vec<Vec<(Ctor, u32)>>,
    /// The classes.
    pub classes: Vec<Class>,
    /// The methods' names.
    pub selectors: Vec<String>,
    /// Names for printing.
    pub symbols: Symbols,
    /// The code of the main block.
    pub main: u32,
    /// The main block's variables that a property may speak about: name and slot.
    pub main_variables: Vec<(String, u32)>,
    /// The code of the property, over those variables.
    pub property: Option<u32>,
    /// Whether some code reads `destiny`, so that a future can be looked at by its own task.
    pub uses_destiny: bool,
    /// Whether some guard looks at a future in a field.
    pub field_futures: bool,
    /// Whether time can pass: some task waits for it.
    pub timed: bool,
    /// Whether some task can ask what time it is, or how long it is to its deadline.
    pub reads_clock: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_covers_its_instructions_and_no_others() {
        let code = Code {
            kind: Kind::Main,
            name: String::new(),
            ops: vec![Op::Pop; 4],
            spans: Vec::new(),
            params: 0,
            locals: 0,
            handlers: vec![Handler {
                from: 1,
                to: 3,
                target: 9,
                slot: 0,
            }],
            span: Span::default(),
        };
        let covered: Vec<bool> = (0..4).map(|pc| code.handler(pc).is_some()).collect();
        assert_eq!(covered, [false, true, true, false]);
    }
}
