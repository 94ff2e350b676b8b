//! What an execution reaches in the code: instructions, branches, and where the values that it reads were written.

use mazurka_abs::code::{Op, Program};
use mazurka_abs::run::symbolic::Inputs;
use mazurka_abs::value::Value;
use mazurka_abs::value::term::Condition;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// What is to be covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Criterion {
    /// Every statement.
    Statements,
    /// Every way out of every branch, and every failure.
    #[default]
    Branches,
    /// Every pair of an assignment to a field and a place that reads it.
    DefUse,
    /// Every class of inputs with every different outcome.
    Paths,
    /// Every class of inputs with every interleaving.
    Traces,
}

impl Criterion {
    /// All, with their names.
    pub const ALL: [(Criterion, &'static str); 5] = [
        (Criterion::Statements, "statements"),
        (Criterion::Branches, "branches"),
        (Criterion::DefUse, "def-use"),
        (Criterion::Paths, "paths"),
        (Criterion::Traces, "traces"),
    ];

    /// As the user writes it.
    pub fn name(self) -> &'static str {
        Criterion::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, name)| name)
    }
}

/// Something to be covered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// An instruction.
    Instruction(u32, u32),
    /// The way from one instruction to another.
    Branch(u32, u32, u32),
    /// An assignment to a field, and where it is read.
    DefUse((u32, u32), (u32, u32)),
    /// A failure, by kind and place.
    Failure(String),
    /// A class and an outcome, or a class and an interleaving.
    Of(usize, String),
}

impl Goal {
    /// The code that it is a part of.
    pub fn code(&self) -> Option<u32> {
        match self {
            Goal::Instruction(code, _) | Goal::Branch(code, ..) | Goal::DefUse(_, (code, _)) => Some(*code),
            Goal::Failure(_) | Goal::Of(..) => None,
        }
    }
}

/// Notes what known values reach.
#[derive(Debug)]
pub struct Recorder {
    user: Vec<bool>,
    goals: RefCell<BTreeSet<Goal>>,
    last: Cell<Option<(u32, u32, Op)>>,
    written: RefCell<FxHashMap<(u32, u32), (u32, u32)>>,
    asked: Cell<bool>,
}

impl Recorder {
    /// For a program, whose library is not looked at.
    pub fn new(program: &Program) -> Self {
        Recorder {
            user: program.codes.iter().map(|code| !code.name.starts_with("ABS.StdLib.")).collect(),
            goals: RefCell::default(),
            last: Cell::new(None),
            written: RefCell::default(),
            asked: Cell::new(false),
        }
    }

    /// What was reached since the last time.
    pub fn take(&self) -> BTreeSet<Goal> {
        self.last.set(None);
        self.written.borrow_mut().clear();
        self.goals.take()
    }

    /// Whether something was asked, although all is known.
    pub fn was_asked(&self) -> bool {
        self.asked.get()
    }
}

impl Inputs for Recorder {
    fn decide(&self, _: &Condition) -> bool {
        self.asked.set(true);
        false
    }

    fn shape(&self, _: u32) -> Value {
        self.asked.set(true);
        Value::Null
    }

    fn patience(&self) -> u32 {
        u32::MAX
    }

    fn visit(&self, code: u32, pc: u32, op: Op, this: u32) {
        let before = self.last.replace(Some((code, pc, op)));
        if !self.user.get(code as usize).copied().unwrap_or(false) {
            return;
        }
        let mut goals = self.goals.borrow_mut();
        goals.insert(Goal::Instruction(code, pc));
        if let Some((from_code, from, branch)) = before
            && from_code == code
            && matches!(
                branch,
                Op::JumpIfFalse(_) | Op::And(_) | Op::Or(_) | Op::Match { .. } | Op::Next { .. }
            )
        {
            goals.insert(Goal::Branch(code, from, pc));
        }
        match op {
            Op::SetField(field) => {
                self.written.borrow_mut().insert((this, field), (code, pc));
            }
            Op::Field(field) => {
                if let Some(at) = self.written.borrow().get(&(this, field)) {
                    goals.insert(Goal::DefUse(*at, (code, pc)));
                }
            }
            _ => {}
        }
    }
}

/// Whether a criterion asks for a goal.
pub fn wanted(criterion: Criterion, goal: &Goal) -> bool {
    match goal {
        Goal::Failure(_) => true,
        Goal::Instruction(..) => matches!(criterion, Criterion::Statements),
        Goal::Branch(..) => matches!(criterion, Criterion::Branches),
        Goal::DefUse(..) => matches!(criterion, Criterion::DefUse),
        Goal::Of(..) => matches!(criterion, Criterion::Paths | Criterion::Traces),
    }
}
