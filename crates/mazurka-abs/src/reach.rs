//! What a step may touch: static analysis of the code from a scheduling point to the next ones.
//!
//! The footprint of a step may depend on the task's own state only. So for every instruction at which a task can stop, the analysis
//! follows all paths up to the next scheduling points and collects the fields of `this` that may be read or written, through calls
//! of own methods too. Calls to *other* objects of the same cog are summed up as touching the cog's inside.

use crate::code::{Arrival, Builtin, ClosureOf, Code, Kind, Op, Pattern, Program};
use crate::cycles::acyclic;
use crate::lower::{chooses, choosing};
use crate::run::AwaitSemantics;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// A set of fields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fields(SmallVec<[u64; 1]>);

impl Fields {
    pub(crate) fn insert(&mut self, field: u32) {
        let word = field as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (field % 64);
    }

    fn extend(&mut self, other: &Fields) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The fields in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    i as u32 * 64 + bit
                })
            })
        })
    }

    /// Whether a field is in it.
    pub fn contains(&self, field: u32) -> bool {
        self.0.get(field as usize / 64).is_some_and(|word| word >> (field % 64) & 1 == 1)
    }
}

/// What may happen from an instruction up to the next scheduling points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Fields of `this` that may be read.
    pub reads: Fields,
    /// Fields of `this` that may be written.
    pub writes: Fields,
    /// Those of them that are certainly written, and not read: nobody can tell what was there before.
    pub blind: Fields,
    /// Whether the code may end normally without a scheduling point on the way.
    pub returns: bool,
    /// Whether the step may end with the task blocked and its cog held.
    pub holds: bool,
    /// Whether methods of other objects of the same cog may run.
    pub outside: bool,
}

impl Reach {
    fn include(&mut self, callee: &Reach) {
        self.reads.extend(&callee.reads);
        self.writes.extend(&callee.writes);
        self.holds |= callee.holds;
        self.outside |= callee.outside;
    }
}

/// The analysis of a program.
#[derive(Debug)]
pub struct Reaches {
    entries: Vec<Rc<Reach>>,
    cache: RefCell<FxHashMap<(u32, u32), Rc<Reach>>>,
    formal: bool,
    /// Whether objects can share a cog.
    pub shared_cogs: bool,
    /// Whether some step calls methods of other objects of its cog.
    pub outside: bool,
    /// Whether `die` occurs.
    pub dying: bool,
    /// For each class: whether a cog made for one of its objects can be held.
    pub class_holds: Vec<bool>,
    /// Whether the main block's cog can be held against another task.
    pub main_holds: bool,
    /// Whether futures are looked at anywhere.
    pub futures: bool,
    /// Whether some initialiser may let others run before its end, in a method that it calls: its task then works in two cogs.
    pub waiting_inits: bool,
    /// Whether some initialiser may stop on its way, for whatever reason.
    pub stopping_inits: bool,
    /// For each piece of code: whether a step may end with it on the stack of a task that is blocked and holds its cog.
    pub holding: Vec<bool>,
    /// Whether no state can come back.
    pub acyclic: bool,
    choosing: Vec<bool>,
}

impl Reaches {
    /// Analyses a program.
    pub fn new(program: &Program, semantics: AwaitSemantics) -> Self {
        let ops = || program.codes.iter().flat_map(|code| &code.ops);
        let mut reaches = Reaches {
            entries: vec![Rc::default(); program.codes.len()],
            cache: RefCell::default(),
            formal: semantics == AwaitSemantics::Formal,
            shared_cogs: ops().any(|op| matches!(op, Op::New { cog: false, .. })),
            outside: false,
            dying: ops().any(|op| matches!(op, Op::Die)),
            class_holds: Vec::new(),
            main_holds: false,
            futures: ops().any(|op| matches!(op, Op::Get { .. } | Op::Sync { .. }))
                || program.guards.iter().any(|guard| !guard.futures.is_empty()),
            waiting_inits: some_init(program, &leading_to(program, |op| matches!(op, Op::Await(_) | Op::Suspend))),
            stopping_inits: false,
            holding: Vec::new(),
            acyclic: true,
            choosing: choosing(&program.codes),
        };
        reaches.acyclic = acyclic(program, &reaches.choosing);
        reaches.outside = reaches.shared_cogs && ops().any(|op| matches!(op, Op::Sync { .. }));
        // Recursive methods: start from "does nothing, never returns" and grow to the least fixed point.
        loop {
            let mut changed = false;
            for code in 0..program.codes.len() {
                let now = reaches.explore(program, code as u32, 0);
                if *reaches.entries[code] != now {
                    reaches.entries[code] = Rc::new(now);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        reaches.find_held_cogs(program);
        reaches
    }

    /// What may happen from the instruction `pc` of `code` on.
    pub fn from(&self, program: &Program, code: u32, pc: u32) -> Rc<Reach> {
        if pc == 0 {
            return self.entries[code as usize].clone();
        }
        if let Some(known) = self.cache.borrow().get(&(code, pc)) {
            return known.clone();
        }
        let reach = Rc::new(self.explore(program, code, pc));
        self.cache.borrow_mut().insert((code, pc), reach.clone());
        reach
    }

    /// What may happen in the handler of an exception thrown by the instruction `pc`.
    pub fn handler(&self, program: &Program, code: u32, pc: u32) -> Option<Rc<Reach>> {
        let handler = program.codes[code as usize].handler(pc)?;
        Some(self.from(program, code, handler.target))
    }

    fn explore(&self, program: &Program, code: u32, pc: u32) -> Reach {
        let code = &program.codes[code as usize];
        let mut reach = Reach::default();
        let mut seen = FxHashSet::default();
        let mut todo = vec![pc];
        while let Some(pc) = todo.pop() {
            if pc as usize >= code.ops.len() || !seen.insert(pc) {
                continue;
            }
            // Almost everything can throw: what the handler does belongs to the step.
            if let Some(handler) = code.handler(pc) {
                todo.push(handler.target);
            }
            assertion_reads(code, pc, &mut reach.reads);
            if self.passes(program, code, code.ops[pc as usize], &mut reach) {
                todo.extend(code.successors(pc));
            }
        }
        reach.blind = blind(code, pc, &reach.reads);
        reach
    }

    /// Adds what an instruction does; whether the step can go on after it.
    fn passes(&self, program: &Program, code: &Code, op: Op, reach: &mut Reach) -> bool {
        match op {
            Op::Field(field) => reach.reads.insert(field),
            Op::SetField(field) => reach.writes.insert(field),
            Op::Match { pattern, .. } => pattern_reads(&program.patterns[pattern as usize], &mut reach.reads),
            Op::Return => reach.returns = true,
            Op::Call(f) => {
                let callee = &self.entries[f as usize];
                reach.include(callee);
                return callee.returns;
            }
            Op::TailCall(f) => {
                let callee = &self.entries[f as usize];
                reach.include(callee);
                reach.returns |= callee.returns;
            }
            // Only what runs on top of this can call it, in this step or after a choice.
            Op::Closure(ctor, _) => {
                if let Some(ClosureOf::Function(f)) = ClosureOf::decode(ctor) {
                    reach.include(&self.entries[f as usize]);
                }
            }
            Op::Builtin(Builtin::Random, _) => reach.holds = true,
            Op::New { class, .. } => {
                if let Some(init) = program.classes[class as usize].init {
                    // The fields of the new object are nobody else's yet.
                    let init = &self.entries[init as usize];
                    reach.holds |= init.holds;
                    reach.outside |= init.outside;
                    return init.returns;
                }
            }
            Op::CallThis { code, .. } => {
                let callee = &self.entries[code as usize];
                reach.include(callee);
                return callee.returns;
            }
            Op::Sync { selector, .. } => {
                // Perhaps the receiver is elsewhere, perhaps it is `this`, perhaps it is another object here.
                reach.holds = true;
                let own = match code.kind {
                    Kind::Method { class, .. } | Kind::Init(class) | Kind::Recover(class) => {
                        program.classes[class as usize].methods[selector as usize]
                    }
                    _ => None,
                };
                let own = own.map(|code| &self.entries[code as usize]);
                if let Some(own) = own {
                    reach.include(own);
                }
                reach.outside |= self.shared_cogs;
                return self.shared_cogs || own.is_some_and(|own| own.returns);
            }
            Op::Get { known: false } => {
                reach.holds = true;
                return false;
            }
            Op::Await(guard) => {
                let guard = &program.guards[guard as usize];
                match guard.arrival {
                    Arrival::Local if self.formal => guard.reads.iter().for_each(|field| reach.reads.insert(*field)),
                    Arrival::Look if self.formal => {
                        reach.holds = true;
                        return false;
                    }
                    _ => return false,
                }
            }
            Op::Suspend => return false,
            Op::Sleep => {
                reach.holds = true;
                return false;
            }
            Op::Die => {
                if let Kind::Method { class, .. } | Kind::Init(class) | Kind::Recover(class) = code.kind {
                    reach.writes.insert(program.classes[class as usize].fields.len() as u32);
                }
            }
            _ => {}
        }
        true
    }

    /// Which cogs can be held by a blocked task while another task of theirs wants to run.
    fn find_held_cogs(&mut self, program: &Program) {
        let count = program.classes.len();
        let mut holding = vec![false; count];
        let mut inside: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut main = (false, Vec::new());
        self.holding = leading_to(program, |op| self.may_hold(program, op));
        self.stopping_inits = self.waiting_inits || some_init(program, &self.holding);
        for (code, &holds) in program.codes.iter().zip(&self.holding) {
            let made = code.ops.iter().filter_map(|op| match op {
                Op::New { class, cog: false } => Some(*class),
                _ => None,
            });
            match code.kind {
                Kind::Method { class, .. } | Kind::Init(class) | Kind::Recover(class) => {
                    holding[class as usize] |= holds;
                    inside[class as usize].extend(made);
                }
                Kind::Main => {
                    main.0 |= holds;
                    main.1.extend(made);
                }
                Kind::Function | Kind::Guard => {}
            }
        }
        let closure = |first: &[u32]| {
            let mut todo = first.to_vec();
            let mut seen = FxHashSet::default();
            while let Some(class) = todo.pop() {
                if seen.insert(class) {
                    todo.extend(&inside[class as usize]);
                }
            }
            seen.iter().any(|class| holding[*class as usize])
        };
        self.class_holds = (0..count as u32).map(|class| closure(&[class])).collect();
        // Alone in its cog, the main block can hold it against nobody.
        self.main_holds = !main.1.is_empty() && (main.0 || closure(&main.1));
    }

    fn may_hold(&self, program: &Program, op: Op) -> bool {
        match op {
            Op::Get { known } => !known,
            Op::Sync { .. } | Op::Sleep => true,
            Op::Await(guard) => self.formal && program.guards[guard as usize].arrival == Arrival::Look,
            _ => chooses(op, &self.choosing),
        }
    }
}

/// Whether this is so for some initialiser.
fn some_init(program: &Program, so: &[bool]) -> bool {
    let mut codes = program.codes.iter().zip(so);
    codes.any(|(code, so)| *so && matches!(code.kind, Kind::Init(_)))
}

/// Which pieces of code may come to such an instruction while they are on the stack: by themselves, in a method of their own object or of
/// another one of its cog, or in the initialiser of an object that they make, which runs on their stack but in the cog of that object.
fn leading_to(program: &Program, such: impl Fn(Op) -> bool) -> Vec<bool> {
    let mut leading: Vec<bool> = program.codes.iter().map(|code| code.ops.iter().any(|op| such(*op))).collect();
    loop {
        let mut changed = false;
        for (i, code) in program.codes.iter().enumerate() {
            let now = leading[i]
                || code.ops.iter().any(|op| match op {
                    Op::CallThis { code, .. } => leading[*code as usize],
                    Op::Sync { selector, .. } => {
                        let callees = program.classes.iter().filter_map(|class| class.methods[*selector as usize]);
                        callees.into_iter().any(|code| leading[code as usize])
                    }
                    Op::New { class, .. } => program.classes[*class as usize].init.is_some_and(|init| leading[init as usize]),
                    _ => false,
                });
            changed |= now != leading[i];
            leading[i] = now;
        }
        if !changed {
            return leading;
        }
    }
}

/// The fields that a straight piece of code, in which nothing can throw, writes and does not read.
fn blind(code: &Code, from: u32, reads: &Fields) -> Fields {
    let mut written = Fields::default();
    for op in &code.ops[from as usize..] {
        match op {
            Op::Const(_)
            | Op::Small(_)
            | Op::Local(_)
            | Op::SetLocal(_)
            | Op::Field(_)
            | Op::This
            | Op::Pop
            | Op::Make(..)
            | Op::List(_) => {}
            Op::SetField(field) if !reads.contains(*field) => written.insert(*field),
            Op::SetField(_) => {}
            Op::Return => return written,
            _ => break,
        }
    }
    Fields::default()
}

/// Adds the fields that the assertion at `pc`, if there is one, tells when it fails: it reads them then, perhaps for the second time, after
/// a choice within it.
pub(crate) fn assertion_reads(code: &Code, pc: u32, reads: &mut Fields) {
    if code.ops[pc as usize] == Op::Assert {
        for (op, _) in code.statement_before(pc as usize) {
            if let Op::Field(field) = op {
                reads.insert(field);
            }
        }
    }
}

/// Adds the fields that a pattern is compared with.
pub(crate) fn pattern_reads(pattern: &Pattern, reads: &mut Fields) {
    match pattern {
        Pattern::Field(field) => reads.insert(*field),
        Pattern::Construct(_, args) => args.iter().for_each(|p| pattern_reads(p, reads)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_fields_tells_what_was_put_in() {
        let mut fields = Fields::default();
        for field in [130, 64, 0, 63, 65] {
            fields.insert(field);
        }
        assert_eq!(fields.iter().collect::<Vec<_>>(), [0, 63, 64, 65, 130]);
        assert!(fields.contains(64) && !fields.contains(62) && !fields.contains(300));
    }
}
