//! Which shared cells a process may still read, and what it may still touch, from each of its steps on.

use super::flow::Flow;
use crate::model::{Body, Expr, Model, Place, Statement};
use mazurka_core::Footprint;

/// For each body and each step of it, what it or a process it spawns may do from there on.
#[derive(Debug)]
pub(super) struct Liveness {
    /// The shared cells that may be read.
    reads: Vec<Vec<Vec<bool>>>,
    /// Everything that may be touched.
    touches: Vec<Vec<Footprint>>,
}

impl Liveness {
    pub(super) fn new(model: &Model, bases: &[u32]) -> Self {
        let cells: usize = model.variables().iter().map(|v| v.initial.len()).sum();
        let mut reads: Vec<Vec<Vec<bool>>> = model.bodies().iter().map(|b| vec![vec![false; cells]; b.steps.len()]).collect();
        let mut touches: Vec<Vec<Footprint>> = Vec::new();
        let mut next: Vec<Vec<Vec<(usize, usize)>>> = Vec::new();
        for (b, body) in model.bodies().iter().enumerate() {
            next.push(Vec::new());
            touches.push(Vec::new());
            for (s, step) in body.steps.iter().enumerate() {
                let mut touched = Footprint::new();
                let choices = match step.statements.first() {
                    Some(Statement::Choose(_, n)) => *n,
                    _ => 1,
                };
                for choice in 0..choices {
                    // Whatever depends on locals may be anything: their values at that time are not known yet.
                    Flow::without_locals(model, bases, body).add_footprint(step, choice, false, &mut touched);
                }
                touches[b].push(touched);
                let mut scan = Scan {
                    model,
                    bases,
                    body,
                    at: b,
                    reads: &mut reads[b][s],
                    next: vec![(b, s + 1)],
                };
                scan.statements(&step.statements);
                next[b].push(scan.next);
            }
        }
        // Until nothing changes: what a step's successors read and touch is read and touched from it on.
        let mut changed = true;
        while changed {
            changed = false;
            for b in 0..reads.len() {
                for s in (0..reads[b].len()).rev() {
                    for &(nb, ns) in &next[b][s] {
                        let Some(later) = reads[nb].get(ns).cloned() else { continue };
                        for (mine, theirs) in reads[b][s].iter_mut().zip(later) {
                            changed |= theirs && !*mine;
                            *mine |= theirs;
                        }
                        let before = touches[b][s].clone();
                        let later = touches[nb][ns].clone();
                        later.accesses().iter().for_each(|a| touches[b][s].add(*a));
                        changed |= touches[b][s] != before;
                    }
                }
            }
        }
        Liveness { reads, touches }
    }

    /// Everything that may be touched from a step on; `None` past the end.
    pub(super) fn touches(&self, body: usize, step: usize) -> Option<&Footprint> {
        self.touches[body].get(step)
    }

    /// The cells that may be read from a step on; `None` past the end.
    pub(super) fn from(&self, body: usize, step: usize) -> Option<&[bool]> {
        self.reads[body].get(step).map(Vec::as_slice)
    }
}

struct Scan<'a> {
    model: &'a Model,
    bases: &'a [u32],
    body: &'a Body,
    at: usize,
    reads: &'a mut [bool],
    next: Vec<(usize, usize)>,
}

impl Scan<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Choose(..) | Statement::End => {}
                Statement::Await(e) | Statement::Assert(e, _) => self.expr(e),
                Statement::Lock(place) | Statement::Accumulate(place, _) | Statement::Add(place, _) => {
                    self.expr(&place.clone().into());
                    if let Statement::Accumulate(_, e) | Statement::Add(_, e) = statement {
                        self.expr(e);
                    }
                }
                Statement::Unlock(place) => self.index(place),
                Statement::Assign(place, e) => {
                    self.index(place);
                    self.expr(e);
                }
                Statement::If(condition, then, otherwise) => {
                    self.expr(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                Statement::Spawn(body, values) => {
                    values.iter().for_each(|e| self.expr(e));
                    self.next.push((*body, 0));
                }
                Statement::Goto(label) => {
                    if let Some(step) = self.body.labels[label.0].step {
                        self.next.push((self.at, step));
                    }
                }
            }
        }
    }

    fn index(&mut self, place: &Place) {
        if let Place::Shared(_, Some(index)) = place {
            self.expr(index);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Int(_) | Expr::Local(_) => {}
            Expr::Not(e) | Expr::Negate(e) => self.expr(e),
            Expr::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Shared(v, index) => {
                let base = self.bases[*v] as usize;
                self.reads[base..base + self.model.variables()[*v].initial.len()].fill(true);
                if let Some(index) = index {
                    self.expr(index);
                }
            }
        }
    }
}
