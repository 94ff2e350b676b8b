//! The interpreter's loop: runs one task up to its next scheduling point.

use super::accesses::Touch;
use super::builtins::{self, Answer};
use super::guard::Verdict;
use super::machine::Machine;
use super::settings::AwaitSemantics;
use super::state::{Frame, NOBODY, Returned, Run, Stopped};
use super::symbolic::{Questions, TIME};
use super::work::{BIRTH, LENGTH, MAX_DEPTH};
use crate::code::{Arrival, Builtin, ClosureOf, Kind, Op, Pattern};
use crate::value::number::{self, NumberError};
use crate::value::term::has_terms;
use crate::value::{Ref, Value, known};
use mazurka_core::Process;
use mazurka_diagnostics::Span;
use num_rational::BigRational;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// The stack that the running task uses; one per machine, so that steps allocate nothing for it.
#[derive(Debug, Default)]
pub struct Stack {
    /// Variables and operands of all activations.
    pub values: Vec<Value>,
    /// The activations, innermost last.
    pub frames: Vec<Frame>,
}

/// How a stretch of code came to its end.
#[derive(Debug)]
pub enum Exit {
    /// The task's code returned this.
    Done(Value),
    /// This exception left the task's code.
    Threw(Value),
    /// A scheduling point was reached.
    Stop(Stopped),
    /// There is no scheduling point in sight.
    Endless,
    /// A choice between so many numbers that nobody could look at them all.
    TooMany,
    /// Too many activations.
    TooDeep,
    /// A number or string that would fill the memory.
    TooLarge,
    /// Something that symbolic execution cannot do with what is not known.
    Opaque(&'static str),
}

/// One activation of the trace of an exception: code and instruction.
pub type Trace = Vec<(u32, u32)>;

/// A task on the move.
pub struct Mover<'a> {
    /// The program and its tables.
    pub machine: &'a Machine,
    /// The state that changes.
    pub run: &'a mut Run,
    /// The process.
    pub id: u32,
    /// Its future.
    pub slot: u32,
    /// Its cog.
    pub cog: u32,
    /// By when it should have ended.
    pub deadline: Option<Rc<BigRational>>,
    /// Names given to tasks so far.
    pub children: u32,
    /// Which of them can be given again.
    pub returned: SmallVec<[Returned; 2]>,
    /// Objects made so far.
    pub objects: u32,
    /// Tasks started by this step.
    pub births: SmallVec<[Process; 4]>,
    /// Where the last exception came from, innermost activation first.
    pub trace: Trace,
    /// What the last failed assertion looked at: where a variable stands in it, and its value.
    pub asserted: Vec<(Span, Value)>,
    /// How many more calls and jumps back this step may do; see also [`BIRTH`].
    pub budget: u64,
    /// Where accesses are written down, if somebody wants to know them.
    pub log: Option<&'a mut Vec<Touch>>,
    /// The instruction that runs, and how often this step asked about inputs where: only in symbolic executions.
    pub(super) questions: Questions,
}

fn pop(stack: &mut Stack) -> Value {
    stack.values.pop().unwrap_or(Value::Null)
}

impl<'a> Mover<'a> {
    /// A task that has made nothing yet, on its way.
    pub fn new(machine: &'a Machine, run: &'a mut Run, id: u32, slot: u32, cog: u32) -> Self {
        Mover {
            machine,
            run,
            id,
            slot,
            cog,
            deadline: None,
            children: 0,
            returned: SmallVec::new(),
            objects: 0,
            births: SmallVec::new(),
            trace: Vec::new(),
            asserted: Vec::new(),
            budget: machine.settings.step_budget,
            log: None,
            questions: Questions::default(),
        }
    }

    /// Runs until the bottom activation ends or a scheduling point is reached.
    pub fn exec(&mut self, stack: &mut Stack) -> Exit {
        match &self.machine.inputs {
            None => self.exec_with::<false>(stack),
            Some(_) => self.exec_with::<true>(stack),
        }
    }

    /// The same, for values that are all known and for those that may be terms: the former pay nothing for the latter.
    fn exec_with<const SYMBOLIC: bool>(&mut self, stack: &mut Stack) -> Exit {
        let program = &self.machine.program;
        'activation: loop {
            let Some(&frame) = stack.frames.last() else {
                return Exit::Done(Value::UNIT);
            };
            let code = &program.codes[frame.code as usize];
            let base = frame.base as usize;
            let this = frame.this;
            let mut pc = frame.pc as usize;
            macro_rules! save {
                () => {
                    if let Some(top) = stack.frames.last_mut() {
                        top.pc = pc as u32;
                    }
                };
            }
            // An input that stands for data or a reference is what it was decided to be.
            macro_rules! settled {
                ($value:expr) => {{
                    let mut value = $value;
                    if SYMBOLIC {
                        self.settle(&mut value);
                    }
                    value
                }};
            }
            macro_rules! settled_in {
                ($place:expr) => {{
                    let mut place = $place;
                    if SYMBOLIC && let Some(value) = &mut place {
                        self.settle(value);
                    }
                    place
                }};
            }
            macro_rules! throw {
                ($exception:expr) => {{
                    save!();
                    let exception = $exception;
                    self.remember_trace(stack);
                    match self.unwind(stack, exception) {
                        None => continue 'activation,
                        Some(exception) => return Exit::Threw(exception),
                    }
                }};
            }
            macro_rules! fail {
                ($error:expr) => {
                    match builtins::exception($error) {
                        Ok(exception) => throw!(exception),
                        Err(limit) => {
                            save!();
                            return self.give_up(stack, limit);
                        }
                    }
                };
            }
            macro_rules! tick {
                () => {
                    tick!(1)
                };
                ($cost:expr) => {
                    self.budget = self.budget.saturating_sub($cost);
                    if self.budget == 0 || self.machine.halt.load(Ordering::Relaxed) {
                        save!();
                        return self.give_up(stack, Exit::Endless);
                    }
                };
            }
            loop {
                let op = code.ops[pc];
                if SYMBOLIC {
                    self.visit(frame.code, pc as u32, op, this);
                }
                pc += 1;
                match op {
                    Op::Const(i) => stack.values.push(program.constants[i as usize].clone()),
                    Op::Small(n) => stack.values.push(Value::Int(i64::from(n))),
                    Op::Local(i) => {
                        let value = stack.values[base + i as usize].clone();
                        stack.values.push(value);
                    }
                    Op::SetLocal(i) => {
                        let value = pop(stack);
                        stack.values[base + i as usize] = value;
                    }
                    Op::Field(i) => {
                        self.note_read(this, i);
                        stack.values.push(self.run.objects.get(this).fields[i as usize].clone());
                    }
                    Op::SetField(i) => {
                        let value = pop(stack);
                        self.note(Touch::Field {
                            object: this,
                            field: i,
                            write: true,
                        });
                        self.run.object_mut(this).fields[i as usize] = value;
                    }
                    Op::This => {
                        let value = self.this(this);
                        stack.values.push(value);
                    }
                    Op::Destiny => stack.values.push(Value::Future(Ref {
                        slot: self.slot,
                        id: self.id,
                    })),
                    Op::Pop => {
                        pop(stack);
                    }
                    Op::Make(ctor, n) => {
                        let args: SmallVec<[Value; 2]> = stack.values.drain(stack.values.len() - n as usize..).collect();
                        stack.values.push(Value::data(ctor, args));
                    }
                    Op::List(n) => {
                        let mut list = Value::Atom(known::NIL);
                        for _ in 0..n {
                            list = Value::data(known::CONS, smallvec![pop(stack), list]);
                        }
                        stack.values.push(list);
                    }
                    Op::Access(i) => {
                        let value = settled!(pop(stack));
                        match self.access(i, &value) {
                            Some(part) => stack.values.push(part),
                            None => throw!(Value::Atom(known::PATTERN_MATCH_FAIL)),
                        }
                    }
                    Op::Call(f) => {
                        tick!(1 + program.codes[f as usize].ops.len() as u64 / LENGTH);
                        save!();
                        if stack.frames.len() > MAX_DEPTH {
                            return self.give_up(stack, Exit::TooDeep);
                        }
                        self.enter(stack, f, this);
                        continue 'activation;
                    }
                    Op::TailCall(f) => {
                        let callee = &program.codes[f as usize];
                        tick!(1 + callee.ops.len() as u64 / LENGTH);
                        let args = stack.values.len() - callee.params as usize;
                        for i in 0..callee.params as usize {
                            stack.values[base + i] = std::mem::replace(&mut stack.values[args + i], Value::Null);
                        }
                        stack.values.truncate(base + callee.params as usize);
                        stack.values.resize(base + callee.locals as usize, Value::Null);
                        if let Some(top) = stack.frames.last_mut() {
                            top.code = f;
                            top.pc = 0;
                        }
                        continue 'activation;
                    }
                    Op::Builtin(Builtin::CurrentMs, _) => stack.values.push(self.run.now().into()),
                    Op::Builtin(Builtin::LowlevelDeadline, _) => stack.values.push(self.to_deadline()),
                    Op::Builtin(which, n) => {
                        let first = stack.values.len() - n as usize;
                        let answer = match SYMBOLIC {
                            true => self.apply_to_terms(which, &mut stack.values[first..]),
                            false => builtins::apply(which, &stack.values[first..], &program.symbols, &self.machine.ids, &mut self.budget),
                        };
                        match answer {
                            Ok(Answer::Value(value)) => {
                                stack.values.truncate(first);
                                stack.values.push(value);
                            }
                            Ok(Answer::Printed(text)) => {
                                self.run.print(text);
                                stack.values.truncate(first);
                                stack.values.push(Value::UNIT);
                            }
                            Ok(Answer::Choose(n)) => {
                                stack.values.truncate(first);
                                save!();
                                if n > self.machine.settings.choices {
                                    return self.give_up(stack, Exit::TooMany);
                                }
                                return Exit::Stop(Stopped::Choose(n));
                            }
                            Err(error) => fail!(error),
                        }
                    }
                    Op::CallClosure(slot, n) => {
                        tick!();
                        let closure = stack.values[base + slot as usize].clone();
                        match closure.ctor().and_then(ClosureOf::decode) {
                            Some(ClosureOf::Function(f)) => {
                                save!();
                                if stack.frames.len() > MAX_DEPTH {
                                    return self.give_up(stack, Exit::TooDeep);
                                }
                                let first = stack.values.len() - n as usize;
                                let captured = closure.args();
                                if !captured.is_empty() {
                                    let args: SmallVec<[Value; 4]> = stack.values.drain(first..).collect();
                                    stack.values.extend(captured.iter().cloned());
                                    stack.values.extend(args);
                                }
                                self.enter(stack, f, this);
                                continue 'activation;
                            }
                            Some(ClosureOf::Access(i)) => {
                                let value = settled!(pop(stack));
                                match self.access(i, &value) {
                                    Some(part) => stack.values.push(part),
                                    None => throw!(Value::Atom(known::PATTERN_MATCH_FAIL)),
                                }
                            }
                            Some(ClosureOf::Construct(ctor)) => {
                                let args: SmallVec<[Value; 2]> = stack.values.drain(stack.values.len() - n as usize..).collect();
                                stack.values.push(Value::data(ctor, args));
                            }
                            None => throw!(Value::Atom(known::PATTERN_MATCH_FAIL)),
                        }
                    }
                    Op::Closure(ctor, n) => {
                        let captured: SmallVec<[Value; 2]> = stack.values.drain(stack.values.len() - n as usize..).collect();
                        stack.values.push(Value::data(ctor, captured));
                    }
                    Op::Not => {
                        let value = settled!(pop(stack));
                        stack.values.push(Value::bool(!value.is_true()));
                    }
                    Op::Neg => {
                        let value = pop(stack);
                        self.budget = self.budget.saturating_sub(number::words(&value) / 8);
                        match self.negation(&value) {
                            Ok(value) => stack.values.push(value),
                            Err(error) => fail!(error),
                        }
                    }
                    Op::Binary(operator) => {
                        let right = pop(stack);
                        let left = pop(stack);
                        match self.binary(operator, left, right) {
                            Ok(value) => stack.values.push(value),
                            Err(error) => fail!(error),
                        }
                    }
                    Op::Concat(n) => {
                        let first = stack.values.len() - n as usize;
                        match self.concatenation(&stack.values[first..]) {
                            Ok(text) => {
                                stack.values.truncate(first);
                                stack.values.push(text);
                            }
                            Err(error) => fail!(error),
                        }
                    }
                    Op::Jump(to) => {
                        if (to as usize) < pc {
                            // A round of a long loop is more work than one of a short loop.
                            tick!(1 + (pc as u64 - u64::from(to)) / LENGTH);
                        }
                        pc = to as usize;
                    }
                    Op::JumpIfFalse(to) => {
                        if !settled!(pop(stack)).is_true() {
                            pc = to as usize;
                        }
                    }
                    Op::And(to) => match settled_in!(stack.values.last_mut()) {
                        Some(top) if !top.is_true() => pc = to as usize,
                        _ => {
                            pop(stack);
                        }
                    },
                    Op::Or(to) => match settled_in!(stack.values.last_mut()) {
                        Some(top) if top.is_true() => pc = to as usize,
                        _ => {
                            pop(stack);
                        }
                    },
                    Op::Match { slot, pattern, otherwise } => {
                        let pattern = &program.patterns[pattern as usize];
                        settled_in!(stack.values.get_mut(base + slot as usize));
                        // Most misses, and matches of bare constructors, are decided without touching the value's counter.
                        if let Pattern::Construct(ctor, args) = pattern {
                            if stack.values[base + slot as usize].ctor() != Some(*ctor) {
                                pc = otherwise as usize;
                                continue;
                            }
                            if args.is_empty() {
                                continue;
                            }
                        }
                        let value = stack.values[base + slot as usize].clone();
                        let fits = self.matches(pattern, &value, stack, base, this);
                        if SYMBOLIC && let Some(why) = self.refused() {
                            fail!(why);
                        }
                        if !fits {
                            pc = otherwise as usize;
                        }
                    }
                    Op::NoMatch => throw!(Value::Atom(known::PATTERN_MATCH_FAIL)),
                    Op::Next { list, element, end } => {
                        settled_in!(stack.values.get_mut(base + list as usize));
                        let rest = match stack.values[base + list as usize].args() {
                            [head, tail] => Some((head.clone(), tail.clone())),
                            _ => None,
                        };
                        match rest {
                            Some((head, tail)) => {
                                stack.values[base + list as usize] = tail;
                                stack.values[base + element as usize] = head;
                            }
                            None => pc = end as usize,
                        }
                    }
                    Op::Implements(interface) => {
                        let value = settled!(pop(stack));
                        let has = self.has_interface(&value, interface);
                        stack.values.push(Value::bool(has));
                    }
                    Op::As(interface) => {
                        let value = settled!(pop(stack));
                        let kept = if self.has_interface(&value, interface) {
                            value
                        } else {
                            Value::Null
                        };
                        stack.values.push(kept);
                    }
                    Op::New { class, cog } => {
                        tick!(BIRTH);
                        save!();
                        self.create(stack, class, cog);
                        continue 'activation;
                    }
                    Op::Async { selector, args, discard } => {
                        tick!(BIRTH);
                        let first = stack.values.len() - args as usize;
                        let args: SmallVec<[Value; 3]> = stack.values.drain(first..).collect();
                        match settled!(pop(stack)) {
                            Value::Object(receiver) => match self.method(receiver, selector) {
                                Some(code) => {
                                    let future = self.start_task(stack, receiver.slot, code, args, !discard);
                                    stack.values.push(if discard { Value::UNIT } else { future });
                                }
                                None => throw!(Value::Atom(known::PATTERN_MATCH_FAIL)),
                            },
                            _ => throw!(Value::Atom(known::NULL_POINTER)),
                        }
                    }
                    Op::Sync { selector, args } => {
                        let first = stack.values.len() - args as usize;
                        settled_in!(stack.values.get_mut(first - 1));
                        let receiver = match stack.values[first - 1] {
                            Value::Object(receiver) => receiver,
                            _ => throw!(Value::Atom(known::NULL_POINTER)),
                        };
                        let Some(callee) = self.method(receiver, selector) else {
                            throw!(Value::Atom(known::PATTERN_MATCH_FAIL));
                        };
                        tick!(1 + program.codes[callee as usize].ops.len() as u64 / LENGTH);
                        let own_cog = if this == NOBODY { self.cog } else { self.run.objects.get(this).cog };
                        if self.run.objects.get(receiver.slot).cog == own_cog {
                            save!();
                            if stack.frames.len() > MAX_DEPTH {
                                return self.give_up(stack, Exit::TooDeep);
                            }
                            stack.values.remove(first - 1);
                            if self.adjust(stack, callee, args as usize) {
                                self.enter(stack, callee, receiver.slot);
                                continue 'activation;
                            }
                            throw!(Value::Atom(known::PATTERN_MATCH_FAIL));
                        }
                        let args: SmallVec<[Value; 3]> = stack.values.drain(first..).collect();
                        pop(stack);
                        if let Value::Future(future) = self.start_task(stack, receiver.slot, callee, args, true) {
                            save!();
                            return Exit::Stop(Stopped::Get(future));
                        }
                    }
                    Op::CallThis { code: callee, args } => {
                        tick!(1 + program.codes[callee as usize].ops.len() as u64 / LENGTH);
                        save!();
                        if stack.frames.len() > MAX_DEPTH {
                            return self.give_up(stack, Exit::TooDeep);
                        }
                        if !self.adjust(stack, callee, args as usize) {
                            throw!(Value::Atom(known::PATTERN_MATCH_FAIL));
                        }
                        self.enter(stack, callee, this);
                        continue 'activation;
                    }
                    Op::Get { known } => match pop(stack) {
                        Value::Future(future) if known => match self.result(future) {
                            Some(Ok(value)) => stack.values.push(value),
                            Some(Err(exception)) => throw!(exception),
                            None => {
                                self.note(Touch::Future(future.id));
                                save!();
                                return Exit::Stop(Stopped::Get(future));
                            }
                        },
                        Value::Future(future) => {
                            save!();
                            return Exit::Stop(Stopped::Get(future));
                        }
                        _ => throw!(Value::Atom(known::NULL_POINTER)),
                    },
                    Op::Acknowledge => {
                        if let Value::Future(future) = pop(stack) {
                            self.result(future);
                        }
                    }
                    Op::Await(guard) => {
                        let mut durations = program.guards[guard as usize].durations.iter();
                        if SYMBOLIC && durations.any(|(a, b)| [a, b].iter().any(|slot| has_terms(&stack.values[base + **slot as usize]))) {
                            fail!(NumberError::Opaque(TIME));
                        }
                        let Some(waiting) = self.waiting(guard, stack, base) else {
                            throw!(Value::Atom(known::NULL_POINTER));
                        };
                        let formal = self.machine.settings.await_semantics == AwaitSemantics::Formal;
                        match program.guards[guard as usize].arrival {
                            Arrival::Local if formal => match self.holds(&waiting, this) {
                                Verdict::True => {}
                                Verdict::Throws(exception) => throw!(exception),
                                Verdict::GivenUp(exit) => return exit,
                                Verdict::False => {
                                    if self.run.futures_resolved(&waiting, program, this) == Some(false) {
                                        self.note_futures(&waiting, this);
                                    }
                                    save!();
                                    return Exit::Stop(Stopped::Await(waiting));
                                }
                            },
                            Arrival::Look if formal => {
                                save!();
                                return Exit::Stop(Stopped::Look(waiting));
                            }
                            _ => {
                                save!();
                                return Exit::Stop(Stopped::Await(waiting));
                            }
                        }
                    }
                    Op::Suspend => {
                        save!();
                        return Exit::Stop(Stopped::Suspended);
                    }
                    Op::Sleep => {
                        let (most, least) = (pop(stack), pop(stack));
                        if SYMBOLIC && (has_terms(&most) || has_terms(&least)) {
                            fail!(NumberError::Opaque(TIME));
                        }
                        save!();
                        return Exit::Stop(Stopped::Sleep(Box::new(self.run.interval(&least, &most))));
                    }
                    Op::Deadline => {
                        let duration = pop(stack);
                        if SYMBOLIC && has_terms(&duration) {
                            fail!(NumberError::Opaque(TIME));
                        }
                        self.set_deadline(&duration);
                    }
                    Op::Throw => throw!(pop(stack)),
                    Op::Rethrow => {
                        save!();
                        let exception = pop(stack);
                        match self.unwind(stack, exception) {
                            None => continue 'activation,
                            Some(exception) => return Exit::Threw(exception),
                        }
                    }
                    Op::Die => {
                        let exception = pop(stack);
                        if this != NOBODY {
                            self.note_life(this, true);
                            self.run.object_mut(this).dead = true;
                        }
                        save!();
                        self.remember_trace(stack);
                        stack.frames.clear();
                        return Exit::Threw(exception);
                    }
                    Op::Assert => {
                        if !settled!(pop(stack)).is_true() {
                            self.asserted = self.looked_at(code, pc - 1, &stack.values[base..], this);
                            throw!(Value::Atom(known::ASSERTION_FAIL));
                        }
                    }
                    Op::Return => {
                        let mut result = pop(stack);
                        if code.kind == Kind::Main {
                            let variables = &stack.values[base..base + code.locals as usize];
                            self.run.main = Some(Rc::new(variables.to_vec()));
                        }
                        stack.frames.pop();
                        stack.values.truncate(base);
                        if let Kind::Init(class) = code.kind {
                            result = self.this(this);
                            self.start_run(class, this);
                        }
                        if stack.frames.is_empty() {
                            return Exit::Done(result);
                        }
                        stack.values.push(result);
                        continue 'activation;
                    }
                }
            }
        }
    }
}
