//! A barrier, as [`std::sync::Barrier`].

use crate::runtime::current::{self, visible};
use crate::runtime::id::Id;
use crate::runtime::op::Op;
use std::fmt;

/// As [`std::sync::Barrier`]. In a check, who comes last makes no difference, as long as it is always the same threads that meet, and nobody
/// asks for the leader.
pub struct Barrier {
    id: Id,
    size: usize,
    real: std::sync::Barrier,
}

/// As [`std::sync::BarrierWaitResult`].
#[derive(Debug)]
pub struct BarrierWaitResult {
    leads: bool,
    /// Whether who leads does not depend on who came last.
    fixed: bool,
}

impl BarrierWaitResult {
    /// Whether this thread is the leader of those that met.
    pub fn is_leader(&self) -> bool {
        if self.fixed {
            current::with(|execution| execution.turns_must_matter());
        }
        self.leads
    }
}

impl Barrier {
    /// Where so many threads meet.
    pub const fn new(size: usize) -> Self {
        Barrier {
            id: Id::new(),
            size,
            real: std::sync::Barrier::new(size),
        }
    }

    /// Waits until all have come.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let Some(object) = self.id.of(self, "Barrier") else {
            return BarrierWaitResult {
                leads: self.real.wait().is_leader(),
                fixed: false,
            };
        };
        let size = u32::try_from(self.size).unwrap_or(u32::MAX).max(1);
        let in_turn = current::with(|execution| execution.meets_in_turn(object, size)).unwrap_or_default();
        if in_turn {
            let before = visible(Op::Arrive { barrier: object, in_turn }).unwrap_or_default();
            visible(Op::Leave(object, before / size));
            return BarrierWaitResult {
                leads: before % size == size - 1,
                fixed: false,
            };
        }
        let round = current::with(|execution| execution.next_round(object, size)).unwrap_or(object);
        visible(Op::Arrive { barrier: round, in_turn });
        visible(Op::Leave(round, 0));
        BarrierWaitResult {
            leads: current::with(|execution| execution.leads(round)).unwrap_or_default(),
            fixed: true,
        }
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}
