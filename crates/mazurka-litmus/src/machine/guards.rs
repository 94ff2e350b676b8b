//! Which shared cells some guard may read.

use super::compile::CompiledBody;
use super::liveness::mark_reads;

/// For each shared cell whether the guard of some step may read it.
pub(super) fn guard_cells(bodies: &[CompiledBody], bases: &[u32], cells: usize) -> Vec<bool> {
    let mut read = vec![false; cells];
    for guard in bodies.iter().flat_map(|b| &b.steps).filter_map(|s| s.guard.as_ref()) {
        mark_reads(guard.iter().copied(), bases, &mut read);
    }
    read
}
