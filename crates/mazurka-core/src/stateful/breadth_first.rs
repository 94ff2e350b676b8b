//! Breadth-first search: the first failure found is one that no shorter schedule leads to.

use super::explorer::{Explorer, Next};
use super::report::{StateReport, StatefulSearch};
use super::space::StateSpace;
use crate::outcome::{Limit, Outcome};
use crate::program::{Process, Transition};
use crate::search::{Progress, Search, Status};
use std::collections::VecDeque;
use std::time::Instant;

/// The search. Every state that was expanded or waits to be has a node; transient ones too, so that lengths are counted in steps.
pub(super) struct BreadthFirst<'p, P: StateSpace> {
    explorer: Explorer<'p, P>,
    /// How each node was reached first.
    nodes: Vec<Node>,
    queue: VecDeque<Waiting<P::Run>>,
    /// The node being expanded, and what is left to explore from it.
    current: Option<Waiting<P::Run>>,
    todo: Vec<Transition>,
    /// Runs to reuse.
    spare: Vec<P::Run>,
    started: bool,
    done: bool,
}

struct Node {
    parent: usize,
    transition: Transition,
}

struct Waiting<R> {
    node: usize,
    depth: u64,
    transient: bool,
    run: R,
}

/// The node of the initial state; its transition means nothing.
const ROOT: Node = Node {
    parent: 0,
    transition: Transition {
        process: Process(0),
        choice: 0,
    },
};

/// The transitions from the start to `node`, and then `last`.
fn schedule(nodes: &[Node], mut node: usize, last: Option<Transition>) -> Vec<Transition> {
    let mut schedule: Vec<Transition> = last.into_iter().collect();
    while node != 0 {
        schedule.push(nodes[node].transition);
        node = nodes[node].parent;
    }
    schedule.reverse();
    schedule
}

impl<'p, P: StateSpace> BreadthFirst<'p, P>
where
    P::Run: Clone,
{
    pub fn new(explorer: Explorer<'p, P>) -> Self {
        BreadthFirst {
            explorer,
            nodes: vec![ROOT],
            queue: VecDeque::new(),
            current: None,
            todo: Vec::new(),
            spare: Vec::new(),
            started: false,
            done: false,
        }
    }

    /// Stores the initial state and begins with it.
    fn start(&mut self) {
        let run = self.explorer.program.start();
        let transient = self.explorer.program.is_transient(&run);
        if transient || self.explorer.store(&run) {
            self.queue.push_back(Waiting {
                node: 0,
                depth: 0,
                transient,
                run,
            });
        }
    }

    fn go_on(&mut self) {
        match (self.todo.pop(), &self.current) {
            (Some(transition), Some(_)) => self.take(transition),
            _ => self.expand(),
        }
    }

    /// Begins with the next state of the queue.
    fn expand(&mut self) {
        if let Some(left) = self.current.take() {
            self.spare.push(left.run);
        }
        let Some(waiting) = self.queue.pop_front() else {
            self.done = true;
            return;
        };
        self.todo.clear();
        let nodes = &self.nodes;
        let next = self
            .explorer
            .expand(&waiting.run, waiting.transient, waiting.depth, &mut self.todo, || {
                schedule(nodes, waiting.node, None)
            });
        // Taken from the end: the first in the program's order comes first.
        self.todo.reverse();
        match next {
            Next::Stop => self.done = true,
            Next::Leave => self.spare.push(waiting.run),
            Next::Expand => self.current = Some(waiting),
        }
    }

    /// Takes a transition from the current state; a new state joins the queue.
    fn take(&mut self, transition: Transition) {
        let Some(current) = &self.current else { return };
        let mut after = self.spare.pop().unwrap_or_else(|| current.run.clone());
        let (node, depth) = (current.node, current.depth);
        if let Some(failure) = self.explorer.step(&current.run, &mut after, transition) {
            if !self.explorer.ledger.keep_going && self.fail_at_an_end(depth) {
                return;
            }
            let nodes = &self.nodes;
            if self.explorer.ledger.fail(failure, || schedule(nodes, node, Some(transition))) {
                self.done = true;
                return;
            }
        }
        let transient = self.explorer.program.is_transient(&after);
        let fresh = if transient {
            self.explorer.pass(&after)
        } else {
            self.explorer.store(&after)
        };
        if fresh {
            self.nodes.push(Node { parent: node, transition });
            self.queue.push_back(Waiting {
                node: self.nodes.len() - 1,
                depth: depth + 1,
                transient,
                run: after,
            });
        } else {
            self.spare.push(after);
        }
    }

    /// Prefers the failure of a state that waits in the queue at `depth` to one found by a step from another state of that depth, which
    /// has a longer schedule.
    fn fail_at_an_end(&mut self, depth: u64) -> bool {
        for waiting in self.queue.iter().take_while(|w| w.depth == depth) {
            if let Some(failure) = self.explorer.failure_at(&waiting.run) {
                let nodes = &self.nodes;
                self.explorer.ledger.fail(failure, || schedule(nodes, waiting.node, None));
                self.done = true;
                return true;
            }
        }
        false
    }

    fn stop(&mut self, limit: Limit) {
        if !self.done {
            self.explorer.ledger.limit = Some(limit);
            self.done = true;
        }
    }
}

impl<P: StateSpace> Search for BreadthFirst<'_, P>
where
    P::Run: Clone,
{
    fn advance(&mut self, steps: u64) -> Status {
        let begun = Instant::now();
        if !self.started {
            self.started = true;
            self.start();
        }
        let until = self.explorer.ledger.counts.steps.saturating_add(steps);
        while !self.done && self.explorer.ledger.counts.steps < until {
            self.go_on();
            if let Some(limit) = self.explorer.ledger.limit_reached(begun) {
                self.stop(limit);
            }
        }
        self.explorer.ledger.pause(begun);
        if self.done { Status::Done } else { Status::Running }
    }

    fn progress(&self) -> Progress {
        Progress {
            counts: self.explorer.ledger.counts,
            depth: self.current.as_ref().map_or(0, |c| c.depth),
            estimate: None,
        }
    }

    fn interrupt(&mut self) {
        self.stop(Limit::Interrupt);
    }

    fn outcome(&self) -> Outcome {
        self.explorer.ledger.outcome()
    }
}

impl<P: StateSpace> StatefulSearch for BreadthFirst<'_, P>
where
    P::Run: Clone,
{
    fn report(&self) -> StateReport {
        self.explorer.report()
    }
}
