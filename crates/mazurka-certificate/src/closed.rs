//! Certificates of searches through executions: a set of maximal executions that is closed under reversals. In the proofs:
//! `closed_sets_are_complete` (`Result.v`).
//!
//! The first pass reads it and runs every step of the tree once: enabled, not asleep, within the laws; what is maximal, fails or is
//! a final state is found out here. The second one looks for the reversals of each execution in the tree.

use crate::Rejection;
use crate::actions::Actions;
use crate::claims::{Claims, Findings};
use crate::execution::{Execution, Numbers};
use crate::format::In;
use crate::laws::Laws;
use crate::part::Part;
use crate::reversals::Scratch;
use crate::schedules::Symbols;
use crate::tree::Tree;
use crate::verified::{Claimed, Evidence, Verified};
use mazurka_core::Describe;
use std::io::Read;

/// Checks that the executions are closed.
pub(crate) fn complete<P, R: Read>(
    program: &P,
    deadlock_is_error: bool,
    part: Part,
    input: &mut In<R>,
    claimed: Claimed,
) -> Result<Verified, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    if !program.features().static_footprints {
        return Err(Rejection::refused(
            "the footprints of this program are not static, and the theorem needs that",
        ));
    }
    let mut actions = Actions::default();
    let mut laws = Laws::new();
    let (tree, found) = run(program, deadlock_is_error, part, &mut actions, &mut laws, input)?;
    let proved = claimed.compare(input, found)?;
    let reversals = close(program, part, &tree, &actions)?;
    Ok(Verified {
        swapped: laws.swapped,
        ..Verified::new(proved, tree.steps(), Evidence::Closed { reversals })
    })
}

/// The first pass: the tree, and what is to be said about its executions.
fn run<P, R: Read>(
    program: &P,
    deadlock_is_error: bool,
    part: Part,
    actions: &mut Actions,
    laws: &mut Laws<P::State>,
    input: &mut In<R>,
) -> Result<(Tree, Claims), Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let mut tree = Tree::new();
    let mut symbols = Symbols::default();
    let mut found = Findings::new(deadlock_is_error);
    let mut at_end = Vec::new();
    let mut execution = Execution::new(program, &mut Numbers::Growing(actions))?;
    while let Some(back) = input.number()?.checked_sub(1) {
        if back > execution.depth() as u64 || (back == 0 && found.executions() > 0) {
            return Err(Rejection::unreadable("its executions are not in the order of a tree"));
        }
        for _ in 0..back {
            execution.leave(None, actions);
            tree.pop();
        }
        for _ in 0..input.number()? {
            let transition = symbols.read(input, program, &execution, actions)?;
            let action = execution.offered(transition, actions);
            let action = action.ok_or_else(|| Rejection::refused("a step in it cannot be taken").in_execution(found.executions()))?;
            let node = tree.push(action)?;
            let mut numbers = Numbers::Growing(actions);
            let taken = execution.arrive(action, node, &mut numbers, true);
            taken
                .and_then(|()| laws.check(&execution, actions, part.has_neighbours_of(found.executions())))
                .and_then(|()| found.step(execution.events()[execution.depth() - 1].failure.as_ref()))
                .map_err(|r| r.in_execution(found.executions()))?;
        }
        if execution.top().offers.iter().any(|o| o.enabled) {
            return Err(Rejection::refused("it ends although it could go on").in_execution(found.executions()));
        }
        let state = &execution.top().state;
        at_end.clear();
        program.failures_at_end(state, &mut at_end);
        found.end(program.fingerprint(state), &at_end)?;
    }
    if found.executions() == 0 {
        return Err(Rejection::refused("it has no execution"));
    }
    tree.close();
    Ok((tree, found.claims()))
}

/// The second pass: how many reversals there are. In the proofs: `closed`.
fn close<P>(program: &P, part: Part, tree: &Tree, actions: &Actions) -> Result<u64, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let mut scratch = Scratch::default();
    let mut numbers = Numbers::Known(actions);
    let mut execution = Execution::new(program, &mut numbers)?;
    let here = part.nodes(tree.end(0));
    let before = (0..here.start).filter(|node| tree.is_leaf(*node)).count() as u64;
    for (leaf, number) in here.filter(|node| tree.is_leaf(*node)).zip(before..) {
        let step = execution.go_to(leaf, tree, &mut numbers);
        step.and_then(|()| execution.is_closed(tree, actions, &mut scratch))
            .map_err(|r| r.in_execution(number))?;
    }
    Ok(scratch.reversals)
}
