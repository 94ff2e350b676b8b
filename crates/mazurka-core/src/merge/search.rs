//! The search: every state is explored once, and what its future can do is handed to its predecessors as cones.
//!
//! `Explore(s, Z)` of `docs/src/soundness-merging.md`, as a loop over an explicit stack.

use super::bits::Bits;
use super::cone_set::{Cones, SetId};
use super::cone_table::ConeId;
use super::edge::WayBack;
use super::frame::Frame;
use super::renaming::Renaming;
use super::states::{States, Stored};
use super::view::{NoteId, View};
use crate::driver::{Phase, Walk};
use crate::effects::Effects;
use crate::findings::Findings;
use crate::footprint::Footprint;
use crate::footprints::Footprints;
use crate::order::Order;
use crate::outcome::{Counts, Failure, FailureKind, Limit, Merged, Outcome};
use crate::program::{Pending, Process, Transition};
use crate::search::{Ending, Limits, Observe, Options, Status};
use crate::world::{Facts, World};

/// A walk through the states that are not known yet.
pub(crate) struct Merging<'p, V> {
    pub(super) world: Box<dyn World + 'p>,
    pub(super) view: V,
    pub(super) order: Order,
    pub(super) limits: Limits,
    cap: Option<usize>,
    observe: Observe,
    exchange_tasks: bool,
    pub(super) keep_store: bool,
    /// The alternatives of a process touch the same whatever others do: rule ONE is sound.
    pub(super) static_footprints: bool,
    pub(super) sleep_sets: bool,
    /// Equal keys are equal states: nothing is noted of what the future looks at.
    pub(super) exact: bool,
    pub(super) footprints: Footprints,
    pub(super) cones: Cones,
    pub(super) way_back: WayBack,
    pub(super) states: States,
    /// Cones and notes are looked through for unused ones when they take so many bytes.
    pub(super) next_sweep: usize,
    pub(super) most_bytes: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) schedule: Vec<Transition>,
    counts: Counts,
    /// The failure of the last step.
    failure: Option<Failure>,
    panicked: bool,
    phase: Phase,
    effects: Effects,
    pub(super) footprint: Footprint,
    pub(super) pending: Vec<Pending>,
    pub(super) members: Vec<ConeId>,
}

impl<'p, V: View> Merging<'p, V> {
    /// A search that has not started.
    pub fn new(facts: Facts<'p>, world: Box<dyn World + 'p>, options: &Options, view: V) -> Self {
        let features = facts.features;
        let static_footprints = features.static_footprints && features.static_alternatives;
        Merging {
            world,
            order: options.order,
            limits: options.limits,
            cap: options.cone_cap,
            observe: options.observe,
            keep_store: options.keep_store,
            exchange_tasks: options.exchange_tasks && facts.comparable,
            static_footprints,
            sleep_sets: static_footprints,
            exact: view.is_exact(),
            footprints: Footprints::default(),
            cones: Cones::default(),
            way_back: WayBack::default(),
            states: States::default(),
            next_sweep: 0,
            most_bytes: 0,
            frames: vec![Frame::default()],
            schedule: Vec::new(),
            counts: Counts::default(),
            failure: None,
            panicked: false,
            phase: Phase::Arrive,
            effects: Effects::default(),
            footprint: Footprint::default(),
            pending: Vec::new(),
            members: Vec::new(),
            view,
        }
    }

    /// The start of `Explore`: cut, wake or expand.
    fn arrive(&mut self, findings: &mut Findings) -> Phase {
        if self.failure.is_some()
            && let Some(failure) = self.failure.take()
            && findings.fail(failure, self.counts.executions, || self.schedule.clone())
        {
            return Phase::Done;
        }
        let depth = self.schedule.len();
        if self.panicked {
            // Nothing is known of the state: whatever else could be done before it must be explored from there.
            self.counts.states += 1;
            self.frames[depth].cones = self.cones.intern_members(&[]);
            let parent = &mut self.frames[depth - 1];
            let others = parent.enabled.clone();
            others.iter().for_each(|p| parent.request(&Bits::only(p)));
            return self.leave_without_storing();
        }
        let frame = &mut self.frames[depth];
        frame.tasks.clear();
        let state = self.world.current();
        frame.key = self.view.key(state, &mut frame.tasks);
        let mut wake = None;
        let (view, exact) = (&mut self.view, self.exact);
        let matches = |s: &Stored| exact || view.matches(state, s.note);
        if let Some(stored) = self.states.look_up(frame.key, matches, &frame.sleep) {
            let renaming = Renaming::between(&stored.tasks, &frame.tasks);
            let (mut slept, mut cones) = (stored.sleep.clone(), stored.cones);
            let note = if exact {
                stored.note
            } else {
                self.view.carried_over(state, stored.note)
            };
            if let Some(renaming) = renaming {
                slept = renaming.of_set(&slept);
                cones = renaming.of_cones(cones, &mut self.cones);
            }
            if slept.is_subset(&frame.sleep) {
                self.counts.cut += 1;
                self.ended(Ending::Cut);
                return self.leave(cones, note);
            }
            // Only executions that start with one of these are missing.
            let mut missing = slept.clone();
            missing.subtract(&frame.sleep);
            frame.reset();
            frame.sleep.intersect(&slept);
            wake = Some((missing, cones, note));
        } else {
            frame.reset();
        }
        self.counts.states += 1;
        self.list_processes();
        match wake {
            Some((missing, cones, note)) => self.wake(&missing, cones, note),
            None => self.expand(findings),
        }
    }

    /// A state that was explored with more asleep: what was not covered is explored now.
    fn wake(&mut self, missing: &Bits, known: SetId, note: NoteId) -> Phase {
        let frame = &mut self.frames[self.schedule.len()];
        if !self.exact {
            self.view.resume(note, &mut frame.draft);
        }
        frame.waking = true;
        missing.iter().for_each(|p| frame.branch(Process(p)));
        frame.cones = known;
        Phase::Choose
    }

    /// A state that is not known.
    fn expand(&mut self, findings: &mut Findings) -> Phase {
        let depth = self.schedule.len();
        self.first_cones();
        let frame = &self.frames[depth];
        if frame.enabled.is_empty() {
            return self.end(findings);
        }
        if self.limits.depth.is_some_and(|limit| depth as u64 >= limit) {
            findings.limit = Some(Limit::Depth);
            self.ended(Ending::Limit);
            return self.leave_without_storing();
        }
        match self.first_choice(|frame, p| !frame.sleep.contains(p.0)) {
            Some(first) => self.frames[depth].branch(first),
            None => {
                self.counts.blocked += 1;
                self.ended(Ending::Blocked);
            }
        }
        Phase::Choose
    }

    /// A complete execution.
    fn end(&mut self, findings: &mut Findings) -> Phase {
        self.counts.executions += 1;
        let state = self.world.current();
        let mut failures = Vec::new();
        state.failures_at_end(&mut failures);
        let view = &self.view;
        findings.end(|| view.final_state(state));
        let deadlock = failures.iter().any(|f| f.kind == FailureKind::Deadlock);
        self.counts.deadlocks += u64::from(deadlock);
        self.ended(if deadlock { Ending::Deadlock } else { Ending::Finished });
        let mut ends = false;
        for failure in failures {
            ends |= findings.fail(failure, self.counts.executions, || self.schedule.clone());
        }
        if ends {
            return Phase::Done;
        }
        self.store_and_leave(true)
    }

    fn ended(&mut self, ending: Ending) {
        self.world.tell_ending(&self.schedule, ending);
    }

    /// The loop over `B`: the next step, or another branch if rule ONE (ALL) demands it, or back.
    fn choose(&mut self, findings: &mut Findings) -> Phase {
        let depth = self.schedule.len();
        if let Some(transition) = self.frames[depth].next_transition() {
            if self.limits.executions.is_some_and(|limit| self.counts.executions >= limit) {
                findings.limit = Some(Limit::Executions);
                return Phase::Done;
            }
            self.take(transition);
            return Phase::Arrive;
        }
        let frame = &mut self.frames[depth];
        if frame.done < frame.branches.len() {
            frame.done += 1;
            frame.alternative = 0;
        }
        if frame.done < frame.branches.len() {
            return Phase::Choose;
        }
        if !frame.waking
            && let Some(open) = frame.open(!self.static_footprints).cloned()
            && let Some(next) = self.first_choice(|_, p| open.contains(p.0))
        {
            self.frames[depth].branch(next);
            return Phase::Choose;
        }
        self.store_and_leave(false)
    }

    /// Takes a step: state, sleep set and schedule advance.
    fn take(&mut self, transition: Transition) {
        let depth = self.schedule.len();
        self.world.tell_step(depth, transition);
        if self.frames.len() == depth + 1 {
            self.frames.push(Frame::with_room(self.frames[depth].units.len()));
        }
        let (before, after) = self.frames.split_at_mut(depth + 1);
        let (parent, child) = (&mut before[depth], &mut after[0]);
        let Some(&unit) = parent.unit(transition.process) else {
            unreachable!("only pending transitions are taken")
        };
        let edge = &mut parent.edge;
        edge.process = transition.process.0;
        edge.footprint = unit.footprint;
        edge.independent.clear();
        for other in &parent.units {
            if other.process != unit.process && !self.footprints.conflict(other.footprint, unit.footprint) {
                edge.independent.insert(other.process.0);
            }
        }
        child.sleep.clear();
        if self.sleep_sets {
            child.sleep.unite(&parent.sleep);
            parent.branches[..parent.done].iter().for_each(|p| child.sleep.insert(p.0));
            child.sleep.intersect(&edge.independent);
        }
        let accesses = self.footprints.accesses(unit.footprint);
        let state = self.world.current();
        self.view.before(state, transition, accesses, edge, &mut parent.draft);

        self.panicked = !self.world.take(transition, &mut self.effects);
        // Nearly all steps succeed, and a failure is large: it is not moved for nothing.
        if self.effects.failure.is_some() {
            self.failure = self.effects.failure.take();
        }
        edge.births.clear();
        self.effects.births.iter().for_each(|p| edge.births.insert(p.0));
        self.schedule.push(transition);
        self.counts.steps += 1;
        self.counts.max_depth = self.counts.max_depth.max(depth as u64 + 1);
        if !self.panicked {
            let state = self.world.current();
            self.view.after(state, &mut edge.changes);
            if !self.static_footprints {
                self.list_processes_after_step();
            }
        }
    }

    /// The end of `Explore`: remembers what is known of the top node and goes back.
    fn store_and_leave(&mut self, ended: bool) -> Phase {
        let frame = &mut self.frames[self.schedule.len()];
        let state = self.world.current();
        let note = if self.exact {
            0
        } else {
            let guards = &mut self.cones.guards(frame.cones);
            self.view.note(state, &mut frame.draft, guards, ended)
        };
        if let Some(cap) = self.cap {
            frame.cones = self.cones.collapse(frame.cones, cap, &self.footprints);
        }
        let cones = frame.cones;
        let stored = Stored {
            sleep: frame.sleep.clone(),
            cones,
            note,
            tasks: frame.tasks.iter().map(|t| t.process).collect(),
        };
        self.states.insert(frame.key, stored, self.exact);
        self.keep_within_memory(cones, note);
        self.leave(cones, note)
    }

    fn leave_without_storing(&mut self) -> Phase {
        let cones = self.frames[self.schedule.len()].cones;
        self.leave(cones, 0)
    }

    /// Goes back one step with what is known of the node that is left.
    fn leave(&mut self, cones: SetId, note: NoteId) -> Phase {
        if self.schedule.pop().is_none() {
            return Phase::Done;
        }
        self.world.back();
        let depth = self.schedule.len();
        let frame = &mut self.frames[depth];
        let state = self.world.current();
        if !self.exact {
            self.view.returned(note, &frame.edge.changes, &mut frame.draft);
        }
        self.way_back
            .go(frame, &mut self.cones, cones, &mut self.view, &self.footprints, state);
        frame.alternative += 1;
        Phase::Choose
    }
}

impl<V: View> Walk for Merging<'_, V> {
    #[inline]
    fn go_on(&mut self, findings: &mut Findings) -> Status {
        if self.phase == Phase::Choose {
            self.phase = self.choose(findings);
        }
        if self.phase == Phase::Arrive {
            self.phase = self.arrive(findings);
        }
        self.phase.status()
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }

    fn depth(&self) -> u64 {
        self.schedule.len() as u64
    }

    fn complete(&self, outcome: &mut Outcome) {
        outcome.counts.extra_steps += self.world.rebuilding_steps();
        let traffic = self.states.traffic;
        outcome.merged = Some(Merged {
            observe: self.observe,
            tasks_exchanged: self.exchange_tasks,
            lookups: traffic.lookups,
            hits: traffic.hits,
            most_stored: traffic.most_stored,
            most_bytes: self.most_bytes as u64,
            evicted: traffic.evicted,
            store_dropped: self.states.closed,
        });
    }
}
