//! One step of one task: from where it stands to the next place where others may matter.

use super::eval::{Choices, Scope};
use super::state::{Awaited, Ended, Frame, Interval, Leaving, List, Node, Raised, State, Status, Task, Use, Work};
use super::value::{TaskName, Value};
use super::{Stop, World};
use mazurka_abs::checked::{Block, Expr, ExprKind, Guard, RightSide, RightSideKind, Stmt, StmtKind};
use mazurka_abs::run::AwaitSemantics;
use mazurka_core::Failure;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::rc::Rc;

/// A task on the move.
pub struct Step<'w, 'm> {
    pub(super) world: &'w World<'m>,
    /// The state, without the task.
    pub state: State<'m>,
    pub(super) name: TaskName,
    pub(super) task: Task<'m>,
    choices: Choices,
    /// The failure that the task ended with, if that was an assertion.
    pub failure: Option<Failure>,
    budget: u32,
}

/// Whether a task goes on.
pub(super) enum Flow<'m> {
    On,
    /// It stops here.
    Stop(Status<'m>),
    /// Its code has come to an end.
    End(Ended),
}

pub(super) type Result<'m> = std::result::Result<Flow<'m>, Stop>;

/// Statements that one step may execute before it is given up.
const MOST_STATEMENTS: u32 = 400;

impl<'w, 'm> Step<'w, 'm> {
    /// A step of the task `name` with these choices, not taken yet.
    pub fn new(world: &'w World<'m>, before: &State<'m>, name: &TaskName, choices: Vec<u32>) -> Self {
        let mut state = before.clone();
        let task = state.tasks.remove(name).map(|task| (*task).clone());
        Step {
            world,
            state,
            name: name.clone(),
            task: task.unwrap_or_else(|| unreachable!("only unfinished tasks move")),
            choices: Choices {
                given: choices,
                ..Choices::default()
            },
            failure: None,
            budget: MOST_STATEMENTS,
        }
    }

    /// Takes the step.
    ///
    /// # Errors
    /// If a choice is missing, or the step is too long.
    pub fn take(&mut self) -> std::result::Result<(), Stop> {
        let status = std::mem::replace(&mut self.task.status, Status::Ready);
        let mut flow = self.resume(status);
        loop {
            flow = match flow {
                Ok(Flow::On) => self.work(),
                Ok(Flow::Stop(status)) => {
                    self.task.status = status;
                    self.state.tasks.insert(self.name.clone(), Rc::new(self.task.clone()));
                    return Ok(());
                }
                Ok(Flow::End(ended)) => {
                    self.state.results.insert(self.name.clone(), ended);
                    return Ok(());
                }
                Err(Stop::Raised(raised)) => {
                    let raised = self.whole_trace(raised);
                    self.leave(Leaving::Raise(Rc::new(raised)))
                }
                Err(stop) => return Err(stop),
            };
        }
    }

    fn resume(&mut self, status: Status<'m>) -> Result<'m> {
        match status {
            Status::Ready | Status::Sleeps(_) => Ok(Flow::On),
            Status::Waits(awaited) | Status::Looks(awaited) => {
                if self.holds(&awaited)? {
                    Ok(Flow::On)
                } else {
                    Ok(Flow::Stop(Status::Waits(awaited)))
                }
            }
            Status::Gets(task) => self.result(&task),
        }
    }

    /// Delivers the result of a finished task; its exception counts as read.
    fn result(&mut self, task: &TaskName) -> Result<'m> {
        match self.state.results.get_mut(task) {
            None => Ok(Flow::Stop(Status::Gets(task.clone()))),
            Some(Ended::Value(value)) => {
                let value = value.clone();
                self.deliver(value)
            }
            Some(Ended::Exception(exception, unread)) => {
                *unread = None;
                let exception = exception.clone();
                self.raise(exception)
            }
        }
    }

    /// Whether what is awaited is there.
    pub fn holds(&mut self, awaited: &Awaited<'m>) -> std::result::Result<bool, Stop> {
        match awaited {
            Awaited::Call(task) => Ok(self.state.results.contains_key(task)),
            Awaited::Guard(guard, _) => {
                let Parts { futures, conditions, .. } = Parts::of(guard.0);
                let mut resolved = true;
                for future in futures {
                    match self.eval(future) {
                        Ok(Value::Future(task)) => resolved &= self.state.results.contains_key(&task),
                        Ok(_) => return self.raise(Value::atom(self.world.model.well_known.null_pointer)),
                        Err(stop) => return self.thrown_by_await(stop),
                    }
                }
                for condition in conditions.into_iter().take_while(|_| resolved) {
                    match self.eval(condition) {
                        Ok(value) if value.holds(self.world.model) => {}
                        Ok(_) => return Ok(false),
                        Err(stop) => return self.thrown_by_await(stop),
                    }
                }
                Ok(resolved)
            }
        }
    }

    /// An exception from a guard is thrown by the `await`.
    fn thrown_by_await<T>(&self, stop: Stop) -> std::result::Result<T, Stop> {
        match stop {
            Stop::Raised(raised) => self.raise(raised.exception),
            Stop::Choose(_) => Err(Stop::GiveUp("a choice in a guard")),
            other => Err(other),
        }
    }

    pub(super) fn frame(&mut self) -> &mut Frame<'m> {
        self.task
            .frames
            .last_mut()
            .unwrap_or_else(|| unreachable!("a task that runs has an activation"))
    }

    /// Raises where the activation is.
    pub(super) fn raise<T>(&self, exception: Value) -> std::result::Result<T, Stop> {
        let frame = self
            .task
            .frames
            .last()
            .unwrap_or_else(|| unreachable!("a task that runs has an activation"));
        Err(Stop::Raised(Raised::new(exception, &frame.name, frame.at)))
    }

    /// An exception that was raised in the innermost activation, with those around it.
    fn whole_trace(&self, mut raised: Raised) -> Raised {
        let around = self.task.frames.iter().rev().skip(1);
        raised.trace.extend(around.map(|f| (f.name.clone(), f.at)));
        raised
    }

    pub(super) fn with_scope<T>(&mut self, f: impl FnOnce(&mut Scope<'_>, &mut Vec<Value>) -> T) -> T {
        let frame = self
            .task
            .frames
            .last_mut()
            .unwrap_or_else(|| unreachable!("a task that runs has an activation"));
        let this = frame.this.as_ref().map(|name| (name, &*self.state.objects[name].fields));
        let mut scope = Scope {
            model: self.world.model,
            this,
            task: &self.name,
            name: &frame.name,
            choices: &mut self.choices,
            clock: &self.state.clock,
            deadline: self.task.deadline.as_ref(),
        };
        f(&mut scope, &mut frame.locals)
    }

    pub(super) fn eval(&mut self, e: &Expr) -> std::result::Result<Value, Stop> {
        self.with_scope(|scope, locals| scope.eval(e, locals))
    }

    /// Does the next piece of work of the innermost activation.
    fn work(&mut self) -> Result<'m> {
        self.budget = self.budget.saturating_sub(1);
        if self.budget == 0 {
            return Err(Stop::GiveUp("a long step"));
        }
        let Some(work) = self.frame().work.pop() else {
            let unit = Value::atom(self.world.model.well_known.unit);
            return self.leave(Leaving::Return(unit));
        };
        match work {
            Work::Statements(List(statements)) => {
                let Some((first, rest)) = statements.split_first() else {
                    return Ok(Flow::On);
                };
                if !rest.is_empty() {
                    self.frame().work.push(Work::Statements(List(rest)));
                }
                self.statement(first)
            }
            Work::Loop(Node(stmt)) => self.statement(stmt),
            Work::Each(Node(stmt), rest, number) => {
                let StmtKind::Foreach(element, index, _, body) = &stmt.kind else {
                    return Ok(Flow::On);
                };
                let Value::Data(_, args) = rest else { return Ok(Flow::On) };
                if let [first, rest] = &*args {
                    let frame = self.frame();
                    frame.locals[element.index()] = first.clone();
                    if let Some(index) = index {
                        frame.locals[index.index()] = Value::int(number);
                    }
                    frame.work.push(Work::Each(Node(stmt), rest.clone(), number + 1));
                    self.block(body);
                }
                Ok(Flow::On)
            }
            Work::Catch(_) | Work::Deliver(_) => Ok(Flow::On),
            Work::Finally(Node(block)) => {
                self.block(block);
                Ok(Flow::On)
            }
            Work::Leave(leaving) => self.leave(leaving),
            Work::Result(task) => self.result(&task),
            Work::Acknowledge(task) => {
                if let Some(Ended::Exception(_, unread)) = self.state.results.get_mut(&task) {
                    *unread = None;
                }
                Ok(Flow::On)
            }
            Work::Fields(first) => self.initialise(first),
        }
    }

    fn block(&mut self, block: &'m Block) {
        if !block.stmts.is_empty() {
            self.frame().work.push(Work::Statements(List(&block.stmts)));
        }
    }

    /// Goes out of the innermost activation, up to a `catch` or `finally` on the way.
    fn leave(&mut self, leaving: Leaving) -> Result<'m> {
        while let Some(work) = self.frame().work.pop() {
            match (work, &leaving) {
                (Work::Finally(Node(block)), _) => {
                    self.frame().work.push(Work::Leave(leaving));
                    self.block(block);
                    return Ok(Flow::On);
                }
                (Work::Catch(List(branches)), Leaving::Raise(raised)) => {
                    if let Some(body) = self.with_scope(|scope, locals| scope.first_match(&raised.exception, branches, locals)) {
                        self.block(body);
                        return Ok(Flow::On);
                    }
                }
                _ => {}
            }
        }
        let Some(frame) = self.task.frames.pop() else {
            unreachable!("a task that runs has an activation")
        };
        if self.task.frames.is_empty() {
            return Ok(Flow::End(self.end(leaving)));
        }
        match leaving {
            Leaving::Raise(_) => self.leave(leaving),
            Leaving::Return(value) => {
                let value = match &frame.this {
                    Some(this) if frame.initialises => self.is_there(this),
                    _ => value,
                };
                self.deliver(value)
            }
        }
    }

    fn end(&mut self, leaving: Leaving) -> Ended {
        match leaving {
            Leaving::Return(value) => Ended::Value(value),
            Leaving::Raise(raised) => {
                let failure = self.world.uncaught(&raised);
                let unread = if raised.exception == Value::atom(self.world.model.well_known.assertion_fail) {
                    self.failure = Some(failure);
                    None
                } else {
                    Some(Rc::new(failure))
                };
                Ended::Exception(raised.exception.clone(), unread)
            }
        }
    }

    /// Gives a value to what the innermost activation wants it for.
    fn deliver(&mut self, value: Value) -> Result<'m> {
        let model = self.world.model;
        match self.frame().work.pop() {
            Some(Work::Deliver(usage)) => match usage {
                Use::Local(local) => self.frame().locals[local.index()] = value,
                Use::Field(field) => {
                    if let Some(this) = self.frame().this.clone()
                        && let Some(object) = self.state.objects.get_mut(&this)
                    {
                        Rc::make_mut(object).fields[field.index()] = value;
                    }
                }
                Use::Return => return self.leave(Leaving::Return(value)),
                Use::Assert(Node(stmt)) if !value.holds(model) => {
                    self.frame().at = stmt.span;
                    let looked_at = self.looked_at(stmt);
                    let Err(Stop::Raised(raised)) = self.raise::<()>(Value::atom(model.well_known.assertion_fail)) else {
                        return Ok(Flow::On);
                    };
                    return Err(Stop::Raised(Raised { looked_at, ..raised }));
                }
                Use::Assert(_) | Use::Forget => {}
            },
            other => self.frame().work.extend(other),
        }
        Ok(Flow::On)
    }

    /// The variables and fields in an assertion, in the order of their last occurrences, each text once, with their values.
    fn looked_at(&mut self, stmt: &Stmt) -> Vec<(String, String)> {
        let StmtKind::Assert(RightSide {
            kind: RightSideKind::Pure(e),
            ..
        }) = &stmt.kind
        else {
            return Vec::new();
        };
        let mut found: Vec<(String, String)> = Vec::new();
        let mut variables = Vec::new();
        super::failure::variables(e, &mut variables);
        for variable in variables.into_iter().rev() {
            let text = self.world.sources.text(variable.span).to_owned();
            if found.iter().all(|(known, _)| *known != text)
                && let Ok(value) = self.eval(variable)
            {
                found.push((text, value.quoted(self.world.model, false)));
            }
        }
        found.reverse();
        found
    }

    fn statement(&mut self, stmt: &'m Stmt) -> Result<'m> {
        let model = self.world.model;
        match &stmt.kind {
            StmtKind::Declare(local, Some(value)) | StmtKind::AssignLocal(local, value) => self.right(value, Use::Local(*local)),
            StmtKind::Declare(local, None) => {
                self.frame().locals[local.index()] = Value::Null;
                Ok(Flow::On)
            }
            StmtKind::AssignField(field, value) => self.right(value, Use::Field(*field)),
            StmtKind::Skip => Ok(Flow::On),
            StmtKind::Return(value) => self.right(value, Use::Return),
            StmtKind::Assert(value) => self.right(value, Use::Assert(Node(stmt))),
            StmtKind::Expr(value) => self.right(value, Use::Forget),
            StmtKind::Block(block) => {
                self.block(block);
                Ok(Flow::On)
            }
            StmtKind::If(condition, then, otherwise) => {
                let holds = self.eval(condition)?.holds(model);
                self.block(if holds { then } else { otherwise });
                Ok(Flow::On)
            }
            StmtKind::While(condition, body) => {
                if self.eval(condition)?.holds(model) {
                    self.frame().work.push(Work::Loop(Node(stmt)));
                    self.block(body);
                }
                Ok(Flow::On)
            }
            StmtKind::Foreach(_, _, list, _) => {
                let list = self.eval(list)?;
                self.frame().work.push(Work::Each(Node(stmt), list, 0));
                Ok(Flow::On)
            }
            StmtKind::Switch(of, branches) => {
                let of = self.eval(of)?;
                match self.with_scope(|scope, locals| scope.first_match(&of, branches, locals)) {
                    Some(body) => {
                        self.block(body);
                        Ok(Flow::On)
                    }
                    None => {
                        self.frame().at = stmt.span;
                        self.raise(Value::atom(model.well_known.pattern_match_fail))
                    }
                }
            }
            StmtKind::Try(body, branches, finally) => {
                if let Some(block) = finally {
                    self.frame().work.push(Work::Finally(Node(block)));
                }
                self.frame().work.push(Work::Catch(List(branches)));
                self.block(body);
                Ok(Flow::On)
            }
            StmtKind::Throw(e) => {
                let exception = self.eval(e)?;
                self.frame().at = stmt.span;
                self.raise(exception)
            }
            StmtKind::Suspend => {
                self.frame().at = stmt.span;
                Ok(Flow::Stop(Status::Ready))
            }
            StmtKind::Await(guard) => {
                self.frame().at = stmt.span;
                let mut interval = None;
                for (least, most) in Parts::of(guard).durations {
                    let Interval(earliest, latest) = self.interval(least, most)?;
                    interval = Some(match interval {
                        Some(Interval(e, l)) => Interval(earliest.max(e), latest.max(l)),
                        None => Interval(earliest, latest),
                    });
                }
                self.wait(Awaited::Guard(Node(guard), interval))
            }
            StmtKind::Duration(least, most) => {
                self.frame().at = stmt.span;
                let interval = self.interval(least, most)?;
                Ok(Flow::Stop(Status::Sleeps(interval)))
            }
            StmtKind::Die(_) => Err(Stop::GiveUp("`die`")),
        }
    }

    /// Comes to an `await`. Futures in variables are taken here, so a missing one is noticed before anybody else runs.
    fn wait(&mut self, awaited: Awaited<'m>) -> Result<'m> {
        let futures = match &awaited {
            Awaited::Guard(guard, _) => Parts::of(guard.0).futures,
            Awaited::Call(_) => Vec::new(),
        };
        // Time that has to pass has not passed yet.
        let timed = matches!(awaited, Awaited::Guard(_, Some(_)));
        if self.world.await_semantics == AwaitSemantics::Formal && !timed {
            return match awaited {
                // A condition over the object itself does not depend on other cogs.
                Awaited::Guard(..) if futures.is_empty() => self.resume(Status::Waits(awaited)),
                _ => Ok(Flow::Stop(Status::Looks(awaited))),
            };
        }
        for future in futures {
            let variable = matches!(future.kind, ExprKind::Local(_));
            if variable && self.eval(future)? == Value::Null {
                return self.raise(Value::atom(self.world.model.well_known.null_pointer));
            }
        }
        Ok(Flow::Stop(Status::Waits(awaited)))
    }

    /// So much later than now, and not before.
    fn after(&mut self, duration: &Expr) -> std::result::Result<BigRational, Stop> {
        match self.eval(duration)? {
            Value::Number(amount) if amount.is_positive() => Ok(&self.state.clock + amount),
            _ => Ok(self.state.clock.clone()),
        }
    }

    fn interval(&mut self, least: &Expr, most: &Expr) -> std::result::Result<Interval, Stop> {
        let earliest = self.after(least)?;
        let latest = self.after(most)?.max(earliest.clone());
        Ok(Interval(earliest, latest))
    }

    /// Gives a task that was just started the deadline that an annotation says.
    fn set_deadline(&mut self, right: &RightSide, started: &TaskName) -> std::result::Result<(), Stop> {
        let Some(duration) = &right.deadline else { return Ok(()) };
        if let Value::Data(_, args) = self.eval(duration)?
            && let [Value::Number(amount)] = &*args
            && let Some(task) = self.state.tasks.get_mut(started)
        {
            Rc::make_mut(task).deadline = Some(&self.state.clock + amount.clone().max(BigRational::zero()));
        }
        Ok(())
    }

    fn right(&mut self, right: &'m RightSide, usage: Use<'m>) -> Result<'m> {
        match &right.kind {
            RightSideKind::Pure(e) => {
                let value = self.eval(e)?;
                self.frame().work.push(Work::Deliver(usage));
                self.deliver(value)
            }
            RightSideKind::New { class, args, cog } => {
                let args = self.with_scope(|scope, locals| scope.all(args, locals))?;
                self.frame().at = right.span;
                self.frame().work.push(Work::Deliver(usage));
                self.make(class.0, args, *cog);
                Ok(Flow::On)
            }
            RightSideKind::AsyncCall(receiver, selector, args) => {
                let task = self.start(receiver, *selector, args, right.span)?;
                self.set_deadline(right, &task)?;
                self.frame().work.push(Work::Deliver(usage));
                self.deliver(Value::Future(task))
            }
            RightSideKind::AwaitCall(receiver, selector, args) => {
                let task = self.start(receiver, *selector, args, right.span)?;
                self.set_deadline(right, &task)?;
                // Once the task has ended, its result is asked for; as a statement only the exception is taken note of.
                if usage == Use::Forget {
                    self.frame().work.push(Work::Acknowledge(task.clone()));
                } else {
                    self.frame().work.push(Work::Deliver(usage));
                    self.frame().work.push(Work::Result(task.clone()));
                }
                self.wait(Awaited::Call(task))
            }
            RightSideKind::SyncCall(receiver, selector, args) => {
                let (object, args) = self.callee(receiver, args, right.span)?;
                let frame = self.frame();
                let here = match frame.this.clone() {
                    Some(this) => self.state.objects[&this].cog.clone(),
                    None => self.task.cog.clone(),
                };
                self.frame().work.push(Work::Deliver(usage));
                if self.state.objects[&object].cog == here {
                    let frame = self.world.activation(&object, *selector, args)?;
                    self.task.frames.push(frame);
                    return Ok(Flow::On);
                }
                let task = self.spawn(&object, *selector, args)?;
                Ok(Flow::Stop(Status::Gets(task)))
            }
            RightSideKind::Get(future) => {
                let future = self.eval(future)?;
                self.frame().at = right.span;
                match future {
                    Value::Future(task) => {
                        self.frame().work.push(Work::Deliver(usage));
                        Ok(Flow::Stop(Status::Gets(task)))
                    }
                    _ => self.raise(Value::atom(self.world.model.well_known.null_pointer)),
                }
            }
        }
    }
}

/// The parts of a guard, from left to right.
#[derive(Default)]
struct Parts<'g> {
    futures: Vec<&'g Expr>,
    conditions: Vec<&'g Expr>,
    durations: Vec<(&'g Expr, &'g Expr)>,
}

impl<'g> Parts<'g> {
    fn of(guard: &'g Guard) -> Self {
        let mut parts = Parts::default();
        parts.collect(guard);
        parts
    }

    fn collect(&mut self, guard: &'g Guard) {
        match guard {
            Guard::Future(e) => self.futures.push(e),
            Guard::Condition(e) => self.conditions.push(e),
            Guard::Duration(least, most) => self.durations.push((least, most)),
            Guard::And(left, right) => {
                self.collect(left);
                self.collect(right);
            }
        }
    }
}
