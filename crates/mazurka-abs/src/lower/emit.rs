//! The code under construction: instructions, variables, jumps, regions with handlers.

use crate::code::{Code, Handler, Kind, Op};
use mazurka_diagnostics::Span;
use rustc_hash::FxHashMap;

/// A stretch of code whose exceptions go to one handler, with holes where they do not.
#[derive(Debug)]
pub struct Region {
    from: u32,
    holes: Vec<(u32, u32)>,
}

/// Code that grows instruction by instruction.
#[derive(Debug)]
pub struct Emitter {
    kind: Kind,
    name: String,
    span: Span,
    params: u32,
    locals: u32,
    /// Where the checked model's variables are; others are where their number says, after `offset` variables of the lowering's own.
    placed: FxHashMap<u32, u32>,
    offset: u32,
    /// Whether variables that were not placed get a new place each.
    compact: bool,
    ops: Vec<Op>,
    spans: Vec<Span>,
    handlers: Vec<Handler>,
    regions: Vec<Region>,
}

impl Emitter {
    /// Code whose variables are those of a body, after `offset` parameters that the body does not know.
    pub fn new(kind: Kind, name: String, span: Span, params: u32, locals: u32, offset: u32) -> Self {
        Emitter {
            kind,
            name,
            span,
            params: params + offset,
            locals: locals + offset,
            placed: FxHashMap::default(),
            offset,
            compact: false,
            ops: Vec::new(),
            spans: Vec::new(),
            handlers: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// Code that gets only the given variables of a body, as its parameters.
    pub fn capturing(kind: Kind, name: String, span: Span, captured: &[u32]) -> Self {
        let count = captured.len() as u32;
        let mut emitter = Emitter::new(kind, name, span, count, count, 0);
        emitter.placed = captured.iter().copied().zip(0..).collect();
        emitter.compact = true;
        emitter
    }

    /// Where a variable of the checked model is.
    pub fn slot(&mut self, local: u32) -> u32 {
        if let Some(&slot) = self.placed.get(&local) {
            return slot;
        }
        if self.compact {
            let slot = self.fresh();
            self.placed.insert(local, slot);
            return slot;
        }
        local + self.offset
    }

    /// A new variable.
    pub fn fresh(&mut self) -> u32 {
        self.locals += 1;
        self.locals - 1
    }

    /// The next instruction's place.
    pub fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Adds an instruction and tells its place.
    pub fn emit(&mut self, op: Op, span: Span) -> u32 {
        self.ops.push(op);
        self.spans.push(span);
        self.here() - 1
    }

    /// Makes the jump at `place` lead to the next instruction.
    pub fn land(&mut self, place: u32) {
        let here = self.here();
        match &mut self.ops[place as usize] {
            Op::Jump(to) | Op::JumpIfFalse(to) | Op::And(to) | Op::Or(to) => *to = here,
            Op::Match { otherwise, .. } => *otherwise = here,
            Op::Next { end, .. } => *end = here,
            _ => {}
        }
    }

    /// Starts a region; regions nest.
    pub fn open_region(&mut self) {
        let from = self.here();
        self.regions.push(Region { from, holes: Vec::new() });
    }

    /// Ends the innermost region; exceptions thrown in it go to `target`, which is set later.
    pub fn close_region(&mut self, slot: u32) -> std::ops::Range<usize> {
        let to = self.here();
        let first = self.handlers.len();
        if let Some(region) = self.regions.pop() {
            let mut from = region.from;
            for (start, end) in region.holes.into_iter().chain([(to, to)]) {
                if from < start {
                    self.handlers.push(Handler {
                        from,
                        to: start,
                        target: 0,
                        slot,
                    });
                }
                from = end;
            }
        }
        first..self.handlers.len()
    }

    /// The handlers of a closed region start with the next instruction.
    pub fn handle(&mut self, handlers: std::ops::Range<usize>) {
        let here = self.here();
        for handler in &mut self.handlers[handlers] {
            handler.target = here;
        }
    }

    /// How many regions are open.
    pub fn depth(&self) -> usize {
        self.regions.len()
    }

    /// The instructions from `from` on do not belong to the regions from number `outer` inwards.
    pub fn hole(&mut self, from: u32, outer: usize) {
        let to = self.here();
        for region in &mut self.regions[outer..] {
            region.holes.push((from, to));
        }
    }

    /// The finished code.
    pub fn finish(self) -> Code {
        Code {
            kind: self.kind,
            name: self.name,
            ops: self.ops,
            spans: self.spans,
            params: self.params,
            locals: self.locals,
            handlers: self.handlers,
            span: self.span,
        }
    }
}
