//! The alternatives of one state with what they may access: the input of the static computations.

use super::accesses::AccessSet;
use crate::program::{Process, Transition};

/// One thing that a process may do next.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The process, and the number of the alternative among its own.
    pub transition: Transition,
    /// Whether it can be taken now. The search sees to this: what leads to a successor is enabled.
    pub enabled: bool,
    /// What decides whether it is enabled.
    pub guard: AccessSet,
    /// `init_accesses` of the paper: all that it can access when it is the next step of its process, its guard included.
    pub init: AccessSet,
    /// `future_accesses` of the paper: all that its process, and every process that this one may yet start, can access in any execution
    /// in which the process goes on with it.
    pub future: AccessSet,
    /// The place of its process among the processes of the state.
    pub(super) process: usize,
    /// Whether it is in the set under construction.
    pub(super) chosen: bool,
    /// Whether what a property can see may change by it.
    pub(super) visible: bool,
    /// Whether all its successors move the process upwards ([`States::advances`](super::States::advances)).
    pub(super) advances: bool,
}

/// All alternatives of a state, those of one process side by side. The memory is reused from state to state.
#[derive(Debug, Default)]
pub struct Alternatives {
    all: Vec<Alternative>,
    len: usize,
    processes: Vec<Process>,
}

impl Alternatives {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.len = 0;
        self.processes.clear();
    }

    /// Adds an alternative whose accesses the caller fills in.
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
                guard: AccessSet::new(),
                init: AccessSet::new(),
                future: AccessSet::new(),
                process,
                chosen: false,
                visible: false,
                advances: true,
            });
        }
        let next = &mut self.all[self.len];
        self.len += 1;
        next.transition = transition;
        next.enabled = enabled;
        next.guard.clear();
        next.init.clear();
        next.future.clear();
        next.process = process;
        next.chosen = false;
        next.visible = false;
        next.advances = true;
        next
    }

    /// How many processes have alternatives.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Puts exactly those into the set that `choose` wants; disabled ones are never in it.
    pub fn choose(&mut self, choose: impl Fn(&Alternative) -> bool) {
        for a in self.iter_mut() {
            a.chosen = a.enabled && choose(a);
        }
    }

    /// Marks those that a property may notice.
    pub fn see(&mut self, notices: impl Fn(&Alternative) -> bool) {
        for a in self.iter_mut() {
            a.visible = notices(a);
        }
    }

    /// Those in the set.
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
