//! One call of `Explore`: `B`, `C` and `Req`.

use super::cone::Cones;
use super::step::Processes;
use mazurka_core::Process;

/// What is known at a state while it is being explored.
pub struct Node {
    /// `Z`: what need not be explored from here.
    pub sleep: Processes,
    /// `C`: the cones found so far.
    pub cones: Cones,
    /// `B`: what is explored from here, in order, each with its part of `Req`.
    branches: Vec<Branch>,
    /// How many of these are done.
    done: usize,
}

struct Branch {
    process: Process,
    /// Each is a set of processes one of which must be explored beside this one.
    demands: Vec<Processes>,
}

impl Node {
    /// Nothing is explored yet.
    pub fn new(sleep: Processes, cones: Cones) -> Node {
        Node {
            sleep,
            cones,
            branches: Vec::new(),
            done: 0,
        }
    }

    /// Appends a process to `B`.
    pub fn branch(&mut self, process: Process) {
        self.branches.push(Branch {
            process,
            demands: Vec::new(),
        });
    }

    /// The next process of `B`.
    pub fn next_branch(&self) -> Option<Process> {
        self.branches.get(self.done).map(|b| b.process)
    }

    /// All alternatives of that process were explored.
    pub fn branch_is_done(&mut self) {
        self.done += 1;
    }

    /// `Z` and the processes of `B` before the one that is explored now.
    pub fn sleep_after_branches(&self) -> Processes {
        let done = self.branches[..self.done].iter().map(|b| b.process);
        self.sleep.iter().copied().chain(done).collect()
    }

    /// `Req[p] += …` for the process that is explored now.
    pub fn demand(&mut self, processes: &Processes) {
        if let Some(branch) = self.branches.get_mut(self.done)
            && !branch.demands.contains(processes)
        {
            branch.demands.push(processes.clone());
        }
    }

    /// A set of which some process must be added to `B`; `None` if `B` suffices.
    ///
    /// Rule ONE: one process of `B` with all its sets met is enough. Rule ALL: every process needs that. The set is one of the process that
    /// has the fewest open ones.
    pub fn demanded(&self, one: bool) -> Option<&Processes> {
        let is_met = |set: &Processes| {
            set.iter()
                .any(|p| self.sleep.contains(p) || self.branches.iter().any(|b| b.process == *p))
        };
        let open = |b: &'_ Branch| b.demands.iter().filter(|d| !is_met(d)).count();
        if one && self.branches.iter().any(|b| open(b) == 0) {
            return None;
        }
        let neediest = self.branches.iter().filter(|b| open(b) > 0).min_by_key(|b| open(b))?;
        neediest.demands.iter().find(|d| !is_met(d))
    }
}
