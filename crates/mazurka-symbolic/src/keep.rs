//! Keeps what executions come to.

use crate::explore::Execution;
use crate::outcome::Outcome;
use mazurka_abs::run::Machine;
use mazurka_abs::run::scene::Scene;
use mazurka_abs::run::state::Run;
use mazurka_core::{Ending, Observer, Transition};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What is kept of the executions of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Nothing: only the counts are right.
    Counts,
    /// Of those that come to the same, the one in which processes take turns least often.
    Outcomes,
    /// All of them.
    Executions,
}

/// Where a keeper leaves what it keeps.
pub(crate) type Kept = Rc<RefCell<Vec<Execution>>>;

/// Watches a search.
pub(crate) struct Keeper<'a> {
    machine: &'a Machine,
    calls: usize,
    objects: usize,
    /// Where the execution is that comes to something, unless all are kept.
    known: Option<FxHashMap<u128, usize>>,
    kept: Kept,
}

impl<'a> Keeper<'a> {
    /// For executions that start there.
    pub fn new(machine: &'a Machine, scene: Option<&Scene>, keep: Keep, kept: &Kept) -> Self {
        Keeper {
            machine,
            calls: scene.map_or(0, |scene| scene.calls.len()),
            objects: scene.map_or(0, |scene| scene.objects.len()),
            known: (keep == Keep::Outcomes).then(FxHashMap::default),
            kept: Rc::clone(kept),
        }
    }
}

/// How often another process goes on, and then how many steps there are: fewer are easier to read.
pub fn switches(schedule: &[Transition]) -> (usize, usize) {
    let switches = schedule.windows(2).filter(|pair| pair[0].process != pair[1].process).count();
    (switches, schedule.len())
}

impl Observer<Run> for Keeper<'_> {
    fn execution(&mut self, schedule: &[Transition], state: &Run, ending: Ending) {
        if !matches!(ending, Ending::Finished | Ending::Deadlock) {
            return;
        }
        let outcome = Outcome::of(self.machine, state, self.calls, self.objects);
        let mut kept = self.kept.borrow_mut();
        if let Some(known) = &mut self.known {
            let place = *known.entry(outcome.hash(&self.machine.ids)).or_insert(kept.len());
            if let Some(same) = kept.get_mut(place) {
                if switches(schedule) < switches(&same.schedule) {
                    same.schedule = schedule.to_vec();
                    same.outcome = outcome;
                }
                return;
            }
        }
        kept.push(Execution {
            schedule: schedule.to_vec(),
            outcome,
        });
    }
}
