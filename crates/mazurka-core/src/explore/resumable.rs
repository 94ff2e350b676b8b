//! Saving a search through executions, and going on with it: node by node along the current execution.

use super::exploration::{Exploration, Sleeper};
use crate::outcome::Counts;
use crate::saved::{Decoder, Encoder, Misfit};

/// What a strategy must say to be saved. What is not said must be found out again, or not matter.
pub trait Resumable {
    /// Writes what it knows of the node at `depth` of the current execution.
    fn save_node(&self, depth: usize, out: &mut Encoder);

    /// Reads what [`Resumable::save_node`] wrote; the node is the top node.
    ///
    /// # Errors
    /// If it does not fit the program.
    fn resume_node(&mut self, exploration: &mut Exploration<'_>, from: &mut Decoder<'_>) -> Result<(), Misfit>;

    /// Writes what it knows besides, which is of the whole execution.
    fn save(&self, exploration: &Exploration<'_>, out: &mut Encoder) {
        let _ = (exploration, out);
    }

    /// Reads what [`Resumable::save`] wrote.
    ///
    /// # Errors
    /// If it does not fit the program.
    fn resume(&mut self, exploration: &mut Exploration<'_>, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        let _ = (exploration, from);
        Ok(())
    }
}

impl Exploration<'_> {
    /// Writes the current execution, with what the strategy knows of each node.
    pub(crate) fn save(&self, strategy: &dyn Resumable, out: &mut Encoder) {
        self.facts.names.save(out);
        self.counts.save(out);
        out.flag(self.choices);
        out.number(self.fresh_from.into());
        out.number(self.depth() as u64);
        for depth in 0..=self.depth() {
            let sleep = &self.frame(depth as u32).sleep;
            out.list(sleep.iter(), |out, sleeper| out.transition(sleeper.transition));
            strategy.save_node(depth, out);
            if let Some(transition) = self.schedule.get(depth) {
                out.transition(*transition);
            }
        }
        strategy.save(self, out);
    }

    /// Runs the execution that was saved. To be called at the initial state, before anything was done.
    pub(crate) fn resume(&mut self, strategy: &mut dyn Resumable, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        self.facts.names.resume(from)?;
        let counts = Counts::resumed(from)?;
        self.choices = from.flag()?;
        let fresh_from = from.small()?;
        let depth: usize = from.count()?;
        let mut asleep = Vec::with_capacity(depth + 1);
        loop {
            asleep.push(from.list(|from| self.resumed_sleeper(from))?);
            strategy.resume_node(self, from)?;
            if self.depth() == depth {
                break;
            }
            let transition = from.transition()?;
            if !self.rerun(transition) {
                return Err(Misfit::OtherProgram);
            }
        }
        // Not before: nothing is asleep on the way there, so that nothing has to be filtered.
        for (frame, sleep) in self.frames_mut().iter_mut().zip(asleep) {
            frame.sleep = sleep;
        }
        self.fresh_from = fresh_from;
        strategy.resume(self, from)?;
        self.counts = counts;
        Ok(())
    }

    /// A step that is pending at the top node, and sleeps there or is planned from there.
    pub(crate) fn resumed_sleeper(&self, from: &mut Decoder<'_>) -> Result<Sleeper, Misfit> {
        let transition = from.transition()?;
        let next = self.top().pending.iter().find(|n| n.transition == transition);
        next.map(|next| Sleeper {
            transition,
            footprint: next.footprint,
        })
        .ok_or(Misfit::OtherProgram)
    }

    /// Takes a step that was taken before; what it finds is known. False if it cannot be taken, or panics: nothing comes after that.
    pub(crate) fn rerun(&mut self, transition: crate::program::Transition) -> bool {
        let taken = self.take(transition);
        self.failure = None;
        taken && !self.broken
    }
}
