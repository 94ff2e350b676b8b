//! Watching a search: its final states and its tree, for those who asked for them.

mod saved;

use mazurka_core::schedule::{Recording, record};
use mazurka_core::{AnyProgram, AnyState, Effects, Ending, Failure, FailureKind, Fingerprint, Observer, Transition};
use mazurka_report::FinalState;
use mazurka_report::tree::{End, Node, Tree};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The tree of a report is kept up to this many nodes: more than anyone reads, and still a file that opens quickly.
pub const NODES: usize = 20_000;
/// So many final states are kept with their values; the engine counts all of them.
const STATES: usize = 10_000;

/// So many final states are shown with an execution that leads there.
const SAMPLES: usize = 100;
/// So many steps all of them may have together: a page must open quickly.
const SAMPLED_STEPS: usize = 5_000;

/// What was seen.
#[derive(Default)]
pub struct Seen {
    wants_states: bool,
    /// How many nodes of the tree to keep, if it is wanted.
    wants_tree: Option<usize>,
    order: Vec<FinalState>,
    /// A schedule to each final state, in the same order, as many as are shown.
    schedules: Vec<Vec<Transition>>,
    by_fingerprint: HashMap<Fingerprint, usize>,
    steps: Vec<Visited>,
    path: Vec<usize>,
    truncated: bool,
}

/// A node of the tree by its transition.
struct Visited {
    parent: usize,
    transition: Transition,
    end: Option<End>,
}

/// Hands everything to the shared [`Seen`]; the search owns the watcher, the command keeps the other end.
pub struct Watcher<'p> {
    program: &'p dyn AnyProgram,
    seen: Rc<RefCell<Seen>>,
}

impl<'p> Watcher<'p> {
    /// A watcher and the place where it puts what it sees.
    pub fn new(program: &'p dyn AnyProgram, wants_states: bool, wants_tree: Option<usize>) -> (Self, Rc<RefCell<Seen>>) {
        let seen = Rc::new(RefCell::new(Seen {
            wants_states,
            wants_tree,
            ..Seen::default()
        }));
        (
            Watcher {
                program,
                seen: Rc::clone(&seen),
            },
            seen,
        )
    }
}

impl Observer<AnyState> for Watcher<'_> {
    fn execution(&mut self, schedule: &[Transition], run: &AnyState, ending: Ending) {
        let mut seen = self.seen.borrow_mut();
        if seen.wants_states && matches!(ending, Ending::Finished | Ending::Deadlock) {
            seen.final_state(self.program, schedule, run, ending);
        }
        if seen.wants_tree.is_some() {
            seen.ending(schedule.len(), ending);
        }
    }

    fn step(&mut self, depth: usize, transition: Transition) {
        let mut seen = self.seen.borrow_mut();
        if seen.wants_tree.is_some() {
            seen.step(depth, transition);
        }
    }
}

impl Seen {
    /// Runs a schedule to a final state of a stateful search and keeps that. Unless its states remember failures, that one failed on this
    /// way says nothing about the state.
    pub fn end(&mut self, program: &dyn AnyProgram, schedule: &[Transition], remembers_failures: bool) {
        let (mut run, mut effects) = (program.start(), Effects::default());
        for &transition in schedule {
            effects.clear();
            program.step(&mut run, transition, &mut effects);
        }
        let mut failures = Vec::new();
        program.failures_at_end(&run, &mut failures);
        let deadlock = failures.iter().any(|f| f.kind == FailureKind::Deadlock);
        let ending = if deadlock { Ending::Deadlock } else { Ending::Finished };
        let way = if remembers_failures { schedule } else { &[] };
        self.final_state(program, way, &run, ending);
    }

    fn final_state(&mut self, program: &dyn AnyProgram, schedule: &[Transition], run: &AnyState, ending: Ending) {
        let fingerprint = program.fingerprint(run);
        if let Some(&at) = self.by_fingerprint.get(&fingerprint) {
            self.order[at].executions += 1;
        } else if self.order.len() < STATES {
            self.by_fingerprint.insert(fingerprint, self.order.len());
            // States may differ only in who still waits, and for what.
            let waits = program.waits(run).into_iter().map(|wait| {
                let name = wait.agent.unwrap_or_else(|| program.process_name(run, wait.process));
                (name, format!("waits for {}", wait.what))
            });
            let failures = failures_along(program, schedule);
            self.order.push(FinalState {
                values: program.values(run).into_iter().chain(waits).collect(),
                executions: 1,
                end: match ending {
                    _ if !failures.is_empty() => End::Failed,
                    Ending::Deadlock => End::Deadlock,
                    _ => End::Finished,
                },
                deadlock: ending == Ending::Deadlock,
                failures,
                sample: None,
            });
            if self.wants_tree.is_some() && self.schedules.len() < SAMPLES {
                self.schedules.push(schedule.to_vec());
            }
        }
    }

    fn step(&mut self, depth: usize, transition: Transition) {
        self.path.truncate(depth);
        if self.path.len() < depth || self.steps.len() >= self.wants_tree.unwrap_or(0) {
            self.truncated = true;
            return;
        }
        let parent = self.path.last().map_or(0, |&at| at + 1);
        self.path.push(self.steps.len());
        self.steps.push(Visited {
            parent,
            transition,
            end: None,
        });
    }

    fn ending(&mut self, depth: usize, ending: Ending) {
        if self.path.len() >= depth
            && depth > 0
            && let Some(&at) = self.path.get(depth - 1)
        {
            self.steps[at].end = Some(match ending {
                Ending::Finished => End::Finished,
                Ending::Deadlock => End::Deadlock,
                Ending::Blocked => End::Sleep,
                Ending::Cut => End::Context,
                Ending::Limit => End::Bound,
            });
        }
    }

    /// The distinct final states in the order in which they were first reached.
    pub fn final_states(&self) -> Vec<FinalState> {
        self.order.clone()
    }

    /// An execution to each of the first final states, which are told which one is theirs.
    pub fn samples(&self, program: &dyn AnyProgram, states: Option<&mut [FinalState]>) -> Vec<Recording> {
        let (mut samples, mut steps) = (Vec::new(), 0);
        for (state, schedule) in states.into_iter().flatten().zip(&self.schedules) {
            steps += schedule.len();
            if steps <= SAMPLED_STEPS {
                state.sample = Some(samples.len());
                samples.push(record(program, schedule, None));
            }
        }
        samples
    }

    /// The tree with its labels, found by running it once more.
    pub fn tree(&self, program: &dyn AnyProgram) -> Tree {
        let mut nodes = vec![Node {
            parent: 0,
            process: String::new(),
            label: "start".to_owned(),
            key: String::new(),
            choice: 0,
            end: None,
        }];
        // Nodes come depth first, so the states on the path to the current one suffice.
        let mut path: Vec<(usize, AnyState)> = vec![(0, program.start())];
        let mut effects = Effects::default();
        for (at, visited) in self.steps.iter().enumerate() {
            while path.len() > 1 && path.last().is_some_and(|(node, _)| *node != visited.parent) {
                path.pop();
            }
            let Some((_, before)) = path.last() else { break };
            let mut run = before.clone();
            let text = program.describe(before, visited.transition);
            let process = program.process_name(before, visited.transition.process);
            effects.clear();
            program.step(&mut run, visited.transition, &mut effects);
            let failed = effects.failure.is_some();
            nodes.push(Node {
                parent: visited.parent,
                process,
                label: text.label,
                key: program.process_key(visited.transition.process),
                choice: visited.transition.choice,
                end: if failed { Some(End::Failed) } else { visited.end },
            });
            path.push((at + 1, run));
        }
        Tree {
            nodes,
            truncated: self.truncated,
        }
    }
}

/// What fails in the steps of the schedule, and then at its end. Asked once for each final state: what failed is part of the state. A deadlock is
/// told apart by itself.
fn failures_along(program: &dyn AnyProgram, schedule: &[Transition]) -> Vec<String> {
    let (mut run, mut effects) = (program.start(), Effects::default());
    let failing = schedule.iter().filter_map(|&transition| {
        effects.clear();
        program.step(&mut run, transition, &mut effects);
        effects.failure.take()
    });
    let mut failed: Vec<Failure> = failing.collect();
    program.failures_at_end(&run, &mut failed);
    failed.retain(|failure| failure.kind != FailureKind::Deadlock);
    let mut messages: Vec<String> = failed.into_iter().map(|failure| failure.message).collect();
    messages.dedup();
    messages
}

/// Remembers every step of a search, to run the same ones again.
#[derive(Default)]
pub struct Steps {
    /// Depth and transition of each.
    pub taken: Vec<(u32, Transition)>,
}

/// Hands every step to the shared [`Steps`].
pub struct StepRecorder(pub Rc<RefCell<Steps>>);

impl Observer<AnyState> for StepRecorder {
    fn step(&mut self, depth: usize, transition: Transition) {
        self.0.borrow_mut().taken.push((depth as u32, transition));
    }
}
