//! Certificates of searches through executions: a set of maximal executions that is closed under reversals. In the proofs:
//! `closed_sets_are_complete` (`Result.v`).
//!
//! The tree that was read is not believed to be one of executions: here every execution of it is run, must be maximal, and its reversals must
//! be in the tree. What fails and what is a final state is found out on the way.

use crate::Rejection;
use crate::actions::Actions;
use crate::execution::{Execution, Numbers};
use crate::findings::Findings;
use crate::format::In;
use crate::reading::read;
use crate::reversals::Scratch;
use crate::tree::{Node, Tree};
use crate::verified::{Claimed, Evidence, Verified};
use crate::workers::{Job, Workers, Wrong, locked, unlocked};
use mazurka_core::{Describe, Failure};
use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Checks that the executions are closed.
pub(crate) fn complete<P, R: Read + Send>(
    program: &P,
    deadlock_is_error: bool,
    workers: Workers<'_>,
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
    let listed = read(program, workers, input)?;
    let closing = Closing {
        tree: &listed.tree,
        actions: &listed.actions,
        deadlock_is_error,
        next: AtomicU32::new(0),
        done: Mutex::new(Done {
            found: Findings::new(deadlock_is_error),
            nodes: 0,
            reversals: 0,
            wrong: Wrong::default(),
        }),
    };
    workers.all_do(program, &closing)?;
    let done = unlocked(closing.done);
    done.wrong.result()?;
    if done.nodes != listed.tree.end(0) {
        return Err(Rejection::refused("not all of it was looked at"));
    }
    let proved = claimed.compare(input, done.found.claims()?)?;
    let evidence = Evidence::Closed { reversals: done.reversals };
    Ok(Verified {
        swapped: listed.swapped,
        ..Verified::new(proved, listed.tree.steps(), evidence)
    })
}

/// Goes through all executions. In the proofs: `closed`.
struct Closing<'t> {
    tree: &'t Tree,
    actions: &'t Actions,
    deadlock_is_error: bool,
    /// The nodes before it are taken care of.
    next: AtomicU32,
    done: Mutex<Done>,
}

/// What the workers found out.
struct Done {
    found: Findings,
    /// How many nodes were looked at.
    nodes: Node,
    reversals: u64,
    wrong: Wrong,
}

/// So many nodes are looked at by one worker at a time.
const TOGETHER: Node = 1 << 14;

impl Job for Closing<'_> {
    fn work<P>(&self, program: &P) -> Result<(), Rejection>
    where
        P: Describe + ?Sized,
        P::State: Clone,
    {
        let (tree, mut numbers) = (self.tree, Numbers::Known(self.actions));
        let mut execution = Execution::new(program, &mut numbers)?;
        let mut found = Findings::new(self.deadlock_is_error);
        let (mut scratch, mut at_end, mut nodes) = (Scratch::default(), Vec::new(), 0);
        let after = |node: Node| node.saturating_add(TOGETHER).min(tree.end(0));
        let take = |next: Node| (next < tree.end(0)).then(|| after(next));
        while let Ok(begin) = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            for leaf in (begin..after(begin)).filter(|node| tree.is_leaf(*node)) {
                let looked = execution
                    .go_to(leaf, tree, &mut numbers)
                    .and_then(|()| find(&execution, &mut found, &mut at_end))
                    .and_then(|()| execution.is_closed(tree, self.actions, &mut scratch));
                if let Err(why) = looked {
                    // What comes later need not be looked at. What comes before is, by whoever took it.
                    self.next.store(tree.end(0), Ordering::Relaxed);
                    let number = (0..leaf).filter(|node| tree.is_leaf(*node)).count();
                    locked(&self.done).wrong.add(u64::from(leaf), why.in_execution(number as u64));
                    break;
                }
            }
            nodes += after(begin) - begin;
        }
        let done = &mut *locked(&self.done);
        done.nodes += nodes;
        done.reversals += scratch.reversals;
        done.found.add(found)
    }
}

/// Finds out what there is to say about an execution, which must be maximal.
fn find<P>(execution: &Execution<'_, P>, found: &mut Findings, at_end: &mut Vec<Failure>) -> Result<(), Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let (program, top) = (execution.program, execution.top());
    if top.offers.iter().any(|o| o.enabled) {
        return Err(Rejection::refused("it ends although it could go on"));
    }
    execution.events().iter().try_for_each(|event| found.step(event.failure.as_ref()))?;
    at_end.clear();
    program.failures_at_end(&top.state, at_end);
    found.end(program.fingerprint(&top.state), at_end)
}
