//! The first pass over a list of executions: the tree of them is made. On the way every step is taken once, for its action and for the laws.
//!
//! Whether what comes out is a tree of executions is found out by the second pass (`closed.rs`), which believes nothing of this.

use crate::Rejection;
use crate::actions::{Action, Actions};
use crate::format::In;
use crate::list::{Batch, List};
use crate::run::Runner;
use crate::tree::Tree;
use crate::workers::{Job, Workers, Wrong, locked, unlocked};
use mazurka_core::Describe;
use std::io::Read;
use std::sync::Mutex;

/// What was read.
pub(crate) struct Listed {
    pub tree: Tree,
    pub actions: Actions,
    /// The pairs of independent neighbours that were swapped.
    pub swapped: u64,
}

/// Reads the list.
pub(crate) fn read<P, R: Read + Send>(program: &P, workers: Workers<'_>, input: &mut In<R>) -> Result<Listed, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let reading = Reading(Mutex::new(Common {
        list: List::new(input)?,
        actions: Actions::default(),
        swapped: 0,
        wrong: Wrong::default(),
    }));
    workers.all_do(program, &reading)?;
    let common = unlocked(reading.0);
    common.wrong.result()?;
    if common.list.executions == 0 {
        return Err(Rejection::refused("it has no execution"));
    }
    Ok(Listed {
        tree: common.list.tree,
        actions: common.actions,
        swapped: common.swapped,
    })
}

struct Reading<'i, R>(Mutex<Common<'i, R>>);

/// What the workers share.
struct Common<'i, R> {
    list: List<'i, R>,
    actions: Actions,
    swapped: u64,
    wrong: Wrong,
}

impl<R: Read> Common<'_, R> {
    /// The next executions, as long as nothing is wrong.
    fn next(&mut self) -> Option<Batch> {
        if self.wrong.is_some() {
            return None;
        }
        self.list.batch().unwrap_or_else(|why| {
            self.wrong.add(self.list.batches, why);
            None
        })
    }
}

impl<R: Read + Send> Job for Reading<'_, R> {
    fn work<P>(&self, program: &P) -> Result<(), Rejection>
    where
        P: Describe + ?Sized,
        P::State: Clone,
    {
        let mut runner = Runner::new(program)?;
        // For each action of this worker its number in the tree.
        let mut numbers: Vec<Action> = Vec::new();
        loop {
            let batch = {
                let common = &mut *locked(&self.0);
                let Some(batch) = common.next() else { break };
                runner.meanings.learn(common.list.symbols.after(runner.meanings.known()));
                batch
            };
            let ran = runner.run(&batch);
            let common = &mut *locked(&self.0);
            match ran {
                Ok(taken) => {
                    let new = runner.actions.after(numbers.len());
                    numbers.extend(new.map(|(transition, accesses)| common.actions.number(transition, accesses)));
                    for (&(node, _), action) in batch.steps.iter().zip(taken) {
                        common.list.tree.set_action(node, numbers[action as usize]);
                    }
                }
                Err(why) => common.wrong.add(batch.number, why),
            }
        }
        locked(&self.0).swapped += runner.swapped();
        Ok(())
    }
}
