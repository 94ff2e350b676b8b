//! `dpor:actors` and `dpor+tasks`: select an actor, then run each of its tasks in turn (FORTE'14, Fig. 2 and Fig. 6).
//!
//! A backtrack set holds actors. Two tasks of one actor that touch different fields need not be tried in both orders: when a task is
//! run, those *after* it in the queue that are independent of it are **marked** and may not come directly after it. As published, a
//! selected actor with nothing but marked tasks ends the branch, before other actors could show a race (program A5). Repaired: the
//! order of a queue is fixed by the identities of its tasks, a fully marked actor is not selected while another has an unmarked
//! task, and a branch ends only when every enabled task is marked. `optimal` at field granularity has the same reduction with a proof
//! and without the duplicates that marks leave; marks exist for comparison.

use super::exploration::{Exploration, Sleeper};
use super::strategy::{Entered, Strategy};
use crate::footprints::FootprintId;
use crate::program::Transition;
use crate::trace::{At, NOWHERE};

/// How tasks of the selected actor are picked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Marks {
    /// All of them.
    None,
    /// By marks that lose nothing.
    Repaired,
    /// By the marks of Fig. 6; the counts of the paper need a queue with the newest task first.
    #[cfg(feature = "published")]
    AsPublished,
}

#[derive(Clone, Copy)]
struct Task {
    transition: Transition,
    footprint: FootprintId,
    actor: u32,
    enabled: bool,
}

#[derive(Default)]
struct Node {
    /// Every pending task, the tasks of one actor in the order of its queue.
    tasks: Vec<Task>,
    marked: Vec<Transition>,
    actors: Vec<u32>,
    todo: Vec<Transition>,
    taken: usize,
}

/// Actor-set backtracking.
pub(crate) struct ActorSets {
    nodes: Vec<Node>,
    marks: Marks,
    /// False: a selected actor is trusted to be stable (Lemma 1), which is unsound.
    backtracking: bool,
    /// Per event its actor, and the events before it when whole actors are locations.
    actors: Vec<u32>,
    pasts: Vec<Vec<u64>>,
}

impl ActorSets {
    /// A search that has not started.
    pub fn new(marks: Marks, backtracking: bool) -> Self {
        ActorSets {
            nodes: Vec::new(),
            marks,
            backtracking,
            actors: Vec::new(),
            pasts: Vec::new(),
        }
    }

    /// Appends the last event of the trace to what is known of the past.
    fn learn(&mut self, exploration: &Exploration<'_>) {
        let at = exploration.trace.len() as usize - 1;
        let event = exploration.trace.event(at as At);
        let taken = event.transition;
        let actor = self.nodes[at]
            .tasks
            .iter()
            .find(|t| t.transition == taken)
            .map_or(u32::MAX, |t| t.actor);
        self.actors.truncate(at);
        self.pasts.truncate(at);
        let mut past = vec![0; at / 64 + 1];
        past[at / 64] |= 1 << (at % 64);
        let same_actor = self.actors.iter().rposition(|&a| a == actor);
        let before = (event.before != NOWHERE).then_some(event.before as usize);
        for earlier in [same_actor, before].into_iter().flatten() {
            for (mine, theirs) in past.iter_mut().zip(&self.pasts[earlier]) {
                *mine |= theirs;
            }
        }
        self.actors.push(actor);
        self.pasts.push(past);
    }

    fn in_past(&self, at: usize, before: At) -> bool {
        before != NOWHERE
            && self.pasts[before as usize]
                .get(at / 64)
                .is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// The node that was just reached, with the marks that the last step leaves.
    fn open(&mut self, exploration: &mut Exploration<'_>) {
        let depth = exploration.depth();
        self.nodes.truncate(depth);
        let mut tasks: Vec<Task> = exploration
            .top()
            .pending
            .iter()
            .map(|n| Task {
                transition: n.transition,
                footprint: n.footprint,
                actor: 0,
                enabled: n.enabled,
            })
            .collect();
        let state = exploration.world.current();
        for task in &mut tasks {
            task.actor = state.actor(task.transition).unwrap_or(u32::MAX);
        }
        match self.marks {
            Marks::None => {}
            Marks::Repaired => tasks.sort_by_key(|t| t.transition),
            #[cfg(feature = "published")]
            Marks::AsPublished => tasks.reverse(),
        }
        let marked = match (depth.checked_sub(1), self.marks) {
            (None, _) | (_, Marks::None) => Vec::new(),
            (Some(parent), _) => self.marks_after(exploration, parent),
        };
        self.nodes.push(Node {
            tasks,
            marked,
            ..Node::default()
        });
    }

    /// Lines 10-11 of Fig. 6: the selected actor is unmarked, then what comes later in its queue and is independent of the step is marked.
    fn marks_after(&self, exploration: &Exploration<'_>, parent: usize) -> Vec<Transition> {
        let node = &self.nodes[parent];
        let taken = exploration.schedule[parent];
        let place = node.tasks.iter().position(|t| t.transition == taken).unwrap_or(node.tasks.len());
        let Some(step) = node.tasks.get(place) else { return Vec::new() };
        let mut marked: Vec<Transition> = node.marked.clone();
        marked.retain(|&m| node.tasks.iter().any(|t| t.transition == m && t.actor != step.actor));
        // The other alternatives of the step itself are gone; what the task does next may bear the same name.
        let another = |t: &&Task| t.actor == step.actor && t.transition.process != taken.process;
        let later = node.tasks[place + 1..].iter().filter(another);
        marked.extend(
            later
                .filter(|t| !exploration.footprints.conflict(t.footprint, step.footprint))
                .map(|t| t.transition),
        );
        marked
    }

    /// Adds an actor to the backtrack set of a node: all its enabled tasks that are not marked.
    fn add(&mut self, depth: usize, actor: u32) {
        let node = &mut self.nodes[depth];
        if !node.actors.contains(&actor) {
            node.actors.push(actor);
            let tasks = node
                .tasks
                .iter()
                .filter(|t| t.enabled && t.actor == actor && !node.marked.contains(&t.transition));
            node.todo.extend(tasks.map(|t| t.transition));
        }
    }

    /// The last event on the actor of each pending task that the task could come before: the actor of the first step that leads to the
    /// task must be tried there.
    fn reverse_races(&mut self, exploration: &mut Exploration<'_>) {
        let len = exploration.trace.len() as usize;
        for index in 0..exploration.top().pending.len() {
            let transition = exploration.top().pending[index].transition;
            let Some(actor) = exploration.world.current().actor(transition) else {
                continue;
            };
            let before = exploration.trace.before_next(transition.process);
            let last = self.actors[..len].iter().rposition(|&a| a == actor);
            let Some(i) = last.filter(|&i| !self.in_past(i, before)) else {
                continue;
            };
            if let Some(j) = (i + 1..len).find(|&j| self.in_past(j, before)) {
                self.add(i, self.actors[j]);
            }
        }
    }
}

impl Strategy for ActorSets {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.open(exploration);
        let depth = exploration.depth();
        let repaired = self.marks == Marks::Repaired;
        let node = &self.nodes[depth];
        let first = exploration.first_choice(|_, t| !repaired || !node.marked.contains(&t));
        let actor = first
            .and_then(|f| node.tasks.iter().find(|t| t.transition == f.transition))
            .map(|t| t.actor);
        if let Some(actor) = actor {
            self.add(depth, actor);
        }
        if self.nodes[depth].todo.is_empty() {
            Entered::Blocked
        } else {
            Entered::Open
        }
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let node = &mut self.nodes[exploration.depth()];
        let next = node.todo.get(node.taken).copied()?;
        node.taken += 1;
        Some(next)
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        self.learn(exploration);
        if self.backtracking {
            self.reverse_races(exploration);
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.open(exploration);
    }

    fn returned(&mut self, _: &mut Exploration<'_>, _: Sleeper) {}

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.nodes.get(depth).map_or((0, 0), |n| (n.taken as u64, n.todo.len() as u64))
    }
}
