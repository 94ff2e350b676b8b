//! The pending transitions of one state with what they may access: the input of the static computations.

use super::accesses::AccessSet;
use super::space::StateSpace;
use crate::program::{Pending, Process, Transition};

/// A pending transition with its accesses.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The transition.
    pub transition: Transition,
    /// Whether it can be taken now.
    pub enabled: bool,
    /// `init_accesses` of the paper; of a disabled transition only what its guard reads matters.
    pub init: AccessSet,
    /// `future_accesses` of the paper.
    pub future: AccessSet,
    /// The place of its process among the processes of the state.
    pub(super) process: usize,
    /// Whether it is in the set under construction.
    pub(super) chosen: bool,
    /// Whether it moves its process upwards, once that is known ([`StateSpace::advances`]).
    pub(super) advances: Option<bool>,
}

/// All pending transitions of a state, those of one process side by side. The memory is reused from state to state.
#[derive(Debug, Default)]
pub struct Alternatives {
    all: Vec<Alternative>,
    len: usize,
    processes: Vec<Process>,
}

impl Alternatives {
    /// Those of `run`, where `pending` is pending.
    pub fn of<P: StateSpace>(&mut self, program: &P, run: &P::Run, pending: &[Pending]) {
        self.clear();
        for &Pending { transition, enabled } in pending {
            let next = self.push(transition, enabled);
            program.init(run, transition, &mut next.init);
            program.future(run, transition, &mut next.future);
        }
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.len = 0;
        self.processes.clear();
    }

    /// Adds a transition whose accesses the caller fills in.
    pub fn push(&mut self, transition: Transition, enabled: bool) -> &mut Alternative {
        let process = match self.processes.iter().rposition(|p| *p == transition.process) {
            Some(known) => known,
            None => {
                self.processes.push(transition.process);
                self.processes.len() - 1
            }
        };
        if self.len == self.all.len() {
            self.all.push(Alternative {
                transition,
                enabled,
                init: AccessSet::new(),
                future: AccessSet::new(),
                process,
                chosen: false,
                advances: None,
            });
        }
        let next = &mut self.all[self.len];
        self.len += 1;
        next.transition = transition;
        next.enabled = enabled;
        next.init.clear();
        next.future.clear();
        next.process = process;
        next.chosen = false;
        next.advances = None;
        next
    }

    /// How many processes have something pending.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Puts exactly the transitions into the set that `choose` wants; disabled ones are never in it.
    pub fn choose(&mut self, choose: impl Fn(&Alternative) -> bool) {
        for a in &mut self.all[..self.len] {
            a.chosen = a.enabled && choose(a);
        }
    }

    /// The transitions in the set.
    pub fn chosen(&self) -> impl Iterator<Item = Transition> + '_ {
        self.iter().filter(|a| a.chosen).map(|a| a.transition)
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Alternative> {
        self.all[..self.len].iter()
    }

    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Alternative> {
        self.all[..self.len].iter_mut()
    }

    pub(super) fn set_chosen(&mut self, at: usize, chosen: bool) {
        self.all[at].chosen = chosen;
    }

    pub(super) fn get(&self, at: usize) -> &Alternative {
        &self.all[at]
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}
