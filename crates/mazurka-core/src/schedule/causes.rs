//! Which steps of one execution must come before which others.
//!
//! This is happens-before kept as a graph of direct causes: the previous step of the process, the step that started it, and for each
//! location the last conflicting accesses. It is meant for one execution at a time, long ones too: a step costs what it touches.

use crate::footprint::{Access, Mode};
use crate::program::{Location, Process};
use rustc_hash::{FxHashMap, FxHashSet};

/// The direct causes of every step of an execution.
#[derive(Clone, Debug, Default)]
pub struct Causes {
    direct: Vec<Vec<usize>>,
    last_of: FxHashMap<Process, usize>,
    locations: FxHashMap<Location, Touched>,
}

/// Who touched a location since its last write: that write, then reads or accumulates. Reads and accumulates conflict with each other, so a
/// change from one to the other keeps both groups.
#[derive(Clone, Debug, Default)]
struct Touched {
    write: Option<usize>,
    reads: Vec<usize>,
    accumulates: Vec<usize>,
}

impl Causes {
    /// No steps yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a step of `process` that touches `accesses`, starts `births`, and had to wait for the steps `after`.
    pub fn push(&mut self, process: Process, accesses: &[Access], births: &[Process], after: &[u32]) {
        let at = self.direct.len();
        let mut causes = self.conflicts_with(accesses);
        causes.extend(after.iter().map(|&step| step as usize));
        causes.extend(self.last_of.get(&process));
        // Who is born again has ended before.
        causes.extend(births.iter().filter_map(|child| self.last_of.get(child)));
        causes.sort_unstable();
        causes.dedup();
        self.direct.push(causes);
        for access in accesses {
            let touched = self.locations.entry(access.location).or_default();
            match access.mode {
                Mode::Read => touched.reads.push(at),
                Mode::Accumulate => touched.accumulates.push(at),
                Mode::Write => {
                    *touched = Touched {
                        write: Some(at),
                        ..Touched::default()
                    }
                }
            }
        }
        self.last_of.insert(process, at);
        for &child in births {
            self.last_of.insert(child, at);
        }
    }

    /// The latest steps that a next step touching `accesses` would conflict with, those of its own process too.
    pub fn conflicts_with(&self, accesses: &[Access]) -> Vec<usize> {
        let mut found = Vec::new();
        for access in accesses {
            let Some(touched) = self.locations.get(&access.location) else {
                continue;
            };
            found.extend(touched.write);
            if access.mode != Mode::Read {
                found.extend(&touched.reads);
            }
            if access.mode != Mode::Accumulate {
                found.extend(&touched.accumulates);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The last step of `process`, or the step that started it.
    pub fn last_of(&self, process: Process) -> Option<usize> {
        self.last_of.get(&process).copied()
    }

    /// The direct causes of a step, in order.
    pub fn direct(&self, step: usize) -> &[usize] {
        &self.direct[step]
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.direct.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.direct.is_empty()
    }

    /// Which steps must come before a step that has the given direct causes, these included.
    pub fn past(&self, causes: &[usize]) -> Vec<bool> {
        let mut past = vec![false; self.direct.len()];
        let mut todo = causes.to_vec();
        while let Some(step) = todo.pop() {
            if !std::mem::replace(&mut past[step], true) {
                todo.extend(&self.direct[step]);
            }
        }
        past
    }

    /// Whether `step` must come before a step that has the given direct causes, or is one of them. Looks only at what lies between.
    pub fn is_in_past(&self, step: usize, causes: &[usize]) -> bool {
        let between = |causes: &[usize], todo: &mut Vec<usize>| todo.extend(causes.iter().rev().filter(|&&cause| cause >= step));
        let (mut seen, mut todo) = (FxHashSet::default(), Vec::new());
        between(causes, &mut todo);
        while let Some(at) = todo.pop() {
            if at == step {
                return true;
            }
            if seen.insert(at) {
                between(&self.direct[at], &mut todo);
            }
        }
        false
    }

    /// Which steps must come after `step`, itself included.
    pub fn future(&self, step: usize) -> Vec<bool> {
        let mut future = vec![false; self.direct.len()];
        future[step] = true;
        for later in step + 1..self.direct.len() {
            future[later] = self.direct[later].iter().any(|&cause| future[cause]);
        }
        future
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;

    fn access(mode: Mode, location: u32) -> Footprint {
        let mut footprint = Footprint::new();
        footprint.add(Access {
            location: Location(location),
            mode,
            guard: false,
            maybe: false,
        });
        footprint
    }

    /// Two reads and then a write: the write depends on both reads, the reads on nothing.
    #[test]
    fn reads_commute_and_a_write_depends_on_all_of_them() {
        let mut causes = Causes::new();
        causes.push(Process(0), access(Mode::Read, 0).accesses(), &[], &[]);
        causes.push(Process(1), access(Mode::Read, 0).accesses(), &[], &[]);
        causes.push(Process(2), access(Mode::Write, 0).accesses(), &[], &[]);
        assert_eq!(causes.direct(1), [] as [usize; 0]);
        assert_eq!(causes.direct(2), [0, 1]);
        assert_eq!(causes.past(&[2]), [true, true, true]);
        assert_eq!(causes.future(0), [true, false, true]);
        assert!(causes.is_in_past(0, causes.direct(2)));
        assert!(!causes.is_in_past(0, causes.direct(1)));
    }

    /// Chains of two processes that never meet, and one step that meets the end of the first.
    #[test]
    fn the_past_of_a_step_goes_through_others() {
        let mut causes = Causes::new();
        for _ in 0..4 {
            causes.push(Process(0), access(Mode::Write, 0).accesses(), &[], &[]);
            causes.push(Process(1), access(Mode::Write, 1).accesses(), &[], &[]);
        }
        causes.push(Process(2), access(Mode::Read, 0).accesses(), &[], &[]);
        for step in 0..8 {
            assert_eq!(causes.is_in_past(step, causes.direct(8)), causes.past(&[8])[step]);
            assert!(!causes.is_in_past(step, &[]));
        }
    }

    #[test]
    fn accumulates_commute_and_a_read_depends_on_all_of_them() {
        let mut causes = Causes::new();
        causes.push(Process(0), access(Mode::Accumulate, 0).accesses(), &[], &[]);
        causes.push(Process(1), access(Mode::Accumulate, 0).accesses(), &[], &[]);
        causes.push(Process(2), access(Mode::Read, 0).accesses(), &[], &[]);
        assert_eq!(causes.direct(1), [] as [usize; 0]);
        assert_eq!(causes.direct(2), [0, 1]);
    }

    #[test]
    fn a_child_depends_on_the_step_that_started_it() {
        let mut causes = Causes::new();
        causes.push(Process(0), &[], &[], &[]);
        causes.push(Process(0), &[], &[Process(1)], &[]);
        causes.push(Process(1), &[], &[], &[]);
        assert_eq!(causes.direct(2), [1]);
        assert_eq!(causes.past(&[2]), [true, true, true]);
    }
}
