//! Ways through the control-flow graph of a process type.

use crate::model::Proctype;
use rustc_hash::FxHashSet;

/// The edges that may be taken without interruption from a location on: those reachable from it while control is kept.
pub(super) fn region(proctype: &Proctype, start: u32) -> Vec<(usize, usize)> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut work = vec![start];
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
    region
}

/// Whether control can come back to where it was without having been given up.
pub(super) fn goes_round(proctype: &Proctype, region: &[(usize, usize)]) -> bool {
    let mut open: FxHashSet<usize> = region.iter().map(|&(at, _)| at).collect();
    let leads_on = |open: &FxHashSet<usize>, at: usize| {
        let edges = &proctype.locations[at].edges;
        edges.iter().any(|edge| edge.atomic && open.contains(&(edge.target as usize)))
    };
    // What leads nowhere any more is on no cycle.
    while let Some(dead) = open.iter().copied().find(|&at| !leads_on(&open, at)) {
        open.remove(&dead);
    }
    !open.is_empty()
}
