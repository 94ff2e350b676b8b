//! What can be done at the node just reached: its unfinished processes, their cones, and which of them comes first.

use super::cone::Key;
use super::frame::{Frame, Unit};
use super::guard::GuardId;
use super::search::Merging;
use super::view::View;
use crate::explore::random_rank;
use crate::order::Order;
use crate::program::{Pending, Process};

impl<V: View> Merging<'_, V> {
    /// Fills the top frame's list of unfinished processes.
    pub(super) fn list_processes(&mut self) {
        let depth = self.schedule.len();
        let state = self.world.current();
        self.pending.clear();
        state.pending(&mut self.pending);
        let (before, after) = self.frames.split_at_mut(depth);
        let frame = &mut after[0];
        // With static footprints only the process that moved has another one than before.
        let known = before
            .last()
            .filter(|_| self.static_footprints)
            .map_or(&[][..], |parent| &parent.units);
        let moved = self.schedule.last().map(|t| t.process);
        let (mut at, mut place) = (0, 0);
        while let Some(&Pending { transition, .. }) = self.pending.get(at) {
            let (process, start) = (transition.process, at);
            let mut enabled = false;
            while let Some(alternative) = self.pending.get(at)
                && alternative.transition.process == process
            {
                if alternative.enabled {
                    enabled = true;
                    frame.transitions.push(alternative.transition);
                }
                at += 1;
            }
            if enabled {
                frame.enabled.insert(process.0);
            }
            if Some(process) != moved
                && let Some(unit) = unit_after(known, process, &mut place)
            {
                frame.units.push(*unit);
                continue;
            }
            self.footprint.clear();
            for p in &self.pending[start..at] {
                state.footprint(p.transition, &mut self.footprint);
            }
            frame.units.push(Unit {
                process,
                footprint: self.footprints.intern(&self.footprint),
                cone: None,
            });
        }
    }

    /// With dynamic footprints, what commutes with the last step is judged by what the others would touch after it.
    pub(super) fn list_processes_after_step(&mut self) {
        let depth = self.schedule.len();
        self.frames[depth].reset();
        self.list_processes();
        let (before, after) = self.frames.split_at_mut(depth);
        let (edge, child) = (&mut before[depth - 1].edge, &after[0]);
        edge.independent.clear();
        for other in &child.units {
            let own = other.process.0 == edge.process || edge.births.contains(other.process.0);
            if !own && !self.footprints.conflict(other.footprint, edge.footprint) {
                edge.independent.insert(other.process.0);
            }
        }
    }

    /// The cones with an empty past: the next step of every unfinished process, enabled or not.
    pub(super) fn first_cones(&mut self) {
        let frame = &mut self.frames[self.schedule.len()];
        let state = self.world.current();
        if !self.exact {
            self.view.arrive(state, &frame.units, &mut frame.draft);
        }
        self.members.clear();
        for unit in &mut frame.units {
            if let Some(cone) = unit.cone {
                self.members.push(cone);
                continue;
            }
            let guard = if self.footprints.is_guarded(unit.footprint) {
                let accesses = self.footprints.accesses(unit.footprint);
                self.view.guard(state, unit.process, accesses)
            } else {
                GuardId::NONE
            };
            let cone = self.cones.first(Key {
                process: unit.process.0,
                footprint: unit.footprint,
                guard,
            });
            unit.cone = Some(cone);
            self.members.push(cone);
        }
        // Different processes have different keys: none of these dominates another.
        self.members.sort_unstable();
        frame.cones = self.cones.intern_members(&self.members);
    }

    /// The first process at the top node, by the order, among those enabled that `eligible` accepts.
    pub(super) fn first_choice(&mut self, eligible: impl Fn(&Frame, Process) -> bool) -> Option<Process> {
        let depth = self.schedule.len();
        let frame = &self.frames[depth];
        let mut candidates = frame.transitions.iter().copied().filter(|t| eligible(frame, t.process));
        let first = match self.order {
            Order::Fifo => candidates.next(),
            Order::Random(seed) => candidates.min_by_key(|t| random_rank(seed, depth as u64, *t)),
            order => {
                let state = self.world.current();
                candidates.min_by_key(|t| state.precedence(order, *t).unwrap_or(u64::MAX))
            }
        };
        first.map(|t| t.process)
    }
}

/// The unit of a process, when processes are asked for in their order: `place` is after the last one that was found.
#[inline]
fn unit_after<'u>(units: &'u [Unit], process: Process, place: &mut usize) -> Option<&'u Unit> {
    let next = (*place..*place + 2).find(|at| units.get(*at).is_some_and(|u| u.process == process));
    let found = next.or_else(|| units.iter().position(|u| u.process == process))?;
    *place = found + 1;
    units.get(found)
}
