//! Whether an execution that was run once more violates a property of executions without end: by definition, on its states alone.

use crate::effects::Effects;
use crate::outcome::Failure;
use crate::program::{Program, Transition};
use crate::stateful::{Property, Reading, lasso_failure};
use std::collections::BTreeSet;

/// How the execution with these steps violates a property, if it does. All but the first `repeats` steps are repeated for ever; if that
/// is as many as there are, the last state stays.
pub(super) fn violation<P: Program + ?Sized>(program: &P, schedule: &[Transition], repeats: Option<usize>) -> Option<Failure> {
    let asked = program.insights().properties?;
    let steps = schedule.len();
    let states: Vec<P::State> = (0..=steps).map(|taken| after(program, &schedule[..taken])).collect();
    for (number, property) in asked.properties().iter().enumerate() {
        let read = |place: usize, at: u32| {
            let mut out = Vec::new();
            asked.read(number, &states[place], at, &mut out);
            out
        };
        let Some(repeats) = repeats else {
            if let Some(failure) = violated_so_far(property, states.len(), &read) {
                return Some(failure);
            }
            continue;
        };
        let closed = repeats < steps && asked.is_same(&states[repeats], &states[steps]);
        let stays = repeats == steps && property.stutters && is_end(program, &states[steps]);
        let lasso = Lasso {
            // The state after a loop is the one before it.
            places: if closed { steps } else { steps + 1 },
            repeats,
        };
        let accepts = |place: usize, at: u32| asked.accepts(number, &states[place], at);
        if (closed || stays) && lasso.is_accepted(property.start, &read, &accepts) {
            return Some(lasso_failure(property, repeats, steps));
        }
    }
    None
}

/// The state after these steps. It is come to from the start each time: not every program's states can be copied.
fn after<P: Program + ?Sized>(program: &P, schedule: &[Transition]) -> P::State {
    let (mut state, mut effects) = (program.start(), Effects::default());
    for &transition in schedule {
        effects.clear();
        program.step(&mut state, transition, &mut effects);
    }
    state
}

fn is_end<P: Program + ?Sized>(program: &P, state: &P::State) -> bool {
    let mut pending = Vec::new();
    program.pending(state, &mut pending);
    !pending.iter().any(|p| p.enabled)
}

/// What a property says of an execution that is not over yet.
fn violated_so_far(property: &Property, states: usize, read: &dyn Fn(usize, u32) -> Vec<Reading>) -> Option<Failure> {
    let mut at = BTreeSet::from([property.start]);
    for place in 0..states {
        let readings: Vec<Reading> = at.iter().flat_map(|&at| read(place, at)).collect();
        if let Some(failure) = readings.iter().find_map(|r| r.failure.clone()) {
            return Some(failure);
        }
        at = readings.iter().map(|r| r.target).collect();
    }
    None
}

/// The places of an execution that never ends.
struct Lasso {
    places: usize,
    repeats: usize,
}

impl Lasso {
    /// Whether the automaton can read the execution for ever, accepting again and again.
    fn is_accepted(&self, start: u32, read: &dyn Fn(usize, u32) -> Vec<Reading>, accepts: &dyn Fn(usize, u32) -> bool) -> bool {
        let reach = |from: (usize, u32)| {
            let mut seen = BTreeSet::new();
            let mut todo = vec![from];
            while let Some((place, at)) = todo.pop() {
                let next = if place + 1 < self.places { place + 1 } else { self.repeats };
                let readings = read(place, at).into_iter().filter(|r| r.failure.is_none());
                todo.extend(readings.map(|r| (next, r.target)).filter(|pair| seen.insert(*pair)));
            }
            seen
        };
        let mut reached = reach((0, start));
        reached.insert((0, start));
        reached
            .into_iter()
            .any(|pair| accepts(pair.0, pair.1) && reach(pair).contains(&pair))
    }
}
