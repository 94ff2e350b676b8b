//! An order on the local states of processes in which most steps go upwards: the cycle condition of reduced searches needs one.
//!
//! A process stands the higher the larger its counters are, variables that are only ever set to constants or increased, and then the
//! further it is in its text. A loop that counts goes upwards all the time.

use super::constants::for_each_written;
use crate::machine::{State, load};
use crate::model::{Ex, Kind, Model, Op, Operator, Place, Proctype, Space};
use std::cmp::Ordering;

/// The order, per process type.
#[derive(Clone, Debug)]
pub struct LocalOrder {
    proctypes: Vec<Ranks>,
}

#[derive(Clone, Debug)]
struct Ranks {
    counters: Vec<(u32, Kind)>,
    /// The place of each location in a reverse postorder of the control flow.
    location: Vec<u32>,
}

impl LocalOrder {
    /// The order for the processes of a model.
    pub fn new(model: &Model) -> Self {
        let ranks = |proctype: &Proctype| Ranks {
            counters: counters(proctype),
            location: reverse_postorder(proctype),
        };
        LocalOrder {
            proctypes: model.proctypes.iter().map(ranks).collect(),
        }
    }

    /// Whether some process moved upwards, none downwards, and none ended. A step that moves two processes, a rendezvous, must not bring
    /// one of them back for the other's going on: then a cycle could consist of such steps.
    pub fn goes_upwards(&self, before: &State, after: &State) -> bool {
        if after.processes() < before.processes() {
            return false;
        }
        let mut upwards = false;
        for slot in 0..before.processes() {
            match self.compare(before, after, slot) {
                Ordering::Greater => upwards = true,
                Ordering::Equal => {}
                Ordering::Less => return false,
            }
        }
        upwards
    }

    fn compare(&self, before: &State, after: &State, slot: usize) -> Ordering {
        let proctype = before.proctype(slot);
        if after.proctype(slot) != proctype {
            return Ordering::Less;
        }
        let ranks = &self.proctypes[proctype];
        let value = |state: &State, offset: u32, kind| load(state.bytes(), state.frame(slot) + offset as usize, kind);
        for &(offset, kind) in &ranks.counters {
            match value(after, offset, kind).cmp(&value(before, offset, kind)) {
                Ordering::Equal => {}
                other => return other,
            }
        }
        let rank = |state: &State| ranks.location.get(state.location(slot) as usize).copied().unwrap_or(u32::MAX);
        rank(after).cmp(&rank(before))
    }
}

/// Scalar locals that are only set to constants or increased, and increased somewhere.
fn counters(proctype: &Proctype) -> Vec<(u32, Kind)> {
    let mut counters = Vec::new();
    for cell in &proctype.cells {
        let (mut increased, mut other) = (false, false);
        let alone = proctype.cells.iter().filter(|c| c.variable == cell.variable).count() == 1;
        for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
            for_each_assignment(&edge.op, &mut |place, value| {
                if place.space == Space::Local && place.offset == cell.offset {
                    match value {
                        Some(Ex::Const(_)) => {}
                        Some(value) if increases(value, place) => increased = true,
                        _ => other = true,
                    }
                }
            });
        }
        if alone && increased && !other {
            counters.push((cell.offset, cell.kind));
        }
    }
    counters
}

fn increases(value: &Ex, place: &Place) -> bool {
    let Ex::Binary(Operator::Add, parts) = value else { return false };
    matches!(&**parts, (Ex::Load(loaded), Ex::Const(by)) | (Ex::Const(by), Ex::Load(loaded)) if loaded == place && *by > 0)
}

/// Calls `f` with every place that a statement may write, and the value if it is an expression.
fn for_each_assignment(op: &Op, f: &mut impl FnMut(&Place, Option<&Ex>)) {
    match op {
        Op::Assign(place, value) => f(place, Some(value)),
        Op::Deterministic(inside) => inside
            .nodes
            .iter()
            .flat_map(|n| &n.edges)
            .for_each(|(op, _)| for_each_assignment(op, f)),
        other => for_each_written(other, &mut |place| f(place, None)),
    }
}

/// Numbers the locations so that only edges that close a loop lead to a smaller or the same number.
fn reverse_postorder(proctype: &Proctype) -> Vec<u32> {
    let count = proctype.locations.len();
    let (mut rank, mut seen, mut finished) = (vec![0; count], vec![false; count], 0);
    let roots = std::iter::once(proctype.start as usize).chain(0..count);
    for root in roots.filter(|r| *r < count) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((location, next)) = stack.last_mut() {
            match proctype.locations[*location].edges.get(*next) {
                Some(edge) => {
                    *next += 1;
                    let target = edge.target as usize;
                    if target < count && !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    finished += 1;
                    rank[*location] = count as u32 - finished;
                    stack.pop();
                }
            }
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Scratch;
    use crate::parse_text;

    /// For each step of a run that always takes the first way: whether it went upwards.
    fn ups(text: &str, steps: usize) -> Vec<bool> {
        let machine = parse_text("model.pml", text, &[]).machine.expect("a model");
        let order = LocalOrder::new(machine.model());
        let (mut state, _) = machine.initial();
        let mut ups = Vec::new();
        for _ in 0..steps {
            let mut next = None;
            machine.successors(&state, &mut Scratch::default(), |_, after, _| {
                next.get_or_insert_with(|| after.clone());
            });
            let Some(next) = next else { break };
            ups.push(order.goes_upwards(&state, &next));
            state = next;
        }
        ups
    }

    #[test]
    fn a_loop_that_counts_goes_upwards_until_its_process_ends() {
        let text = "active proctype p() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od }";
        let ups = ups(text, 20);
        assert!(ups.len() > 6);
        assert_eq!(ups.iter().filter(|up| !**up).count(), 1, "{ups:?}");
        assert_eq!(ups.last(), Some(&false));
    }

    #[test]
    fn a_loop_that_does_not_count_comes_back() {
        let text = "bit x; active proctype p() { do :: x = 1; x = 0 od }";
        assert_eq!(ups(text, 4), [true, false, true, false]);
    }

    #[test]
    fn a_counter_that_is_set_back_goes_downwards() {
        let text = "active proctype p() { byte i; do :: i < 2 -> i++ :: i == 2 -> i = 0 od }";
        assert!(ups(text, 12).contains(&false));
    }
}
