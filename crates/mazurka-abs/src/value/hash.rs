//! Structural hashes of values: 128 bits that do not depend on the schedule.

use super::{Node, Value};
use crate::run::identity::Identities;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A value with more parts than this is long.
const LONG: u32 = 1 << 10;

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
        never_zero(u128::from(self.a) << 64 | u128::from(self.b))
    }
}

/// 0 stands for hashes that are not known yet.
fn never_zero(hash: u128) -> u128 {
    hash.max(1)
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
        Value::Term(term) => {
            h.word(11);
            h.wide(term.hash());
        }
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
    // Parts that a value shares with itself are looked at once; most values are too small to have any.
    let (mut seen, mut looked) = (FxHashSet::default(), 0u32);
    while let Some(v) = todo.pop() {
        looked = looked.saturating_add(1);
        match v {
            Value::Future(r) => found(*r),
            Value::Data(n) if looked > LONG && !seen.insert(Rc::as_ptr(n)) => {}
            Value::Data(n) => todo.extend(n.args.iter().filter(|a| matches!(a, Value::Data(_) | Value::Future(_)))),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Ref, known};
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use smallvec::smallvec;

    fn hashed(add: impl FnOnce(&mut Hasher)) -> u128 {
        let mut h = Hasher::new(7);
        add(&mut h);
        h.finish()
    }

    /// Hashes are the same in every search and every build. The numbers come from another implementation.
    #[test]
    fn words_and_bytes_have_known_hashes() {
        assert_eq!(hashed(|h| h.word(1)), 0x2043_aabb_c52d_d839_a624_5c76_74de_8573);
        assert_eq!(hashed(|h| h.wide(2 << 64 | 1)), 0xb331_6b39_7aba_4fb3_7582_0b1e_1803_3e4f);
        let all_lengths = hashed(|h| {
            for length in 0..=17 {
                h.bytes(&(1..=length).collect::<Vec<u8>>());
            }
        });
        assert_eq!(all_lengths, 0xa384_967d_2b15_126d_5562_eda5_6ed7_b39a);
    }

    #[test]
    fn each_kind_of_value_has_a_known_hash() {
        let ids = Identities::default();
        let main = ids.main_task();
        let big: BigInt = BigInt::from(1) << 64;
        let object = Ref {
            slot: 9,
            id: ids.object(main, 1, 2),
        };
        let future = Ref {
            slot: 9,
            id: ids.task(main, 3),
        };
        let known = [
            (Value::Int(-1), 0xd937_c4c5_d4f9_dab9_1fdc_d66d_50de_256f),
            (Value::from(big), 0x0c85_8380_e675_3bda_1ff8_b46b_c6f3_3259),
            (
                BigRational::new((-1).into(), 3.into()).into(),
                0xe931_9e19_288a_6cb1_914c_4d66_990a_0241,
            ),
            (Value::float(0.5), 0x3fa2_4ed9_ec21_bd15_82b2_d2cf_e961_660b),
            (Value::string("abc"), 0xa76b_84df_5c20_4bf7_5e4e_900d_042d_d8f3),
            (Value::bool(true), 0x3535_86a9_bd23_fa83_01fd_feef_1aa5_384e),
            (
                Value::data(known::JUST, smallvec![Value::Int(5)]),
                0x00fb_c9d8_ea3a_2614_fe7d_8a8e_a421_516d,
            ),
            (Value::Object(object), 0x2959_3edc_5233_4a21_74aa_0c8b_cc0d_ef52),
            (Value::Future(future), 0xbcab_7bdd_a428_e88c_7d94_928d_333b_530f),
            (Value::Null, 0xad16_91e7_08ad_5551_ed45_a7c3_cb04_e868),
        ];
        for (it, hash) in known {
            let mut h = Hasher::new(0);
            value(&it, &ids, &mut h);
            assert_eq!(h.finish(), hash, "{it:?}");
        }
    }

    #[test]
    fn no_hash_is_zero() {
        assert_eq!([0, 1, 2].map(never_zero), [1, 1, 2]);
    }

    #[test]
    fn a_long_list_is_hashed_without_deep_recursion() {
        let mut list = Value::Atom(known::NIL);
        for i in 0..300_000 {
            list = Value::data(known::CONS, smallvec![Value::Int(i), list]);
        }
        let twice = [0, 1].map(|_| hashed(|h| value(&list, &Identities::default(), h)));
        assert_eq!(twice[0], twice[1]);
    }
}
