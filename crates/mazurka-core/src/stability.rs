//! Temporal stability of actors (FORTE'14, Sec. 4, with the corrected sufficient condition).
//!
//! An actor is *stable* at a state if no other actor can post to it before it moves itself. Trying a stable actor first saves
//! reversals later. Theorem 1 of the paper claims stability too often: a reference may travel through a message to an actor from which
//! another task then calls (program A6). So stability is only ever a reason to try an actor **first**, never to look for fewer races.

use crate::call_graph::{CallGraph, Class, Method};

/// An actor as stability sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActorView {
    /// Its class.
    pub class: Class,
    /// The actors that its fields refer to, by their place in [`Configuration::actors`].
    pub holds: Vec<u32>,
    /// Whether one of its tasks waits for a future, which another actor resolves.
    pub awaits: bool,
    /// Whether an unresolved or unread future may hold a reference to it.
    pub in_flight: bool,
}

/// A pending task as stability sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskView {
    /// The actor that it will run on, by its place in [`Configuration::actors`].
    pub actor: u32,
    /// The method, or the method that stands for its remaining code.
    pub method: Method,
    /// The actors that its arguments and locals refer to.
    pub holds: Vec<u32>,
}

/// A state as stability sees it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configuration {
    /// Every actor, in order of creation.
    pub actors: Vec<ActorView>,
    /// Every pending task.
    pub tasks: Vec<TaskView>,
}

/// The weights of the heuristic, k_a > k_b > k_c (FORTE'14, Sec. 4.3): a direct call by someone who has the reference, an indirect
/// call by someone who has it, a call by someone who would first have to get it.
pub const WEIGHTS: [u64; 3] = [10_000, 100, 1];

/// How tasks are summed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sum {
    /// Every pending task counts, as Definition 3 says.
    #[default]
    PerTask,
    /// Equal methods of one actor count once (what the tool must have done on Pi).
    PerMethod,
}

/// When an actor counts as stable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Condition {
    /// When no other actor can post to it.
    #[default]
    Corrected,
    /// By Theorem 1 of the paper, which is wrong about once in a thousand (program A6). Only for the paper's table.
    AsPublished,
}

impl Configuration {
    /// Zero if `actor` is provably stable; otherwise at least one, the more the likelier it is that another actor posts to it.
    pub fn instability(&self, graph: &CallGraph, actor: u32, sum: Sum) -> u64 {
        self.instability_by(graph, actor, sum, Condition::Corrected)
    }

    /// Zero if `actor` is stable by `condition`; otherwise at least one, the more the likelier it is that another actor posts to it.
    pub fn instability_by(&self, graph: &CallGraph, actor: u32, sum: Sum, condition: Condition) -> u64 {
        let stable = match condition {
            Condition::Corrected => self.is_stable(graph, actor),
            Condition::AsPublished => self.is_stable_as_published(graph, actor),
        };
        if stable {
            return 0;
        }
        let class = self.actors[actor as usize].class;
        let mut total = 0u64;
        for (at, task) in self.tasks.iter().enumerate() {
            if task.actor == actor || (sum == Sum::PerMethod && self.counted_before(at)) {
                continue;
            }
            let chains = graph.chains(task.method, class);
            let has_it = task.holds.contains(&actor) || self.actors[task.actor as usize].holds.contains(&actor);
            if has_it {
                total = total.saturating_add(WEIGHTS[0] * u64::from(chains.direct) + WEIGHTS[1] * chains.indirect.len() as u64);
            } else {
                let breaking = chains.indirect.iter().filter(|inner| self.one_of_holds(inner, actor)).count();
                total = total.saturating_add(WEIGHTS[2] * breaking as u64);
            }
        }
        total.saturating_add(1)
    }

    /// Whether no other actor can post to `actor` before it moves: no pending task of another actor has a call chain into its class, or
    /// nothing but the actor itself refers to it; and none of its own tasks waits for a future.
    pub fn is_stable(&self, graph: &CallGraph, actor: u32) -> bool {
        let me = &self.actors[actor as usize];
        if me.awaits {
            return false;
        }
        let others = || self.tasks.iter().filter(|t| t.actor != actor);
        if others().all(|t| graph.chains(t.method, me.class).is_empty()) {
            return true;
        }
        let field = self
            .actors
            .iter()
            .enumerate()
            .any(|(i, a)| i != actor as usize && a.holds.contains(&actor));
        !me.in_flight && !field && !others().any(|t| t.holds.contains(&actor))
    }

    /// Theorem 1: every pending task of another actor has no call chain into the class of `actor`, or on each chain neither the task nor
    /// its actor nor any actor of an inner class refers to `actor`.
    pub fn is_stable_as_published(&self, graph: &CallGraph, actor: u32) -> bool {
        let class = self.actors[actor as usize].class;
        self.tasks.iter().filter(|t| t.actor != actor).all(|task| {
            let chains = graph.chains(task.method, class);
            let has_it = task.holds.contains(&actor) || self.actors[task.actor as usize].holds.contains(&actor);
            chains.is_empty() || !(has_it || chains.indirect.iter().any(|inner| self.one_of_holds(inner, actor)))
        })
    }

    /// Whether an actor of one of these classes refers to `actor` in its fields.
    fn one_of_holds(&self, classes: &[Class], actor: u32) -> bool {
        self.actors.iter().any(|a| classes.contains(&a.class) && a.holds.contains(&actor))
    }

    fn counted_before(&self, at: usize) -> bool {
        let task = &self.tasks[at];
        self.tasks[..at].iter().any(|t| t.actor == task.actor && t.method == task.method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actor(class: Class, holds: &[u32]) -> ActorView {
        ActorView {
            class,
            holds: holds.to_vec(),
            awaits: false,
            in_flight: false,
        }
    }

    fn task(actor: u32, method: Method, holds: &[u32]) -> TaskView {
        TaskView {
            actor,
            method,
            holds: holds.to_vec(),
        }
    }

    /// The state S of FORTE'14 Example 4: a2 is preferred to a1, and a1 gets 2k_a + 2k_b by the paper's own definition.
    #[test]
    fn example_4_prefers_the_inner_node() {
        let mut graph = CallGraph::default();
        let class = graph.class("Fib");
        let res = graph.method(class, "res");
        graph.close(res);
        graph.call(res, res);
        let state = Configuration {
            actors: vec![
                actor(class, &[]),
                actor(class, &[0]),
                actor(class, &[0]),
                actor(class, &[1]),
                actor(class, &[1]),
            ],
            tasks: vec![task(0, res, &[]), task(1, res, &[]), task(1, res, &[])],
        };
        let [ka, kb, kc] = WEIGHTS;
        assert_eq!(state.instability(&graph, 1, Sum::PerTask), kc + 1);
        assert_eq!(state.instability(&graph, 0, Sum::PerTask), 2 * ka + 2 * kb + 1);
        assert_eq!(state.instability(&graph, 0, Sum::PerMethod), ka + kb + 1);
        assert_eq!(state.instability(&graph, 3, Sum::PerTask), 0, "nobody refers to a leaf");
    }

    /// Program A6: a1 is not stable although the task that holds it calls nothing and the one that calls does not hold it.
    #[test]
    fn a_reference_may_travel_before_it_is_used() {
        let mut graph = CallGraph::default();
        let class = graph.class("A");
        let [m0, m1, m2] = ["m0", "m1", "m2"].map(|m| graph.method(class, m));
        for m in [m0, m1, m2] {
            graph.close(m);
        }
        graph.call(m0, m2);
        let state = Configuration {
            actors: vec![actor(class, &[]), actor(class, &[])],
            tasks: vec![task(1, m1, &[]), task(0, m0, &[]), task(0, m2, &[1])],
        };
        assert!(!state.is_stable(&graph, 1));
        assert!(state.is_stable_as_published(&graph, 1), "Theorem 1 claims too much");
    }
}
