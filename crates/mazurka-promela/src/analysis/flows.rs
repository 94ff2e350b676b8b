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
