//! Breadth-first search: the first failure found is one that no shorter schedule leads to.

use super::batch::Generated;
use super::explorer::{Explorer, Next};
use super::report::{StateReport, StatefulSearch};
use super::states::States;
use crate::outcome::{Limit, Outcome};
use crate::program::{Process, Transition};
use crate::search::{Progress, Search, Status};
use std::collections::VecDeque;
use std::time::Instant;

/// The search. Every stored state has a node.
pub(super) struct BreadthFirst<S: States> {
    explorer: Explorer<S>,
    /// How each state was reached first.
    nodes: Vec<Node>,
    queue: VecDeque<Waiting<S::State>>,
    /// The state being expanded.
    current: Place,
    /// Its successors still to look at, the next one last.
    todo: Vec<Generated<S::State>>,
    started: bool,
    done: bool,
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

struct Waiting<R> {
    place: Place,
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

impl<S: States> BreadthFirst<S> {
    pub fn new(explorer: Explorer<S>) -> Self {
        BreadthFirst {
            explorer,
            nodes: vec![ROOT],
            queue: VecDeque::new(),
            current: Place { node: 0, depth: 0 },
            todo: Vec::new(),
            started: false,
            done: false,
        }
    }

    fn start(&mut self) {
        let (run, failure) = self.explorer.program.start();
        self.done = failure.is_some_and(|f| self.explorer.fail(f, Vec::new));
        if self.explorer.store(&run) {
            self.queue.push_back(Waiting { place: self.current, run });
        }
    }

    fn go_on(&mut self) {
        match self.todo.pop() {
            Some(next) => self.arrive(next),
            None => self.expand(),
        }
    }

    /// Begins with the next state of the queue.
    fn expand(&mut self) {
        let Some(waiting) = self.queue.pop_front() else {
            self.done = true;
            return;
        };
        self.current = waiting.place;
        let Place { node, depth } = waiting.place;
        let nodes = &self.nodes;
        let next = self
            .explorer
            .expand(&waiting.run, depth, &mut self.todo, || schedule(nodes, node, None));
        self.todo.reverse();
        if next == Next::Stop {
            self.done = true;
        }
        self.explorer.pool.give_back(waiting.run);
    }

    /// Looks at a successor of the current state; a new one joins the queue.
    fn arrive(&mut self, next: Generated<S::State>) {
        self.explorer.ledger.counts.steps += 1;
        let Place { node, depth } = self.current;
        if let Some(failure) = next.failure {
            if !self.explorer.ledger.keep_going && self.fail_at_an_end(depth) {
                return;
            }
            let nodes = &self.nodes;
            if self.explorer.fail(failure, || schedule(nodes, node, Some(next.transition))) {
                self.done = true;
                return;
            }
        }
        if self.explorer.store(&next.run) {
            self.nodes.push(Node {
                parent: node,
                transition: next.transition,
            });
            let place = Place {
                node: self.nodes.len() - 1,
                depth: depth + 1,
            };
            self.queue.push_back(Waiting { place, run: next.run });
        } else {
            self.explorer.pool.give_back(next.run);
        }
    }

    /// Prefers the failure of a state that waits in the queue at `depth` to one found by a step from another state of that depth, which
    /// has a longer schedule.
    fn fail_at_an_end(&mut self, depth: u64) -> bool {
        for Waiting { place, run } in self.queue.iter().take_while(|w| w.place.depth == depth) {
            let failures = self.explorer.failures_at(run);
            if !failures.is_empty() {
                let nodes = &self.nodes;
                for failure in failures {
                    self.explorer.fail(failure, || schedule(nodes, place.node, None));
                }
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

impl<S: States> Search for BreadthFirst<S> {
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
            depth: self.current.depth,
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

impl<S: States> StatefulSearch for BreadthFirst<S> {
    fn report(&self) -> StateReport {
        self.explorer.report()
    }
}
