//! Which two steps to look at.
//!
//! A *race* is a pair of steps of different processes that touch a common location in conflicting ways, with nothing in between that orders
//! them, and such that the second could have been taken before the first. Of all the races in the past of a failure we want the one that
//! *decides* it: the last one for which the failure goes away when the two are swapped and everything else happens as before as far as it
//! can. Races of the failing step itself come last: that an assertion made earlier would have held says little about why it fails later.
//! Where something else fails with the two in the other order (the same assertion in another process, for example), a pair for which nothing
//! does is preferred. When swapping no single pair helps (the failure then has several causes) it is the last race before the failure.
//!
//! For a deadlock the processes that wait take part with the step that they cannot take: "philosopher 1 took fork 1" races with
//! "philosopher 0 wants fork 1".

use super::events::{Afterwards, Events, Target, attempt};
use super::record::signature;
use super::recording::{Race, RaceEnd, Recording};
use crate::describe::Describe;
use crate::footprint::Footprint;
use crate::program::{Process, Transition};

/// How many pairs are swapped at most.
const TRIES: usize = 200;

/// How many steps are run at most to try pairs: of an execution of a million steps few are tried.
const STEPS: usize = 10_000_000;

/// How many pairs may be tried in an execution of `steps` steps. Each runs it up to three times, to the race, again, and on.
fn tries(steps: usize) -> usize {
    (STEPS / (3 * steps + more(steps))).clamp(2, TRIES)
}

/// For how many steps an execution of `steps` steps goes on after a pair was swapped.
fn more(steps: usize) -> usize {
    (4 * steps + 1000).min(100_000)
}

/// A pair that may be a race, latest first.
struct Candidate {
    first: usize,
    second: RaceEnd,
    transition: Transition,
}

/// The race that decides the failure of a recording of `schedule`.
pub(super) fn deciding_race<P: Describe + ?Sized>(program: &P, schedule: &[Transition], recording: &Recording) -> Option<Race> {
    let wanted = Target::Alike(signature(recording.failure.as_ref()?));
    let events = Events::of(program, schedule);
    let end = recording.failing_step();
    let (mut last, mut otherwise) = (None, None);
    for candidate in candidates(program, &events, recording, end) {
        let Some(swapped) = swap(program, &events, &candidate, &wanted) else {
            continue;
        };
        let mut race = Race {
            first: candidate.first,
            second: candidate.second,
            locations: common(program, &events, &candidate),
            decisive: swapped != Swapped::Fails,
            instead: None,
        };
        match swapped {
            Swapped::Holds => return Some(race),
            Swapped::FailsOtherwise(message) => {
                race.instead = Some(message);
                otherwise.get_or_insert(race);
            }
            Swapped::Fails => {
                last.get_or_insert(race);
            }
        }
    }
    otherwise.or(last)
}

/// The pairs in the past of the failure, the latest second step first, then the latest first step: of very many, the ones nearest to the failure, and
/// those of the failing step.
fn candidates<P: Describe + ?Sized>(program: &P, events: &Events, recording: &Recording, end: Option<usize>) -> Vec<Candidate> {
    let half = tries(events.steps.len()) / 2;
    let mut found = Vec::new();
    let past = match end {
        Some(step) => events.causes.past(&[step]),
        None => {
            // A transition of a process in the cycle is more telling than that of one that waits for the cycle.
            let mut waits: Vec<usize> = recording.cycle.clone();
            waits.extend((0..recording.waits.len()).filter(|w| !recording.cycle.contains(w)));
            for wait in waits {
                let key = &recording.waits[wait].key;
                for (pending, footprint) in &events.pending {
                    let process = pending.transition.process;
                    if program.process_key(process) == *key {
                        let mut causes = events.causes.conflicts_with(footprint.accesses());
                        causes.extend(events.causes.last_of(process));
                        causes.sort_unstable();
                        pairs(events, process, &causes, footprint, &mut |first| {
                            found.push(Candidate {
                                first,
                                second: RaceEnd::Wait(wait),
                                transition: pending.transition,
                            });
                        });
                    }
                }
            }
            vec![true; events.steps.len()]
        }
    };
    let upto = end.unwrap_or(events.steps.len()).min(events.steps.len());
    let failing = end.filter(|&e| e < events.steps.len());
    let add = |second: usize, found: &mut Vec<Candidate>| {
        let (transition, footprint) = &events.steps[second];
        pairs(events, transition.process, events.causes.direct(second), footprint, &mut |first| {
            found.push(Candidate {
                first,
                second: RaceEnd::Step(second),
                transition: *transition,
            });
        });
    };
    for second in (0..upto).rev().filter(|&s| past[s]) {
        if found.len() >= 2 * half {
            break;
        }
        add(second, &mut found);
    }
    if let Some(failing) = failing {
        let mut last = Vec::new();
        add(failing, &mut last);
        found.truncate((2 * half).saturating_sub(last.len()).max(half));
        found.extend(last);
    }
    found.truncate(2 * half);
    found
}

/// The direct causes that race with a step of `process`: of another process, in conflict, and not also an indirect cause.
fn pairs(events: &Events, process: Process, causes: &[usize], footprint: &Footprint, found: &mut dyn FnMut(usize)) {
    for &first in causes.iter().rev().take(TRIES) {
        let (other, touched) = &events.steps[first];
        if other.process == process || !touched.conflicts(footprint) {
            continue;
        }
        let later = causes.partition_point(|&cause| cause <= first);
        if !events.causes.is_in_past(first, &causes[later..]) {
            found(first);
        }
    }
}

/// What becomes of an execution with two steps in the other order.
#[derive(PartialEq, Eq)]
enum Swapped {
    /// It fails in the same way.
    Fails,
    /// It fails in another way.
    FailsOtherwise(String),
    /// It does not fail.
    Holds,
}

/// What becomes of the failure with the two in the other order; `None` if they cannot come in the other order.
fn swap<P: Describe + ?Sized>(program: &P, events: &Events, candidate: &Candidate, wanted: &Target) -> Option<Swapped> {
    let upto = match candidate.second {
        RaceEnd::Step(second) => second,
        RaceEnd::Wait(_) => events.steps.len(),
    };
    let after_first = events.causes.future(candidate.first);
    let step = |at: usize| events.steps[at].0;
    let mut swapped: Vec<Transition> = (0..upto).filter(|&s| !after_first[s]).map(step).collect();
    swapped.push(candidate.transition);
    let before = attempt(program, &swapped, wanted, Afterwards::Stop);
    if before.schedule != swapped {
        // The second cannot come before the first, or the failure comes even earlier than the race.
        return None;
    }
    swapped.extend((0..upto).filter(|&s| after_first[s]).map(step));
    if let RaceEnd::Step(second) = candidate.second {
        swapped.extend((second + 1..events.steps.len()).map(step));
    }
    let result = attempt(program, &swapped, wanted, Afterwards::Run(more(swapped.len())));
    Some(match result.other {
        _ if result.failed => Swapped::Fails,
        Some(failure) => Swapped::FailsOtherwise(failure.message),
        None => Swapped::Holds,
    })
}

/// The names of the locations that both touch in conflict.
fn common<P: Describe + ?Sized>(program: &P, events: &Events, candidate: &Candidate) -> Vec<String> {
    let first = &events.steps[candidate.first].1;
    let second = match candidate.second {
        RaceEnd::Step(second) => &events.steps[second].1,
        RaceEnd::Wait(_) => {
            let found = events.pending.iter().find(|(p, _)| p.transition == candidate.transition);
            match found {
                Some((_, footprint)) => footprint,
                None => return Vec::new(),
            }
        }
    };
    let conflicting = |a: &&crate::Access| {
        second
            .accesses()
            .iter()
            .any(|b| a.location == b.location && a.mode.conflicts(b.mode))
    };
    first
        .accesses()
        .iter()
        .filter(conflicting)
        .map(|a| program.location_name(a.location))
        .collect()
}
