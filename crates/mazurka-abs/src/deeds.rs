//! What a piece of code may do from an instruction to its very end, across all scheduling points, and what it calls.
//!
//! [`crate::reach`] tells the same up to the next scheduling point, with the callees included. Here they are only named: on which objects
//! they run is known when the objects are.

use crate::code::{ClosureOf, Code, FutureAt, Kind, Op, Pattern, Program};
use crate::reach::{Fields, assertion_reads, pattern_reads};
use crate::receivers::{Source, receivers};
use crate::run::naming::passes_futures_on;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// What may be called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Call {
    /// This code, on the same object.
    Own(u32),
    /// The method with this name, of an object that comes from there; perhaps as a new task.
    Method(u32, Source),
    /// The initialiser and then `run` of a new object of this class.
    New {
        /// The class.
        class: u32,
        /// Whether the object gets a cog of its own.
        cog: bool,
    },
}

/// What a piece of code may do, but for what it calls.
#[derive(Clone, Debug, Default)]
pub struct Deeds {
    /// Fields of `this` that may be read.
    pub reads: Fields,
    /// Fields of `this` that may be written.
    pub writes: Fields,
    /// Fields of `this` that conditions of `await` may read.
    pub conditions: Fields,
    /// Fields of `this` whose futures may be waited for.
    pub future_fields: Fields,
    /// Whether futures in variables may be waited for.
    pub waits: bool,
    /// What may be called.
    pub calls: Vec<Call>,
}

impl Deeds {
    /// Adds what an instruction does by itself.
    pub fn add(&mut self, program: &Program, code: &Code, op: Op) {
        match op {
            Op::Field(field) => self.reads.insert(field),
            Op::SetField(field) => self.writes.insert(field),
            Op::Match { pattern, .. } => pattern_reads(&program.patterns[pattern as usize], &mut self.reads),
            Op::Get { known: false } => self.waits = true,
            Op::Await(guard) => {
                let guard = &program.guards[guard as usize];
                guard.reads.iter().for_each(|field| self.conditions.insert(*field));
                for future in &guard.futures {
                    match future {
                        FutureAt::Local(_) => self.waits = true,
                        FutureAt::Field(field) => self.future_fields.insert(*field),
                    }
                }
            }
            Op::Die => {
                if let Kind::Method { class, .. } | Kind::Init(class) | Kind::Recover(class) = code.kind {
                    self.writes.insert(program.classes[class as usize].fields.len() as u32);
                }
            }
            _ => {}
        }
    }
}

/// The deeds of all code of a program.
#[derive(Debug)]
pub struct AllDeeds {
    receivers: Vec<Vec<Source>>,
    known: RefCell<FxHashMap<(u32, u32), Rc<Deeds>>>,
    /// Whether a future may get anywhere but into a variable of the task that made the call.
    pub futures_travel: bool,
}

impl AllDeeds {
    /// Looks at a program.
    pub fn new(program: &Program) -> Self {
        AllDeeds {
            receivers: program.codes.iter().map(|code| receivers(program, code)).collect(),
            known: RefCell::default(),
            futures_travel: program.uses_destiny || program.codes.iter().any(passes_futures_on),
        }
    }

    /// What may be done by `code` from its beginning, or once it has come to the instruction `pc`.
    pub fn from(&self, program: &Program, code: u32, pc: u32) -> Rc<Deeds> {
        if let Some(known) = self.known.borrow().get(&(code, pc)) {
            return known.clone();
        }
        let deeds = Rc::new(self.explore(program, code, pc));
        self.known.borrow_mut().insert((code, pc), deeds.clone());
        deeds
    }

    fn explore(&self, program: &Program, number: u32, from: u32) -> Deeds {
        let code = &program.codes[number as usize];
        let mut deeds = Deeds::default();
        let mut reached = FxHashSet::default();
        let mut todo = vec![from];
        // What was called last may throw.
        todo.extend(from.checked_sub(1).and_then(|pc| code.handler(pc)).map(|h| h.target));
        while let Some(pc) = todo.pop() {
            if (pc as usize) < code.ops.len() && reached.insert(pc) {
                todo.extend(code.handler(pc).map(|h| h.target));
                todo.extend(code.successors(pc));
            }
        }
        let assigned = assigned(program, code, &reached);
        let mut calls = FxHashSet::default();
        for (pc, op) in code.ops.iter().enumerate() {
            // A closure that was made before may be called by what runs on top of this.
            if let Op::Closure(ctor, _) = op
                && let Some(ClosureOf::Function(f)) = ClosureOf::decode(*ctor)
            {
                calls.insert(Call::Own(f));
            }
            if !reached.contains(&(pc as u32)) {
                continue;
            }
            assertion_reads(code, pc as u32, &mut deeds.reads);
            match *op {
                Op::Call(f) | Op::TailCall(f) | Op::CallThis { code: f, .. } => drop(calls.insert(Call::Own(f))),
                Op::New { class, cog } => drop(calls.insert(Call::New { class, cog })),
                Op::Async { selector, .. } | Op::Sync { selector, .. } => {
                    // Footprints take the receiver of a synchronous call to be `this`, among others.
                    if matches!(op, Op::Sync { .. }) {
                        calls.insert(Call::Method(selector, Source::This));
                    }
                    let receiver = match self.receivers[number as usize][pc] {
                        // What the variables hold is known of code that is running, as long as they keep it.
                        Source::Local(local) if assigned.contains(&local) => Source::Unknown,
                        receiver => receiver,
                    };
                    calls.insert(Call::Method(selector, receiver));
                }
                op => deeds.add(program, code, op),
            }
        }
        deeds.calls.extend(calls);
        deeds
    }
}

/// The variables that these instructions may assign.
fn assigned(program: &Program, code: &Code, pcs: &FxHashSet<u32>) -> FxHashSet<u32> {
    let mut assigned: FxHashSet<u32> = code.handlers.iter().map(|h| h.slot).collect();
    for pc in pcs {
        match code.ops[*pc as usize] {
            Op::SetLocal(local) => drop(assigned.insert(local)),
            Op::Next { list, element, .. } => assigned.extend([list, element]),
            Op::Match { pattern, .. } => bound(&program.patterns[pattern as usize], &mut assigned),
            _ => {}
        }
    }
    assigned
}

fn bound(pattern: &Pattern, assigned: &mut FxHashSet<u32>) {
    match pattern {
        Pattern::Bind(local) => drop(assigned.insert(*local)),
        Pattern::Construct(_, args) => args.iter().for_each(|p| bound(p, assigned)),
        _ => {}
    }
}
