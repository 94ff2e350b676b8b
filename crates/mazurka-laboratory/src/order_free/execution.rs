//! One execution with all that could have happened otherwise in it: its reversals, computed from the definitions.

use mazurka_core::{Effects, Footprint, Pending, Process, Program, Transition, writes_guard};

/// A step of a sequence that could be run instead.
#[derive(Clone, Debug)]
pub struct Item {
    /// What is taken.
    pub transition: Transition,
    /// What it may touch.
    pub footprint: Footprint,
    /// Its event, if it is one of the execution.
    event: Option<usize>,
    /// The event that it cannot be separated from: the previous of its process, or its birth.
    before: Option<usize>,
    /// The events that it had to wait for.
    afters: Vec<usize>,
}

/// `pre(E, e).v` could have been run: `v` instead of the event `e`.
#[derive(Clone, Debug)]
pub struct Reversal {
    /// The number of the event.
    pub e: usize,
    /// The sequence.
    pub v: Vec<Item>,
}

/// Whether a step that is enabled where `v` begins is in `WI(v)`, and which item of `v` it is, if it is one.
pub enum First {
    /// It is the item at this index.
    Initial(usize),
    /// It is independent of all of `v`.
    Independent,
    /// It is not in `WI(v)`.
    No,
}

/// See [`First`].
pub fn first(v: &[Item], transition: Transition, footprint: &Footprint) -> First {
    match v.iter().position(|item| item.transition.process == transition.process) {
        Some(index) => {
            let item = &v[index];
            let depends_on = |earlier: &Item| {
                let event = earlier.event;
                item.footprint.conflicts(&earlier.footprint)
                    || event.is_some() && (event == item.before || item.afters.iter().any(|a| Some(*a) == event))
            };
            if item.transition == transition && !v[..index].iter().any(depends_on) {
                First::Initial(index)
            } else {
                First::No
            }
        }
        None if v.iter().any(|item| item.footprint.conflicts(footprint)) => First::No,
        None => First::Independent,
    }
}

/// A step that is pending somewhere.
#[derive(Clone, Debug)]
struct Waiting {
    transition: Transition,
    footprint: Footprint,
    enabled: bool,
}

struct Event {
    item: Item,
    births: Vec<Process>,
    /// Which events happen before it.
    past: Vec<bool>,
}

/// An execution under way.
pub struct Execution<'p, P: Program> {
    program: &'p P,
    /// One more than there are events.
    states: Vec<P::State>,
    /// What is pending in each state.
    waiting: Vec<Vec<Waiting>>,
    events: Vec<Event>,
    effects: Effects,
}

impl<'p, P> Execution<'p, P>
where
    P: Program,
    P::State: Clone,
{
    /// The empty one.
    pub fn new(program: &'p P) -> Self {
        let mut execution = Execution {
            program,
            states: vec![program.start()],
            waiting: Vec::new(),
            events: Vec::new(),
            effects: Effects::default(),
        };
        execution.look_around();
        execution
    }

    /// The steps taken.
    pub fn schedule(&self) -> Vec<Transition> {
        self.events.iter().map(|e| e.item.transition).collect()
    }

    /// What can be taken now.
    pub fn enabled(&self) -> Vec<Transition> {
        let last = &self.waiting[self.events.len()];
        last.iter().filter(|w| w.enabled).map(|w| w.transition).collect()
    }

    /// What a step that is pending now may touch.
    pub fn footprint(&self, transition: Transition) -> Option<&Footprint> {
        let last = &self.waiting[self.events.len()];
        last.iter().find(|w| w.transition == transition).map(|w| &w.footprint)
    }

    /// Takes a step; false if it is not enabled.
    pub fn take(&mut self, transition: Transition) -> bool {
        let at = self.events.len();
        let Some(waiting) = self.waiting[at].iter().find(|w| w.transition == transition && w.enabled) else {
            return false;
        };
        let footprint = waiting.footprint.clone();
        let mut state = self.states[at].clone();
        self.effects.clear();
        self.program.step(&mut state, transition, &mut self.effects);
        self.states.push(state);
        let item = Item {
            transition,
            footprint,
            event: Some(at),
            before: self.before_next(transition.process, at),
            afters: self.effects.after.iter().map(|a| *a as usize).collect(),
        };
        let direct = |(e, event): (usize, &Event)| {
            event.item.transition.process == transition.process
                || Some(e) == item.before
                || item.afters.contains(&e)
                || event.item.footprint.conflicts(&item.footprint)
        };
        let mut past = vec![false; at];
        for e in (0..at).filter(|e| direct((*e, &self.events[*e]))) {
            past[e] = true;
            for (earlier, is_past) in self.events[e].past.iter().enumerate() {
                past[earlier] |= is_past;
            }
        }
        self.events.push(Event {
            item,
            births: self.effects.births.to_vec(),
            past,
        });
        self.look_around();
        true
    }

    /// Everything that could have been run instead of an event.
    pub fn reversals(&self) -> Vec<Reversal> {
        let mut all = Vec::new();
        for f in 0..self.events.len() {
            self.races(f, &mut all);
        }
        for until in 0..=self.events.len() {
            self.cuts(until, &mut all);
        }
        for e in 0..self.events.len() {
            self.choices(e, &mut all);
        }
        all
    }

    /// Whether `a` is `b`, or happens before it.
    fn reaches(&self, a: usize, b: usize) -> bool {
        a == b || self.events[b].past.get(a) == Some(&true)
    }

    /// The event that the next step of a process after the first `at` events cannot be separated from.
    fn before_next(&self, process: Process, at: usize) -> Option<usize> {
        let own = self.events[..at].iter().rposition(|e| e.item.transition.process == process);
        own.or_else(|| self.events[..at].iter().position(|e| e.births.contains(&process)))
    }

    /// What is pending in the last state. Alternatives that another process has made impossible could have been taken earlier: they stay.
    fn look_around(&mut self) {
        let at = self.events.len();
        let mut pending: Vec<Pending> = Vec::new();
        self.program.pending(&self.states[at], &mut pending);
        let mut waiting: Vec<Waiting> = Vec::new();
        for p in pending {
            let mut footprint = Footprint::new();
            self.program.footprint(&self.states[at], p.transition, &mut footprint);
            waiting.push(Waiting {
                transition: p.transition,
                footprint,
                enabled: p.enabled,
            });
        }
        if let Some(last) = self.events.last() {
            let moved = last.item.transition.process;
            for old in self.waiting[at - 1].iter().filter(|w| w.transition.process != moved) {
                if waiting.iter().all(|w| w.transition != old.transition) {
                    waiting.push(Waiting {
                        enabled: false,
                        ..old.clone()
                    });
                }
            }
        }
        self.waiting.push(waiting);
    }

    /// `notdep(e, E)`: what comes after the event and does not depend on it.
    fn notdep(&self, e: usize) -> Vec<usize> {
        (e + 1..self.events.len()).filter(|f| !self.reaches(e, *f)).collect()
    }

    fn items(&self, events: &[usize]) -> Vec<Item> {
        events.iter().map(|e| self.events[*e].item.clone()).collect()
    }

    /// R1: an event before `f` with nothing between the two, which does not decide whether `f` is enabled.
    fn races(&self, f: usize, all: &mut Vec<Reversal>) {
        let second = &self.events[f];
        for e in (0..f).filter(|e| self.reaches(*e, f)) {
            let first = &self.events[e];
            let between = (e + 1..f).any(|k| self.reaches(e, k) && self.reaches(k, f));
            let bound = first.item.transition.process == second.item.transition.process
                || second.item.before == Some(e)
                || second.item.afters.contains(&e);
            if between || bound || writes_guard(first.item.footprint.accesses(), second.item.footprint.accesses()) {
                continue;
            }
            let mut v = self.items(&self.notdep(e));
            v.push(second.item.clone());
            all.push(Reversal { e, v });
        }
    }

    /// R2: a guarded step that was taken at `until`, or an alternative of it, or at the end a step that waits there: it could have been taken
    /// after every part of what does not depend on a writer of its guard that the removal of last writers leads to.
    fn cuts(&self, until: usize, all: &mut Vec<Reversal>) {
        let taken = self.events.get(until).map(|e| &e.item);
        for q in &self.waiting[until] {
            if taken.is_some_and(|t| t.transition.process != q.transition.process) {
                continue;
            }
            let same = taken.filter(|t| t.transition == q.transition);
            let item = Item {
                transition: q.transition,
                footprint: q.footprint.clone(),
                event: same.and_then(|t| t.event),
                before: self.before_next(q.transition.process, until),
                afters: same.map_or(Vec::new(), |t| t.afters.clone()),
            };
            let in_past = |e: usize| item.before.is_some_and(|b| self.reaches(e, b));
            let writes = |e: usize| writes_guard(self.events[e].item.footprint.accesses(), item.footprint.accesses());
            for e in (0..until).filter(|e| writes(*e) && !in_past(*e)) {
                let mut parts = vec![self.notdep(e)];
                let mut at = 0;
                while at < parts.len() {
                    let part = parts[at].clone();
                    at += 1;
                    if self.enabled_after(e, &part, item.transition) {
                        let mut v = self.items(&part);
                        v.push(item.clone());
                        all.push(Reversal { e, v });
                    }
                    for &w in part.iter().filter(|w| writes(**w) && !in_past(**w)) {
                        let last = !part.iter().any(|k| *k != w && writes(*k) && self.reaches(w, *k));
                        let less: Vec<usize> = part.iter().copied().filter(|k| !self.reaches(w, *k)).collect();
                        if last && !parts.contains(&less) {
                            parts.push(less);
                        }
                    }
                }
            }
        }
    }

    /// R3: the alternatives of a choice.
    fn choices(&self, e: usize, all: &mut Vec<Reversal>) {
        let event = &self.events[e];
        for other in &self.waiting[e] {
            let same_process = other.transition.process == event.item.transition.process;
            if !same_process || !other.enabled || other.transition == event.item.transition {
                continue;
            }
            let mut v = self.items(&self.notdep(e));
            v.push(Item {
                transition: other.transition,
                footprint: other.footprint.clone(),
                event: None,
                before: event.item.before,
                afters: Vec::new(),
            });
            all.push(Reversal { e, v });
        }
    }

    /// Whether a step is enabled after these events have been run instead of the event `e`.
    fn enabled_after(&self, e: usize, events: &[usize], transition: Transition) -> bool {
        let mut state = self.states[e].clone();
        let mut effects = Effects::default();
        for k in events {
            effects.clear();
            self.program.step(&mut state, self.events[*k].item.transition, &mut effects);
        }
        let mut pending = Vec::new();
        self.program.pending(&state, &mut pending);
        pending.iter().any(|p| p.enabled && p.transition == transition)
    }
}
