//! Breadth-first search: the first failure found is one that no shorter schedule leads to.

use super::explorer::{Explorer, Next};
use super::graph::{Generated, Slot};
use super::report::{Chosen, Reports, StateReport};
use crate::driver::Walk;
use crate::findings::Findings;
use crate::outcome::{Counts, Limit, Outcome};
use crate::program::{Process, Transition};
use crate::search::Status;
use std::collections::VecDeque;

/// The walk. Every stored state has a node.
pub(super) struct BreadthFirst<'p> {
    explorer: Explorer<'p>,
    /// How each state was reached first.
    nodes: Vec<Node>,
    queue: VecDeque<Waiting>,
    /// The state being expanded.
    current: Place,
    /// Its successors still to look at, the next one last.
    todo: Vec<Generated>,
    started: bool,
}

struct Node {
    parent: usize,
    transition: Transition,
}

#[derive(Clone, Copy)]
struct Place {
    node: usize,
    depth: u64,
}

struct Waiting {
    place: Place,
    state: Slot,
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

impl<'p> BreadthFirst<'p> {
    pub fn new(explorer: Explorer<'p>) -> Self {
        BreadthFirst {
            explorer,
            nodes: vec![ROOT],
            queue: VecDeque::new(),
            current: Place { node: 0, depth: 0 },
            todo: Vec::new(),
            started: false,
        }
    }

    fn start(&mut self, findings: &mut Findings) -> Status {
        let (state, failure) = self.explorer.graph.start();
        let failed = failure.is_some_and(|f| self.explorer.fail(findings, f, Vec::new));
        if self.explorer.store(state) {
            self.queue.push_back(Waiting {
                place: self.current,
                state,
            });
        }
        if failed { Status::Done } else { Status::Running }
    }

    /// Begins with the next state of the queue.
    fn expand(&mut self, findings: &mut Findings) -> Status {
        let Some(waiting) = self.queue.pop_front() else {
            return Status::Done;
        };
        self.current = waiting.place;
        let Place { node, depth } = waiting.place;
        let nodes = &self.nodes;
        let next = self
            .explorer
            .expand(findings, waiting.state, depth, &mut self.todo, || schedule(nodes, node, None));
        self.todo.reverse();
        self.explorer.graph.give_back(waiting.state);
        if next == Next::Stop { Status::Done } else { Status::Running }
    }

    /// Looks at a successor of the current state; a new one joins the queue.
    fn arrive(&mut self, findings: &mut Findings, next: Generated) -> Status {
        self.explorer.counts.steps += 1;
        let Place { node, depth } = self.current;
        if let Some(failure) = next.failure {
            if !findings.keep_going && self.fail_at_an_end(findings, depth) {
                return Status::Done;
            }
            let nodes = &self.nodes;
            if self
                .explorer
                .fail(findings, failure, || schedule(nodes, node, Some(next.transition)))
            {
                return Status::Done;
            }
        }
        if self.explorer.store(next.state) {
            self.nodes.push(Node {
                parent: node,
                transition: next.transition,
            });
            let place = Place {
                node: self.nodes.len() - 1,
                depth: depth + 1,
            };
            self.queue.push_back(Waiting { place, state: next.state });
        } else {
            self.explorer.graph.give_back(next.state);
        }
        Status::Running
    }

    /// Prefers the failure of a state that waits in the queue at `depth` to one found by a step from another state of that depth, which
    /// has a longer schedule.
    fn fail_at_an_end(&self, findings: &mut Findings, depth: u64) -> bool {
        for &Waiting { place, state } in self.queue.iter().take_while(|w| w.place.depth == depth) {
            let failures = self.explorer.failures_at(findings, state);
            if !failures.is_empty() {
                for failure in failures {
                    self.explorer.fail(findings, failure, || schedule(&self.nodes, place.node, None));
                }
                return true;
            }
        }
        false
    }
}

impl Walk for BreadthFirst<'_> {
    fn go_on(&mut self, findings: &mut Findings) -> Status {
        if !self.started {
            self.started = true;
            return self.start(findings);
        }
        let status = match self.todo.pop() {
            Some(next) => self.arrive(findings, next),
            None => self.expand(findings),
        };
        if status == Status::Running && self.explorer.is_full() {
            findings.limit = Some(Limit::Executions);
            return Status::Done;
        }
        status
    }

    fn counts(&self) -> &Counts {
        &self.explorer.counts
    }

    fn depth(&self) -> u64 {
        self.current.depth
    }

    fn complete(&self, outcome: &mut Outcome) {
        self.explorer.complete(outcome);
    }
}

impl Reports for BreadthFirst<'_> {
    fn report(&self) -> StateReport {
        self.explorer.report()
    }

    fn ends(&self) -> &[Vec<Transition>] {
        &self.explorer.ends
    }

    fn tell(&mut self, _: Chosen) -> bool {
        false
    }
}
