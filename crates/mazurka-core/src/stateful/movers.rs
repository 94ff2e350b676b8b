//! Who can move without the set: the common half of the persistent and the source set computation.
//!
//! Both ask what an execution can do that takes no transition of a set T. A process can take part in it with an alternative that is
//! outside T and enabled, or with one that another such process may enable, and then it may do all that its future holds.

use super::accesses::AccessSet;
use super::alternatives::{Alternative, Alternatives};

/// The processes that can move, as far as is known, and what they may access.
#[derive(Debug, Default)]
pub(super) struct Movers {
    /// Per process: everything that its moving alternatives may access from now on; empty if none moves.
    future: Vec<AccessSet>,
    /// Per process: whether some alternative of it moves.
    moves: Vec<bool>,
    /// Per process: who made its first alternative move; itself if it needed nobody.
    cause: Vec<usize>,
    /// Per alternative: whether it moves.
    alternative: Vec<bool>,
}

impl Movers {
    /// The least fixed point: an alternative moves if it `starts`, or if it `follows` and conflicts with the future of another process
    /// that moves.
    pub fn find(&mut self, all: &Alternatives, starts: impl Fn(&Alternative) -> bool, follows: impl Fn(&Alternative) -> bool) {
        let processes = all.processes();
        self.future.resize_with(processes.max(self.future.len()), AccessSet::new);
        for future in &mut self.future[..processes] {
            future.clear();
        }
        self.moves.clear();
        self.moves.resize(processes, false);
        self.cause.clear();
        self.cause.extend(0..processes);
        self.alternative.clear();
        self.alternative.resize(all.len(), false);
        for (i, a) in all.iter().enumerate() {
            if starts(a) {
                self.alternative[i] = true;
                self.moves[a.process] = true;
                self.future[a.process].union(&a.future);
            }
        }
        loop {
            let mut changed = false;
            for (i, a) in all.iter().enumerate() {
                if self.alternative[i] || !follows(a) {
                    continue;
                }
                if let Some(cause) = self.conflicting(a) {
                    self.alternative[i] = true;
                    if !self.moves[a.process] {
                        self.moves[a.process] = true;
                        self.cause[a.process] = cause;
                    }
                    self.future[a.process].union(&a.future);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Another process that moves and may conflict with the first step of `a`, or may enable it if it is disabled.
    pub fn conflicting(&self, a: &Alternative) -> Option<usize> {
        let accesses = if a.enabled { &a.init } else { &a.guard };
        (0..self.moves.len()).find(|&q| q != a.process && self.moves[q] && self.future[q].conflicts(accesses))
    }

    /// Whether some alternative of the process moves.
    pub fn moves(&self, process: usize) -> bool {
        self.moves[process]
    }

    /// The process that `process` moves because of, or itself.
    pub fn cause(&self, process: usize) -> usize {
        self.cause[process]
    }
}
