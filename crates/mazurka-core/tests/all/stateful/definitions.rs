//! Source sets and persistent sets by brute force from their definitions, for programs whose executions end.

use crate::stateful::toy::{State, Toy};
use mazurka_core::{AccessSet, Transition};

/// One step of an execution: what was taken and what it accessed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub transition: Transition,
    pub accesses: AccessSet,
}

impl Event {
    fn dependent(&self, other: &Event) -> bool {
        self.transition.process == other.transition.process || self.accesses.conflicts(&other.accesses)
    }
}

/// Every maximal execution from `state`.
pub fn executions(toy: &Toy, state: &State) -> Vec<Vec<Event>> {
    let (mut all, mut current) = (Vec::new(), Vec::new());
    extend(toy, state, &mut current, &mut |_| true, &mut all);
    all
}

/// Every execution from `state` that takes only transitions that `may` allows and cannot be prolonged in this way.
fn extend(toy: &Toy, state: &State, current: &mut Vec<Event>, may: &mut impl FnMut(&Event) -> bool, all: &mut Vec<Vec<Event>>) {
    let mut maximal = true;
    for transition in toy.enabled(state) {
        let event = Event {
            transition,
            accesses: toy.accesses(state, transition),
        };
        if may(&event) {
            maximal = false;
            let mut next = state.clone();
            toy.step(&mut next, transition);
            current.push(event);
            extend(toy, &next, current, may, all);
            current.pop();
        }
    }
    if maximal {
        all.push(current.clone());
    }
}

/// How many Mazurkiewicz traces the executions fall into.
pub fn traces(executions: &[Vec<Event>]) -> usize {
    let mut classes: Vec<Vec<Event>> = executions.iter().map(|e| foata(e)).collect();
    classes.sort_by_key(|c| format!("{c:?}"));
    classes.dedup();
    classes.len()
}

/// The events by the length of the longest chain of dependent events that ends in them, each level in the order of processes.
fn foata(execution: &[Event]) -> Vec<Event> {
    let mut level = vec![0; execution.len()];
    for i in 0..execution.len() {
        level[i] = (0..i)
            .filter(|&j| execution[j].dependent(&execution[i]))
            .map(|j| level[j] + 1)
            .max()
            .unwrap_or(0);
    }
    let mut order: Vec<usize> = (0..execution.len()).collect();
    order.sort_by_key(|&i| (level[i], execution[i].transition));
    order.iter().map(|&i| execution[i].clone()).collect()
}

/// Definition 4. A weak initial of an execution is one of every prefix too, so maximal executions are enough; and a weak initial of a
/// maximal execution occurs in it, or it could be appended: it is an initial.
pub fn is_source_set(toy: &Toy, state: &State, set: &[Transition]) -> bool {
    executions(toy, state).iter().all(|w| {
        w.is_empty()
            || (0..w.len()).any(|i| {
                set.contains(&w[i].transition) && toy.enabled(state).contains(&w[i].transition) && (0..i).all(|j| !w[j].dependent(&w[i]))
            })
    })
}

/// Definition 5: whatever happens outside the set is independent of each of its transitions.
pub fn is_persistent_set(toy: &Toy, state: &State, set: &[Transition]) -> bool {
    let first: Vec<Event> = set
        .iter()
        .map(|&transition| Event {
            transition,
            accesses: toy.accesses(state, transition),
        })
        .collect();
    let mut outside = Vec::new();
    // A transition of the set is one at this state: the same choice at another node is another transition.
    let here =
        |e: &Event, before: &[Event]| set.contains(&e.transition) && before.iter().all(|b| b.transition.process != e.transition.process);
    avoid(toy, state, &mut Vec::new(), &here, &mut outside);
    outside.iter().flatten().all(|e| first.iter().all(|t| !t.dependent(e)))
}

fn avoid(toy: &Toy, state: &State, current: &mut Vec<Event>, in_set: &impl Fn(&Event, &[Event]) -> bool, all: &mut Vec<Vec<Event>>) {
    all.push(current.clone());
    for transition in toy.enabled(state) {
        let event = Event {
            transition,
            accesses: toy.accesses(state, transition),
        };
        if !in_set(&event, current) {
            let mut next = state.clone();
            toy.step(&mut next, transition);
            current.push(event);
            avoid(toy, &next, current, in_set, all);
            current.pop();
        }
    }
}

/// All non-empty sets of enabled transitions with the property.
pub fn sets(toy: &Toy, state: &State, property: impl Fn(&Toy, &State, &[Transition]) -> bool) -> Vec<Vec<Transition>> {
    let enabled = toy.enabled(state);
    (1u32..1 << enabled.len())
        .map(|mask| {
            (0..enabled.len())
                .filter(|i| mask >> i & 1 == 1)
                .map(|i| enabled[i])
                .collect::<Vec<_>>()
        })
        .filter(|set| property(toy, state, set))
        .collect()
}

/// Those of the sets that contain no other of them.
pub fn minimal(sets: &[Vec<Transition>]) -> Vec<Vec<Transition>> {
    sets.iter()
        .filter(|a| !sets.iter().any(|b| b.len() < a.len() && is_part(b, a)))
        .cloned()
        .collect()
}

pub fn is_part(a: &[Transition], b: &[Transition]) -> bool {
    a.iter().all(|t| b.contains(t))
}
