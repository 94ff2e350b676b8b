//! Backtrack sets: which processes must be tried at each node of the current execution.

use super::exploration::{Exploration, Frame};
use super::resumable::Resumable;
use super::strategy::Entered;
use crate::program::{Process, Transition};
use crate::saved::{Decoder, Encoder, Misfit};

/// The backtrack set of one node, in the order in which it grew.
#[derive(Default)]
struct Node {
    processes: Vec<Process>,
    todo: Vec<Transition>,
    taken: usize,
}

/// The backtrack sets along the current execution. Nodes are reused.
#[derive(Default)]
pub struct Backtrack {
    nodes: Vec<Node>,
}

impl Backtrack {
    /// A new node at this depth, with nothing to try.
    pub fn open(&mut self, depth: usize) {
        if self.nodes.len() == depth {
            self.nodes.push(Node::default());
        }
        let node = &mut self.nodes[depth];
        node.processes.clear();
        node.todo.clear();
        node.taken = 0;
    }

    /// Puts the first process that can move and does not sleep into the new set of the top node.
    pub fn begin(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        match exploration.first_choice(|frame, t| !frame.sleeps(t)) {
            Some(first) => {
                self.add(exploration.depth(), first.transition.process, exploration.top());
                Entered::Open
            }
            None => Entered::Blocked,
        }
    }

    /// Whether the process is in the set.
    pub fn contains(&self, depth: usize, process: Process) -> bool {
        self.nodes[depth].processes.contains(&process)
    }

    /// Adds a process: all its enabled transitions are to be tried.
    pub fn add(&mut self, depth: usize, process: Process, frame: &Frame) {
        if self.contains(depth, process) {
            return;
        }
        let node = &mut self.nodes[depth];
        node.processes.push(process);
        node.todo
            .extend(frame.enabled().map(|n| n.transition).filter(|t| t.process == process));
    }

    /// The next transition to try that does not sleep.
    pub fn next(&mut self, depth: usize, frame: &Frame) -> Option<Transition> {
        let node = &mut self.nodes[depth];
        while let Some(&transition) = node.todo.get(node.taken) {
            node.taken += 1;
            if !frame.sleeps(transition) {
                return Some(transition);
            }
        }
        None
    }

    /// How many were tried and how many there are.
    pub fn branches(&self, depth: usize) -> (u64, u64) {
        self.nodes.get(depth).map_or((0, 0), |n| (n.taken as u64, n.todo.len() as u64))
    }
}

impl Resumable for Backtrack {
    fn save_node(&self, depth: usize, out: &mut Encoder) {
        let Node { processes, todo, taken } = &self.nodes[depth];
        out.list(processes.iter(), |out, process| out.number(process.0.into()));
        out.list(todo.iter(), |out, transition| out.transition(*transition));
        out.number(*taken as u64);
    }

    fn resume_node(&mut self, exploration: &mut Exploration<'_>, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        let depth = exploration.depth();
        self.open(depth);
        let node = &mut self.nodes[depth];
        node.processes = from.list(|from| Ok(Process(from.small()?)))?;
        node.todo = from.list(Decoder::transition)?;
        node.taken = from.small()?;
        Ok(())
    }
}
