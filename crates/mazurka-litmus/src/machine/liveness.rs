//! Which shared cells a process may still read, and what it may still touch, from each of its steps on.

use super::code::Op;
use super::compile::{CompiledBody, alternatives};
use super::may_touch::MayTouch;
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
    pub(super) fn new(bodies: &[CompiledBody], bases: &[u32], cells: usize) -> Self {
        let mut reads: Vec<Vec<Vec<bool>>> = bodies.iter().map(|b| vec![vec![false; cells]; b.steps.len()]).collect();
        let mut touches: Vec<Vec<Footprint>> = Vec::new();
        let mut next: Vec<Vec<Vec<(usize, usize)>>> = Vec::new();
        for (b, body) in bodies.iter().enumerate() {
            next.push(Vec::new());
            touches.push(Vec::new());
            for (s, step) in body.steps.iter().enumerate() {
                let mut touched = Footprint::new();
                for choice in 0..alternatives(step.choose) {
                    // Whatever depends on locals may be anything: their values at that time are not known yet.
                    MayTouch::without_locals(body.locals).add_footprint(step, choice, &mut touched);
                }
                touched.monotone_guard = false;
                touches[b].push(touched);
                mark_reads(step.all_code(), bases, &mut reads[b][s]);
                next[b].push(vec![(b, s + 1)]);
            }
            body.leads(b).for_each(|(s, to)| next[b][s].push(to));
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

/// Marks the cells that code may read; an array counts whole.
pub(super) fn mark_reads(code: impl Iterator<Item = Op>, bases: &[u32], cells: &mut [bool]) {
    for read in code.map(Op::reads).filter(|cells| !cells.is_empty()) {
        let next = bases.partition_point(|base| *base <= read.start);
        let end = bases.get(next).map_or(cells.len(), |base| *base as usize);
        cells[bases[next - 1] as usize..end].fill(true);
    }
}
