//! The successors of one state, in the order in which they are explored.

use super::graph::Generated;

/// Puts the processes in reverse order and leaves the alternatives of each in theirs. SPIN explores in this order, so that even a search
/// that ends with the first failure has stored the states that SPIN has.
pub(super) fn youngest_first(batch: &mut [Generated]) {
    batch.reverse();
    for alternatives in batch.chunk_by_mut(|a, b| a.transition.process == b.transition.process) {
        alternatives.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Process, Transition};
    use crate::stateful::graph::Slot;

    #[test]
    fn the_youngest_process_goes_first_with_its_first_alternative() {
        let transitions = [(0, 0), (0, 1), (3, 0), (1, 0), (1, 2)];
        let mut batch: Vec<Generated> = transitions
            .map(|(process, choice)| Generated {
                transition: Transition {
                    process: Process(process),
                    choice,
                },
                alternative: choice,
                state: Slot::default(),
                failure: None,
                number: 0,
            })
            .into();
        youngest_first(&mut batch);
        let order: Vec<(u32, u32)> = batch.iter().map(|g| (g.transition.process.0, g.transition.choice)).collect();
        assert_eq!(order, [(1, 0), (1, 2), (3, 0), (0, 0), (0, 1)]);
    }
}
