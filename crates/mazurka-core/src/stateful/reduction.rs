//! Which of the enabled transitions a stateful search explores from a state.
//!
//! The choice is a function of the state alone, and the source set is always a part of the persistent set of the same state. So the
//! search with source sets reaches a subset of the states that the search with persistent sets reaches, and takes a subset of its
//! transitions, whatever the order of the search.

use super::alternatives::Alternatives;
use super::persistent::Persistent;
use super::source::Source;
use super::space::StateSpace;
use crate::effects::Effects;
use crate::program::{Pending, Transition};

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Nothing.
    None,
    /// All but a persistent set.
    Persistent,
    /// All but a source set.
    Source,
}

/// How many states inside one indivisible sequence are looked at before it is taken for one that does not advance.
const TRANSIENT_BUDGET: usize = 64;

/// Chooses transitions, and keeps the memory it needs for that.
pub(super) struct Reducer<R> {
    reduction: Reduction,
    all: Alternatives,
    persistent: Persistent,
    source: Source,
    /// (size, process) of the persistent sets of the state, smallest first.
    candidates: Vec<(usize, usize)>,
    scratch: Vec<R>,
    pending: Vec<Pending>,
    effects: Effects,
}

impl<R: Clone> Reducer<R> {
    pub fn new(reduction: Reduction) -> Self {
        Reducer {
            reduction,
            all: Alternatives::default(),
            persistent: Persistent::default(),
            source: Source::default(),
            candidates: Vec::new(),
            scratch: Vec::new(),
            pending: Vec::new(),
            effects: Effects::default(),
        }
    }

    /// Appends the transitions to explore from `run`, where `pending` is pending.
    pub fn choose<P: StateSpace<Run = R>>(&mut self, program: &P, run: &R, pending: &[Pending], out: &mut Vec<Transition>) {
        let mut enabled = pending.iter().filter(|p| p.enabled).map(|p| p.transition);
        let first = enabled.next();
        if self.reduction == Reduction::None || enabled.all(|t| Some(t.process) == first.map(|f| f.process)) {
            out.extend(pending.iter().filter(|p| p.enabled).map(|p| p.transition));
            return;
        }
        self.all.of(program, run, pending);
        let reduced = self.choose_persistent(program, run);
        if self.reduction == Reduction::Source {
            if reduced {
                self.source.shrink(&mut self.all);
            } else {
                self.choose_source(program, run);
            }
        }
        out.extend(self.all.chosen());
    }

    /// Chooses the smallest persistent set all of whose transitions advance; everything, and false, if there is none.
    fn choose_persistent<P: StateSpace<Run = R>>(&mut self, program: &P, run: &R) -> bool {
        let enabled = self.all.iter().filter(|a| a.enabled).count();
        self.candidates.clear();
        for process in 0..self.all.processes() {
            if self.all.iter().any(|a| a.enabled && a.process == process) {
                self.persistent.close(&mut self.all, process);
                let size = self.all.chosen().count();
                if size < enabled {
                    self.candidates.push((size, process));
                }
            }
        }
        self.candidates.sort_unstable();
        for i in 0..self.candidates.len() {
            self.persistent.close(&mut self.all, self.candidates[i].1);
            if self.all_chosen_advance(program, run) {
                return true;
            }
        }
        self.all.choose(|_| true);
        false
    }

    /// Chooses a source set all of whose transitions advance; everything if there is none.
    fn choose_source<P: StateSpace<Run = R>>(&mut self, program: &P, run: &R) {
        self.all.choose(|_| true);
        for at in 0..self.all.len() {
            self.advances(program, run, at);
        }
        self.all.choose(|a| a.advances == Some(true));
        if self.source.holds(&self.all) {
            self.source.shrink(&mut self.all);
        } else {
            self.all.choose(|_| true);
        }
    }

    fn all_chosen_advance<P: StateSpace<Run = R>>(&mut self, program: &P, run: &R) -> bool {
        (0..self.all.len()).all(|at| !self.all.get(at).chosen || self.advances(program, run, at))
    }

    /// Whether the enabled transition moves its process upwards on every way to the next state that is stored.
    fn advances<P: StateSpace<Run = R>>(&mut self, program: &P, run: &R, at: usize) -> bool {
        let alternative = self.all.get(at);
        if !alternative.enabled {
            return false;
        }
        if let Some(known) = alternative.advances {
            return known;
        }
        let transition = alternative.transition;
        let mut budget = TRANSIENT_BUDGET;
        let advances = self.lands_higher(program, run, run, transition, transition, 0, &mut budget);
        if let Some(a) = self.all.iter_mut().nth(at) {
            a.advances = Some(advances);
        }
        advances
    }

    #[allow(clippy::too_many_arguments)]
    fn lands_higher<P: StateSpace<Run = R>>(
        &mut self,
        program: &P,
        origin: &R,
        run: &R,
        begun_with: Transition,
        transition: Transition,
        depth: usize,
        budget: &mut usize,
    ) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        if self.scratch.len() <= depth {
            self.scratch.push(run.clone());
        } else {
            self.scratch[depth].clone_from(run);
        }
        self.effects.clear();
        program.step(&mut self.scratch[depth], transition, &mut self.effects);
        if !program.is_transient(&self.scratch[depth]) {
            return program.advances(origin, begun_with, &self.scratch[depth]);
        }
        let from = self.pending.len();
        program.pending(&self.scratch[depth], &mut self.pending);
        let here = self.scratch[depth].clone();
        let mut higher = true;
        for at in from..self.pending.len() {
            let next = self.pending[at];
            higher = higher && (!next.enabled || self.lands_higher(program, origin, &here, begun_with, next.transition, depth + 1, budget));
        }
        self.pending.truncate(from);
        higher
    }
}
