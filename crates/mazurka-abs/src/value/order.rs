//! Equality and the total order of values.
//!
//! Numbers by size, strings by their characters, data by the constructors' *names* and then by the arguments from left to right, `null` before every
//! reference, references by place of birth.

use super::{Ctor, Ref, Value, number};
use crate::code::Symbols;
use crate::run::identity::Identities;
use std::cmp::Ordering;
use std::rc::Rc;

/// Structural equality; identity for references.
pub fn equal(a: &Value, b: &Value) -> bool {
    let mut todo: Vec<(&Value, &Value)> = Vec::new();
    let (mut a, mut b) = (a, b);
    loop {
        match (a, b) {
            (Value::Data(x), Value::Data(y)) if Rc::ptr_eq(x, y) => {}
            (Value::Data(x), Value::Data(y)) => {
                let hashes = (x.hash.get(), y.hash.get());
                if x.ctor != y.ctor || x.args.len() != y.args.len() || (hashes.0 != 0 && hashes.1 != 0 && hashes.0 != hashes.1) {
                    return false;
                }
                todo.extend(x.args.iter().zip(&y.args).rev());
            }
            _ if !shallow_equal(a, b) => return false,
            _ => {}
        }
        match todo.pop() {
            Some(next) => (a, b) = next,
            None => return true,
        }
    }
}

fn shallow_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::Atom(x), Value::Atom(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::Object(x), Value::Object(y)) | (Value::Future(x), Value::Future(y)) => x == y,
        (Value::Null, Value::Null) => true,
        (Value::Atom(_) | Value::Data(_), _) | (_, Value::Atom(_) | Value::Data(_)) => false,
        _ => number::compare(a, b) == Some(Ordering::Equal),
    }
}

/// What the order of references and constructors needs to know.
#[derive(Clone, Copy)]
pub struct Ordered<'a> {
    /// The constructors' names.
    pub symbols: &'a Symbols,
    /// The births of objects and futures.
    pub ids: &'a Identities,
}

impl Ordered<'_> {
    /// The total order of values of one type; values of different types come in a fixed but meaningless order.
    pub fn compare(&self, a: &Value, b: &Value) -> Ordering {
        let mut todo: Vec<(&Value, &Value)> = Vec::new();
        let (mut a, mut b) = (a, b);
        loop {
            let order = match (a, b) {
                (Value::Data(x), Value::Data(y)) => {
                    if Rc::ptr_eq(x, y) {
                        Ordering::Equal
                    } else {
                        let order = self.constructors(x.ctor, y.ctor);
                        if order == Ordering::Equal {
                            todo.extend(x.args.iter().zip(&y.args).rev());
                        }
                        order
                    }
                }
                _ => self.shallow(a, b),
            };
            if order != Ordering::Equal {
                return order;
            }
            match todo.pop() {
                Some(next) => (a, b) = next,
                None => return Ordering::Equal,
            }
        }
    }

    fn constructors(&self, a: Ctor, b: Ctor) -> Ordering {
        self.symbols.rank(a).cmp(&self.symbols.rank(b))
    }

    fn shallow(&self, a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => x.cmp(y),
            (Value::Str(x), Value::Str(y)) => x.cmp(y),
            (Value::Object(x), Value::Object(y)) => self.objects(*x, *y),
            (Value::Future(x), Value::Future(y)) => self.ids.compare_tasks(x.id, y.id),
            _ => match (a.ctor(), b.ctor()) {
                (Some(x), Some(y)) => self.constructors(x, y),
                _ => number::compare(a, b).unwrap_or_else(|| kind(a).cmp(&kind(b))),
            },
        }
    }

    fn objects(&self, a: Ref, b: Ref) -> Ordering {
        self.ids.compare_objects(a.id, b.id)
    }
}

fn kind(v: &Value) -> u8 {
    match v {
        Value::Null => 0,
        Value::Int(_) | Value::Big(_) | Value::Rat(_) | Value::Float(_) => 1,
        Value::Str(_) => 2,
        Value::Atom(_) | Value::Data(_) => 3,
        Value::Object(_) => 4,
        Value::Future(_) => 5,
    }
}
