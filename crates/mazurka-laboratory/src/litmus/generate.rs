//! Random programs, small enough for brute force.

use crate::random::Numbers;
use mazurka_litmus::Model;
use mazurka_litmus::model::{Array, Body, Expr, Local, LocalVariable, Place, Statement, Step, Var};

/// What a random program may contain besides reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Reads, writes and copies only.
    Straight,
    /// Branches on shared values and locals.
    Branching,
    /// Read-modify-writes.
    Updates,
    /// `await` on one variable.
    Guards,
    /// `await` on two variables.
    TwoGuards,
    /// Processes that start processes.
    Spawns,
    /// Locks, sometimes never given back.
    Locks,
    /// Finite choices, some with a guard of their own.
    Choices,
    /// Assertions that may fail.
    Asserts,
    /// Additions that commute.
    Accumulates,
    /// Array elements whose index is a local or a shared value.
    Addresses,
    /// Anything.
    Mixed,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 12] = [
        Class::Straight,
        Class::Branching,
        Class::Updates,
        Class::Guards,
        Class::TwoGuards,
        Class::Spawns,
        Class::Locks,
        Class::Choices,
        Class::Asserts,
        Class::Accumulates,
        Class::Addresses,
        Class::Mixed,
    ];

    /// As the command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Class::Straight => "straight",
            Class::Branching => "branching",
            Class::Updates => "updates",
            Class::Guards => "guards",
            Class::TwoGuards => "two-guards",
            Class::Spawns => "spawns",
            Class::Locks => "locks",
            Class::Choices => "choices",
            Class::Asserts => "asserts",
            Class::Accumulates => "accumulates",
            Class::Addresses => "addresses",
            Class::Mixed => "mixed",
        }
    }

    fn has(self, feature: Class) -> bool {
        self == feature || self == Class::Mixed || (feature == Class::Guards && self == Class::TwoGuards)
    }
}

const LOCK: usize = 3;
const ARRAY: usize = 4;

/// A random program of that class.
pub fn generate(numbers: &mut Numbers, class: Class) -> Model {
    let mut writer = Writer::new(numbers, class);
    let processes = writer.numbers.pick(&[2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6]);
    let spawned = if class.has(Class::Spawns) { 1 + writer.numbers.below(2) } else { 0 };
    let mut steps = 3 + writer.numbers.below(5) + usize::from(processes == 2);
    writer.spawned = (processes..processes + spawned).collect();
    let mut model = Model::new();
    for (name, initial) in [("x", 0), ("y", 0), ("z", 0)] {
        let initial = if writer.numbers.chance(1, 6) { 1 } else { initial };
        model.var(name, initial);
    }
    model.var("m", 0);
    model.array("a", 2, 0);
    for i in 0..processes + spawned {
        let left = processes + spawned - i;
        let mut own = (1 + writer.numbers.below(3)).min(steps.saturating_sub(left - 1)).max(1);
        if i >= processes {
            writer.spawned.retain(|k| *k > i);
            own = own.min(2);
        }
        steps = steps.saturating_sub(own);
        let name = if i < processes {
            format!("p{i}")
        } else {
            format!("k{}", i - processes)
        };
        let body = Body {
            name,
            locals: vec![LocalVariable {
                name: "l".into(),
                initial: 0,
            }],
            ..Body::default()
        };
        model.bodies_vec().push(body);
        let body = writer.steps(own);
        model.bodies_vec()[i].steps = body;
    }
    model
}

/// Writes random statements.
pub(super) struct Writer<'n> {
    pub numbers: &'n mut Numbers,
    pub class: Class,
    /// How many shared variables that are no arrays there are to choose from.
    pub variables: usize,
    /// The bodies that may be spawned.
    pub spawned: Vec<usize>,
    /// How many spawns may still be written.
    pub spawns: usize,
    /// The variable that serves as a lock, and the array, if the program has them.
    pub lock: Option<usize>,
    pub array: Option<usize>,
}

impl<'n> Writer<'n> {
    fn new(numbers: &'n mut Numbers, class: Class) -> Self {
        let variables = 2 + numbers.below(2);
        Writer {
            numbers,
            class,
            variables,
            spawned: Vec::new(),
            spawns: 2,
            lock: Some(LOCK),
            array: Some(ARRAY),
        }
    }

    fn steps(&mut self, count: usize) -> Vec<Step> {
        let mut steps: Vec<Step> = (0..count).map(|_| self.step()).collect();
        if let Some(lock) = self.lock
            && self.class.has(Class::Locks)
            && self.numbers.chance(2, 3)
        {
            let first = self.numbers.below(count);
            let guarded = steps[first]
                .statements
                .iter()
                .take_while(|s| matches!(s, Statement::Choose(..)))
                .count();
            steps[first].statements.insert(guarded, Statement::Lock(Place::Shared(lock, None)));
            if self.numbers.chance(7, 8) {
                let last = first + self.numbers.below(count - first);
                steps[last].statements.push(Statement::Unlock(Place::Shared(lock, None)));
            }
        }
        steps
    }

    pub(super) fn step(&mut self) -> Step {
        let mut statements = Vec::new();
        if self.class.has(Class::Choices) && self.numbers.chance(1, 3) {
            statements.push(Statement::Choose(Local(0), 2));
            if self.numbers.chance(1, 3) {
                let chosen = Expr::from(Local(0));
                statements.push(Statement::Await(Expr::from(self.variable()).is_not(chosen)));
            }
        }
        if self.class.has(Class::Guards) && self.numbers.chance(1, 3) {
            statements.push(Statement::Await(self.guard()));
        }
        let count = self.numbers.pick(&[0, 1, 1, 1, 1, 1, 1, 2, 2, 2]);
        for _ in 0..count {
            let s = self.statement(true);
            statements.push(s);
        }
        Step { statements }
    }

    pub(super) fn guard(&mut self) -> Expr {
        let one = self.condition(false);
        if !self.class.has(Class::TwoGuards) || self.numbers.chance(1, 2) {
            return one;
        }
        let other = self.condition(false);
        match self.numbers.below(3) {
            0 => one.and(other),
            1 => one.or(other),
            _ => Expr::from(self.variable()).is(self.variable()),
        }
    }

    /// A comparison of a shared variable, or perhaps the local, with a small constant.
    pub(super) fn condition(&mut self, of_local: bool) -> Expr {
        let left: Expr = if of_local && self.numbers.chance(1, 3) {
            Local(0).into()
        } else {
            self.variable().into()
        };
        let right = self.numbers.below(3) as i32;
        match self.numbers.below(4) {
            0 => left.is(right),
            1 => left.is_not(right),
            2 => left.at_least(right),
            _ => left.less(right.max(1)),
        }
    }

    fn variable(&mut self) -> Var {
        Var(self.numbers.below(self.variables))
    }

    /// Which element: mostly by the local, else a constant or a shared value; always inside the array of two.
    fn element(&mut self, array: usize) -> Place {
        let index: Expr = match self.numbers.below(6) {
            0 => (self.numbers.below(2) as i32).into(),
            1 => self.variable() % 2,
            _ => Local(0) % 2,
        };
        Array(array).at(index)
    }

    pub(super) fn statement(&mut self, outermost: bool) -> Statement {
        if outermost && self.class.has(Class::Branching) && self.numbers.chance(1, 4) {
            let condition = self.condition(true);
            let then = vec![self.statement(false)];
            let other = if self.numbers.chance(1, 2) {
                vec![self.statement(false)]
            } else {
                Vec::new()
            };
            return Statement::If(condition, then, other);
        }
        if self.class.has(Class::Spawns) && self.spawns > 0 && !self.spawned.is_empty() && self.numbers.chance(1, 4) {
            self.spawns -= 1;
            return Statement::Spawn(self.numbers.pick(&self.spawned), Vec::new());
        }
        if self.class.has(Class::Asserts) && self.numbers.chance(1, 6) {
            return Statement::Assert(self.condition(true), None);
        }
        if self.class.has(Class::Updates) && self.numbers.chance(1, 4) {
            return self.variable().increase(1 + self.numbers.below(2) as i32);
        }
        if self.class.has(Class::Accumulates) && self.numbers.chance(1, 3) {
            return self.variable().accumulate(1 + self.numbers.below(2) as i32);
        }
        if let Some(array) = self.array
            && self.class.has(Class::Addresses)
            && self.numbers.chance(1, 2)
        {
            let element = self.element(array);
            return match self.numbers.below(3) {
                0 => Local(0).set(element),
                1 => element.set(1 + self.numbers.below(2) as i32),
                _ => element.set(self.variable()),
            };
        }
        match self.numbers.below(10) {
            0..4 => self.variable().set(self.numbers.below(3) as i32),
            4..8 => Local(0).set(self.variable()),
            8 => self.variable().set(self.variable()),
            _ => self.variable().set(Local(0)),
        }
    }
}
