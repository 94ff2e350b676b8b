//! What ABS expressions evaluate to.
//!
//! A [`Value`] is sixteen bytes: small integers, nullary constructors and references sit in place, everything else behind one `Rc`.
//! References carry two numbers: `id` names the thing independently of the schedule, `slot` says where it lives in the current run.

pub mod hash;
pub mod number;
pub mod order;
pub mod print;
pub mod term;

use num_bigint::BigInt;
use num_rational::BigRational;
use smallvec::SmallVec;
use std::cell::Cell;
use std::rc::Rc;

/// A constructor, as an index into the model's constructor table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ctor(pub u32);

/// The constructors that the machine itself makes or takes apart; lowering puts them first in the table, in this order.
#[allow(missing_docs, reason = "each is the ABS constructor of that name")]
pub mod known {
    use super::Ctor;
    pub const FALSE: Ctor = Ctor(0);
    pub const TRUE: Ctor = Ctor(1);
    pub const UNIT: Ctor = Ctor(2);
    pub const NIL: Ctor = Ctor(3);
    pub const CONS: Ctor = Ctor(4);
    pub const NOTHING: Ctor = Ctor(5);
    pub const JUST: Ctor = Ctor(6);
    pub const PAIR: Ctor = Ctor(7);
    pub const EMPTY_SET: Ctor = Ctor(8);
    pub const INSERT: Ctor = Ctor(9);
    pub const EMPTY_MAP: Ctor = Ctor(10);
    pub const INSERT_ASSOC: Ctor = Ctor(11);
    pub const DIVISION_BY_ZERO: Ctor = Ctor(12);
    pub const ASSERTION_FAIL: Ctor = Ctor(13);
    pub const PATTERN_MATCH_FAIL: Ctor = Ctor(14);
    pub const NULL_POINTER: Ctor = Ctor(15);
    pub const STACK_OVERFLOW: Ctor = Ctor(16);
    pub const HEAP_OVERFLOW: Ctor = Ctor(17);
    pub const KEYBOARD_INTERRUPT: Ctor = Ctor(18);
    pub const OBJECT_DEAD: Ctor = Ctor(19);

    /// Their names, in the order of their numbers.
    pub const NAMES: [&str; 20] = [
        "False",
        "True",
        "Unit",
        "Nil",
        "Cons",
        "Nothing",
        "Just",
        "Pair",
        "EmptySet",
        "Insert",
        "EmptyMap",
        "InsertAssoc",
        "DivisionByZeroException",
        "AssertionFailException",
        "PatternMatchFailException",
        "NullPointerException",
        "StackOverflowException",
        "HeapOverflowException",
        "KeyboardInterruptException",
        "ObjectDeadException",
    ];
}

/// A reference to an object or a future of the current run.
#[derive(Clone, Copy, Debug)]
pub struct Ref {
    /// Where it lives in this run; meaningless in another.
    pub slot: u32,
    /// Its schedule-independent name.
    pub id: u32,
}

impl PartialEq for Ref {
    fn eq(&self, other: &Ref) -> bool {
        self.id == other.id
    }
}

/// A constructor applied to arguments.
#[derive(Debug)]
pub struct Node {
    /// Which constructor.
    pub ctor: Ctor,
    /// Its arguments, at least one.
    pub args: SmallVec<[Value; 2]>,
    /// The structural hash once it was asked for, 0 before: lists that grow at the head are not hashed again and again.
    pub(crate) hash: Cell<u128>,
}

/// An ABS value.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer that fits.
    Int(i64),
    /// An integer that does not.
    Big(Rc<BigInt>),
    /// A number that is not an integer, in lowest terms.
    Rat(Rc<BigRational>),
    /// A floating-point number, never minus zero; see [`Value::float`].
    Float(f64),
    /// A string.
    Str(Rc<String>),
    /// A constructor without arguments: `True`, `Unit`, `Nil`.
    Atom(Ctor),
    /// A constructor with arguments.
    Data(Rc<Node>),
    /// An object.
    Object(Ref),
    /// A future.
    Future(Ref),
    /// The reference to nothing.
    Null,
    /// What is not known: an input of a symbolic execution, or what was computed from inputs.
    Term(Rc<term::Term>),
}

impl Value {
    /// `Unit`.
    pub const UNIT: Value = Value::Atom(known::UNIT);

    /// `True` or `False`.
    pub fn bool(b: bool) -> Value {
        Value::Atom(if b { known::TRUE } else { known::FALSE })
    }

    /// Whether this is `True`.
    pub fn is_true(&self) -> bool {
        matches!(self, Value::Atom(known::TRUE))
    }

    /// A floating-point number. There is one zero only: the two are equal, so nothing may tell them apart.
    pub fn float(x: f64) -> Value {
        Value::Float(x + 0.0)
    }

    /// A string.
    pub fn string(s: impl Into<String>) -> Value {
        Value::Str(Rc::new(s.into()))
    }

    /// A constructor applied to `args`, which may be none.
    pub fn data(ctor: Ctor, args: SmallVec<[Value; 2]>) -> Value {
        if args.is_empty() {
            Value::Atom(ctor)
        } else {
            Value::Data(Rc::new(Node {
                ctor,
                args,
                hash: Cell::new(0),
            }))
        }
    }

    /// The constructor of a data value.
    pub fn ctor(&self) -> Option<Ctor> {
        match self {
            Value::Atom(c) => Some(*c),
            Value::Data(n) => Some(n.ctor),
            _ => None,
        }
    }

    /// The arguments of a data value; none for all others.
    pub fn args(&self) -> &[Value] {
        match self {
            Value::Data(n) => &n.args,
            _ => &[],
        }
    }
}

impl Drop for Node {
    /// Takes long lists apart in a loop: the recursive drop that Rust would do overflows the stack at some ten thousand elements.
    fn drop(&mut self) {
        if !self.args.iter().any(|a| matches!(a, Value::Data(_))) {
            return;
        }
        let mut todo: Vec<Value> = self.args.drain(..).collect();
        while let Some(value) = todo.pop() {
            if let Value::Data(mut node) = value
                && let Some(node) = Rc::get_mut(&mut node)
            {
                todo.extend(node.args.drain(..));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    #[test]
    fn a_value_is_two_words() {
        assert_eq!(size_of::<Value>(), 16);
    }

    #[test]
    fn a_list_of_a_million_elements_can_be_dropped() {
        let mut list = Value::Atom(known::NIL);
        for i in 0..1_000_000 {
            list = Value::data(known::CONS, smallvec![Value::Int(i), list]);
        }
        drop(list);
    }
}
