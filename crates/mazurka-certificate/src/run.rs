//! The first pass over a batch of executions: every step of them is taken once. It must be enabled, not asleep, and within the laws.

use crate::Rejection;
use crate::actions::{Action, Actions};
use crate::execution::{Execution, Numbers};
use crate::laws::Laws;
use crate::list::Batch;
use crate::symbols::{Meanings, Symbol};
use mazurka_core::Describe;

/// Runs one batch after the other.
pub(crate) struct Runner<'p, P: Describe + ?Sized>
where
    P::State: Clone,
{
    execution: Execution<'p, P>,
    /// Numbers of its own.
    pub actions: Actions,
    laws: Laws<P::State>,
    pub meanings: Meanings,
}

impl<'p, P: Describe + ?Sized> Runner<'p, P>
where
    P::State: Clone,
{
    pub fn new(program: &'p P) -> Result<Self, Rejection> {
        let mut actions = Actions::default();
        Ok(Runner {
            execution: Execution::new(program, &mut Numbers::Growing(&mut actions))?,
            actions,
            laws: Laws::new(),
            meanings: Meanings::default(),
        })
    }

    /// Runs all of a batch; the actions of its steps.
    pub fn run(&mut self, batch: &Batch) -> Result<Vec<Action>, Rejection> {
        self.restart(batch)?;
        let mut taken = Vec::with_capacity(batch.steps.len());
        let mut steps = batch.steps.iter();
        for (&(back, new), number) in batch.each.iter().zip(batch.executions..) {
            for _ in 0..back {
                self.execution.leave(None, &self.actions);
            }
            for &(node, symbol) in steps.by_ref().take(new) {
                let step = self.action(symbol).and_then(|action| {
                    taken.push(action);
                    self.execution
                        .arrive(action, node, &mut Numbers::Growing(&mut self.actions), true)?;
                    self.laws.check(&self.execution, &self.actions)
                });
                step.map_err(|r| r.in_execution(number))?;
            }
        }
        Ok(taken)
    }

    /// Goes to where the first execution of a batch leaves those before it. What was taken there before sleeps.
    fn restart(&mut self, batch: &Batch) -> Result<(), Rejection> {
        self.execution.restart(&self.actions);
        for (depth, elders) in batch.elders.iter().enumerate() {
            for &(node, symbol) in elders {
                let elder = self.action(symbol)?;
                self.execution.pass(elder, node);
            }
            if let Some(&(node, symbol)) = batch.shared.get(depth) {
                let action = self.action(symbol)?;
                self.execution
                    .arrive(action, node, &mut Numbers::Growing(&mut self.actions), false)?;
            }
        }
        Ok(())
    }

    /// What a step is here, where it must be enabled.
    fn action(&mut self, symbol: Symbol) -> Result<Action, Rejection> {
        let pending = self.execution.top().offers.iter().map(|o| self.actions.process(o.action));
        let transition = self.meanings.of(symbol, self.execution.program, pending)?;
        let action = self.execution.offered(transition, &self.actions);
        action.ok_or_else(|| Rejection::refused("a step in it cannot be taken"))
    }

    /// How many pairs of neighbours were swapped.
    pub fn swapped(&self) -> u64 {
        self.laws.swapped
    }
}
