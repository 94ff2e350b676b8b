//! `optimal` in any order: the algorithm of the chapter on soundness ("In any order"), as it is proved there, without the engine.
//!
//! There is one ordered tree that only grows. Whoever runs a leaf sends a message for each reversal of its execution, and whoever handles a
//! message looks for what covers it or appends a new leaf. Here leaves are run and messages handled in random order, and some messages twice:
//! whatever the order, each trace must be executed once, and nothing that sleeps may be executed.

mod execution;

use crate::canonical::Canonical;
use crate::claims::Claims;
use crate::compare::compare;
use crate::enumerate::Truth;
use crate::random::Numbers;
use crate::seen::Seen;
use execution::{Execution, First, Item, Reversal, first};
use mazurka_core::{FailureKind, Footprint, Process, Program, Transition};

/// Which algorithm: the right one, or one of those that look like it and lose traces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// As proved.
    Right,
    /// Sequences are compared with the first steps of branches only.
    FirstSteps,
    /// Branches that have been started are not compared with what comes later.
    ForgetStarted,
}

struct Node {
    step: Transition,
    footprint: Footprint,
    parent: usize,
    /// In the order in which they were made.
    children: Vec<usize>,
    /// Whether it was planned as the end of a sequence.
    leaf: bool,
    started: bool,
}

/// Somebody has run an execution, and found that something else could be run.
struct Message {
    /// The node before the reversed event, and the branch of that event.
    node: usize,
    branch: usize,
    v: Vec<Item>,
}

/// The tree, with what is still to be done.
struct Search<'p, P: Program> {
    program: &'p P,
    variant: Variant,
    nodes: Vec<Node>,
    leaves: Vec<usize>,
    messages: Vec<Message>,
    seen: Seen,
    path: Canonical<P>,
}

const ROOT: usize = 0;

/// Searches a program to the end, in the random order of `seed`, and compares with what there is.
///
/// # Errors
/// What differs, in words.
pub fn check<P>(program: &P, truth: &Truth, seed: u64) -> Result<(), String>
where
    P: Program,
    P::State: Clone,
{
    let most = truth.traces.len() * 2;
    let seen = explore(program, Variant::Right, seed, most).ok_or("executes something that sleeps, or that cannot be taken")?;
    let claims = Claims::of("optimal").ok_or("`optimal` promises nothing")?;
    // Outcomes depend on the language, and final states on nothing but traces.
    let claims = Claims { outcomes: false, ..claims };
    compare(truth, &seen, claims).map_err(|what| format!("in the random order {seed}: {what}"))
}

/// What a search finds; at most so many executions. `None` if a planned step sleeps or cannot be taken.
pub fn explore<P>(program: &P, variant: Variant, seed: u64, most: usize) -> Option<Seen>
where
    P: Program,
    P::State: Clone,
{
    let mut search = Search {
        program,
        variant,
        nodes: vec![Node {
            step: Transition::of(Process(0)),
            footprint: Footprint::new(),
            parent: ROOT,
            children: Vec::new(),
            leaf: true,
            started: false,
        }],
        leaves: vec![ROOT],
        messages: Vec::new(),
        seen: Seen::default(),
        path: Canonical::new(program),
    };
    let mut numbers = Numbers::new(seed);
    while search.leaves.len() + search.messages.len() > 0 && search.seen.counts.executions <= most as u64 {
        let next = numbers.below(search.leaves.len() + search.messages.len());
        if next < search.leaves.len() {
            let leaf = search.leaves.swap_remove(next);
            search.run(leaf, &mut numbers)?;
        } else {
            let message = search.messages.swap_remove(next - search.leaves.len());
            search.insert(&message);
            if numbers.chance(1, 8) {
                search.messages.push(message);
            }
        }
    }
    Some(search.seen)
}

impl<P> Search<'_, P>
where
    P: Program,
    P::State: Clone,
{
    /// The children of the parent of `node` that are older.
    fn elder(&self, node: usize) -> &[usize] {
        let siblings = &self.nodes[self.nodes[node].parent].children;
        let own = siblings.iter().position(|s| *s == node).unwrap_or(0);
        &siblings[..own]
    }

    /// `Z(node)`: of what sleeps at the parent, and of the elder branches, what is independent of the step that leads here.
    fn asleep(&self, node: usize) -> Vec<usize> {
        if node == ROOT {
            return Vec::new();
        }
        let Node {
            step, footprint, parent, ..
        } = &self.nodes[node];
        let mut asleep = self.asleep(*parent);
        asleep.extend(self.elder(node));
        asleep.retain(|q| {
            let q = &self.nodes[*q];
            q.step.process != step.process && !q.footprint.conflicts(footprint)
        });
        asleep
    }

    /// Runs an execution through a leaf, and sends its reversals.
    fn run(&mut self, leaf: usize, numbers: &mut Numbers) -> Option<()> {
        self.nodes[leaf].started = true;
        let mut path = vec![leaf];
        while path[path.len() - 1] != ROOT {
            path.push(self.nodes[path[path.len() - 1]].parent);
        }
        path.reverse();
        let mut execution = Execution::new(self.program);
        for node in &path[1..] {
            self.nodes[*node].started = true;
            if !execution.take(self.nodes[*node].step) {
                return None;
            }
        }
        // Nothing sleeps at a leaf, so any step will do from there on.
        if self.variant == Variant::Right && !self.asleep(leaf).is_empty() {
            return None;
        }
        loop {
            let enabled = execution.enabled();
            if enabled.is_empty() {
                break;
            }
            let step = numbers.pick(&enabled);
            let footprint = execution.footprint(step)?.clone();
            execution.take(step);
            let parent = path[path.len() - 1];
            path.push(self.add(parent, step, footprint));
            self.nodes[path[path.len() - 1]].started = true;
        }
        self.note(&execution.schedule());
        let reversals = execution.reversals();
        self.messages.extend(reversals.into_iter().map(|Reversal { e, v }| Message {
            node: path[e],
            branch: path[e + 1],
            v,
        }));
        Some(())
    }

    fn add(&mut self, parent: usize, step: Transition, footprint: Footprint) -> usize {
        let new = self.nodes.len();
        self.nodes.push(Node {
            step,
            footprint,
            parent,
            children: Vec::new(),
            leaf: false,
            started: false,
        });
        self.nodes[parent].children.push(new);
        new
    }

    /// Makes sure that `v` will be executed from the node on.
    fn insert(&mut self, message: &Message) {
        let Message { node, branch, v } = message;
        let mut v = v.clone();
        let starts = |q: &Node, v: &[Item]| first(v, q.step, &q.footprint);
        let mut sleeping = self.asleep(*node);
        sleeping.extend(self.elder(*branch));
        if sleeping.iter().any(|q| !matches!(starts(&self.nodes[*q], &v), First::No)) {
            return;
        }
        let mut at = *node;
        let mut from = self.elder(*branch).len() + 1;
        loop {
            let eligible = |c: &usize| self.variant != Variant::ForgetStarted || !self.nodes[*c].started;
            let candidates = self.nodes[at].children[from..].iter().copied().filter(eligible);
            let found = candidates
                .map(|c| (c, starts(&self.nodes[c], &v)))
                .find(|(_, f)| !matches!(f, First::No));
            let Some((child, how)) = found else { break };
            if let First::Initial(index) = how {
                v.remove(index);
            }
            if self.nodes[child].leaf || v.is_empty() || self.variant == Variant::FirstSteps {
                return;
            }
            (at, from) = (child, 0);
        }
        for item in v {
            at = self.add(at, item.transition, item.footprint);
        }
        self.nodes[at].leaf = true;
        self.leaves.push(at);
    }

    /// A maximal execution.
    fn note(&mut self, schedule: &[Transition]) {
        let mut failures = Vec::new();
        self.path.replay(self.program, &[]);
        for step in schedule {
            failures.extend(self.path.push(self.program, *step).failure.clone());
        }
        let run = self.path.run();
        self.program.failures_at_end(run, &mut failures);
        let state = self.program.fingerprint(run);
        self.seen.counts.executions += 1;
        *self.seen.traces.entry(self.path.trace()).or_default() += 1;
        self.seen.finals.insert(state);
        if failures.iter().any(|f| f.kind == FailureKind::Deadlock) {
            self.seen.deadlocks.insert(state);
        }
        let reported = failures.into_iter().filter(|f| f.kind != FailureKind::Deadlock);
        self.seen.failures.extend(reported.map(|f| (f.kind, f.message)));
    }
}
