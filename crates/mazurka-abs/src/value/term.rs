//! Values that are not known: inputs of a symbolic execution, and what was computed from them.
//!
//! A term is a number or a string; an input of another type (data, a reference) is a term only until somebody looks at what it is.

use super::hash::Hasher;
use super::number::{self, NumberError};
use super::{Value, known};
use smallvec::SmallVec;
use std::fmt;
use std::rc::Rc;

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A whole number.
    Int,
    /// An exact fraction, which may be whole.
    Rat,
    /// A string.
    String,
    /// Data or a reference: which one is decided when it matters.
    Shape,
}

/// What is done to terms. Operators mean what they mean in ABS.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "named after the operators")]
pub enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    DivTruncated,
    Rem,
    Neg,
    Truncate,
    Floor,
    Concat,
}

/// What a term is.
#[derive(Debug)]
pub enum Kind {
    /// An input, by its number, with the name that people know it by.
    Input(u32, Rc<str>),
    /// An operation on values, of which at least one is a term.
    Apply(Operation, SmallVec<[Value; 2]>),
}

/// A value that is not known.
#[derive(Debug)]
pub struct Term {
    kind: Kind,
    sort: Sort,
    hash: u128,
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Term {}

impl Term {
    /// An input.
    pub fn input(number: u32, name: Rc<str>, sort: Sort) -> Value {
        let mut h = Hasher::new(0x1e);
        h.word(u64::from(number));
        Value::Term(Rc::new(Term {
            kind: Kind::Input(number, name),
            sort,
            hash: h.finish(),
        }))
    }

    /// An operation on these values.
    pub fn apply(operation: Operation, args: impl IntoIterator<Item = Value>) -> Value {
        let args: SmallVec<[Value; 2]> = args.into_iter().collect();
        if let Some(simple) = simpler(operation, &args) {
            return simple;
        }
        let sort = match operation {
            Operation::Concat => Sort::String,
            Operation::Div => Sort::Rat,
            Operation::DivTruncated | Operation::Truncate | Operation::Floor => Sort::Int,
            _ if args.iter().any(|arg| sort(arg) == Some(Sort::Rat)) => Sort::Rat,
            _ => Sort::Int,
        };
        let mut h = Hasher::new(0x2e);
        h.word(operation as u64);
        args.iter().for_each(|arg| hash(arg, &mut h));
        Value::Term(Rc::new(Term {
            kind: Kind::Apply(operation, args),
            sort,
            hash: h.finish(),
        }))
    }

    /// What it is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// What it stands for.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// A hash of its structure.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// As an ABS expression over the names of the inputs; `value` writes what is known.
    pub fn write(&self, out: &mut String, value: &mut dyn FnMut(&Value, &mut String)) -> fmt::Result {
        match &self.kind {
            Kind::Input(_, name) => out.push_str(name),
            Kind::Apply(operation, args) => {
                let (word, infix) = match operation {
                    Operation::Add | Operation::Concat => ("+", true),
                    Operation::Sub => ("-", true),
                    Operation::Mul => ("*", true),
                    Operation::Div | Operation::DivTruncated => ("/", true),
                    Operation::Rem => ("%", true),
                    Operation::Neg => ("-", false),
                    Operation::Truncate => ("truncate", false),
                    Operation::Floor => ("floor", false),
                };
                if !infix {
                    out.push_str(word);
                }
                out.push('(');
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        out.push(' ');
                        out.push_str(word);
                        out.push(' ');
                    }
                    value(arg, out);
                }
                out.push(')');
            }
        }
        Ok(())
    }
}

/// Neutral elements leave the other operand.
fn simpler(operation: Operation, args: &[Value]) -> Option<Value> {
    match (operation, args) {
        (Operation::Add, [Value::Int(0), x]) | (Operation::Add | Operation::Sub, [x, Value::Int(0)]) => Some(x.clone()),
        (Operation::Mul, [Value::Int(1), x] | [x, Value::Int(1)]) => Some(x.clone()),
        (Operation::Truncate | Operation::Floor, [x]) if sort(x) == Some(Sort::Int) => Some(x.clone()),
        _ => None,
    }
}

/// What a number or string stands for, known or not.
pub fn sort(value: &Value) -> Option<Sort> {
    match value {
        Value::Int(_) | Value::Big(_) => Some(Sort::Int),
        Value::Rat(_) => Some(Sort::Rat),
        Value::Str(_) => Some(Sort::String),
        Value::Term(term) => Some(term.sort),
        _ => None,
    }
}

/// Adds a number, string or term to a hash.
fn hash(value: &Value, h: &mut Hasher) {
    match value {
        Value::Term(term) => h.wide(term.hash),
        Value::Int(n) => {
            h.word(1);
            h.word(*n as u64);
        }
        Value::Str(s) => {
            h.word(2);
            h.bytes(s.as_bytes());
        }
        // Big numbers and fractions; nothing else is an operand.
        other => {
            h.word(3);
            h.bytes(format!("{other:?}").as_bytes());
        }
    }
}

/// Whether a value is a term or has one among its parts.
pub fn has_terms(value: &Value) -> bool {
    let mut todo: SmallVec<[&Value; 8]> = smallvec::smallvec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Term(_) => return true,
            Value::Data(node) => todo.extend(node.args.iter().filter(|arg| matches!(arg, Value::Data(_) | Value::Term(_)))),
            _ => {}
        }
    }
    false
}

/// What is asked of terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// The first is less than the second.
    Less,
    /// They are equal.
    Equal,
}

/// A question about terms.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Which one.
    pub test: Test,
    /// Of what.
    pub left: Value,
    /// And what.
    pub right: Value,
}

impl Condition {
    /// A question; which side of an equation is the left one does not matter.
    pub fn new(test: Test, left: &Value, right: &Value) -> Self {
        let key = |value: &Value| {
            let mut h = Hasher::new(0);
            hash(value, &mut h);
            h.finish()
        };
        let (left, right) = match test {
            Test::Equal if key(right) < key(left) => (right, left),
            _ => (left, right),
        };
        Condition {
            test,
            left: left.clone(),
            right: right.clone(),
        }
    }

    /// A hash of its structure.
    pub fn hash(&self) -> u128 {
        let mut h = Hasher::new(self.test as u64);
        hash(&self.left, &mut h);
        hash(&self.right, &mut h);
        h.finish()
    }

    /// The answer if each input has the value that `input` says.
    ///
    /// # Errors
    /// It cannot be computed.
    pub fn evaluate(&self, input: &dyn Fn(u32) -> Value) -> Result<bool, NumberError> {
        let (left, right) = (evaluate(&self.left, input)?, evaluate(&self.right, input)?);
        Ok(match (&left, &right) {
            (Value::Str(x), Value::Str(y)) => match self.test {
                Test::Less => x < y,
                Test::Equal => x == y,
            },
            _ => {
                let order = number::compare(&left, &right).ok_or(NumberError::NotNumbers)?;
                match self.test {
                    Test::Less => order.is_lt(),
                    Test::Equal => order.is_eq(),
                }
            }
        })
    }
}

/// The value of a value if each input has the value that `input` says; parts of data are evaluated too.
///
/// # Errors
/// It cannot be computed.
pub fn evaluate(value: &Value, input: &dyn Fn(u32) -> Value) -> Result<Value, NumberError> {
    match value {
        Value::Term(term) => match &term.kind {
            Kind::Input(number, _) => {
                let value = input(*number);
                if has_terms(&value) { evaluate(&value, input) } else { Ok(value) }
            }
            Kind::Apply(operation, args) => match args.as_slice() {
                [a] => unary(*operation, &evaluate(a, input)?),
                [a, b] => binary(*operation, &evaluate(a, input)?, &evaluate(b, input)?),
                parts => concatenation(parts.iter().map(|part| evaluate(part, input))),
            },
        },
        Value::Data(node) if has_terms(value) => {
            let args: Result<SmallVec<[Value; 2]>, NumberError> = node.args.iter().map(|arg| evaluate(arg, input)).collect();
            Ok(Value::data(node.ctor, args?))
        }
        known => Ok(known.clone()),
    }
}

fn unary(operation: Operation, a: &Value) -> Result<Value, NumberError> {
    match operation {
        Operation::Neg => number::neg(a),
        Operation::Truncate => number::truncate(a),
        Operation::Floor => number::floor(a),
        Operation::Concat => concatenation([Ok(a.clone())]),
        _ => Err(NumberError::NotNumbers),
    }
}

fn binary(operation: Operation, a: &Value, b: &Value) -> Result<Value, NumberError> {
    match operation {
        Operation::Add => number::add(a, b),
        Operation::Sub => number::sub(a, b),
        Operation::Mul => number::mul(a, b),
        Operation::Div => number::div(a, b),
        Operation::DivTruncated => number::div_truncated(a, b),
        Operation::Rem => number::rem(a, b),
        Operation::Concat => concatenation([Ok(a.clone()), Ok(b.clone())]),
        _ => Err(NumberError::NotNumbers),
    }
}

fn concatenation(parts: impl IntoIterator<Item = Result<Value, NumberError>>) -> Result<Value, NumberError> {
    let mut all = String::new();
    for part in parts {
        match part? {
            Value::Str(text) => all.push_str(&text),
            _ => return Err(NumberError::NotNumbers),
        }
    }
    Ok(Value::string(all))
}

/// `True` and `False`, for those who decide what an input is.
pub const BOOLS: [Value; 2] = [Value::Atom(known::FALSE), Value::Atom(known::TRUE)];

#[cfg(test)]
mod tests {
    use super::*;

    fn input(n: u32) -> Value {
        Term::input(n, "x".into(), Sort::Int)
    }

    #[test]
    fn a_term_is_evaluated_as_the_machine_would() {
        let x = Term::apply(Operation::Rem, [input(0), Value::Int(3)]);
        let value = evaluate(&x, &|_| Value::Int(-7));
        assert!(
            matches!(value, Ok(Value::Int(-1))),
            "the remainder has the sign of the dividend: {value:?}"
        );
    }

    #[test]
    fn equations_do_not_depend_on_their_direction() {
        let (a, b) = (input(0), input(1));
        let there = Condition::new(Test::Equal, &a, &b);
        assert_eq!(there.hash(), Condition::new(Test::Equal, &b, &a).hash());
        assert_ne!(Condition::new(Test::Less, &a, &b).hash(), Condition::new(Test::Less, &b, &a).hash());
    }

    #[test]
    fn neutral_elements_disappear() {
        let x = input(0);
        let Value::Term(same) = Term::apply(Operation::Add, [Value::Int(0), x.clone()]) else {
            panic!("a term");
        };
        assert!(matches!(same.kind(), Kind::Input(0, _)));
        assert!(has_terms(&Value::data(known::JUST, smallvec::smallvec![x])));
    }
}
