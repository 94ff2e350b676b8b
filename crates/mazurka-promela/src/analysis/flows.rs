//! Ways through the control-flow graph of a process type.

use crate::model::Proctype;
use rustc_hash::FxHashSet;

/// The edges that may be taken without interruption after an edge: those reachable from it while control is kept.
pub(super) fn region(proctype: &Proctype, location: usize, edge: usize) -> Vec<(usize, usize)> {
    let first = &proctype.locations[location].edges[edge];
    if !first.atomic {
        return Vec::new();
    }
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut work = vec![first.target];
    let mut region = Vec::new();
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        for (i, edge) in proctype.locations[at as usize].edges.iter().enumerate() {
            region.push((at as usize, i));
            if edge.atomic {
                work.push(edge.target);
            }
        }
    }
    region.sort_unstable();
    region
}
