//! Structural hashes of values: 128 bits that do not depend on the schedule.

use super::{Node, Value};
use crate::run::identity::Identities;
use std::rc::Rc;

/// Mixes words into 128 bits: two lanes of folded multiplication with different odd constants.
#[derive(Clone, Copy, Debug)]
pub struct Hasher {
    a: u64,
    b: u64,
}

fn fold(x: u64, k: u64) -> u64 {
    let product = u128::from(x) * u128::from(k);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Hasher {
    /// Starts with a tag that keeps hashes of different kinds of things apart.
    pub fn new(tag: u64) -> Self {
        let mut h = Hasher {
            a: 0x243f_6a88_85a3_08d3,
            b: 0x1319_8a2e_0370_7344,
        };
        h.word(tag);
        h
    }

    /// Adds a word.
    #[inline]
    pub fn word(&mut self, x: u64) {
        self.a = fold(self.a.rotate_left(23) ^ x, 0x9e37_79b9_7f4a_7c15).wrapping_add(self.b);
        self.b = fold(self.b.wrapping_add(x) ^ 0xa409_3822_299f_31d0, 0xd6e8_feb8_6659_fd93).rotate_left(11) ^ self.a;
    }

    /// Adds two words at once.
    #[inline]
    pub fn wide(&mut self, x: u128) {
        self.word(x as u64);
        self.word((x >> 64) as u64);
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The hash of all that was added; never 0.
    pub fn finish(mut self) -> u128 {
        self.word(0x0bad_5eed);
        (u128::from(self.a) << 64 | u128::from(self.b)).max(1)
    }
}

/// Adds a value to a hash.
pub fn value(v: &Value, ids: &Identities, h: &mut Hasher) {
    match v {
        Value::Int(n) => {
            h.word(1);
            h.word(*n as u64);
        }
        Value::Big(n) => {
            h.word(2);
            h.bytes(&n.to_signed_bytes_le());
        }
        Value::Rat(r) => {
            h.word(3);
            h.bytes(&r.numer().to_signed_bytes_le());
            h.bytes(&r.denom().to_signed_bytes_le());
        }
        Value::Float(x) => {
            h.word(4);
            h.word(x.to_bits());
        }
        Value::Str(s) => {
            h.word(5);
            h.bytes(s.as_bytes());
        }
        Value::Atom(c) => {
            h.word(6);
            h.word(u64::from(c.0));
        }
        Value::Data(n) => {
            h.word(7);
            h.wide(node(n, ids));
        }
        Value::Object(r) => {
            h.word(8);
            h.wide(ids.object_hash(r.id));
        }
        Value::Future(r) => {
            h.word(9);
            h.wide(ids.task_hash(r.id));
        }
        Value::Null => h.word(10),
    }
}

/// The hash of a constructor application, computed once. Works off a list of its own so that long lists need no deep recursion.
fn node(root: &Rc<Node>, ids: &Identities) -> u128 {
    if root.hash.get() != 0 {
        return root.hash.get();
    }
    let mut todo = vec![root.clone()];
    while let Some(top) = todo.last().cloned() {
        let before = todo.len();
        for arg in &top.args {
            if let Value::Data(child) = arg
                && child.hash.get() == 0
            {
                todo.push(child.clone());
            }
        }
        if todo.len() == before {
            let mut h = Hasher::new(u64::from(top.ctor.0));
            for arg in &top.args {
                value(arg, ids, &mut h);
            }
            top.hash.set(h.finish());
            todo.pop();
        }
    }
    root.hash.get()
}

/// Calls `found` for every future that a value mentions.
pub fn futures(v: &Value, found: &mut impl FnMut(super::Ref)) {
    if !matches!(v, Value::Data(_) | Value::Future(_)) {
        return;
    }
    let mut todo = vec![v];
    while let Some(v) = todo.pop() {
        match v {
            Value::Future(r) => found(*r),
            Value::Data(n) => todo.extend(n.args.iter().filter(|a| matches!(a, Value::Data(_) | Value::Future(_)))),
            _ => {}
        }
    }
}
