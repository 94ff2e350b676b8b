//! What is known at one node of the current execution.

use super::bits::Bits;
use super::cone_set::SetId;
use super::cone_table::ConeId;
use super::guard::Changes;
use super::view::Draft;
use crate::footprints::FootprintId;
use crate::insights::Task;
use crate::program::{Fingerprint, Process, Transition};

/// An unfinished process: its alternatives count as one step that may touch what any of them may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub process: Process,
    pub footprint: FootprintId,
    /// The cone of its next step alone, once it is known.
    pub cone: Option<ConeId>,
}

/// The step that was taken from a node, and what its way back needs.
#[derive(Clone, Default)]
pub(crate) struct Edge {
    pub process: u32,
    pub footprint: FootprintId,
    pub births: Bits,
    /// The processes pending after the step whose next steps commute with it.
    pub independent: Bits,
    pub changes: Changes,
}

/// A node. Frames are reused: their vectors keep their memory.
#[derive(Default)]
pub(crate) struct Frame {
    /// Equal states have equal keys.
    pub key: Fingerprint,
    /// The tasks that may be exchanged, sorted.
    pub tasks: Vec<Task>,
    /// What the future of this state was found to look at.
    pub draft: Draft,
    pub units: Vec<Unit>,
    /// The enabled transitions, in the order in which the program lists them.
    pub transitions: Vec<Transition>,
    pub enabled: Bits,
    /// `Z`: what need not be explored from here.
    pub sleep: Bits,
    /// `B`: what is explored from here, in order.
    pub branches: Vec<Process>,
    pub explored: Bits,
    /// The members of `branches` before this one are done.
    pub done: usize,
    /// The alternatives of the current branch before this one are done.
    pub alternative: usize,
    /// Whether a stored state is being completed: the branches are all known.
    pub waking: bool,
    /// `C`: the cones found so far.
    pub cones: SetId,
    /// The open part of `Req`: for a branch (by its place in `branches`), a set of processes one of which must be explored too.
    pub requests: Vec<(u32, Bits)>,
    pub edge: Edge,
}

impl Frame {
    /// A frame for a node with about so many unfinished processes.
    pub fn with_room(processes: usize) -> Self {
        let room = processes + 4;
        Frame {
            tasks: Vec::with_capacity(room),
            units: Vec::with_capacity(room),
            transitions: Vec::with_capacity(room),
            ..Frame::default()
        }
    }

    /// Forgets the previous node, except for what is found out on arrival: key, tasks and sleep set.
    #[inline]
    pub fn reset(&mut self) {
        self.draft.clear();
        self.units.clear();
        self.transitions.clear();
        self.enabled.clear();
        self.branches.clear();
        self.explored.clear();
        self.done = 0;
        self.alternative = 0;
        self.waking = false;
        self.requests.clear();
    }

    /// Adds a branch.
    pub fn branch(&mut self, process: Process) {
        self.branches.push(process);
        self.explored.insert(process.0);
        self.requests.retain(|(_, set)| !set.contains(process.0));
    }

    /// The unit of a process that is unfinished here.
    pub fn unit(&self, process: Process) -> Option<&Unit> {
        self.units.iter().find(|u| u.process == process)
    }

    /// The next transition of the current branch.
    pub fn next_transition(&self) -> Option<Transition> {
        let process = *self.branches.get(self.done)?;
        self.transitions
            .iter()
            .filter(|t| t.process == process)
            .nth(self.alternative)
            .copied()
    }

    /// Notes that the current branch needs one of `processes` beside it.
    #[inline]
    pub fn request(&mut self, processes: &Bits) {
        // Branches are only added: what is met now stays met.
        if processes.intersects(&self.explored) || processes.intersects(&self.sleep) {
            return;
        }
        let branch = self.done as u32;
        if !self.requests.iter().any(|(b, set)| *b == branch && set == processes) {
            self.requests.push((branch, processes.clone()));
        }
    }

    /// The sets that no branch meets, of the branch that has the fewest; `None` if the branches suffice.
    ///
    /// Rule ONE: it is enough that one branch has all it needs. Rule ALL (`every`): every branch must.
    pub fn open(&self, every: bool) -> Option<&Bits> {
        if self.requests.is_empty() {
            return None;
        }
        let mut best: Option<(usize, &Bits)> = None;
        for branch in 0..self.branches.len() as u32 {
            let mut open = self.requests.iter().filter(|(b, _)| *b == branch).map(|(_, set)| set);
            match open.next() {
                None if every => {}
                None => return None,
                Some(first) => {
                    let count = 1 + open.count();
                    if best.is_none_or(|(fewest, _)| count < fewest) {
                        best = Some((count, first));
                    }
                }
            }
        }
        best.map(|(_, set)| set)
    }
}
