//! Random programs as users write them: several constructs at once, values that matter, and mistakes.
//!
//! Distribution. Two or three processes (in one of four programs four) of one to three steps, together about six; in two of five programs one
//! or two bodies that are spawned. Shared are `x`, `y`, `z` and `w`, the arrays `a` of three elements and `b` of two, a lock `m` and two
//! locks `c`; one of four starts with 1 or 2. Each process has the locals `l` and `i`, which start with 0 to 2. Each program has a theme that is
//! chosen three times as often as the others where a step is written: choices, guards, addresses, faults, tasks, locks, or loops.
//!
//! A step may begin with a choice of 2 to 8 (mostly 3), with a guard of one to three comparisons (joined by `&&` or `||`), and with a lock;
//! then it has one to three statements. After a choice, a branch on it is usual. Statements are assignments of all kinds, copies, assertions,
//! branches within branches, spawns with values that may fail, `end`. Expressions are at most three deep; an index is a local, a shared
//! variable, an element of another array, or one of these modulo the length (half of them may be outside); divisors may be zero; one of
//! thirty constants is next to an overflow. One of eight steps is a chain of three to six statements through elements of arrays. A lock is given back in three of four cases. Tasks tell that they are done by `w @+ 1`, for which
//! somebody may wait. Loops jump back while a local counts down or a comparison holds, at most twice, so that every execution ends; jumps
//! forward leave out a step.

mod chain;

use crate::random::Numbers;
use mazurka_litmus::Model;
use mazurka_litmus::model::{Array, Binary, Body, Expr, Label, LabelPosition, Local, LocalVariable, Place, Statement, Step, Var, when};

/// What a program is mostly about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Theme {
    Choices,
    Guards,
    Addresses,
    Faults,
    Tasks,
    Locks,
    Loops,
}

const THEMES: [Theme; 7] = [
    Theme::Choices,
    Theme::Guards,
    Theme::Addresses,
    Theme::Faults,
    Theme::Tasks,
    Theme::Locks,
    Theme::Loops,
];

const L: Local = Local(0);
const I: Local = Local(1);
const DONE: Var = Var(3);
const A: Array = Array(4);
const B: Array = Array(5);
const LOCK: usize = 6;
const LOCKS: usize = 7;

/// A random program as users write them.
pub fn generate(numbers: &mut Numbers) -> Model {
    let theme = numbers.pick(&THEMES);
    let mut writer = Writer {
        numbers,
        theme,
        tasks: Vec::new(),
        spawns: 2,
        choices: 2,
        locked: None,
    };
    let mut model = Model::new();
    for name in ["x", "y", "z", "w"] {
        let initial = writer.initial();
        model.var(name, if name == "w" { 0 } else { initial });
    }
    model.array("a", 3, 0);
    model.array("b", 2, 0);
    for element in [0, 1] {
        let value = writer.initial();
        model.variables_vec()[B.0].initial[element] = value;
    }
    model.var("m", 0);
    model.array("c", 2, 0);
    let processes = writer.numbers.pick(&[2, 2, 3, 3, 3, 3, 4, 4]);
    let tasks = if writer.often(Theme::Tasks, 2, 5) {
        1 + writer.numbers.below(2)
    } else {
        0
    };
    let mut left = 4 + writer.numbers.below(4);
    for b in 0..processes + tasks {
        writer.tasks = (processes.max(b + 1)..processes + tasks).collect();
        let others = processes + tasks - b - 1;
        let steps = (1 + writer.numbers.below(3)).min(left.saturating_sub(others)).max(1);
        left = left.saturating_sub(steps);
        let body = writer.body(b, processes, steps);
        model.bodies_vec().push(body);
    }
    model.set_bounded(true);
    model.without_unused()
}

struct Writer<'n> {
    numbers: &'n mut Numbers,
    theme: Theme,
    /// The bodies that may be spawned here.
    tasks: Vec<usize>,
    /// How many spawns may still be written.
    spawns: usize,
    /// How many choices may still be written.
    choices: usize,
    /// What the process has locked.
    locked: Option<Place>,
}

impl Writer<'_> {
    /// True in `n` of `of` cases, three times as often if that is what the program is about.
    fn often(&mut self, theme: Theme, n: usize, of: usize) -> bool {
        let n = if self.theme == theme { (3 * n).min(of - 1) } else { n };
        self.numbers.chance(n, of)
    }

    fn initial(&mut self) -> i32 {
        if self.numbers.chance(1, 4) {
            1 + self.numbers.below(2) as i32
        } else {
            0
        }
    }

    fn body(&mut self, index: usize, processes: usize, count: usize) -> Body {
        let local = |name: &str, initial| LocalVariable {
            name: name.to_owned(),
            initial,
        };
        let locals = vec![local("l", self.initial()), local("i", self.numbers.below(3) as i32)];
        let task = index >= processes;
        let name = if task {
            format!("k{}", index - processes)
        } else {
            format!("p{index}")
        };
        self.locked = None;
        let mut steps: Vec<Step> = (0..count).map(|_| self.step()).collect();
        if let Some(lock) = self.locked.take()
            && self.numbers.chance(3, 4)
        {
            steps[count - 1].statements.push(Statement::Unlock(lock));
        }
        if task && self.numbers.chance(2, 3) {
            steps[count - 1].statements.push(DONE.accumulate(1));
        }
        let mut body = Body {
            name,
            locals,
            steps,
            ..Body::default()
        };
        if self.often(Theme::Loops, 1, 6) {
            self.jump_back(&mut body);
        }
        if count > 1 && self.often(Theme::Loops, 1, 8) {
            self.jump_forward(&mut body);
        }
        body
    }

    /// A loop that ends: the counter goes down each time.
    fn jump_back(&mut self, body: &mut Body) {
        let from = self.numbers.below(body.steps.len());
        let to = self.numbers.below(from + 1);
        body.locals.push(LocalVariable {
            name: "n".to_owned(),
            initial: 1 + self.numbers.below(2) as i32,
        });
        let counter = Local(body.locals.len() - 1);
        let mut again: Expr = counter.more(0);
        if self.numbers.chance(1, 2) {
            again = again.and(self.comparison(1));
        }
        let label = label(body, to);
        let jump = when(again, [counter.set(counter - 1), Statement::Goto(label)]);
        body.steps[from].statements.push(jump);
    }

    /// A branch that leaves out the next step.
    fn jump_forward(&mut self, body: &mut Body) {
        let from = self.numbers.below(body.steps.len() - 1);
        let condition = self.comparison(1);
        let label = label(body, from + 2);
        body.steps[from].statements.push(when(condition, [Statement::Goto(label)]));
    }

    fn step(&mut self) -> Step {
        let mut statements = Vec::new();
        let chosen = self.choices > 0 && self.often(Theme::Choices, 1, 5);
        if chosen {
            self.choices -= 1;
            statements.push(Statement::Choose(L, self.numbers.pick(&[2, 3, 3, 3, 4, 4, 5, 6, 8])));
        }
        if self.often(Theme::Guards, 1, 5) {
            statements.push(Statement::Await(self.guard(chosen)));
        }
        if self.locked.is_none() && self.often(Theme::Locks, 1, 8) {
            let lock = if self.numbers.chance(1, 3) {
                Array(LOCKS).at(self.inside(2))
            } else {
                Place::Shared(LOCK, None)
            };
            statements.push(Statement::Lock(lock.clone()));
            self.locked = Some(lock);
        }
        if chosen && self.numbers.chance(2, 3) {
            let (then, other) = (self.block(1), self.block(1));
            let value = self.numbers.below(3) as i32;
            statements.push(Statement::If(L.is(value), then, other));
        }
        if self.often(Theme::Addresses, 1, 8) {
            statements.extend(self.chain());
        } else {
            for _ in 0..self.numbers.pick(&[0, 1, 1, 1, 1, 2, 2, 3]) {
                let s = self.statement(0);
                statements.push(s);
            }
        }
        if self.locked.is_some() && self.numbers.chance(1, 4) {
            statements.extend(self.locked.take().map(Statement::Unlock));
        }
        Step { statements }
    }

    fn guard(&mut self, chosen: bool) -> Expr {
        let mut guard = if chosen && self.numbers.chance(1, 2) {
            Expr::from(self.variable()).is_not(L)
        } else if self.often(Theme::Tasks, 1, 8) {
            DONE.at_least(1 + self.numbers.below(2) as i32)
        } else {
            self.comparison(2)
        };
        for _ in 0..self.numbers.pick(&[0, 0, 0, 1, 1, 2]) {
            let next = self.comparison(2);
            guard = if self.numbers.chance(2, 3) {
                guard.and(next)
            } else {
                guard.or(next)
            };
        }
        guard
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let count = self.numbers.pick(&[0, 1, 1, 1, 2]);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if depth < 2 && self.numbers.chance(1, 5) {
            let condition = self.comparison(2);
            let (then, other) = (self.block(depth + 1), self.block(depth + 1));
            return Statement::If(condition, then, other);
        }
        if self.spawns > 0 && !self.tasks.is_empty() && self.numbers.chance(1, 3) {
            self.spawns -= 1;
            let task = self.numbers.pick(&self.tasks);
            let values = self.numbers.pick(&[0, 1, 1, 2]);
            return Statement::Spawn(task, (0..values).map(|_| self.value(2)).collect());
        }
        if self.often(Theme::Faults, 1, 8) {
            let message = self.numbers.chance(1, 3).then(|| format!("promise {}", self.numbers.below(3)));
            return Statement::Assert(self.comparison(2), message);
        }
        match self.numbers.below(24) {
            0..6 => self.place().set(self.value(2)),
            6..9 => self.variable().set(self.numbers.below(3) as i32),
            9..12 => L.set(self.value(1)),
            12..14 => I.set(self.value(2)),
            14..16 => self.variable().set(self.variable()),
            16..18 => self.place().increase(self.value(1)),
            18..20 => self.place().accumulate(self.value(1)),
            20 => Statement::End,
            _ => self.place().set(self.value(1)),
        }
    }

    fn variable(&mut self) -> Var {
        Var(self.numbers.below(3))
    }

    fn place(&mut self) -> Place {
        if self.often(Theme::Addresses, 1, 4) {
            self.element(1)
        } else {
            self.variable().into()
        }
    }

    fn element(&mut self, depth: usize) -> Place {
        let (array, length) = self.numbers.pick(&[(A, 3), (A, 3), (B, 2)]);
        let index = if self.numbers.chance(1, 2) {
            self.inside(length)
        } else {
            self.index(depth)
        };
        array.at(index)
    }

    /// An index that may be outside.
    fn index(&mut self, depth: usize) -> Expr {
        match self.numbers.below(6) {
            0 | 1 => I.into(),
            2 => L.into(),
            3 => self.variable().into(),
            4 if depth > 0 => self.element(depth - 1).into(),
            _ => self.variable() + 1,
        }
    }

    /// An index that is inside unless it is negative.
    fn inside(&mut self, length: i32) -> Expr {
        match self.numbers.below(4) {
            0 => (self.numbers.below(length as usize) as i32).into(),
            1 => self.variable() % length,
            2 => L % length,
            _ => I % length,
        }
    }

    fn value(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.often(Theme::Faults, 1, 10) {
            let divisor = self.value(depth - 1);
            let number = self.value(depth - 1);
            let op = self.numbers.pick(&[Binary::Divide, Binary::Divide, Binary::Remainder]);
            return Expr::Binary(op, Box::new(number), Box::new(divisor));
        }
        match self.numbers.below(if depth > 0 { 21 } else { 12 }) {
            0..4 => self.constant(),
            4..8 => self.variable().into(),
            8..10 => L.into(),
            10..12 => I.into(),
            12..15 => self.element(depth - 1).into(),
            15..17 => self.value(depth - 1) + self.value(depth - 1),
            17 => self.value(depth - 1) - self.value(depth - 1),
            18 => self.value(depth - 1) * self.value(depth - 1),
            19 => Expr::Negate(Box::new(self.value(depth - 1))),
            _ => self.comparison(depth - 1),
        }
    }

    fn constant(&mut self) -> Expr {
        let near = [i32::MAX, i32::MIN, i32::MAX - 1, -1];
        if self.numbers.chance(1, 30) {
            self.numbers.pick(&near).into()
        } else {
            (self.numbers.below(3) as i32).into()
        }
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        let left = match self.numbers.below(8) {
            0 => L.into(),
            1 => I.into(),
            2 | 3 => self.value(depth),
            _ => self.variable().into(),
        };
        let right = if self.numbers.chance(3, 4) {
            self.constant()
        } else {
            self.value(depth.saturating_sub(1))
        };
        let compared = match self.numbers.below(8) {
            0..3 => left.is(right),
            3..5 => left.is_not(right),
            5 => left.at_least(right),
            6 => left.less(right),
            _ => return Expr::Not(Box::new(left)),
        };
        if depth > 1 && self.numbers.chance(1, 6) {
            let other = self.comparison(depth - 1);
            return if self.numbers.chance(1, 2) {
                compared.and(other)
            } else {
                compared.or(other)
            };
        }
        compared
    }
}

fn label(body: &mut Body, step: usize) -> Label {
    body.labels.push(LabelPosition {
        name: format!("s{}", body.labels.len()),
        step: Some(step),
    });
    Label(body.labels.len() - 1)
}
