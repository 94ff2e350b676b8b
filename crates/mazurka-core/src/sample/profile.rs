//! What the first executions tell about all: how long they are, and which process takes how many steps.

use crate::explore::exploration::Exploration;
use crate::program::Process;
use crate::saved::{Decoder, Encoder, Misfit};

/// Sums over some executions.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    /// The most steps of one execution at which there was something to choose.
    most_choices: u64,
    /// Per process, its own steps in all executions.
    steps: Vec<u64>,
    /// Per process, in how many executions it lived.
    lived: Vec<u64>,
    /// Per process, who gave birth to it.
    parents: Vec<Option<Process>>,
    /// Per process, the steps of it and of its descendants in all executions.
    subtrees: Vec<u64>,
}

impl Profile {
    /// One step, in the unit of [`Profile::subtree`].
    pub const STEP: u64 = 64;

    /// Adds an execution that ended.
    pub fn add(&mut self, exploration: &Exploration<'_>, choices: u64) {
        self.most_choices = self.most_choices.max(choices);
        let mut lived = Vec::new();
        for at in 0..exploration.trace.len() {
            let process = exploration.event(at).process;
            self.grow(process);
            self.steps[process.index()] += 1;
            lived.push(process);
            for &child in exploration.trace.births(at) {
                self.grow(child);
                self.parents[child.index()] = Some(process);
            }
        }
        lived.sort_unstable();
        lived.dedup();
        for process in lived {
            self.lived[process.index()] += 1;
        }
    }

    /// To be called when all were added.
    pub fn finish(&mut self) {
        self.subtrees = vec![0; self.steps.len()];
        for (process, &steps) in self.steps.iter().enumerate() {
            let mut at = process;
            // Who is born by whom may differ from execution to execution; a chain that closes is followed once.
            for _ in 0..self.steps.len() {
                self.subtrees[at] += steps;
                match self.parents[at] {
                    Some(parent) if parent.index() != process => at = parent.index(),
                    _ => break,
                }
            }
        }
    }

    /// How many processes there are tables for.
    pub fn processes(&self) -> usize {
        self.steps.len()
    }

    /// The most steps of one execution at which there was something to choose.
    pub fn most_choices(&self) -> u64 {
        self.most_choices
    }

    /// How many steps a process and its descendants take in an execution in which it lives, on average, in units of which a step has
    /// [`Profile::STEP`]; 0 if it was never seen.
    pub fn subtree(&self, process: Process) -> u64 {
        let (all, lived) = (self.subtrees.get(process.index()), self.lived.get(process.index()));
        match (all, lived) {
            (Some(all), Some(lived)) if *lived > 0 => (all * Self::STEP).div_ceil(*lived),
            _ => 0,
        }
    }

    pub fn save(&self, out: &mut Encoder) {
        out.number(self.most_choices);
        for numbers in [&self.steps, &self.lived, &self.subtrees] {
            out.list(numbers.iter(), |out, n| out.number(*n));
        }
        out.list(self.parents.iter(), |out, parent| {
            out.number(parent.map_or(0, |p| u64::from(p.0) + 1))
        });
    }

    pub fn resumed(from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        let most_choices = from.number()?;
        let [steps, lived, subtrees] = [
            from.list(Decoder::number)?,
            from.list(Decoder::number)?,
            from.list(Decoder::number)?,
        ];
        let parent = |from: &mut Decoder<'_>| Ok(from.small::<u32>()?.checked_sub(1).map(Process));
        let parents = from.list(parent)?;
        if [&lived, &subtrees].iter().any(|list| !list.is_empty() && list.len() != steps.len()) || parents.len() != steps.len() {
            return Err(Misfit::Garbled);
        }
        Ok(Profile {
            most_choices,
            steps,
            lived,
            parents,
            subtrees,
        })
    }

    fn grow(&mut self, process: Process) {
        let size = self.steps.len().max(process.index() + 1);
        self.steps.resize(size, 0);
        self.lived.resize(size, 0);
        self.parents.resize(size, None);
    }
}
