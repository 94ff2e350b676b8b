//! `Explore(s, Z)` of the book's chapter on merging, word for word.

use super::cone::{Cone, Cones, Numbers};
use super::guard::Condition;
use super::node::Node;
use super::note::Note;
use super::state::{At, Possible};
use super::step::{Places, Processes, Step};
use super::store::{Entry, Store};
use mazurka_core::{Counts, Failure, FailureKind, Fingerprint, Observe, Order, Process, Program, Transition, conflict};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// How states are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Which differences are preserved.
    pub observe: Observe,
    /// Whether states that differ only in values that nobody can read any more are the same.
    pub only_live: bool,
    /// Whether states that differ only in the names of tasks are the same.
    pub exchange_tasks: bool,
    /// Which process comes first where the rule leaves that open.
    pub order: Order,
}

/// What a search did and found.
#[derive(Clone, Default, Debug)]
pub struct Explored {
    /// Executions, cuts, steps, states.
    pub counts: Counts,
    /// How often a state was looked up.
    pub lookups: u64,
    /// How often it was found.
    pub hits: u64,
    /// How many states were stored.
    pub stored: u64,
    /// The final states.
    pub finals: FxHashSet<Fingerprint>,
    /// The failures, as often as they were met, but for deadlocks.
    pub failures: Vec<Failure>,
}

/// Explores a program to its end.
pub fn explore<P>(program: &P, rules: Rules) -> Explored
where
    P: Program,
    P::State: Clone,
{
    let features = program.features();
    let mut search = Search {
        rules,
        is_static: features.static_footprints && features.static_alternatives,
        numbers: Numbers::default(),
        store: Store::new(rules),
        explored: Explored::default(),
    };
    let state = program.start();
    search.explore(At { program, state }, Processes::new(), 0);
    search.explored.stored = search.store.count() as u64;
    search.explored
}

struct Search<'p, P: Program> {
    rules: Rules,
    /// With footprints that depend on shared values there are no sleep sets, and rule ALL takes the place of rule ONE.
    is_static: bool,
    numbers: Numbers,
    store: Store<'p, P>,
    explored: Explored,
}

/// What `Explore` returns: the cones, and for observed equality the note.
type Future = (Cones, Note);

impl<'p, P> Search<'p, P>
where
    P: Program,
    P::State: Clone,
{
    fn explore(&mut self, s: At<'p, P>, mut sleep: Processes, depth: u64) -> Future {
        let (control, tasks) = s.control(self.rules);
        self.explored.lookups += 1;
        let found = self.store.find(&s, control, &tasks, &sleep);
        if let Some(entry) = &found {
            self.explored.hits += 1;
            if entry.sleep.is_subset(&sleep) {
                // CUT
                self.explored.counts.cut += 1;
                return (entry.cones(&mut self.numbers), entry.note.clone());
            }
        }
        self.explored.counts.states += 1;
        let possible = s.possible();
        let (mut node, mut note);
        match found {
            // WAKE: only executions that start with one of these are missing.
            Some(entry) => {
                let missing = &entry.sleep - &sleep;
                sleep = &sleep & &entry.sleep;
                node = Node::new(sleep.clone(), entry.cones(&mut self.numbers));
                missing.into_iter().for_each(|p| node.branch(p));
                note = entry.note;
                self.branches(&s, &possible, &mut node, &mut note, depth);
            }
            None => {
                node = Node::new(sleep.clone(), self.next_steps(&possible));
                note = Note::default();
                if self.rules.observe == Observe::Failures {
                    note.places.extend(s.addressing(&possible.units));
                }
                if possible.enabled.is_empty() {
                    self.end(&s, &mut note);
                } else {
                    self.expand(&s, &possible, &mut node, &mut note, depth);
                }
            }
        }
        if self.rules.observe != Observe::States {
            note.test_guards(&node.cones);
        }
        let future = (node.cones, note);
        self.store.insert(Entry {
            state: s,
            control,
            tasks: tasks.iter().map(|t| t.process).collect(),
            sleep,
            future: future.clone(),
        });
        future
    }

    /// The cones of all next steps, enabled or not.
    fn next_steps(&mut self, possible: &Possible) -> Cones {
        let mut cones = Cones::default();
        for unit in &possible.units {
            let cone = Cone::of_next_step(unit.process, unit.footprint.clone(), unit.guard.clone());
            cones.add(Rc::new(cone), &mut self.numbers);
        }
        cones
    }

    /// A state that is not known: one process, and others as long as the rule demands them.
    fn expand(&mut self, s: &At<'p, P>, possible: &Possible, node: &mut Node, note: &mut Note, depth: u64) {
        let order = self.rules.order;
        let first = |eligible: &dyn Fn(&Process) -> bool| {
            let candidates = possible.transitions.iter().filter(|t| eligible(&t.process));
            s.first(order, depth, candidates.copied()).map(|t| t.process)
        };
        let mut next = first(&|p| !node.sleep.contains(p));
        self.explored.counts.blocked += u64::from(next.is_none());
        while let Some(process) = next {
            node.branch(process);
            self.branches(s, possible, node, note, depth);
            next = node.demanded(self.is_static).and_then(|set| first(&|p| set.contains(p)));
        }
    }

    /// Explores the processes in `B` that were not explored yet, with all their enabled alternatives.
    fn branches(&mut self, s: &At<'p, P>, possible: &Possible, node: &mut Node, note: &mut Note, depth: u64) {
        while let Some(process) = node.next_branch() {
            for transition in possible.transitions.iter().filter(|t| t.process == process) {
                self.step(s, possible, *transition, node, note, depth);
            }
            node.branch_is_done();
        }
    }

    /// One step, and what comes back over it.
    fn step(&mut self, s: &At<'p, P>, possible: &Possible, transition: Transition, node: &mut Node, note: &mut Note, depth: u64) {
        let Some(unit) = possible.units.iter().find(|u| u.process == transition.process) else {
            return;
        };
        let observed = self.rules.observe != Observe::States;
        let influence = s.influence(transition, self.rules.observe).filter(|_| observed);
        let writes = influence.map(|influence| {
            note.places.extend(&influence.reads);
            for (predicate, atoms) in influence.tests {
                note.test(Condition {
                    predicate,
                    atoms: atoms.to_vec(),
                });
            }
            influence.writes
        });
        let (after, effects) = s.take(transition);
        self.explored.counts.steps += 1;
        self.explored.counts.max_depth = self.explored.counts.max_depth.max(depth + 1);
        self.explored.failures.extend(effects.failure);
        let Some(t) = after else {
            // A step that panicked returns no cones, and demands every enabled process.
            self.explored.counts.states += 1;
            possible.enabled.iter().for_each(|p| node.demand(&Processes::from([*p])));
            return;
        };
        let mut p = Step {
            process: transition.process,
            footprint: unit.footprint.clone(),
            births: effects.births.iter().copied().collect(),
            independent: Processes::new(),
            changes: Vec::new(),
        };
        p.changes = s.changes(&t, &p, writes);
        p.independent = if self.is_static {
            independent(&p, possible)
        } else {
            &independent(&p, &t.possible()) - &p.births
        };
        let sleep = if self.is_static {
            &node.sleep_after_branches() & &p.independent
        } else {
            Processes::new()
        };
        let (cones, note_after) = self.explore(t, sleep, depth + 1);
        note.add_before(&p, &note_after);
        self.returned(s, &p, &cones, &possible.enabled, node, &mut note.places);
    }

    /// The loop over the cones after a step.
    fn returned(&mut self, s: &At<'p, P>, p: &Step, after: &Cones, enabled: &Processes, node: &mut Node, computed: &mut Places) {
        for c in after.iter() {
            let (over_u, own, conflict) = (c.lets_pass(p), c.belongs_to(p), c.conflicts_with(p));
            if over_u && !own {
                node.cones.add(c.clone(), &mut self.numbers);
                if !conflict {
                    continue;
                }
                // RACE
                if c.can_be_taken(s, enabled) {
                    node.demand(&c.initials);
                }
            }
            node.cones.add(Rc::new(c.after(p, computed)), &mut self.numbers);
        }
    }

    /// A complete execution.
    fn end(&mut self, s: &At<'p, P>, note: &mut Note) {
        self.explored.counts.executions += 1;
        self.explored.finals.insert(s.program.fingerprint(&s.state));
        let mut failures = Vec::new();
        s.program.failures_at_end(&s.state, &mut failures);
        let all = failures.len();
        failures.retain(|f| f.kind != FailureKind::Deadlock);
        self.explored.counts.deadlocks += u64::from(failures.len() < all);
        self.explored.failures.extend(failures);
        if self.rules.observe == Observe::Finals {
            note.places.extend(s.shared_locations());
        }
    }
}

/// The processes whose next steps do not conflict with a step.
fn independent(p: &Step, possible: &Possible) -> Processes {
    let others = possible.units.iter().filter(|u| u.process != p.process);
    others
        .filter(|u| !conflict(&u.footprint, &p.footprint))
        .map(|u| u.process)
        .collect()
}
