//! The successors of one state, in memory that is reused.

use super::states::Successor;
use crate::outcome::Failure;
use crate::program::Transition;

/// A state that was generated and not looked at yet.
pub(super) struct Generated<R> {
    pub transition: Transition,
    /// The alternative it began with.
    pub alternative: u32,
    pub run: R,
    pub failure: Option<Failure>,
}

/// Where runs that are not needed any more wait for their next use.
pub(super) struct Pool<R>(Vec<R>);

impl<R: Clone> Pool<R> {
    pub fn new() -> Self {
        Pool(Vec::new())
    }

    pub fn take(&mut self, from: Successor<'_, R>) -> Generated<R> {
        let run = match self.0.pop() {
            Some(mut run) => {
                std::mem::swap(&mut run, from.after);
                run
            }
            None => from.after.clone(),
        };
        Generated {
            transition: from.transition,
            alternative: from.alternative,
            run,
            failure: from.failure,
        }
    }

    pub fn give_back(&mut self, run: R) {
        self.0.push(run);
    }
}

/// Puts the processes in reverse order and leaves the alternatives of each in theirs. SPIN explores in this order, so that even a search
/// that ends with the first failure has stored the states that SPIN has.
pub(super) fn youngest_first<R>(batch: &mut [Generated<R>]) {
    batch.reverse();
    for alternatives in batch.chunk_by_mut(|a, b| a.transition.process == b.transition.process) {
        alternatives.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Process;

    #[test]
    fn the_youngest_process_goes_first_with_its_first_alternative() {
        let transitions = [(0, 0), (0, 1), (3, 0), (1, 0), (1, 2)];
        let mut batch: Vec<Generated<()>> = transitions
            .map(|(process, choice)| Generated {
                transition: Transition {
                    process: Process(process),
                    choice,
                },
                alternative: choice,
                run: (),
                failure: None,
            })
            .into();
        youngest_first(&mut batch);
        let order: Vec<(u32, u32)> = batch.iter().map(|g| (g.transition.process.0, g.transition.choice)).collect();
        assert_eq!(order, [(1, 0), (1, 2), (3, 0), (0, 0), (0, 1)]);
    }
}
