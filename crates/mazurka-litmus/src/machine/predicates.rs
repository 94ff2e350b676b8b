//! The conditions of a program as functions of their *atoms*, the locals and shared variables they mention, in the order of the text.
//!
//! The element of an array that an index picks is one atom if the index is made of locals only; otherwise all elements are atoms, after
//! those of the index. Which atom has which number is said here alone: where each one is found is kept with the condition, and
//! [`super::origins`] looks there.

use super::code::{Array, Fault, Op, depth};
use super::emit::{Emitter, Names};
use super::values::{SHALLOW, value_of};
use crate::model::{Expr, Model};
use mazurka_core::Predicate;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// A condition as a function of its atoms. Conditions of the text that are the same function are one predicate: what one step has
/// tested, no other step with the same test looks at anew.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Function {
    /// An expression whose shared variables are the atoms; empty if there is no condition.
    code: Box<[Op]>,
    /// The local that `choose` sets before the guard is evaluated, and the number of its values.
    choose: Option<(u32, u32)>,
    /// Whether the code needs a deep stack.
    deep: bool,
}

/// Where one or more atoms of a condition are found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Local(u32),
    /// Shared cells, one atom each.
    Cells(Array),
    /// The element that an index picks, which is computed by this part of the function from the atoms since `first`.
    Picked {
        array: Array,
        index: Range<u32>,
        first: u32,
    },
}

/// A condition of the text.
#[derive(Debug)]
pub(super) struct Condition {
    pub predicate: Predicate,
    pub atoms: Box<[Source]>,
}

/// All conditions of a program.
#[derive(Debug, Default)]
pub(super) struct Predicates {
    functions: Vec<Function>,
    /// Which number each function has, while there are more to come.
    numbers: FxHashMap<Function, u32>,
}

/// The value of a condition, as a number: 0 or 1, or another one for each way in which it cannot be evaluated.
fn number_of(value: Result<i32, Fault>) -> u64 {
    match value {
        Ok(v) => u64::from(v != 0),
        Err(Fault::DivisionByZero | Fault::Assertion(_)) => 2,
        // The array is told by its first atom; there are fewer than 2³¹ of them.
        Err(Fault::OutOfBounds { base, index }) => 1 << 63 | u64::from(base) << 32 | u64::from(index as u32),
    }
}

impl Predicates {
    /// Adds a condition; `choose` are the local that the step chooses and the number of its values, for a guard.
    pub(super) fn add(&mut self, model: &Model, bases: &[u32], condition: Option<&Expr>, choose: Option<(u32, u32)>) -> Condition {
        let mut emitter = Emitter {
            model,
            bases,
            names: Atoms {
                chosen: choose.map(|(local, _)| local),
                count: 0,
                sources: Vec::new(),
            },
            code: Vec::new(),
        };
        condition.into_iter().for_each(|e| emitter.expression(e));
        let function = Function {
            deep: depth(&emitter.code) > SHALLOW,
            code: emitter.code.into(),
            choose,
        };
        let next = self.functions.len() as u32;
        let number = *self.numbers.entry(function.clone()).or_insert(next);
        if number == next {
            self.functions.push(function);
        }
        Condition {
            predicate: Predicate(number),
            atoms: emitter.names.sources.into(),
        }
    }

    /// Forgets what was needed to add conditions.
    pub(super) fn complete(self) -> Self {
        Predicates {
            functions: self.functions,
            numbers: FxHashMap::default(),
        }
    }

    /// 0 or 1 for a test, or how it fails; for the guard of a step that chooses, a number that says which alternatives are enabled.
    pub(super) fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64 {
        let function = &self.functions[predicate.0 as usize];
        if function.code.is_empty() {
            return 1;
        }
        // Values are kept in 32 bits; sums of them agree modulo 2³².
        let atoms: SmallVec<[i32; 8]> = atoms.iter().map(|atom| *atom as i32).collect();
        let value = |chosen| number_of(self.value(predicate, &atoms, chosen));
        match function.choose {
            None => value(None),
            Some((local, alternatives)) => (0..alternatives).fold(0, |all, n| match value(Some((local, n as i32))) {
                0 => all,
                // What cannot be evaluated is enabled, too: taking it reports the fault.
                enabled => spread(all ^ spread(enabled ^ u64::from(n) << 33)) | 1,
            }),
        }
    }

    /// The value of a condition that there is, for one choice.
    pub(super) fn value(&self, predicate: Predicate, atoms: &[i32], chosen: Option<(u32, i32)>) -> Result<i32, Fault> {
        let function = &self.functions[predicate.0 as usize];
        value_of(&function.code, function.deep, atoms, 0, chosen, &mut ())
    }

    /// The value of an index, which this part of a condition computes.
    pub(super) fn index(&self, predicate: Predicate, index: &Range<u32>, atoms: &[i32]) -> Option<i32> {
        let function = &self.functions[predicate.0 as usize];
        let code = &function.code[index.start as usize..index.end as usize];
        value_of(code, function.deep, atoms, 0, None, &mut ()).ok()
    }
}

/// Spreads the bits of a number, so that sets of alternatives with their faults have different numbers.
fn spread(number: u64) -> u64 {
    let mixed = (number ^ number >> 32)
        .wrapping_add(0x632b_e59b_d9b4_e019)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 31
}

/// The atoms met so far.
struct Atoms {
    chosen: Option<u32>,
    count: u32,
    sources: Vec<Source>,
}

impl Atoms {
    /// The number of the next atom, the first of `n` that are found there.
    fn next(&mut self, n: u32, source: Source) -> u32 {
        self.sources.push(source);
        self.count += n;
        self.count - n
    }
}

impl Names for Atoms {
    fn local(&mut self, local: u32) -> Op {
        if Some(local) == self.chosen {
            Op::Local(local)
        } else {
            Op::Shared(self.next(1, Source::Local(local)))
        }
    }

    fn cell(&mut self, cell: u32) -> u32 {
        self.next(1, Source::Cells(Array { base: cell, length: 1 }))
    }

    fn element(&mut self, array: Array, code: &[Op], index: Range<usize>) -> Op {
        // The atoms of the index are the last ones.
        let own = code[index.clone()].iter().filter(|op| !op.reads().is_empty()).count();
        let is_open = code[index.clone()].iter().any(|op| matches!(op, Op::Local(_)))
            || self.sources[self.sources.len() - own..]
                .iter()
                .any(|s| !matches!(s, Source::Local(_)));
        let length = array.length;
        if is_open {
            let base = self.next(length, Source::Cells(array));
            Op::Element(Array { base, length })
        } else {
            let source = Source::Picked {
                array,
                index: index.start as u32..index.end as u32,
                first: self.count - own as u32,
            };
            let base = self.next(1, source);
            Op::Only(Array { base, length })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Predicates, Source};
    use crate::machine::compile::{guard_of, layout};
    use crate::text;

    /// The guard of a step of a process with the locals `l` and `m`, of which it chooses `m`.
    fn guard(predicates: &mut Predicates, condition: &str) -> Condition {
        let text = format!("init x, y, z, a[2]; p0(l, m):[choose m 2; await {condition}]");
        let model = text::parse("program", &text).expect("a program");
        let guard = guard_of(&model.bodies()[0].steps[0].statements);
        predicates.add(&model, &layout(&model), guard.as_ref(), Some((1, 2)))
    }

    #[test]
    fn all_elements_are_atoms_if_shared_values_or_the_choice_may_change_the_index() {
        let picked = |index: &str| {
            let condition = guard(&mut Predicates::default(), &format!("a[{index}]"));
            matches!(condition.atoms.last(), Some(Source::Picked { .. }))
        };
        for index in ["x", "m", "-x", "!m", "l+x", "x+l", "a[l]", "a[0]", "l && x", "m && l", "1", "0"] {
            assert!(!picked(index), "{index}");
        }
        for index in ["l", "-l", "!l", "l+l*2", "l && l", "1-1"] {
            assert!(picked(index), "{index}");
        }
    }

    #[test]
    fn a_condition_is_a_function_of_its_atoms() {
        let value = |condition: &str, atoms: &[i64]| {
            let mut predicates = Predicates::default();
            let text = format!("init x, y, z, a[2]; p0(l):[await {condition}]");
            let model = text::parse("program", &text).expect("a program");
            let guard = guard_of(&model.bodies()[0].steps[0].statements);
            let condition = predicates.add(&model, &layout(&model), guard.as_ref(), None);
            predicates.evaluate(condition.predicate, atoms)
        };
        for (condition, atoms, expected) in [
            ("x-y==3", &[5, 2][..], 1),
            ("x-y==3", &[2, 5], 0),
            ("-x==3", &[-3], 1),
            ("!x==1", &[0], 1),
            ("!x==1", &[4], 0),
            ("x+l==y", &[1, 2, 3], 1),
            ("x && y<z", &[1, 4, 5], 1),
            ("x && y<z", &[0, 4, 5], 0),
            ("x || y<z", &[0, 4, 5], 1),
            // What is not looked at cannot fail.
            ("x && 1/y", &[0, 0], 0),
            ("x || 1/y", &[1, 0], 1),
            ("x && a[y]", &[0, 2, 7, 8], 0),
            // All elements, after the index.
            ("a[x]==7", &[0, 7, 8], 1),
            ("a[x]==7", &[1, 7, 8], 0),
            // Only the element that is picked.
            ("a[l]==7", &[0, 7], 1),
            ("a[l]==7", &[1, 7], 1),
        ] {
            assert_eq!(value(condition, atoms), expected, "{condition} {atoms:?}");
        }
        assert_ne!(value("a[l]==7", &[2, 7]), value("a[l]==7", &[3, 7]), "faults differ by their index");
        let outside = [value("a[x]+a[y]", &[2, 7, 8, 0, 7, 8]), value("a[x]+a[y]", &[0, 7, 8, 2, 7, 8])];
        assert_ne!(outside[0], outside[1], "faults differ by their array");
        assert!(value("1/x", &[0]) > 1);
    }
}
