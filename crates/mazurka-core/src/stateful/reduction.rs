//! Which of the enabled alternatives a stateful search explores from a state.
//!
//! The choice is a function of the state alone, and the source set is always a part of the persistent set of the same state. So the
//! search with source sets reaches a subset of the states that the search with persistent sets reaches, and takes a subset of its
//! transitions, whatever the order of the search.

use super::alternatives::Alternatives;
use super::graph::{Generated, Graph, Slot};
use super::persistent::Persistent;
use super::source::Source;

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

/// Chooses alternatives, and keeps the memory it needs for that.
pub(super) struct Reducer {
    reduction: Reduction,
    /// The property that must not notice what is left out.
    property: Option<usize>,
    all: Alternatives,
    persistent: Persistent,
    source: Source,
    /// (size, process) of the persistent sets of the state, smallest first.
    candidates: Vec<(usize, usize)>,
}

impl Reducer {
    pub fn new(reduction: Reduction) -> Self {
        Reducer {
            reduction,
            property: None,
            all: Alternatives::default(),
            persistent: Persistent::default(),
            source: Source::default(),
            candidates: Vec::new(),
        }
    }

    /// Chooses such that this property does not notice: what it may see counts as something that does not advance, so a set with it in it is
    /// not used.
    pub fn watching(self, property: usize) -> Self {
        Reducer {
            property: Some(property),
            ..self
        }
    }

    /// Leaves those successors of `state` in the batch that are to be explored.
    pub fn reduce(&mut self, graph: &mut dyn Graph, state: Slot, batch: &mut Vec<Generated>) {
        let one_process = batch.windows(2).all(|two| two[0].transition.process == two[1].transition.process);
        if self.reduction == Reduction::None || one_process {
            return;
        }
        self.all.clear();
        graph.alternatives(state, &mut self.all);
        if let Some(property) = self.property {
            graph.watch(property, state, &mut self.all);
        }
        if !self.note_successors(graph, state, batch) {
            return;
        }
        let reduced = self.choose_persistent();
        if self.reduction == Reduction::Source {
            if reduced {
                self.source.shrink(&mut self.all);
            } else {
                self.choose_source();
            }
        }
        let chosen = |g: &Generated| {
            let mut chosen = self.all.iter().filter(|a| a.chosen).map(|a| a.transition);
            chosen.any(|t| t.process == g.transition.process && t.choice == g.alternative)
        };
        for left_out in batch.extract_if(.., |g| !chosen(g)) {
            graph.give_back(left_out.state);
        }
    }

    /// An alternative is enabled if it has successors, and advances if all of them do. False if the program did not list an alternative
    /// that has some: then nothing can be said.
    fn note_successors(&mut self, graph: &dyn Graph, state: Slot, batch: &[Generated]) -> bool {
        for a in self.all.iter_mut() {
            a.enabled = false;
            a.advances = !a.visible;
        }
        for g in batch {
            let mut all = self.all.iter_mut();
            let known = all.find(|a| a.transition.process == g.transition.process && a.transition.choice == g.alternative);
            let Some(a) = known else { return false };
            a.enabled = true;
            a.advances = a.advances && graph.advances(state, g.transition.process, g.state);
        }
        true
    }

    /// Chooses the smallest persistent set all of whose alternatives advance; everything, and false, if there is none.
    fn choose_persistent(&mut self) -> bool {
        let enabled = self.all.iter().filter(|a| a.enabled).count();
        self.candidates.clear();
        for process in 0..self.all.processes() {
            if self.all.iter().any(|a| a.enabled && a.process == process) {
                self.persistent.close(&mut self.all, process);
                let size = self.all.chosen().count();
                if size < enabled && self.all.iter().all(|a| !a.chosen || a.advances) {
                    self.candidates.push((size, process));
                }
            }
        }
        match self.candidates.iter().min() {
            Some(&(_, process)) => {
                self.persistent.close(&mut self.all, process);
                true
            }
            None => {
                self.all.choose(|_| true);
                false
            }
        }
    }

    /// Chooses a source set all of whose alternatives advance; everything if there is none.
    fn choose_source(&mut self) {
        self.all.choose(|a| a.advances);
        if self.source.holds(&self.all) {
            self.source.shrink(&mut self.all);
        } else {
            self.all.choose(|_| true);
        }
    }
}
