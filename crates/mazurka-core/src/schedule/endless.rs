//! An execution that never ends, as a beginning and a loop: for programs none of whose executions ends.

use crate::effects::Effects;
use crate::outcome::{Failure, FailureKind};
use crate::program::{Fingerprint, Pending, Process, Program, Transition};
use rustc_hash::FxHashMap;

/// A walk that has not come back to an earlier state by then is given up.
const MOST_STEPS: usize = 20_000;
/// A loop in which everybody has a turn is preferred to a shorter one up to so many steps.
const READABLE: usize = 40;

/// A schedule that comes back to a state.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Endless {
    /// The beginning and one turn of the loop.
    pub schedule: Vec<Transition>,
    /// How many steps come before the loop.
    pub prefix: usize,
}

impl Endless {
    /// The loop as a failure.
    pub fn failure(&self) -> Failure {
        failure(self.prefix, self.schedule.len())
    }
}

/// The failure of a schedule of so many steps, of which the first `prefix` do not repeat.
pub(super) fn failure(prefix: usize, steps: usize) -> Failure {
    let message = match (prefix + 1, steps) {
        (first, last) if first == last => format!("step {first} repeats for ever"),
        (first, last) => format!("steps {first} to {last} repeat for ever"),
    };
    Failure {
        kind: FailureKind::Livelock,
        message,
        at: None,
    }
}

/// An execution that never ends, if one is found without a search: a loop in which processes take turns, unless that is long and a shorter
/// one is found by letting the first that can move.
pub fn endless<P: Program + ?Sized>(program: &P) -> Option<Endless> {
    let fair = walk(program, true);
    if fair.as_ref().is_some_and(|e| e.schedule.len() <= READABLE) {
        return fair;
    }
    let found = [fair, walk(program, false)].into_iter().flatten();
    found.min_by_key(|e| e.schedule.len())
}

/// Goes on until a state is met again.
fn walk<P: Program + ?Sized>(program: &P, in_turns: bool) -> Option<Endless> {
    let mut state = program.start();
    let (mut pending, mut effects): (Vec<Pending>, _) = (Vec::new(), Effects::default());
    let mut schedule: Vec<Transition> = Vec::new();
    let mut seen: FxHashMap<Fingerprint, usize> = FxHashMap::default();
    let mut moved: FxHashMap<Process, usize> = FxHashMap::default();
    while schedule.len() < MOST_STEPS {
        if let Some(prefix) = seen.insert(program.fingerprint(&state), schedule.len()) {
            return Some(Endless { schedule, prefix });
        }
        pending.clear();
        program.pending(&state, &mut pending);
        let waiting_since = |t: Transition| moved.get(&t.process).filter(|_| in_turns).copied();
        let enabled = pending.iter().filter(|p| p.enabled).map(|p| p.transition);
        let next = enabled.min_by_key(|&t| waiting_since(t))?;
        moved.insert(next.process, schedule.len());
        effects.clear();
        program.step(&mut state, next, &mut effects);
        schedule.push(next);
    }
    None
}
