//! What the interpreter does with values that are not known.
//!
//! There is one meaning of ABS: the same loop runs known and unknown values. Arithmetic on terms makes terms. Where the code goes on depends
//! on *questions*: whether a condition on terms holds, what an input is that stands for data or a reference. [`Inputs`] answers them, always
//! in the same way, so that a run with unknown inputs is one run of the program, for all inputs that have the same answers.

use super::builtins::{self, Answer};
use super::exec::Mover;
use crate::code::{Binary, Builtin, Op};
use crate::value::number::{self, NumberError};
use crate::value::order::{self, Ordered};
use crate::value::term::{Condition, Kind, Operation, Sort, Term, Test, has_terms, sort};
use crate::value::{Value, known};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt::Debug;

/// What is known of the inputs, and who wants to know what the code does with them.
pub trait Inputs: Debug {
    /// Whether a condition holds. The same question must always get the same answer.
    fn decide(&self, condition: &Condition) -> bool;

    /// What the input with this number is, which stands for data or a reference. Its parts may be inputs again.
    fn shape(&self, input: u32) -> Value;

    /// How often one step may ask about inputs at one place in the code.
    fn patience(&self) -> u32;

    /// An instruction is about to run, in this object.
    fn visit(&self, code: u32, pc: u32, op: Op, this: u32) {
        let _ = (code, pc, op, this);
    }
}

/// Where the code is, and how often this step asked there.
#[derive(Debug, Default)]
pub(super) struct Questions {
    at: (u32, u32),
    asked: SmallVec<[((u32, u32), u32); 4]>,
    refused: Option<NumberError>,
}

pub(super) const TIME: &str = "how long it waits depends on an input, which symbolic execution does not follow";
/// What is said when a step asks too often; the command looks for it.
pub const ASKED: &str = "one step asks more often about inputs at one place than `--unroll` allows";
const TEXT: &str = "the text of a value that depends on an input is not followed by symbolic execution";
const ARITHMETIC: &str = "this function of a number that depends on an input is not followed by symbolic execution";
const FLOATS: &str = "numbers of type Float that depend on an input are not followed by symbolic execution";

/// Powers of inputs are taken apart up to this exponent.
const MOST_FACTORS: i64 = 8;

impl Mover<'_> {
    /// Tells that an instruction is about to run.
    pub(super) fn visit(&mut self, code: u32, pc: u32, op: Op, this: u32) {
        self.questions.at = (code, pc);
        if let Some(inputs) = &self.machine.inputs {
            inputs.visit(code, pc, op, this);
        }
    }

    /// Replaces an input that stands for data or a reference by what it is.
    pub(super) fn settle(&self, value: &mut Value) {
        while let Value::Term(term) = value {
            match (term.kind(), &self.machine.inputs) {
                (Kind::Input(number, _), Some(inputs)) if term.sort() == Sort::Shape => *value = inputs.shape(*number),
                _ => return,
            }
        }
    }

    pub(super) fn settled(&self, value: &Value) -> Value {
        let mut value = value.clone();
        self.settle(&mut value);
        value
    }

    /// Whether a `Bool` is true.
    pub(super) fn truth(&self, value: &Value) -> bool {
        match value {
            Value::Term(_) => self.settled(value).is_true(),
            _ => value.is_true(),
        }
    }

    /// Whether this step asks too often: then it is given up.
    fn ask(&mut self, condition: &Condition) -> Result<bool, NumberError> {
        let Some(inputs) = &self.machine.inputs else {
            return Err(NumberError::NotNumbers);
        };
        let at = self.questions.at;
        let asked = match self.questions.asked.iter_mut().find(|(place, _)| *place == at) {
            Some((_, asked)) => asked,
            None => {
                self.questions.asked.push((at, 0));
                let last = self.questions.asked.len() - 1;
                &mut self.questions.asked[last].1
            }
        };
        *asked += 1;
        if *asked > inputs.patience() {
            return Err(NumberError::Opaque(ASKED));
        }
        Ok(inputs.decide(condition))
    }

    fn less(&mut self, left: &Value, right: &Value) -> Result<bool, NumberError> {
        if left_is_right(left, right) {
            return Ok(false);
        }
        self.ask(&Condition::new(Test::Less, left, right))
    }

    /// Whether two values are equal. If that cannot be said, [`Mover::refused`] has the reason, and the step must not go on.
    pub(super) fn equal_terms(&mut self, left: &Value, right: &Value) -> bool {
        match self.equal(left, right) {
            Ok(equal) => equal,
            Err(why) => {
                self.questions.refused = Some(why);
                false
            }
        }
    }

    /// Why a comparison in a pattern could not be made, if one could not.
    pub(super) fn refused(&mut self) -> Option<NumberError> {
        self.questions.refused.take()
    }

    fn equal(&mut self, left: &Value, right: &Value) -> Result<bool, NumberError> {
        if !has_terms(left) && !has_terms(right) {
            let mut compared = 0;
            return Ok(order::equal(left, right, &mut compared));
        }
        let (left, right) = (self.settled(left), self.settled(right));
        match (&left, &right) {
            (Value::Data(a), Value::Data(b)) => {
                if a.ctor != b.ctor {
                    return Ok(false);
                }
                for (left, right) in a.args.iter().zip(&b.args) {
                    if !self.equal(left, right)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Term(_), _) | (_, Value::Term(_)) => {
                if left_is_right(&left, &right) {
                    return Ok(true);
                }
                refuse_floats(&left, &right)?;
                self.ask(&Condition::new(Test::Equal, &left, &right))
            }
            _ => {
                let mut compared = 0;
                Ok(order::equal(&left, &right, &mut compared))
            }
        }
    }

    fn compare(&mut self, left: &Value, right: &Value) -> Result<Ordering, NumberError> {
        let (left, right) = (self.settled(left), self.settled(right));
        if let (Value::Term(_), _) | (_, Value::Term(_)) = (&left, &right) {
            refuse_floats(&left, &right)?;
            if self.less(&left, &right)? {
                return Ok(Ordering::Less);
            }
            return Ok(match self.equal(&left, &right)? {
                true => Ordering::Equal,
                false => Ordering::Greater,
            });
        }
        if let (Value::Data(a), Value::Data(b)) = (&left, &right)
            && a.ctor == b.ctor
        {
            for (left, right) in a.args.iter().zip(&b.args) {
                let order = self.compare(left, right)?;
                if order != Ordering::Equal {
                    return Ok(order);
                }
            }
            return Ok(Ordering::Equal);
        }
        let ordered = Ordered {
            symbols: &self.machine.program.symbols,
            ids: &self.machine.ids,
        };
        let mut compared = 0;
        Ok(ordered.compare(&left, &right, &mut compared))
    }

    /// An operator on values of which one has terms; `None` if none has.
    pub(super) fn binary_on_terms(&mut self, operator: Binary, left: &Value, right: &Value) -> Option<Result<Value, NumberError>> {
        (has_terms(left) || has_terms(right)).then(|| self.on_terms(operator, left, right))
    }

    fn on_terms(&mut self, operator: Binary, left: &Value, right: &Value) -> Result<Value, NumberError> {
        let (left, right) = (&self.settled(left), &self.settled(right));
        let operation = match operator {
            Binary::Equal => return self.equal(left, right).map(Value::bool),
            Binary::NotEqual => return self.equal(left, right).map(|equal| Value::bool(!equal)),
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => return self.ordered(operator, left, right),
            Binary::Add if sort(left) == Some(Sort::String) || sort(right) == Some(Sort::String) => {
                return self.concatenation_of_terms(&[left.clone(), right.clone()]);
            }
            Binary::Add => Operation::Add,
            Binary::Sub => Operation::Sub,
            Binary::Mul => Operation::Mul,
            Binary::Div => Operation::Div,
            Binary::DivTruncated => Operation::DivTruncated,
            Binary::Rem => Operation::Rem,
        };
        refuse_floats(left, right)?;
        let rational = [left, right].iter().any(|value| sort(value) == Some(Sort::Rat));
        if rational && matches!(operation, Operation::Rem | Operation::DivTruncated) {
            return Err(NumberError::Opaque(ARITHMETIC));
        }
        let divides = matches!(operation, Operation::Div | Operation::DivTruncated | Operation::Rem);
        if divides && self.equal(right, &Value::Int(0))? {
            return Err(NumberError::DivisionByZero);
        }
        Ok(Term::apply(operation, [left.clone(), right.clone()]))
    }

    fn ordered(&mut self, operator: Binary, left: &Value, right: &Value) -> Result<Value, NumberError> {
        let scalar = |value: &Value| sort(value).is_some_and(|sort| sort != Sort::Shape);
        if scalar(left) && scalar(right) {
            return Ok(Value::bool(match operator {
                Binary::Less => self.less(left, right)?,
                Binary::LessEqual => !self.less(right, left)?,
                Binary::Greater => self.less(right, left)?,
                _ => !self.less(left, right)?,
            }));
        }
        let order = self.compare(left, right)?;
        Ok(Value::bool(match operator {
            Binary::Less => order == Ordering::Less,
            Binary::LessEqual => order != Ordering::Greater,
            Binary::Greater => order == Ordering::Greater,
            _ => order != Ordering::Less,
        }))
    }

    pub(super) fn negation(&self, value: &Value) -> Result<Value, NumberError> {
        match value {
            Value::Term(_) => Ok(Term::apply(Operation::Neg, [value.clone()])),
            _ => number::neg(value),
        }
    }

    /// Strings in a row, some of which are not known.
    pub(super) fn concatenation_of_terms(&mut self, values: &[Value]) -> Result<Value, NumberError> {
        let mut parts: SmallVec<[Value; 4]> = SmallVec::new();
        for value in values {
            match sort(value) {
                Some(Sort::String) => parts.push(value.clone()),
                _ if has_terms(value) => return Err(NumberError::Opaque(TEXT)),
                _ => parts.push(self.concatenation(std::slice::from_ref(value))?),
            }
        }
        Ok(Term::apply(Operation::Concat, parts))
    }

    /// A function that the machine knows, on values of which some may have terms.
    pub(super) fn apply_to_terms(&mut self, which: Builtin, args: &mut [Value]) -> Result<Answer, NumberError> {
        let lists = matches!(
            which,
            Builtin::Length | Builtin::IsEmpty | Builtin::Concatenate | Builtin::Appendright | Builtin::Reverse
        );
        if lists {
            args.iter_mut()
                .take(1)
                .for_each(|list| self.settle_list(list, which == Builtin::IsEmpty));
        }
        if lists || !args.iter().any(has_terms) {
            let (program, ids) = (&self.machine.program, &self.machine.ids);
            return builtins::apply(which, args, &program.symbols, ids, &mut self.budget);
        }
        let value = match (which, &*args) {
            (Builtin::Max, [a, b]) => match self.compare(a, b)? {
                Ordering::Less => b.clone(),
                _ => a.clone(),
            },
            (Builtin::Min, [a, b]) => match self.compare(b, a)? {
                Ordering::Less => b.clone(),
                _ => a.clone(),
            },
            (Builtin::Abs, [a]) => match self.less(a, &Value::Int(0))? {
                true => self.negation(a)?,
                false => a.clone(),
            },
            (Builtin::Truncate, [a]) => Term::apply(Operation::Truncate, [a.clone()]),
            (Builtin::Floor, [a]) => Term::apply(Operation::Floor, [a.clone()]),
            (Builtin::Ceil, [a]) => {
                let below = Term::apply(Operation::Floor, [self.negation(a)?]);
                self.negation(&below)?
            }
            (Builtin::Rat, [a]) => a.clone(),
            (Builtin::Pow, [a, Value::Int(n)]) if (1..=MOST_FACTORS).contains(n) => {
                (1..*n).fold(a.clone(), |product, _| Term::apply(Operation::Mul, [product, a.clone()]))
            }
            (Builtin::Watch | Builtin::WatchEx, [a, ..]) => a.clone(),
            // What is printed is no part of the state.
            (Builtin::Print, [a]) => return Ok(Answer::Printed(self.printer().show(a))),
            (Builtin::Println, [a]) => return Ok(Answer::Printed(self.printer().show(a) + "\n")),
            (Builtin::ToString, [a]) if sort(a) == Some(Sort::String) => a.clone(),
            (Builtin::ToString | Builtin::Substr | Builtin::Strlen, _) => return Err(NumberError::Opaque(TEXT)),
            (Builtin::Float | Builtin::Sqrt | Builtin::Log | Builtin::Exp, _) => return Err(NumberError::Opaque(FLOATS)),
            _ => return Err(NumberError::Opaque(ARITHMETIC)),
        };
        Ok(Answer::Value(value))
    }

    /// Makes the links of a list known, or only whether there is one.
    fn settle_list(&self, list: &mut Value, first_only: bool) {
        self.settle(list);
        if first_only || !has_terms(list) {
            return;
        }
        let (mut elements, mut rest): (Vec<Value>, Value) = (Vec::new(), list.clone());
        while let (Some(known::CONS), [head, tail]) = (rest.ctor(), rest.args()) {
            elements.push(head.clone());
            rest = self.settled(tail);
        }
        for head in elements.into_iter().rev() {
            rest = Value::data(known::CONS, smallvec::smallvec![head, rest]);
        }
        *list = rest;
    }
}

/// Whether two values are the same term, so that nothing needs to be asked.
fn left_is_right(left: &Value, right: &Value) -> bool {
    matches!((left, right), (Value::Term(a), Value::Term(b)) if a == b)
}

fn refuse_floats(left: &Value, right: &Value) -> Result<(), NumberError> {
    match (left, right) {
        (Value::Float(_), _) | (_, Value::Float(_)) => Err(NumberError::Opaque(FLOATS)),
        _ => Ok(()),
    }
}
