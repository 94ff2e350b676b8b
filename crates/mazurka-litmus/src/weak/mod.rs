//! Shared-variable programs under a memory model: every access is an event of its own.
//!
//! A step has one access then. One without an ordering is sequentially consistent, `x += e` is a read-modify-write, `lock` acquires and `unlock` releases, and `await`
//! reads until its condition holds.

mod compile;
mod evaluate;
mod shown;

use crate::herd::{self, Claim};
use crate::model::{Body, Expr, Model, ModelError, Operation, Place};
use crate::text::{self, ParseError, StepPositions};
use compile::{Access, Code};
use evaluate::{Fault as Wrong, eval};
use mazurka_core::Position;
use mazurka_weak::{Answer, Fault, Location, Next, Order, Program, Seen};

/// So many steps may a thread take without an access.
const MAX_LOCAL_STEPS: u32 = 10_000;

/// A program for a search over execution graphs.
#[derive(Debug)]
pub struct Concurrent {
    model: Model,
    positions: StepPositions,
    threads: Vec<Code>,
    /// For each variable, its first location.
    bases: Vec<u32>,
    initial: Vec<i32>,
    /// What is said of the end, by a file of herd.
    claim: Option<Claim>,
}

/// A thread on its way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thread {
    /// The step it is in, or comes to.
    step: usize,
    locals: Vec<i32>,
    /// What it does next, if it is not at its end.
    pending: Option<Pending>,
    /// What went wrong, and in which step.
    wrong: Option<(String, usize)>,
    /// For each event, the step that it belongs to.
    steps: Vec<u32>,
}

/// An access whose operands are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pending {
    location: u32,
    /// The values of the access.
    values: [i32; 2],
    /// Nothing lets it go on.
    stuck: bool,
}

/// All threads on their way.
pub type Run = Vec<Thread>;

impl Concurrent {
    /// Reads and compiles a program.
    ///
    /// # Errors
    /// What is wrong with it, and what it has that cannot be checked under a memory model, each at its place.
    pub fn parse(file: &str, text: &str, settings: &[(String, i64)]) -> Result<Self, ParseError> {
        if herd::is_from_herd(text) {
            if let Some((name, _)) = settings.first() {
                let message = format!("there is no constant {name}: litmus tests of herd have none");
                return Err(ParseError::without_place(file, "unknown-name", message));
            }
            let read = herd::parse(file, text)?;
            let compiled = Concurrent::compile(read.model, read.positions);
            return compiled.map(|program| program.claiming(read.claim)).map_err(|both| {
                let at = mazurka_diagnostics::Span::default();
                ParseError::new(file, text, "not-under-a-memory-model", at, both.1.to_string())
            });
        }
        let (model, positions, places) = text::parse_for_graphs(file, text, settings)?;
        let failed = |model: &Model, e: ModelError| ParseError::new(file, text, "not-under-a-memory-model", places.of(model, &e), e.what);
        match Concurrent::compile(model, positions) {
            Ok(program) => Ok(program),
            Err(both) => Err(failed(&both.0, both.1)),
        }
    }

    /// Compiles a program.
    ///
    /// # Errors
    /// What it has that cannot be checked under a memory model.
    pub fn new(model: Model) -> Result<Self, ModelError> {
        model.check()?;
        Concurrent::compile(model, StepPositions::default()).map_err(|both| both.1)
    }

    fn claiming(mut self, claim: Claim) -> Self {
        self.claim = Some(claim);
        self
    }

    /// What a file of herd says of the end.
    pub fn claim(&self) -> Option<&Claim> {
        self.claim.as_ref()
    }

    fn compile(model: Model, positions: StepPositions) -> Result<Self, Box<(Model, ModelError)>> {
        let mut bases = Vec::new();
        let mut initial = Vec::new();
        for variable in model.variables() {
            bases.push(initial.len() as u32);
            initial.extend(&variable.initial);
        }
        let threads: Result<Vec<Code>, ModelError> = model.bodies().iter().map(|body| compile::body(&model, body)).collect();
        match threads {
            Ok(threads) => Ok(Concurrent {
                model,
                positions,
                threads,
                bases,
                initial,
                claim: None,
            }),
            Err(error) => Err(Box::new((model, error))),
        }
    }

    /// The program.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The same with other orderings: process, step, ordering. Failures of a compare-exchange follow.
    #[must_use]
    pub fn with_orders(&self, instead: &[((usize, usize), Order)]) -> Self {
        let mut threads = self.threads.clone();
        for ((process, step), order) in instead {
            threads[*process].reorder(*step, *order);
        }
        Concurrent {
            model: self.model.clone(),
            positions: self.positions.clone(),
            threads,
            bases: self.bases.clone(),
            initial: self.initial.clone(),
            claim: self.claim.clone(),
        }
    }

    /// The accesses whose orderings are written in the program, and could be stronger: process, step, kind of access, ordering.
    pub fn declared(&self) -> Vec<((usize, usize), &Operation, Order)> {
        let of_body = |(process, body): (usize, &'_ Body)| -> Vec<((usize, usize), usize)> {
            body.declared.iter().enumerate().map(|(nth, d)| ((process, d.step), nth)).collect()
        };
        let bodies = self.model.bodies();
        let all = bodies.iter().enumerate().flat_map(of_body);
        all.map(|(at, nth)| {
            let operation = &bodies[at.0].declared[nth].operation;
            (at, operation, compile::order_of(operation))
        })
        .collect()
    }

    /// Where a step is.
    pub fn position(&self, process: usize, step: usize) -> Option<Position> {
        self.positions.of(process, step)
    }

    /// Does what nobody else sees, up to the next access.
    fn settle(&self, process: usize, thread: &mut Thread) {
        let code = &self.threads[process];
        thread.pending = None;
        for _ in 0..MAX_LOCAL_STEPS {
            if thread.wrong.is_some() || thread.step >= code.steps.len() {
                return;
            }
            let step = &code.steps[thread.step];
            let Some(access) = &step.access else {
                self.finish(process, thread, None);
                continue;
            };
            match evaluate::run(&step.before, &mut thread.locals, None) {
                Ok(evaluate::Then::On) => {}
                Ok(then) => {
                    self.go(process, thread, then);
                    continue;
                }
                Err(wrong) => return self.fails(process, thread, wrong),
            }
            match self.pending(access, &thread.locals) {
                Ok(pending) => thread.pending = Some(pending),
                Err(wrong) => self.fails(process, thread, wrong),
            }
            return;
        }
        let message = format!(
            "{} takes {MAX_LOCAL_STEPS} steps without an access",
            self.model.bodies()[process].name
        );
        thread.wrong = Some((message, thread.step));
    }

    fn pending(&self, access: &Access, locals: &[i32]) -> Result<Pending, Wrong> {
        let location = match access.place() {
            None => 0,
            Some(Place::Shared(variable, index)) => {
                let index = index.as_ref().map_or(Ok(0), |index| eval(index, locals, None))?;
                let variable_ = &self.model.variables()[*variable];
                match usize::try_from(index).ok().filter(|i| *i < variable_.initial.len()) {
                    Some(index) => self.bases[*variable] + index as u32,
                    None => return Err(Wrong::outside(&variable_.name, index)),
                }
            }
            Some(Place::Local(_)) => 0,
        };
        let mut values = [0; 2];
        for (value, expression) in values.iter_mut().zip(access.values()) {
            *value = eval(expression, locals, None)?;
        }
        let stuck = matches!(access, Access::Never(condition) if eval(condition, locals, None)? == 0);
        Ok(Pending { location, values, stuck })
    }

    /// The rest of a step, after its access.
    fn finish(&self, process: usize, thread: &mut Thread, read: Option<i32>) {
        let step = &self.threads[process].steps[thread.step];
        match evaluate::run(&step.after, &mut thread.locals, read) {
            Ok(then) => self.go(process, thread, then),
            Err(wrong) => self.fails(process, thread, wrong),
        }
    }

    fn go(&self, process: usize, thread: &mut Thread, then: evaluate::Then) {
        thread.step = match then {
            evaluate::Then::On => thread.step + 1,
            evaluate::Then::Goto(label) => self.model.bodies()[process].labels[label].step.unwrap_or(usize::MAX),
            evaluate::Then::End => usize::MAX,
        };
    }

    fn fails(&self, process: usize, thread: &mut Thread, wrong: Wrong) {
        let body = &self.model.bodies()[process];
        let message = match wrong {
            Wrong::Assertion(condition, message) => {
                let asserts = format!("{} asserts {}", body.name, text::expression_text(&self.model, body, &condition));
                message.map_or(asserts.clone(), |message| format!("{message}: {asserts}"))
            }
            Wrong::Other(message) => format!("{}: {message}", body.name),
        };
        thread.wrong = Some((message, thread.step));
        thread.pending = None;
    }

    fn access(&self, run: &Run, thread: u32) -> Option<(&Access, Pending)> {
        let state = &run[thread as usize];
        let access = self.threads[thread as usize].steps.get(state.step)?.access.as_ref()?;
        Some((access, state.pending?))
    }
}

/// A number as the search keeps it.
fn word(value: i32) -> u64 {
    u64::from(value as u32)
}

fn value_of(word: u64) -> i32 {
    word as u32 as i32
}

impl Program for Concurrent {
    type Run = Run;

    fn start(&self) -> Run {
        let start = |(process, body): (usize, &Body)| {
            let mut thread = Thread {
                step: 0,
                locals: body.locals.iter().map(|l| l.initial).collect(),
                pending: None,
                wrong: None,
                steps: Vec::new(),
            };
            self.settle(process, &mut thread);
            thread
        };
        self.model.bodies().iter().enumerate().map(start).collect()
    }

    fn threads(&self, run: &Run) -> u32 {
        run.len() as u32
    }

    fn next(&self, run: &Run, thread: u32) -> Next {
        let Some((access, pending)) = self.access(run, thread) else {
            return Next::Done;
        };
        let location = Location(pending.location);
        match access {
            Access::Never(_) if pending.stuck => Next::Stuck(Vec::new()),
            Access::Never(_) => Next::Fence(Order::Relaxed),
            Access::Read { order, .. } | Access::Await { order, .. } => Next::read(location, *order),
            Access::Write { order, .. } => Next::Write {
                location,
                order: *order,
                value: word(pending.values[0]),
            },
            Access::Swap { order, .. } | Access::Add { order, .. } => Next::update(location, *order, *order),
            Access::CompareExchange { success, failure, .. } => Next::update(location, *success, *failure),
            Access::Lock(_) => Next::update(location, Order::Acquire, Order::Acquire),
            Access::Unlock(_) => Next::Write {
                location,
                order: Order::Release,
                value: 0,
            },
            Access::Fence(order) => Next::Fence(*order),
        }
    }

    fn answer(&self, run: &Run, thread: u32, read: u64) -> Answer {
        let Some((access, pending)) = self.access(run, thread) else {
            return Answer::Wait;
        };
        let (read, [value, new]) = (value_of(read), pending.values);
        match access {
            Access::Swap { .. } => Answer::Write(word(value)),
            Access::Add { .. } => Answer::Write(word(read.wrapping_add(value))),
            Access::CompareExchange { .. } if read == value => Answer::Write(word(new)),
            Access::Lock(_) if read == 0 => Answer::Write(1),
            Access::Lock(_) => Answer::Wait,
            // A condition that fails does not wait.
            Access::Await { condition, .. } => match eval(condition, &run[thread as usize].locals, Some(read)) {
                Ok(0) => Answer::Wait,
                _ => Answer::Read,
            },
            _ => Answer::Read,
        }
    }

    fn take(&self, run: &mut Run, thread: u32, seen: Seen<'_>) {
        let process = thread as usize;
        let state = &mut run[process];
        state.steps.push(state.step as u32);
        let read = value_of(seen.value);
        let access = self.threads[process].steps.get(state.step).and_then(|step| step.access.as_ref());
        if let Some(access) = access
            && let Some(result) = access.result()
        {
            state.locals[result.0] = read;
        }
        self.finish(process, state, Some(read));
        self.settle(process, state);
    }

    fn initial(&self, _: &Run, location: Location) -> u64 {
        word(self.initial[location.0 as usize])
    }

    fn fault(&self, run: &Run) -> Option<Fault> {
        let thread = run.iter().position(|thread| thread.wrong.is_some())?;
        let (message, _) = run[thread].wrong.as_ref()?;
        Some(Fault {
            message: message.clone(),
            thread: thread as u32,
            is_last: false,
        })
    }
}

/// An expression that stands for nothing.
pub(crate) fn truth() -> Expr {
    Expr::Int(1)
}
