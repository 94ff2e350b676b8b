//! From a [`Model`] to flat code with the footprints of its steps.

use super::code::{Fault, LATER, Op, close_connective, is_deep};
use super::flow::Flow;
use super::monotone;
use crate::model::{Binary, Body, Expr, Label, Model, Place, Statement};
use mazurka_core::Footprint;

/// The program counter of a process that has ended. One that failed has `FAILED` or less: see [`CompiledStep::failed_at`].
pub(super) const ENDED: i32 = -1;
pub(super) const FAILED: i32 = -2;

/// A step, ready to run.
#[derive(Debug)]
pub(super) struct CompiledStep {
    /// What decides whether it is enabled, an expression.
    pub guard: Option<Box<[Op]>>,
    /// `choose`: the local and the number of alternatives.
    pub choose: Option<(u32, u32)>,
    pub code: Box<[Op]>,
    /// Whether code or guard need a deep stack.
    pub deep: bool,
    /// The assertions: condition and message.
    pub asserts: Vec<(Expr, Option<String>)>,
    /// What it may touch, one for each alternative (or one for all, if they agree); none if that depends on locals.
    pub footprints: Vec<Footprint>,
    /// Whether evaluating its guard can fail.
    pub guard_faults: bool,
    /// The arrays, by their first cells, whose elements it picks by computed indexes.
    pub arrays: Box<[u32]>,
    /// How many ways to fail the steps before it have.
    pub ways_before: i32,
    /// Whether its guard can only go from false to true.
    pub monotone: bool,
}

/// A body, ready to run.
#[derive(Debug)]
pub(super) struct CompiledBody {
    pub steps: Vec<CompiledStep>,
    /// How many cells a process with this body has: program counter, locals, and the two below.
    pub cells: usize,
    /// The offset of the cell that counts spawns, if it spawns at all.
    pub spawns: Option<usize>,
    /// The offset of the cell that keeps the index outside of an array with which the process failed, if it can fail so.
    pub outside: Option<usize>,
}

impl CompiledStep {
    /// The program counter of a process that failed in this step: another one for each assertion, for each array, and for division.
    pub(super) fn failed_at(&self, fault: Fault) -> i32 {
        let way = match fault {
            Fault::DivisionByZero => 0,
            Fault::Assertion(id) => 1 + id as usize,
            Fault::OutOfBounds { base, .. } => {
                let array = self.arrays.iter().position(|a| *a == base).unwrap_or(self.arrays.len());
                1 + self.asserts.len() + array
            }
        };
        FAILED - self.ways_before - way as i32
    }

    fn ways_to_fail(&self) -> i32 {
        (1 + self.asserts.len() + self.arrays.len()) as i32
    }
}

/// For each variable, its first cell.
pub(super) fn layout(model: &Model) -> Vec<u32> {
    let mut next = 0;
    model
        .variables()
        .iter()
        .map(|v| {
            let base = next;
            next += v.initial.len() as u32;
            base
        })
        .collect()
}

pub(super) fn compile(model: &Model, bases: &[u32]) -> Vec<CompiledBody> {
    let growing = monotone::Growing::of(model);
    model
        .bodies()
        .iter()
        .map(|body| compile_body(model, bases, &growing, body))
        .collect()
}

fn compile_body(model: &Model, bases: &[u32], growing: &monotone::Growing, body: &Body) -> CompiledBody {
    let spawns = body
        .steps
        .iter()
        .any(|s| spawns_any(&s.statements))
        .then_some(1 + body.locals.len());
    let mut ways_before = 0;
    let steps: Vec<CompiledStep> = body
        .steps
        .iter()
        .map(|step| {
            let choose = match step.statements.first() {
                Some(Statement::Choose(local, n)) => Some((local.0 as u32, *n)),
                _ => None,
            };
            let guard = guard_of(&step.statements);
            let mut emitter = Emitter {
                model,
                bases,
                body,
                code: Vec::new(),
                asserts: Vec::new(),
            };
            let guard_code = guard.as_ref().map(|g| {
                emitter.expression(g);
                std::mem::take(&mut emitter.code).into_boxed_slice()
            });
            emitter.statements(&step.statements);
            let monotone = guard.as_ref().is_some_and(|g| growing.only_becomes_true(g));
            let mut footprints = Vec::new();
            for choice in 0..alternatives(choose) {
                match Flow::without_locals(model, bases, body).footprint(step, choice, monotone) {
                    Some(f) => footprints.push(f),
                    None => {
                        footprints.clear();
                        break;
                    }
                }
            }
            if footprints.windows(2).all(|two| two[0] == two[1]) {
                footprints.truncate(1);
            }
            let code = emitter.code.into_boxed_slice();
            let arrays = arrays_in(guard_code.iter().chain([&code]).flat_map(|c| c.iter()));
            let step = CompiledStep {
                deep: is_deep(&code) || guard_code.as_ref().is_some_and(|g| is_deep(g)),
                guard: guard_code,
                choose,
                code,
                asserts: emitter.asserts,
                footprints,
                guard_faults: guard.is_some_and(|g| g.may_fault()),
                arrays,
                ways_before,
                monotone,
            };
            ways_before += step.ways_to_fail();
            step
        })
        .collect();
    let mut cells = 1 + body.locals.len() + usize::from(spawns.is_some());
    let outside = steps.iter().any(|s| !s.arrays.is_empty()).then_some(cells);
    cells += usize::from(outside.is_some());
    CompiledBody {
        steps,
        cells,
        spawns,
        outside,
    }
}

/// How many alternatives there are: those of the `choose` that a step begins with, if it does.
pub(super) fn alternatives<L>(choose: Option<(L, u32)>) -> u32 {
    choose.map_or(1, |(_, n)| n)
}

/// The arrays, by their first cells, that code picks elements of.
fn arrays_in<'c>(code: impl Iterator<Item = &'c Op>) -> Box<[u32]> {
    let mut arrays: Vec<u32> = code
        .filter_map(|op| match op {
            Op::Element { base, .. } | Op::StoreElement { base, .. } | Op::Inside { base, .. } => Some(*base),
            _ => None,
        })
        .collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays.into()
}

fn spawns_any(statements: &[Statement]) -> bool {
    statements.iter().any(|s| match s {
        Statement::Spawn(..) => true,
        Statement::If(_, then, other) => spawns_any(then) || spawns_any(other),
        _ => false,
    })
}

/// The conjunction of what `await` and `lock` demand.
pub(super) fn guard_of(statements: &[Statement]) -> Option<Expr> {
    let mut all: Option<Expr> = None;
    for s in statements {
        let one = match s {
            Statement::Await(e) => e.clone(),
            Statement::Lock(p) => Expr::from(p.clone()).is(0),
            Statement::Choose(..) => continue,
            _ => break,
        };
        all = Some(match all {
            None => one,
            Some(e) => e.and(one),
        });
    }
    all
}

struct Emitter<'m> {
    model: &'m Model,
    bases: &'m [u32],
    body: &'m Body,
    code: Vec<Op>,
    asserts: Vec<(Expr, Option<String>)>,
}

impl Emitter<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for s in statements {
            self.statement(s);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Choose(..) | Statement::Await(_) => {}
            Statement::Lock(p) => self.store(p, |e| e.code.push(Op::Token)),
            Statement::Unlock(p) => self.store(p, |e| e.code.push(Op::Const(0))),
            Statement::Assign(p, value) => self.store(p, |e| e.expression(value)),
            Statement::Accumulate(Place::Shared(v, index), value) => self.accumulate(*v, index.as_deref(), value),
            Statement::Add(p, value) | Statement::Accumulate(p, value) => self.store(p, |e| {
                e.binary(Binary::Add, &Expr::from(p.clone()), value);
            }),
            Statement::If(condition, then, other) => {
                self.expression(condition);
                let branch = self.code.len();
                self.code.push(LATER);
                self.statements(then);
                if other.is_empty() {
                    self.code[branch] = Op::JumpIfZero(self.code.len() as u32);
                } else {
                    let skip = self.code.len();
                    self.code.push(LATER);
                    self.code[branch] = Op::JumpIfZero(self.code.len() as u32);
                    self.statements(other);
                    self.code[skip] = Op::Jump(self.code.len() as u32);
                }
            }
            Statement::Assert(condition, message) => {
                self.expression(condition);
                self.code.push(Op::Assert(self.asserts.len() as u32));
                self.asserts.push((condition.clone(), message.clone()));
            }
            Statement::Spawn(body, values) => {
                values.iter().for_each(|v| self.expression(v));
                self.code.push(Op::Spawn {
                    body: *body as u32,
                    values: values.len() as u32,
                });
            }
            Statement::Goto(Label(l)) => {
                let step = self.body.labels[*l].step.filter(|s| *s < self.body.steps.len());
                self.code.push(Op::Goto(step.map_or(ENDED, |s| s as i32)));
            }
            Statement::End => self.code.push(Op::Goto(ENDED)),
        }
    }

    fn store(&mut self, place: &Place, value: impl FnOnce(&mut Self)) {
        match place {
            Place::Local(l) => {
                value(self);
                match self.code.last() {
                    Some(&Op::Shared(cell)) => *self.code.last_mut().expect("just looked at") = Op::Load { local: l.0 as u32, cell },
                    _ => self.code.push(Op::StoreLocal(l.0 as u32)),
                }
            }
            Place::Shared(v, index) => match self.fixed_cell(*v, index.as_deref()) {
                Some(cell) => {
                    value(self);
                    match self.code.last() {
                        Some(&Op::SharedWith {
                            cell: from,
                            op: Binary::Add,
                            right: value,
                        }) if from == cell => {
                            *self.code.last_mut().expect("just looked at") = Op::AddShared {
                                cell,
                                value,
                                commutes: false,
                            }
                        }
                        Some(&Op::Const(value)) => *self.code.last_mut().expect("just looked at") = Op::SetShared { cell, value },
                        _ => self.code.push(Op::StoreShared(cell)),
                    }
                }
                None => {
                    if let Some(i) = index {
                        self.expression(i);
                    }
                    value(self);
                    self.code.push(Op::StoreElement {
                        base: self.bases[*v],
                        length: self.length(*v),
                    });
                }
            },
        }
    }

    /// Unlike other additions it does not read what is there.
    fn accumulate(&mut self, v: usize, index: Option<&Expr>, value: &Expr) {
        match (self.fixed_cell(v, index), value) {
            (Some(cell), Expr::Int(value)) => self.code.push(Op::AddShared {
                cell,
                value: *value,
                commutes: true,
            }),
            (Some(cell), value) => {
                self.expression(value);
                self.code.push(Op::Accumulate(cell));
            }
            (None, value) => {
                let (base, length) = (self.bases[v], self.length(v));
                index.into_iter().for_each(|i| self.expression(i));
                self.code.push(Op::Inside { base, length });
                self.expression(value);
                self.code.push(Op::AccumulateElement(base));
            }
        }
    }

    fn length(&self, v: usize) -> u32 {
        self.model.variables()[v].initial.len() as u32
    }

    fn fixed_cell(&self, v: usize, index: Option<&Expr>) -> Option<u32> {
        match index {
            None => Some(self.bases[v]),
            Some(Expr::Int(i)) => Some(self.bases[v] + *i as u32),
            Some(_) => None,
        }
    }

    fn expression(&mut self, e: &Expr) {
        match e {
            Expr::Int(v) => self.code.push(Op::Const(*v)),
            Expr::Local(l) => self.code.push(Op::Local(l.0 as u32)),
            Expr::Shared(v, index) => match (self.fixed_cell(*v, index.as_deref()), index) {
                (None, Some(i)) => {
                    self.expression(i);
                    self.code.push(Op::Element {
                        base: self.bases[*v],
                        length: self.length(*v),
                    });
                }
                (cell, _) => self.code.push(Op::Shared(cell.unwrap_or(self.bases[*v]))),
            },
            Expr::Not(a) => {
                self.expression(a);
                self.code.push(Op::Not);
            }
            Expr::Negate(a) => {
                self.expression(a);
                self.code.push(Op::Negate);
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
        }
    }

    fn binary(&mut self, op: Binary, a: &Expr, b: &Expr) {
        self.expression(a);
        match b {
            Expr::Int(right) => with_constant(&mut self.code, op, *right),
            b if matches!(op, Binary::And | Binary::Or) => {
                let branch = self.code.len();
                self.code.push(LATER);
                self.expression(b);
                close_connective(&mut self.code, branch, op, b);
            }
            b => {
                self.expression(b);
                self.code.push(Op::Binary(op));
            }
        }
    }
}

/// An operation on what the code computes and a constant.
pub(super) fn with_constant(code: &mut Vec<Op>, op: Binary, right: i32) {
    match code.last_mut() {
        Some(last @ &mut Op::Shared(cell)) => *last = Op::SharedWith { cell, op, right },
        _ => code.push(Op::With(op, right)),
    }
}
