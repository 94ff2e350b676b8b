//! From a [`Model`] to flat code with the footprints of its steps.

use super::addressing::addressing_locals;
use super::code::{Fault, Op, depth};
use super::emit::{Emitter, InState};
use super::may_touch::MayTouch;
use super::monotone;
use super::predicates::{Condition, Predicates};
use super::values::SHALLOW;
use crate::model::{Binary, Body, Expr, Label, Model, Place, Statement};
use mazurka_core::Footprint;
use std::ops::Range;

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
    pub asserts: Box<[(Expr, Option<String>)]>,
    /// What it may touch, one for each alternative (or one for all, if they agree); none if that depends on locals.
    pub footprints: Box<[Footprint]>,
    /// Whether evaluating its guard can fail.
    pub guard_faults: bool,
    /// The arrays, by their first cells, whose elements it picks by computed indexes.
    pub arrays: Box<[u32]>,
    /// How many ways to fail the steps before it have.
    pub ways_before: i32,
    /// Whether its guard can only go from false to true.
    pub monotone: bool,
    /// Its guard as a condition; it need not have one.
    pub guarded: Condition,
    /// What its `if`s and assertions test, in the order of the text.
    pub tests: Box<[Test]>,
    /// The locals that its guard or its addresses depend on.
    pub addressing: Box<[u32]>,
}

/// What an `if` or an assertion tests.
#[derive(Debug)]
pub(super) struct Test {
    /// Where its code is in that of the step.
    pub code: Range<usize>,
    pub condition: Condition,
}

/// A body, ready to run.
#[derive(Debug)]
pub(super) struct CompiledBody {
    pub steps: Vec<CompiledStep>,
    /// How many locals it has.
    pub locals: usize,
    /// How many cells a process with this body has: program counter, locals, and the two below.
    pub cells: usize,
    /// The offset of the cell that counts spawns, if it spawns at all.
    pub spawns: Option<usize>,
    /// The offset of the cell that keeps the index outside of an array with which the process failed, if it can fail so.
    pub outside: Option<usize>,
}

impl CompiledStep {
    /// The instructions of its guard and its own.
    pub(super) fn all_code(&self) -> impl Iterator<Item = Op> + '_ {
        self.guard.iter().chain([&self.code]).flat_map(|code| code.iter().copied())
    }

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

impl CompiledBody {
    /// Where its steps lead to, this being its number: the steps, each with a body and a step of it.
    pub(super) fn leads(&self, body: usize) -> impl Iterator<Item = (usize, (usize, usize))> + '_ {
        let steps = self.steps.iter().enumerate();
        steps.flat_map(move |(s, step)| step.code.iter().filter_map(move |op| Some((s, op.leads_to(body)?))))
    }

    /// Whether it takes a lock, and leaves its token there.
    pub(super) fn takes_locks(&self) -> bool {
        self.steps.iter().flat_map(|s| &s.code).any(|op| *op == Op::Token)
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

/// Compiles all bodies, and collects their conditions.
pub(super) fn compile(model: &Model, bases: &[u32]) -> (Vec<CompiledBody>, Predicates) {
    let growing = monotone::Growing::of(model);
    let mut predicates = Predicates::default();
    let bodies = model.bodies().iter();
    let bodies = bodies
        .map(|body| compile_body(model, bases, &growing, body, &mut predicates))
        .collect();
    (bodies, predicates.complete())
}

fn compile_body(model: &Model, bases: &[u32], growing: &monotone::Growing, body: &Body, predicates: &mut Predicates) -> CompiledBody {
    let mut steps: Vec<CompiledStep> = Vec::with_capacity(body.steps.len());
    for step in &body.steps {
        let mut statements = Statements {
            emitter: Emitter {
                model,
                bases,
                names: InState,
                code: Vec::new(),
            },
            body,
            predicates,
            asserts: Vec::new(),
            tests: Vec::new(),
        };
        let compiled = statements.step(&step.statements, growing, steps.last());
        steps.push(compiled);
    }
    let spawns = steps.iter().flat_map(|s| &s.code).any(|op| matches!(op, Op::Spawn { .. }));
    let spawns = spawns.then_some(1 + body.locals.len());
    let mut cells = 1 + body.locals.len() + usize::from(spawns.is_some());
    let outside = steps.iter().any(|s| !s.arrays.is_empty()).then_some(cells);
    cells += usize::from(outside.is_some());
    CompiledBody {
        steps,
        locals: body.locals.len(),
        cells,
        spawns,
        outside,
    }
}

/// What a step may touch whatever its locals are; none if that depends on them.
fn footprints(step: &CompiledStep, locals: usize) -> Box<[Footprint]> {
    let of_choice = |choice| MayTouch::without_locals(locals).footprint(step, choice);
    let mut footprints: Vec<_> = (0..alternatives(step.choose)).map_while(of_choice).collect();
    if footprints.len() < alternatives(step.choose) as usize {
        footprints.clear();
    }
    if footprints.windows(2).all(|two| two[0] == two[1]) {
        footprints.truncate(1);
    }
    footprints.into()
}

/// How many alternatives there are: those of the `choose` that a step begins with, if it does.
pub(super) fn alternatives<L>(choose: Option<(L, u32)>) -> u32 {
    choose.map_or(1, |(_, n)| n)
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

/// The statements of a step, compiled one after the other.
struct Statements<'m, 'p> {
    emitter: Emitter<'m, InState>,
    body: &'m Body,
    predicates: &'p mut Predicates,
    asserts: Vec<(Expr, Option<String>)>,
    tests: Vec<Test>,
}

impl Statements<'_, '_> {
    fn step(&mut self, statements: &[Statement], growing: &monotone::Growing, before: Option<&CompiledStep>) -> CompiledStep {
        let choose = match statements.first() {
            Some(Statement::Choose(local, n)) => Some((local.0 as u32, *n)),
            _ => None,
        };
        let guard = guard_of(statements);
        let guarded = self.predicates.add(self.emitter.model, self.emitter.bases, guard.as_ref(), choose);
        let guard_code = guard.as_ref().map(|g| {
            self.emitter.expression(g);
            self.take_code()
        });
        self.statements(statements);
        let code = self.take_code();
        let deep = guard_code.iter().chain([&code]).any(|code| depth(code) > SHALLOW);
        let mut step = CompiledStep {
            deep,
            guard_faults: guard_code.iter().flatten().any(|op| op.may_fault()),
            guard: guard_code,
            choose,
            code,
            asserts: std::mem::take(&mut self.asserts).into(),
            footprints: Box::default(),
            arrays: Box::default(),
            ways_before: before.map_or(0, |s| s.ways_before + s.ways_to_fail()),
            monotone: guard.is_some_and(|g| growing.only_becomes_true(&g)),
            guarded,
            tests: std::mem::take(&mut self.tests).into(),
            addressing: addressing_locals(statements).into(),
        };
        let mut arrays: Vec<u32> = step.all_code().filter_map(|op| op.picks()).map(|array| array.base).collect();
        arrays.sort_unstable();
        arrays.dedup();
        step.arrays = arrays.into();
        step.footprints = footprints(&step, self.body.locals.len());
        step
    }

    fn take_code(&mut self) -> Box<[Op]> {
        std::mem::take(&mut self.emitter.code).into()
    }

    /// Evaluates the condition of an `if` or an assertion.
    fn test(&mut self, condition: &Expr) {
        let start = self.emitter.code.len();
        self.emitter.expression(condition);
        self.tests.push(Test {
            code: start..self.emitter.code.len(),
            condition: self.predicates.add(self.emitter.model, self.emitter.bases, Some(condition), None),
        });
    }

    fn statements(&mut self, statements: &[Statement]) {
        for s in statements {
            self.statement(s);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Choose(..) | Statement::Await(_) => {}
            Statement::Lock(p) => self.store(p, |e| e.push(Op::Token)),
            Statement::Unlock(p) => self.store(p, |e| e.push(Op::Const(0))),
            Statement::Assign(p, value) => self.store(p, |e| e.emitter.expression(value)),
            Statement::Accumulate(Place::Shared(v, index), value) => self.accumulate(*v, index.as_deref(), value),
            Statement::Add(p, value) | Statement::Accumulate(p, value) => self.store(p, |e| {
                e.emitter.binary(Binary::Add, &Expr::from(p.clone()), value);
            }),
            Statement::If(condition, then, other) => {
                self.test(condition);
                let branch = self.emitter.branch();
                self.statements(then);
                let over = (!other.is_empty()).then(|| self.emitter.branch());
                self.emitter.code[branch] = Op::JumpIfZero(self.emitter.since(branch));
                if let Some(over) = over {
                    self.statements(other);
                    self.emitter.code[over] = Op::Jump(self.emitter.since(over));
                }
            }
            Statement::Assert(condition, message) => {
                self.test(condition);
                self.push(Op::Assert(self.asserts.len() as u32));
                self.asserts.push((condition.clone(), message.clone()));
            }
            Statement::Spawn(body, values) => {
                values.iter().for_each(|v| self.emitter.expression(v));
                self.push(Op::Spawn {
                    body: *body as u32,
                    values: values.len() as u32,
                });
            }
            Statement::Goto(Label(l)) => {
                let step = self.body.labels[*l].step.filter(|s| *s < self.body.steps.len());
                self.push(Op::Goto(step.map_or(ENDED, |s| s as i32)));
            }
            Statement::End => self.push(Op::Goto(ENDED)),
        }
    }

    fn push(&mut self, op: Op) {
        self.emitter.code.push(op);
    }

    fn store(&mut self, place: &Place, value: impl FnOnce(&mut Self)) {
        match place {
            Place::Local(l) => {
                value(self);
                match self.emitter.code.last() {
                    Some(&Op::Shared(cell)) => {
                        *self.emitter.code.last_mut().expect("just looked at") = Op::Load { local: l.0 as u32, cell }
                    }
                    _ => self.push(Op::StoreLocal(l.0 as u32)),
                }
            }
            Place::Shared(v, index) => match self.emitter.fixed_cell(*v, index.as_deref()) {
                Some(cell) => {
                    value(self);
                    match self.emitter.code.last() {
                        Some(&Op::SharedWith {
                            cell: from,
                            op: Binary::Add,
                            right: value,
                        }) if from == cell => {
                            *self.emitter.code.last_mut().expect("just looked at") = Op::AddShared {
                                cell,
                                value,
                                commutes: false,
                            }
                        }
                        Some(&Op::Const(value)) => *self.emitter.code.last_mut().expect("just looked at") = Op::SetShared { cell, value },
                        _ => self.push(Op::StoreShared(cell)),
                    }
                }
                None => {
                    if let Some(i) = index {
                        self.emitter.expression(i);
                    }
                    value(self);
                    self.push(Op::StoreElement(self.emitter.array(*v)));
                }
            },
        }
    }

    /// Unlike other additions it does not read what is there.
    fn accumulate(&mut self, v: usize, index: Option<&Expr>, value: &Expr) {
        match (self.emitter.fixed_cell(v, index), value) {
            (Some(cell), Expr::Int(value)) => self.push(Op::AddShared {
                cell,
                value: *value,
                commutes: true,
            }),
            (Some(cell), value) => {
                self.emitter.expression(value);
                self.push(Op::Accumulate(cell));
            }
            (None, value) => {
                index.into_iter().for_each(|i| self.emitter.expression(i));
                self.push(Op::Inside(self.emitter.array(v)));
                self.emitter.expression(value);
                self.push(Op::AccumulateElement(self.emitter.array(v)));
            }
        }
    }
}
