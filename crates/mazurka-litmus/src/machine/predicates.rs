//! The conditions of a program, numbered: guards first, one for each step, then what `if` and `assert` test.
//!
//! A condition is evaluated on the values of its *atoms*, the locals and shared variables it mentions, in the order in which they stand
//! there. The element of an array that an index picks is one atom if the index is made of locals only; otherwise all elements are
//! atoms, after those of the index.

use super::code::{DEEP, Op, SHALLOW, Stack, Values, compute, is_deep};
use super::compile::{guard_of, with_constant};
use crate::model::{Expr, Local, Model, Place, Statement};
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

/// The value of a condition that cannot be evaluated: it divides by zero or uses what is outside an array.
const FAULT: u64 = u64::MAX;

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
                let mut own = Vec::new();
                if let Some(guard) = guard_of(&step.statements) {
                    locals_in(&guard, &mut own);
                }
                addresses(&step.statements, &mut own);
                own.sort_unstable();
                own.dedup();
                locals.push(own);
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

    /// 0 or 1 for a test; for the guard of a step that chooses, a number that says which alternatives are enabled.
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
        let value = |chosen| match function.deep {
            true => value::<DEEP>(&function.code, cells, chosen),
            false => value::<SHALLOW>(&function.code, cells, chosen),
        };
        match function.choose {
            None => value(None).map_or(FAULT, |v| u64::from(v != 0)),
            Some((local, alternatives)) => (0..alternatives).fold(0, |all, n| match value(Some((local, n as i32))) {
                Some(0) => all,
                // A guard that cannot be evaluated lets the step run and report it.
                enabled => all.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(n) * 2 + 3) | u64::from(enabled.is_some()) | 1,
            }),
        }
    }
}

/// The value of an expression over atoms, `None` if it has none.
fn value<const N: usize>(code: &[Op], atoms: &[i32], chosen: Option<(u32, i32)>) -> Option<i32> {
    let mut stack = Stack::<N>::new();
    let values = Values {
        cells: atoms,
        locals: 0,
        chosen,
    };
    for op in code {
        compute(*op, values, &mut stack)?.ok()?;
    }
    Some(stack.pop())
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

fn locals_in(e: &Expr, out: &mut Vec<u32>) {
    match e {
        Expr::Int(_) => {}
        Expr::Local(l) => out.push(l.0 as u32),
        Expr::Shared(_, index) => index.iter().for_each(|i| locals_in(i, out)),
        Expr::Not(a) | Expr::Negate(a) => locals_in(a, out),
        Expr::Binary(_, a, b) => {
            locals_in(a, out);
            locals_in(b, out);
        }
    }
}

/// The locals that decide what some statements touch: those in indexes, and all that a branch tests.
fn addresses(statements: &[Statement], out: &mut Vec<u32>) {
    fn indexes(e: &Expr, out: &mut Vec<u32>) {
        match e {
            Expr::Int(_) | Expr::Local(_) => {}
            Expr::Shared(_, index) => index.iter().for_each(|i| locals_in(i, out)),
            Expr::Not(a) | Expr::Negate(a) => indexes(a, out),
            Expr::Binary(_, a, b) => {
                indexes(a, out);
                indexes(b, out);
            }
        }
    }
    fn place(p: &Place, out: &mut Vec<u32>) {
        if let Place::Shared(_, Some(index)) = p {
            locals_in(index, out);
        }
    }
    // Locals that are assigned within the step carry what they are assigned from.
    fn everything(statements: &[Statement], out: &mut Vec<u32>) {
        for s in statements {
            match s {
                Statement::Choose(..) | Statement::Goto(_) | Statement::End => {}
                Statement::Await(e) | Statement::Assert(e, _) => locals_in(e, out),
                Statement::Lock(p) | Statement::Unlock(p) => place(p, out),
                Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => {
                    place(p, out);
                    locals_in(e, out);
                }
                Statement::If(e, then, other) => {
                    locals_in(e, out);
                    everything(then, out);
                    everything(other, out);
                }
                Statement::Spawn(_, values) => values.iter().for_each(|v| locals_in(v, out)),
            }
        }
    }
    let has_branches = statements.iter().any(|s| matches!(s, Statement::If(..) | Statement::Assert(..)));
    if has_branches {
        // A branch on a local decides what is touched: everything that may flow into it counts.
        everything(statements, out);
        return;
    }
    for s in statements {
        match s {
            Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => {
                place(p, out);
                indexes(e, out);
                let flows_on = matches!(p, Place::Local(_)) && statements.len() > 1;
                if flows_on {
                    locals_in(e, out);
                }
            }
            Statement::Lock(p) | Statement::Unlock(p) => place(p, out),
            Statement::Spawn(_, values) => values.iter().for_each(|v| indexes(v, out)),
            _ => {}
        }
    }
}
