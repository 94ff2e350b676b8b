//! What every algorithm works on: the current execution, what is pending and what sleeps at each of its nodes.

use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::footprints::{FootprintId, Footprints};
use crate::order::Order;
use crate::outcome::{Counts, Failure};
use crate::program::{Fingerprint, Pending, Process, Transition};
use crate::sequence::{First, Item, Sequence};
use crate::trace::{At, Causality, NOWHERE, Trace};
use crate::world::{Equality, Facts, World};

/// A pending transition, with what it may touch.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    /// The transition.
    pub transition: Transition,
    pub(crate) footprint: FootprintId,
    /// Whether it can be taken.
    pub enabled: bool,
}

impl Next {
    /// As a step of a sequence: its event in the execution, if it was taken, and the one that it cannot be separated from.
    pub(crate) fn item(self, at: At, before: At) -> Item {
        Item {
            transition: self.transition,
            footprint: self.footprint,
            at,
            before,
        }
    }
}

/// A transition whose consequences are explored elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Sleeper {
    /// The transition.
    pub transition: Transition,
    pub(crate) footprint: FootprintId,
}

/// What is known at one node of the current execution. Frames are reused: their vectors keep their memory.
#[derive(Default)]
pub struct Frame {
    /// Every transition of every unfinished process.
    pub(crate) pending: Vec<Next>,
    /// The sleep set: inherited, plus what was explored from here.
    pub(crate) sleep: Vec<Sleeper>,
    /// Whether some pending transition has a guard.
    pub(crate) guarded: bool,
}

impl Frame {
    /// Every transition of every unfinished process, enabled or not.
    pub fn pending(&self) -> &[Next] {
        &self.pending
    }

    /// The transitions that can be taken.
    pub fn enabled(&self) -> impl Iterator<Item = &Next> {
        self.pending.iter().filter(|n| n.enabled)
    }

    /// Whether a transition sleeps.
    pub fn sleeps(&self, transition: Transition) -> bool {
        self.sleep.iter().any(|s| s.transition == transition)
    }
}

/// The current execution and all that is known along it. Events are numbered by their [position](At), from 0.
pub struct Exploration<'p> {
    pub(crate) facts: Facts<'p>,
    pub(crate) order: Order,
    pub(crate) world: Box<dyn World + 'p>,
    pub(crate) trace: Trace,
    pub(crate) footprints: Footprints,
    pub(crate) schedule: Vec<Transition>,
    pub(crate) counts: Counts,
    /// The failure of the last step.
    pub(crate) failure: Option<Failure>,
    /// Whether the last step panicked: its state is not to be looked at.
    pub(crate) broken: bool,
    /// Events from here on have not been part of a maximal execution whose races were looked at.
    pub(crate) fresh_from: At,
    /// Whether some process had more than one transition, ever.
    pub(crate) choices: bool,
    static_footprints: bool,
    frames: Vec<Frame>,
    effects: Effects,
    footprint: Footprint,
    pending: Vec<Pending>,
    kept: Vec<At>,
}

impl<'p> Exploration<'p> {
    /// At the initial state, where `world` is.
    pub(crate) fn new(facts: Facts<'p>, order: Order, world: Box<dyn World + 'p>) -> Self {
        Exploration::with_footprints(facts, order, world, Footprints::default())
    }

    /// The same with a table of footprints that others share.
    pub(crate) fn with_footprints(facts: Facts<'p>, order: Order, world: Box<dyn World + 'p>, footprints: Footprints) -> Self {
        let mut exploration = Exploration {
            facts,
            order,
            world,
            trace: Trace::default(),
            footprints,
            schedule: Vec::new(),
            counts: Counts {
                states: 1,
                ..Counts::default()
            },
            failure: None,
            broken: false,
            fresh_from: 0,
            choices: false,
            static_footprints: facts.features.static_footprints,
            frames: vec![Frame::default()],
            effects: Effects::default(),
            footprint: Footprint::default(),
            pending: Vec::new(),
            kept: Vec::new(),
        };
        exploration.look_around(None);
        exploration
    }

    /// The number of steps taken.
    pub fn depth(&self) -> usize {
        self.schedule.len()
    }

    /// The node at the end of the current execution.
    pub fn top(&self) -> &Frame {
        &self.frames[self.schedule.len()]
    }

    /// The node before the event at `at`, or the top for `at` = the number of events.
    pub fn frame(&self, at: At) -> &Frame {
        &self.frames[at as usize]
    }

    /// The nodes of the current execution, and maybe old ones below.
    pub(super) fn frames_mut(&mut self) -> &mut [Frame] {
        &mut self.frames
    }

    /// The step that the event at `at` is.
    pub fn event(&self, at: At) -> Transition {
        self.trace.event(at).transition
    }

    /// Whether the event at `a` happens before that at `b`, or is it.
    pub fn happens_before(&self, a: At, b: At) -> bool {
        self.trace.happens_before(a, b)
    }

    /// Whether the event at `at` happens before whatever the process does next.
    pub fn happens_before_next(&self, at: At, process: Process) -> bool {
        self.trace.in_past(at, self.trace.before_next(process))
    }

    /// The events that would race with `next`, pending at the top node, if it were taken now: they conflict with it, and nothing between
    /// orders the two.
    pub fn races_of_next(&mut self, next: Next, out: &mut Vec<At>) {
        let process = next.transition.process;
        self.trace.races_of_next(process, next.footprint, &self.footprints, out);
    }

    /// Whether two steps may not be swapped.
    pub fn conflict(&self, a: Next, b: Next) -> bool {
        self.footprints.conflict(a.footprint, b.footprint)
    }

    /// Takes an enabled transition: state, trace and sleep set advance. Failures of the step are left in `failure`.
    ///
    /// False if it is not enabled: the program did something else than when the step was planned.
    #[must_use]
    pub(crate) fn take(&mut self, transition: Transition) -> bool {
        let depth = self.depth();
        let Some(footprint) = self.enabled_footprint(transition) else {
            return false;
        };
        self.broken = !self.world.take(transition, &mut self.effects);
        // Nearly all steps succeed, and a failure is large: it is not moved for nothing.
        if self.effects.failure.is_some() {
            self.failure = self.effects.failure.take();
        }
        self.trace
            .push(transition, footprint, &self.effects.births, &self.effects.after, &self.footprints);
        self.schedule.push(transition);
        self.counts.steps += 1;
        self.counts.states += 1;
        self.counts.max_depth = self.counts.max_depth.max(depth as u64 + 1);

        if self.frames.len() == depth + 1 {
            self.frames.push(Frame::default());
        }
        let (before, after) = self.frames.split_at_mut(depth + 1);
        let (parent, child) = (&before[depth], &mut after[0]);
        child.sleep.clear();
        for sleeper in &parent.sleep {
            let same_process = sleeper.transition.process == transition.process;
            let independent = !same_process && !self.footprints.conflict(sleeper.footprint, footprint);
            if independent {
                child.sleep.push(*sleeper);
            }
        }
        if self.broken {
            *child = Frame::default();
        } else {
            self.look_around(Some(transition.process));
        }
        true
    }

    /// Goes back one step and returns it.
    pub(crate) fn back(&mut self) -> Option<Sleeper> {
        let transition = self.schedule.pop()?;
        let footprint = self.trace.event(self.schedule.len() as At).footprint;
        self.trace.pop(&self.footprints);
        self.world.back();
        self.fresh_from = self.fresh_from.min(self.schedule.len() as At);
        Some(Sleeper { transition, footprint })
    }

    /// Takes a step for the time of `look`: it is no part of the tree.
    pub(crate) fn look_ahead(&mut self, transition: Transition, look: impl FnOnce(&mut Self)) {
        let counts = self.counts;
        if !self.take(transition) {
            return;
        }
        look(self);
        self.back();
        let extra_steps = self.counts.extra_steps + 1;
        let unknown_futures = self.counts.unknown_futures;
        self.counts = Counts {
            extra_steps,
            unknown_futures,
            ..counts
        };
        self.failure = None;
    }

    /// What a process may touch from the top node on; `None` if it may be anything.
    pub(crate) fn future(&mut self, process: Process) -> Option<FootprintId> {
        self.footprint.clear();
        let known = self.world.current().future(process, &mut self.footprint);
        self.counts.unknown_futures += u64::from(!known);
        known.then(|| self.footprints.intern(&self.footprint))
    }

    /// Puts a transition to sleep at the top node.
    pub fn put_to_sleep(&mut self, sleeper: Sleeper) {
        let depth = self.depth();
        self.frames[depth].sleep.push(sleeper);
    }

    /// Wakes what sleeps at the top node but for the first so many.
    pub(crate) fn truncate_sleep(&mut self, len: usize) {
        let depth = self.depth();
        self.frames[depth].sleep.truncate(len);
    }

    /// The first transition at the top node, by the order, among those enabled that `eligible` accepts.
    pub fn first_choice(&mut self, mut eligible: impl FnMut(&Frame, Transition) -> bool) -> Option<Next> {
        let depth = self.schedule.len();
        let frame = &self.frames[depth];
        let candidates = frame.enabled().filter(|n| eligible(frame, n.transition));
        match self.order {
            Order::Fifo => candidates.into_iter().next().copied(),
            Order::Random(seed) => candidates.min_by_key(|n| random_rank(seed, depth as u64, n.transition)).copied(),
            order => {
                let state = self.world.current();
                candidates
                    .min_by_key(|n| state.precedence(order, n.transition).unwrap_or(u64::MAX))
                    .copied()
            }
        }
    }

    /// Whether the last step of `v` is enabled once the others have been run from the node before the event at `from`.
    pub(crate) fn executable(&mut self, from: At, v: &Sequence) -> bool {
        let Some((last, others)) = v.items.split_last() else { return true };
        if self.facts.enabling && others.iter().all(|item| item.at != NOWHERE) {
            self.kept.clear();
            self.kept.extend((0..from).chain(others.iter().map(|item| item.at)));
            if let Some(enabled) = self.world.current().enabled_after(&self.kept, last.transition) {
                return enabled;
            }
        }
        let state = self.world.aside(from as usize);
        self.counts.extra_steps += others.len() as u64;
        for item in others {
            if !state.step(item.transition, &mut self.effects) {
                // A panic ends the execution: nothing is enabled after it.
                return false;
            }
        }
        self.pending.clear();
        state.pending(&mut self.pending);
        self.pending.iter().any(|p| p.enabled && p.transition == last.transition)
    }

    /// Whether a step that sleeps before the event at `e` is an initial of `v`: then `v` was explored from there.
    pub(crate) fn sleep_starts(&self, e: At, v: &Sequence) -> bool {
        let starts = |s: &Sleeper| matches!(v.first(s.transition, s.footprint, &self.footprints), First::Initial(_));
        self.frame(e).sleep.iter().any(starts)
    }

    /// Whether a step that sleeps before the event at `e` could come first in `v`: then `v` was explored from there.
    pub(crate) fn sleep_covers(&self, e: At, v: &Sequence) -> bool {
        let covers = |s: &Sleeper| v.first(s.transition, s.footprint, &self.footprints) != First::No;
        self.frame(e).sleep.iter().any(covers)
    }

    /// The state after running `steps` from the node before the event at `from`, as a fingerprint; `None` if one of them is disabled or
    /// fails: a failure leaves no mark in the state of some programs, and the run must not be taken for one that was explored.
    pub(crate) fn state_after(&mut self, from: At, steps: impl Iterator<Item = Transition>) -> Option<Fingerprint> {
        self.run_from(from, steps.map(|t| (t, None)), Equality::Exact)
    }

    /// The state after running `w` from the node before the event at `from`; `None` if one of its steps is disabled or fails. The steps get the
    /// footprints that they have there: after other values were read, a step may go on elsewhere than in the current execution.
    pub(crate) fn state_along(&mut self, from: At, w: &mut Sequence, equality: Equality) -> Option<Fingerprint> {
        let steps = w.items.iter_mut().map(|item| (item.transition, Some(&mut item.footprint)));
        self.run_from(from, steps, equality)
    }

    fn run_from<'f>(
        &mut self,
        from: At,
        steps: impl Iterator<Item = (Transition, Option<&'f mut FootprintId>)>,
        equality: Equality,
    ) -> Option<Fingerprint> {
        let state = self.world.aside(from as usize);
        for (transition, footprint) in steps {
            self.pending.clear();
            state.pending(&mut self.pending);
            if !self.pending.iter().any(|p| p.enabled && p.transition == transition) {
                return None;
            }
            if let Some(footprint) = footprint {
                self.footprint.clear();
                state.footprint(transition, &mut self.footprint);
                *footprint = self.footprints.intern(&self.footprint);
            }
            self.counts.extra_steps += 1;
            if !state.step(transition, &mut self.effects) || self.effects.failure.is_some() {
                return None;
            }
        }
        Some(state.fingerprint(equality))
    }

    /// The state at the end of the current execution, as a fingerprint.
    pub(crate) fn state(&mut self) -> Fingerprint {
        self.world.current().fingerprint(Equality::Exact)
    }

    /// The footprint of a transition that can be taken at the top node.
    fn enabled_footprint(&self, transition: Transition) -> Option<FootprintId> {
        self.top().enabled().find(|n| n.transition == transition).map(|n| n.footprint)
    }

    /// Fills the top frame's list of pending transitions. Footprints of processes that did not move are those of the parent.
    fn look_around(&mut self, moved: Option<Process>) {
        let depth = self.schedule.len();
        let state = self.world.current();
        self.pending.clear();
        state.pending(&mut self.pending);
        let (before, after) = self.frames.split_at_mut(depth);
        let parent = before.last().map_or(&[][..], |f| &f.pending);
        let frame = &mut after[0];
        frame.pending.clear();
        frame.guarded = false;
        let (mut hint, mut stayed) = (0, 0);
        for pending in &self.pending {
            let known = if self.static_footprints && Some(pending.transition.process) != moved {
                find_from(parent, &mut hint, pending.transition)
            } else {
                None
            };
            stayed += usize::from(known.is_some());
            let footprint = known.unwrap_or_else(|| {
                self.footprint.clear();
                state.footprint(pending.transition, &mut self.footprint);
                self.footprints.intern(&self.footprint)
            });
            frame.guarded |= self.footprints.is_guarded(footprint);
            self.choices |= pending.transition.choice > 0;
            frame.pending.push(Next {
                transition: pending.transition,
                footprint,
                enabled: pending.enabled,
            });
        }
        if self.choices && self.static_footprints {
            let others = parent.iter().filter(|n| Some(n.transition.process) != moved).count();
            if stayed < others {
                self.keep_vanished(moved);
            }
        }
    }

    /// Alternatives that another process has made impossible stay in the list as disabled ones, whether the program lists them or not: they could
    /// have been taken before. Their guards are those of the alternatives that are still listed.
    ///
    /// `byte y = 1; chan h = [0] of { byte }; active proctype P0() { atomic { if :: skip :: h!0; y = 0 fi; if :: skip :: (y) fi } }
    /// active proctype P1() { assert(y); y = 0 }` loses a trace otherwise, in some orders: while its first way sleeps, the second one is gone.
    fn keep_vanished(&mut self, moved: Option<Process>) {
        let (before, after) = self.frames.split_at_mut(self.schedule.len());
        let Some(parent) = before.last() else { return };
        let frame = &mut after[0];
        let listed = frame.pending.len();
        for known in parent.pending.iter().filter(|n| Some(n.transition.process) != moved) {
            if frame.pending[..listed].iter().all(|n| n.transition != known.transition) {
                frame.pending.push(Next { enabled: false, ..*known });
            }
        }
    }
}

/// The footprint of a transition in the parent's list, starting where the last one was found: both lists are in nearly the same order.
fn find_from(parent: &[Next], hint: &mut usize, transition: Transition) -> Option<FootprintId> {
    let (early, late) = parent.split_at((*hint).min(parent.len()));
    let found = match late.iter().position(|n| n.transition == transition) {
        Some(offset) => early.len() + offset,
        None => early.iter().position(|n| n.transition == transition)?,
    };
    *hint = found + 1;
    Some(parent[found].footprint)
}

/// When a transition is tried under [`Order::Random`] after so many steps, smallest first: a well-mixed number (the finaliser of
/// SplitMix64).
pub fn random_rank(seed: u64, depth: u64, transition: Transition) -> u64 {
    let mut z = seed ^ depth.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (u64::from(transition.process.0) << 32 | u64::from(transition.choice));
    for _ in 0..2 {
        z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
    }
    z
}
