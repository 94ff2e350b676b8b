//! One execution of the tree, run step by step: its states, what is pending and what sleeps at each of its nodes. Going back and on to
//! the next one runs only what is new.

use crate::Rejection;
use crate::actions::{Action, Actions};
use crate::set::Set;
use crate::tree::{Node, Tree};
use mazurka_core::{Access, Effects, Failure, Footprint, Pending, Process, Program, Transition};
use smallvec::SmallVec;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A position in the execution.
pub(crate) type At = usize;

/// Each step of an execution is kept with its state: a certificate must not be able to ask for any amount of memory.
pub(crate) const LONGEST: At = 1 << 20;

/// An event: an action that was taken, and what it did. In the proofs: `event`.
#[derive(Default)]
pub(crate) struct Event {
    pub action: Action,
    pub node: Node,
    pub births: SmallVec<[Process; 2]>,
    /// For each of `births` the last event of the process that had its name before.
    lives: SmallVec<[Option<At>; 2]>,
    pub failure: Option<Failure>,
    /// The last event of its process before it, or the one in which that was born.
    pub before: Option<At>,
    /// The events that happen before it, and those that happen after it.
    pub past: Set,
    pub future: Set,
    /// The events that race with it and come before it. In the proofs: `race`.
    pub races: SmallVec<[At; 4]>,
}

/// An action that a process has before it.
#[derive(Clone, Copy)]
pub(crate) struct Offer {
    pub action: Action,
    pub enabled: bool,
}

/// An earlier branch of this node or of one above it that nothing on the way here depends on.
#[derive(Clone, Copy)]
pub(crate) struct Sleeper {
    pub action: Action,
    /// Where it leads.
    pub branch: Node,
    /// The depth of the node where it is a branch.
    pub depth: At,
}

/// A node of the execution.
pub(crate) struct Frame<S> {
    pub state: S,
    pub node: Node,
    pub offers: Vec<Offer>,
    pub sleep: Vec<Sleeper>,
    /// Whether some offer has a guard.
    pub guarded: bool,
    /// The next branch to be taken, where the tree is known.
    next: Node,
}

/// The current execution. Frames and events beyond its end are kept for their memory.
pub(crate) struct Execution<'p, P: Program + ?Sized> {
    pub program: &'p P,
    frames: Vec<Frame<P::State>>,
    events: Vec<Event>,
    depth: At,
    /// For each process its last event, or the one in which it was born.
    last: Vec<Option<At>>,
    effects: Effects,
    footprint: Footprint,
    pending: Vec<Pending>,
}

/// Who numbers actions: the first pass finds them, the second one knows them all.
pub(crate) enum Numbers<'a> {
    Growing(&'a mut Actions),
    Known(&'a Actions),
}

impl Numbers<'_> {
    pub fn actions(&self) -> &Actions {
        match self {
            Numbers::Growing(actions) => actions,
            Numbers::Known(actions) => actions,
        }
    }

    fn number(&mut self, transition: Transition, accesses: &[Access]) -> Result<Action, Rejection> {
        match self {
            Numbers::Growing(actions) => Ok(actions.number(transition, accesses)),
            Numbers::Known(actions) => actions
                .known(transition, accesses)
                .ok_or_else(|| Rejection::refused("the program does not always do the same")),
        }
    }
}

impl<'p, P: Program + ?Sized> Execution<'p, P>
where
    P::State: Clone,
{
    /// At the start of the program.
    pub fn new(program: &'p P, numbers: &mut Numbers<'_>) -> Result<Self, Rejection> {
        let start = Frame {
            state: program.start(),
            node: 0,
            offers: Vec::new(),
            sleep: Vec::new(),
            guarded: false,
            next: 1,
        };
        let mut execution = Execution {
            program,
            frames: vec![start],
            events: Vec::new(),
            depth: 0,
            last: Vec::new(),
            effects: Effects::default(),
            footprint: Footprint::default(),
            pending: Vec::new(),
        };
        execution.look_around(None, numbers)?;
        Ok(execution)
    }

    pub fn depth(&self) -> At {
        self.depth
    }

    pub fn events(&self) -> &[Event] {
        &self.events[..self.depth]
    }

    /// The node before the event at a position, or the last one.
    pub fn frame(&self, at: At) -> &Frame<P::State> {
        debug_assert!(at <= self.depth);
        &self.frames[at]
    }

    pub fn top(&self) -> &Frame<P::State> {
        &self.frames[self.depth]
    }

    /// The last event of a process, or the one in which it was born.
    pub fn before_next(&self, process: Process) -> Option<At> {
        self.last.get(process.index()).copied().flatten()
    }

    /// What a transition would be here, if it is enabled.
    pub fn offered(&self, transition: Transition, actions: &Actions) -> Option<Action> {
        let offers = self.top().offers.iter();
        offers
            .filter(|o| o.enabled)
            .map(|o| o.action)
            .find(|a| actions.transition(*a) == transition)
    }

    /// Takes an action that is enabled and does not sleep. What sleeps was explored before from here or from above: whoever takes
    /// it nevertheless repeats a trace (`no_trace_twice` in `proofs/Repeats.v`).
    pub fn arrive(&mut self, action: Action, node: Node, numbers: &mut Numbers<'_>, effects_matter: bool) -> Result<(), Rejection> {
        let depth = self.depth;
        if depth >= LONGEST {
            return Err(Rejection::refused("an execution in it is longer than this checker takes"));
        }
        let transition = numbers.actions().transition(action);
        if !self.top().offers.iter().any(|o| o.action == action && o.enabled) {
            return Err(Rejection::refused("a step in it cannot be taken"));
        }
        if self.top().sleep.iter().any(|s| s.action == action) {
            return Err(Rejection::refused(
                "an execution is there twice, up to the order of independent steps",
            ));
        }
        self.grow();
        let (now, later) = self.frames.split_at_mut(depth + 1);
        let (here, next) = (&now[depth], &mut later[0]);
        next.state.clone_from(&here.state);
        self.effects.report_touched = effects_matter;
        step(self.program, &mut next.state, transition, &mut self.effects)?;
        next.sleep.clear();
        let independent = |s: &&Sleeper| !numbers.actions().dependent(s.action, action);
        next.sleep.extend(here.sleep.iter().filter(independent));
        (next.node, next.next) = (node, node + 1);

        let before = self.before_next(transition.process);
        let event = &mut self.events[depth];
        (event.action, event.node) = (action, node);
        event.births.clear();
        event.births.extend_from_slice(&self.effects.births);
        event.failure = self.effects.failure.take();
        event.before = before;
        event.lives.clear();
        for process in event.births.iter().chain([&transition.process]) {
            if process.index() >= self.last.len() {
                self.last.resize(process.index() + 1, None);
            }
            event.lives.push(self.last[process.index()].replace(depth));
        }
        self.depth += 1;
        self.look_around(Some(transition.process), numbers)
    }

    /// What the last step really touched, if that was asked for.
    pub fn touched(&self) -> &Footprint {
        &self.effects.touched
    }

    /// Goes back one step. From now on it sleeps at the node before it.
    pub fn leave(&mut self, tree: Option<&Tree>, actions: &Actions) {
        self.depth -= 1;
        let event = &mut self.events[self.depth];
        for at in event.past.iter().collect::<SmallVec<[At; 32]>>() {
            self.events[at].future.remove(self.depth);
        }
        let event = &self.events[self.depth];
        self.last[actions.process(event.action).index()] = event.before;
        for (born, before) in event.births.iter().zip(&event.lives) {
            self.last[born.index()] = *before;
        }
        let sleeper = Sleeper {
            action: event.action,
            branch: event.node,
            depth: self.depth,
        };
        let frame = &mut self.frames[self.depth];
        frame.sleep.push(sleeper);
        frame.next = tree.map_or(0, |tree| tree.end(sleeper.branch));
    }

    /// An earlier branch of the last node, which sleeps there.
    pub fn pass(&mut self, action: Action, branch: Node) {
        let depth = self.depth;
        self.frames[depth].sleep.push(Sleeper { action, branch, depth });
    }

    /// Goes back to the start, where nothing sleeps.
    pub fn restart(&mut self, actions: &Actions) {
        while self.depth > 0 {
            self.leave(None, actions);
        }
        self.wake();
    }

    /// Nothing sleeps at the last node.
    pub fn wake(&mut self) {
        self.frames[self.depth].sleep.clear();
    }

    /// Goes on to a leaf of the tree that is not before the current node.
    pub fn go_to(&mut self, leaf: Node, tree: &Tree, numbers: &mut Numbers<'_>) -> Result<(), Rejection> {
        while tree.end(self.top().node) <= leaf {
            self.leave(Some(tree), numbers.actions());
        }
        while self.top().node != leaf {
            let (depth, branch) = (self.depth, self.top().next);
            let action = tree.action(branch);
            if tree.end(branch) > leaf {
                self.arrive(action, branch, numbers, false)?;
                self.relate(numbers.actions());
            } else {
                self.pass(action, branch);
                self.frames[depth].next = tree.end(branch);
            }
        }
        Ok(())
    }

    /// Finds out what the last event happens after, and with what it races.
    fn relate(&mut self, actions: &Actions) {
        let last = self.depth - 1;
        let (earlier, now) = self.events.split_at_mut(last);
        let event = &mut now[0];
        event.past.clear();
        event.future.clear();
        event.races.clear();
        for at in (0..last).rev() {
            // What is already known to be in the past has something between itself and this event.
            if event.past.contains(at) {
                continue;
            }
            let conflict = actions.conflict(earlier[at].action, event.action);
            let bound = event.before == Some(at);
            if conflict || bound {
                event.past.insert(at);
                event.past.unite(&earlier[at].past);
                let same = actions.process(earlier[at].action) == actions.process(event.action);
                if !bound && !same {
                    event.races.push(at);
                }
            }
        }
        for at in event.past.iter() {
            earlier[at].future.insert(last);
        }
    }

    /// Room for one more step.
    fn grow(&mut self) {
        if self.frames.len() == self.depth + 1 {
            let state = self.top().state.clone();
            self.frames.push(Frame {
                state,
                node: 0,
                offers: Vec::new(),
                sleep: Vec::new(),
                guarded: false,
                next: 0,
            });
        }
        if self.events.len() == self.depth {
            self.events.push(Event::default());
        }
    }

    /// Asks what is pending at the last node. The footprints of processes that did not move are known: they are static.
    fn look_around(&mut self, moved: Option<Process>, numbers: &mut Numbers<'_>) -> Result<(), Rejection> {
        let (before, now) = self.frames.split_at_mut(self.depth);
        let parent = before.last().map_or(&[][..], |frame| &frame.offers);
        let frame = &mut now[0];
        self.pending.clear();
        self.program.pending(&frame.state, &mut self.pending);
        frame.offers.clear();
        frame.guarded = false;
        let mut hint = 0;
        for pending in &self.pending {
            let transition = pending.transition;
            let mut action = None;
            if Some(transition.process) != moved {
                let same = |o: &Offer| numbers.actions().transition(o.action) == transition;
                let found = parent[hint.min(parent.len())..].iter().position(same).map(|at| at + hint);
                if let Some(at) = found.or_else(|| parent.iter().position(same)) {
                    (hint, action) = (at + 1, Some(parent[at].action));
                }
            }
            let action = match action {
                Some(action) => action,
                None => {
                    self.footprint.clear();
                    self.program.footprint(&frame.state, transition, &mut self.footprint);
                    numbers.number(transition, self.footprint.accesses())?
                }
            };
            frame.guarded |= numbers.actions().is_guarded(action);
            frame.offers.push(Offer {
                action,
                enabled: pending.enabled,
            });
        }
        Ok(())
    }
}

/// Takes a step.
pub(crate) fn step<P: Program + ?Sized>(
    program: &P,
    state: &mut P::State,
    transition: Transition,
    effects: &mut Effects,
) -> Result<(), Rejection> {
    effects.clear();
    let ended = catch_unwind(AssertUnwindSafe(|| program.step(state, transition, effects)));
    if ended.is_err() {
        return Err(Rejection::refused("a step panics, and what could follow it is not known"));
    }
    if !effects.after.is_empty() {
        return Err(Rejection::refused(
            "a step waits for others without a conflict, which certificates do not cover",
        ));
    }
    Ok(())
}
