//! Equality and the total order of values.
//!
//! Numbers by size, strings by their characters, data by the constructors' *names* and then by the arguments from left to right, `null` before every
//! reference, references by place of birth.
//!
//! Values may share their parts, so that one of a hundred nodes stands for a tree of 2^100: pairs that were found equal are remembered once
//! a comparison gets long.

use super::{Ctor, Node, Ref, Value, number};
use crate::code::Symbols;
use crate::run::identity::Identities;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::rc::Rc;

/// After so many pairs a comparison is long.
const LONG: u64 = 1 << 10;

/// The pairs of nodes that one comparison has looked at. If it comes back to a pair, that pair was found equal: it would have ended else.
#[derive(Default)]
struct Seen<'v> {
    pairs: FxHashSet<(*const Node, *const Node)>,
    looked: u64,
    todo: Vec<(&'v Value, &'v Value)>,
}

impl<'v> Seen<'v> {
    /// Whether there is nothing to find out about two nodes.
    fn knows(&mut self, a: &Rc<Node>, b: &Rc<Node>) -> bool {
        self.looked += 1;
        Rc::ptr_eq(a, b) || (self.looked > LONG && !self.pairs.insert((Rc::as_ptr(a), Rc::as_ptr(b))))
    }

    /// The arguments of two nodes are to be compared, the first ones first.
    fn open(&mut self, a: &'v Rc<Node>, b: &'v Rc<Node>) {
        self.todo.extend(a.args.iter().zip(&b.args).rev());
    }
}

/// Structural equality; identity for references. `work` grows by what it takes.
pub fn equal(a: &Value, b: &Value, work: &mut u64) -> bool {
    if !matches!((a, b), (Value::Data(_), Value::Data(_))) {
        *work += cost(a, b);
        return shallow_equal(a, b);
    }
    let mut seen = Seen::default();
    let (mut a, mut b) = (a, b);
    let found = loop {
        match (a, b) {
            (Value::Data(x), Value::Data(y)) if seen.knows(x, y) => {}
            (Value::Data(x), Value::Data(y)) => {
                let hashes = (x.hash.get(), y.hash.get());
                if x.ctor != y.ctor || x.args.len() != y.args.len() || (hashes.0 != 0 && hashes.1 != 0 && hashes.0 != hashes.1) {
                    break false;
                }
                seen.open(x, y);
            }
            _ => {
                seen.looked += cost(a, b);
                if !shallow_equal(a, b) {
                    break false;
                }
            }
        }
        match seen.todo.pop() {
            Some(next) => (a, b) = next,
            None => break true,
        }
    };
    *work += seen.looked;
    found
}

/// What comparing two values that are not data takes, in pairs of nodes: long texts and numbers take long.
fn cost(a: &Value, b: &Value) -> u64 {
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => x.len().min(y.len()) as u64 / 64,
        (Value::Rat(_), _) | (_, Value::Rat(_)) => (number::words(a) + number::words(b)).pow(2) / 2,
        (Value::Big(_), _) | (_, Value::Big(_)) => number::words(a) + number::words(b),
        _ => 0,
    }
}

fn shallow_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::Atom(x), Value::Atom(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::Object(x), Value::Object(y)) | (Value::Future(x), Value::Future(y)) => x == y,
        (Value::Null, Value::Null) => true,
        (Value::Term(x), Value::Term(y)) => x == y,
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
    /// The total order of values of one type; values of different types come in a fixed but meaningless order. `work` grows by what it
    /// takes.
    pub fn compare(&self, a: &Value, b: &Value, work: &mut u64) -> Ordering {
        if !matches!((a, b), (Value::Data(_), Value::Data(_))) {
            *work += cost(a, b);
            return self.shallow(a, b);
        }
        let mut seen = Seen::default();
        let (mut a, mut b) = (a, b);
        let found = loop {
            let order = match (a, b) {
                (Value::Data(x), Value::Data(y)) if seen.knows(x, y) => Ordering::Equal,
                (Value::Data(x), Value::Data(y)) => {
                    let order = self.constructors(x.ctor, y.ctor);
                    if order == Ordering::Equal {
                        seen.open(x, y);
                    }
                    order
                }
                _ => {
                    seen.looked += cost(a, b);
                    self.shallow(a, b)
                }
            };
            if order != Ordering::Equal {
                break order;
            }
            match seen.todo.pop() {
                Some(next) => (a, b) = next,
                None => break Ordering::Equal,
            }
        };
        *work += seen.looked;
        found
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
        Value::Term(_) => 6,
    }
}
