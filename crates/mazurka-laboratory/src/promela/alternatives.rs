//! What the alternatives of a state promise the stateful searches, checked along random walks: whoever changes whether an alternative can
//! be taken conflicts with what decides about it, and alternatives without a conflict commute.

use crate::random::Numbers;
use mazurka_core::{AccessSet, Alternatives, Process, States};
use mazurka_promela::{Promela, PromelaStates, State};
use std::collections::BTreeSet;

/// One alternative: whose, its accesses, and the states that it leads to.
struct Known {
    process: Process,
    edge: u32,
    guard: AccessSet,
    init: AccessSet,
    future: AccessSet,
    after: Vec<State>,
}

/// Walks at random.
///
/// # Errors
/// What is promised and not kept, in words.
pub fn check_alternatives(promela: &Promela, numbers: &mut Numbers, walks: usize, steps: usize) -> Result<(), String> {
    if promela.machine().uses_timeout() {
        // What waits for a timeout is enabled and disabled by everything; the searches know.
        return Ok(());
    }
    let states = PromelaStates::new(promela);
    for _ in 0..walks {
        let (mut state, _) = states.start();
        for _ in 0..steps {
            let here = alternatives(&states, &state);
            for (at, one) in here.iter().enumerate() {
                for after in &one.after {
                    enabledness(&states, promela, one, (&state, &here), after)?;
                }
                for two in here[at + 1..].iter().filter(|two| two.process != one.process) {
                    if !one.after.is_empty() && !two.after.is_empty() && !one.init.conflicts(&two.init) {
                        commute(&states, promela, one, two)?;
                    }
                }
            }
            let all: Vec<&State> = here.iter().flat_map(|a| &a.after).collect();
            if all.is_empty() {
                break;
            }
            state = all[numbers.below(all.len())].clone();
        }
    }
    Ok(())
}

fn alternatives(states: &PromelaStates<'_>, state: &State) -> Vec<Known> {
    let mut all = Alternatives::default();
    states.alternatives(state, &mut all);
    let mut known: Vec<Known> = (all.iter())
        .map(|a| Known {
            process: a.transition.process,
            edge: a.transition.choice,
            guard: a.guard.clone(),
            init: a.init.clone(),
            future: a.future.clone(),
            after: Vec::new(),
        })
        .collect();
    states.successors(state, |next| {
        let found = known
            .iter_mut()
            .find(|k| k.process == next.transition.process && k.edge == next.alternative);
        if let Some(known) = found {
            known.after.push(next.after.clone());
        }
    });
    known
}

fn name(promela: &Promela, known: &Known) -> String {
    format!(
        "alternative {} of process {} ({})",
        known.edge,
        known.process.0,
        promela.machine().model().name
    )
}

/// Who is enabled or disabled by `one` has a guard that it conflicts with.
fn enabledness(
    states: &PromelaStates<'_>,
    promela: &Promela,
    one: &Known,
    (state, before): (&State, &[Known]),
    after: &State,
) -> Result<(), String> {
    let now = alternatives(states, after);
    for old in before.iter().filter(|old| old.process != one.process) {
        let Some(new) = now.iter().find(|new| new.process == old.process && new.edge == old.edge) else {
            continue;
        };
        // A rendezvous moves two processes: the other one stands elsewhere.
        let slot = old.process.index();
        let moved = state.location(slot) != after.location(slot);
        // The searches compare futures with what decides about a step that waits, and with all of a step that does not.
        let conflict = if old.after.is_empty() {
            one.future.conflicts(&old.guard)
        } else {
            one.init.conflicts(&old.init)
        };
        if !moved && new.after.is_empty() != old.after.is_empty() && !conflict {
            return Err(format!(
                "{} changes whether {} can be taken",
                name(promela, one),
                name(promela, old)
            ));
        }
    }
    Ok(())
}

/// All states that the two lead to in this order.
fn both(states: &PromelaStates<'_>, first: &Known, second: &Known) -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::new();
    for middle in &first.after {
        states.successors(middle, |next| {
            if next.transition.process == second.process && next.alternative == second.edge {
                let mut bytes = Vec::new();
                states.encode(next.after, &mut bytes);
                all.insert(bytes);
            }
        });
    }
    all
}

fn commute(states: &PromelaStates<'_>, promela: &Promela, one: &Known, two: &Known) -> Result<(), String> {
    if both(states, one, two) == both(states, two, one) {
        return Ok(());
    }
    Err(format!("{} and {} do not commute", name(promela, one), name(promela, two)))
}
