//! The conditions of a program, numbered: guards first, one for each step, then what `if` and `assert` test.
//!
//! A condition is evaluated on the values of its *atoms*, the locals and shared variables it mentions, in the order in which they stand
//! there. The element of an array that an index picks is one atom if the index is made of locals only; otherwise all elements are
//! atoms, after those of the index.

use super::addressing::addressing_locals;
use super::code::{DEEP, Fault, LATER, Op, SHALLOW, Values, close_connective, evaluate, is_deep};
use super::compile::{guard_of, with_constant};
use crate::model::{Binary, Expr, Local, Model, Statement};
use mazurka_core::Predicate;
use rustc_hash::FxHashMap;

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

/// A condition of the text.
#[derive(Debug)]
struct Site {
    expression: Option<Expr>,
    predicate: Predicate,
}

/// All conditions of a program.
#[derive(Debug)]
pub(super) struct Predicates {
    functions: Vec<Function>,
    sites: Vec<Site>,
    /// For each body, the site of its first step.
    first_steps: Vec<u32>,
    /// For each body and step, the site of its first test.
    first_tests: Vec<Vec<u32>>,
    /// For each body and step, the locals that its guard or its addresses depend on.
    pub addressing: Vec<Vec<Vec<u32>>>,
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
    pub(super) fn of(model: &Model) -> Self {
        let mut sites = Sites::new(model);
        let mut first_steps = Vec::new();
        for body in model.bodies() {
            first_steps.push(sites.sites.len() as u32);
            for step in &body.steps {
                sites.add(guard_of(&step.statements), choice(&step.statements));
            }
        }
        let mut first_tests = Vec::new();
        let mut addressing = Vec::new();
        for body in model.bodies() {
            let mut of_body = Vec::new();
            let mut locals = Vec::new();
            for step in &body.steps {
                of_body.push(sites.sites.len() as u32);
                add_tests(&step.statements, &mut sites);
                locals.push(addressing_locals(&step.statements));
            }
            first_tests.push(of_body);
            addressing.push(locals);
        }
        Predicates {
            functions: sites.functions,
            sites: sites.sites,
            first_steps,
            first_tests,
            addressing,
        }
    }

    /// The guard of a step, and its text; a step need not have one.
    pub(super) fn guard(&self, body: usize, step: usize) -> (Predicate, Option<&Expr>) {
        let site = &self.sites[self.first_steps[body] as usize + step];
        (site.predicate, site.expression.as_ref())
    }

    /// The site of the first test of a step; the others follow in the order of the text.
    pub(super) fn first_test(&self, body: usize, step: usize) -> u32 {
        self.first_tests[body][step]
    }

    /// What is tested at a site.
    pub(super) fn test(&self, site: u32) -> Predicate {
        self.sites[site as usize].predicate
    }

    /// 0 or 1 for a test, or how it fails; for the guard of a step that chooses, a number that says which alternatives are enabled.
    pub(super) fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64 {
        let function = &self.functions[predicate.0 as usize];
        if function.code.is_empty() {
            return 1;
        }
        let mut few = [0; 8];
        let mut many;
        let cells = match few.get_mut(..atoms.len()) {
            Some(few) => few,
            None => {
                many = vec![0; atoms.len()];
                &mut many[..]
            }
        };
        // Values are kept in 32 bits; sums of them agree modulo 2³².
        cells.iter_mut().zip(atoms).for_each(|(cell, atom)| *cell = *atom as i32);
        let value = |chosen| {
            let values = Values { cells, locals: 0, chosen };
            number_of(match function.deep {
                true => evaluate::<DEEP, ()>(&function.code, values, &mut ()),
                false => evaluate::<SHALLOW, ()>(&function.code, values, &mut ()),
            })
        };
        match function.choose {
            None => value(None),
            Some((local, alternatives)) => (0..alternatives).fold(0, |all, n| match value(Some((local, n as i32))) {
                0 => all,
                // What cannot be evaluated is enabled, too: taking it reports the fault.
                enabled => spread(all ^ spread(enabled ^ u64::from(n) << 33)) | 1,
            }),
        }
    }
}

/// Spreads the bits of a number, so that sets of alternatives with their faults have different numbers.
fn spread(number: u64) -> u64 {
    let mixed = (number ^ number >> 32)
        .wrapping_add(0x632b_e59b_d9b4_e019)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 31
}

/// The conditions met so far.
struct Sites<'m> {
    model: &'m Model,
    sites: Vec<Site>,
    functions: Vec<Function>,
    numbers: FxHashMap<Function, u32>,
}

impl<'m> Sites<'m> {
    fn new(model: &'m Model) -> Self {
        Sites {
            model,
            sites: Vec::new(),
            functions: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    fn add(&mut self, expression: Option<Expr>, choose: Option<(Local, u32)>) {
        let mut emitter = AtomEmitter {
            model: self.model,
            chosen: choose.map(|(local, _)| local),
            atoms: 0,
            code: Vec::new(),
        };
        if let Some(e) = &expression {
            emitter.expression(e);
        }
        let function = Function {
            deep: is_deep(&emitter.code),
            code: emitter.code.into(),
            choose: choose.map(|(local, n)| (local.0 as u32, n)),
        };
        let next = self.functions.len() as u32;
        let number = *self.numbers.entry(function.clone()).or_insert(next);
        if number == next {
            self.functions.push(function);
        }
        self.sites.push(Site {
            expression,
            predicate: Predicate(number),
        });
    }
}

/// Emits an expression whose variables are numbered in the order in which they stand there.
struct AtomEmitter<'m> {
    model: &'m Model,
    chosen: Option<Local>,
    atoms: u32,
    code: Vec<Op>,
}

impl AtomEmitter<'_> {
    /// The first of the next `n` atoms.
    fn next(&mut self, n: u32) -> u32 {
        let first = self.atoms;
        self.atoms += n;
        first
    }

    fn expression(&mut self, e: &Expr) {
        match e {
            Expr::Int(v) => self.code.push(Op::Const(*v)),
            Expr::Local(l) if Some(*l) == self.chosen => self.code.push(Op::Local(l.0 as u32)),
            Expr::Local(_) | Expr::Shared(_, None) => {
                let atom = self.next(1);
                self.code.push(Op::Shared(atom));
            }
            Expr::Shared(v, Some(index)) => {
                self.expression(index);
                let length = self.model.variables()[*v].initial.len() as u32;
                if is_open_index(index, self.chosen) {
                    let base = self.next(length);
                    self.code.push(Op::Element { base, length });
                } else {
                    let cell = self.next(1);
                    self.code.push(Op::Only { cell, length });
                }
            }
            Expr::Not(a) => {
                self.expression(a);
                self.code.push(Op::Not);
            }
            Expr::Negate(a) => {
                self.expression(a);
                self.code.push(Op::Negate);
            }
            Expr::Binary(op, a, b) => {
                self.expression(a);
                match **b {
                    Expr::Int(right) => with_constant(&mut self.code, *op, right),
                    _ if matches!(op, Binary::And | Binary::Or) => {
                        let branch = self.code.len();
                        self.code.push(LATER);
                        self.expression(b);
                        close_connective(&mut self.code, branch, *op, b);
                    }
                    _ => {
                        self.expression(b);
                        self.code.push(Op::Binary(*op));
                    }
                }
            }
        }
    }
}

/// The local that the step chooses a value for.
pub(super) fn chosen_local(statements: &[Statement]) -> Option<Local> {
    choice(statements).map(|(local, _)| local)
}

fn choice(statements: &[Statement]) -> Option<(Local, u32)> {
    match statements.first() {
        Some(Statement::Choose(local, n)) => Some((*local, *n)),
        _ => None,
    }
}

/// How many tests there are in some statements.
pub(super) fn count_tests(statements: &[Statement]) -> u32 {
    statements
        .iter()
        .map(|s| match s {
            Statement::If(_, then, other) => 1 + count_tests(then) + count_tests(other),
            Statement::Assert(..) => 1,
            _ => 0,
        })
        .sum()
}

fn add_tests(statements: &[Statement], sites: &mut Sites<'_>) {
    for s in statements {
        match s {
            Statement::If(e, then, other) => {
                sites.add(Some(e.clone()), None);
                add_tests(then, sites);
                add_tests(other, sites);
            }
            Statement::Assert(e, _) => sites.add(Some(e.clone()), None),
            _ => {}
        }
    }
}

/// Whether the element that an index picks may depend on shared values or on what is chosen.
pub(super) fn is_open_index(index: &Expr, chosen: Option<Local>) -> bool {
    match index {
        Expr::Int(_) => false,
        Expr::Local(l) => Some(*l) == chosen,
        Expr::Shared(..) => true,
        Expr::Not(a) | Expr::Negate(a) => is_open_index(a, chosen),
        Expr::Binary(_, a, b) => is_open_index(a, chosen) || is_open_index(b, chosen),
    }
}

#[cfg(test)]
mod tests {
    use super::{Predicates, is_open_index};
    use crate::model::{Expr, Local, Statement};
    use crate::text;

    #[test]
    fn an_index_is_open_if_shared_values_or_the_choice_may_change_it() {
        let open = |index: &str| {
            let model = text::parse("program", &format!("init x, y, a[3]; p0(l, m):[x=a[{index}]]")).expect("a program");
            match &model.bodies()[0].steps[0].statements[0] {
                Statement::Assign(_, Expr::Shared(_, Some(index))) => is_open_index(index, Some(Local(1))),
                other => panic!("{other:?}"),
            }
        };
        for index in ["x", "m", "-x", "!m", "l+x", "x+l", "a[l]"] {
            assert!(open(index), "{index}");
        }
        for index in ["1", "l", "-l", "!l", "l+l*2"] {
            assert!(!open(index), "{index}");
        }
    }

    #[test]
    fn a_condition_is_a_function_of_its_atoms() {
        let value = |condition: &str, atoms: &[i64]| {
            let model = text::parse("program", &format!("init x, y, z, a[2]; p0(l):[await {condition}]")).expect("a program");
            let predicates = Predicates::of(&model);
            predicates.evaluate(predicates.guard(0, 0).0, atoms)
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
        assert!(value("1/x", &[0]) > 1);
    }
}
