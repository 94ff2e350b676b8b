//! Leaves out what is not needed: no test whose removal keeps the coverage.

use crate::coverage::Goal;
use std::collections::{BTreeMap, BTreeSet};

/// The places of the candidates that are kept, in order. `cost` says which of two that reach as much is the simpler one.
pub fn minimise(reached: &[BTreeSet<Goal>], cost: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut missing: BTreeSet<&Goal> = reached.iter().flatten().collect();
    let mut kept: Vec<usize> = Vec::new();
    // The one that adds most, again and again.
    while !missing.is_empty() {
        let gain = |candidate: &usize| reached[*candidate].iter().filter(|goal| missing.contains(goal)).count();
        let best = (0..reached.len()).max_by_key(|candidate| (gain(candidate), std::cmp::Reverse((cost(*candidate), *candidate))));
        let Some(best) = best else { break };
        for goal in &reached[best] {
            missing.remove(goal);
        }
        kept.push(best);
    }
    // What came first may be covered by what came later.
    let mut times: BTreeMap<&Goal, usize> = BTreeMap::new();
    for goal in kept.iter().flat_map(|candidate| &reached[*candidate]) {
        *times.entry(goal).or_default() += 1;
    }
    let mut costly = kept.clone();
    costly.sort_by_key(|candidate| std::cmp::Reverse((cost(*candidate), *candidate)));
    for candidate in costly {
        if reached[candidate]
            .iter()
            .all(|goal| times.get(goal).is_some_and(|times| *times > 1))
        {
            kept.retain(|other| *other != candidate);
            for goal in &reached[candidate] {
                times.entry(goal).and_modify(|times| *times -= 1);
            }
        }
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goals(of: &[u32]) -> BTreeSet<Goal> {
        of.iter().map(|n| Goal::Instruction(0, *n)).collect()
    }

    #[test]
    fn no_test_is_kept_whose_removal_keeps_the_coverage() {
        // The largest comes first, and is then covered by the two others, which are needed.
        let reached = [goals(&[1, 2, 3, 4]), goals(&[1, 2, 5]), goals(&[3, 4, 6]), goals(&[5])];
        assert_eq!(minimise(&reached, |_| 1), [1, 2]);
    }

    #[test]
    fn of_equal_candidates_the_simplest_is_kept() {
        let reached = [goals(&[1]), goals(&[1])];
        assert_eq!(minimise(&reached, |candidate| 9 - candidate), [1]);
        assert!(minimise(&[], |_| 0).is_empty());
    }
}
