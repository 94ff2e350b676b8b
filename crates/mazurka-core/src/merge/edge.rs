//! What the cones after a step say about the state before it: which of them pass, which race with the step, which grow by it.

use super::bits::Bits;
use super::cone::{Cone, Key, UNBORN};
use super::cone_set::{ConeId, Cones, SetId};
use super::frame::{Edge, Frame};
use super::guard::GuardId;
use super::lens::{Gaze, Lens};
use crate::footprint::Access;
use crate::footprints::Footprints;
use crate::program::Program;

/// Brings the cones `after` of the state after `frame.edge` into the frame, and notes what its races demand.
pub(crate) fn absorb<P: Program, L: Lens<P>>(
    frame: &mut Frame,
    cones: &mut Cones,
    after: SetId,
    lens: &mut L,
    footprints: &Footprints,
    (program, run): (&P, &P::Run),
) {
    cones.resume(&mut frame.cones);
    let edge = std::mem::take(&mut frame.edge);
    let accesses = footprints.accesses(edge.footprint);
    for at in 0..cones.set(after).len() {
        let id = cones.set(after)[at];
        let cone = cones.cone(id);
        let key = cones.key(cone);
        if key.is_collapsed() {
            lens.collapsed(&cone.initials, &edge.changes, &mut frame.gaze);
            absorb_collapsed(frame, cones, id, key, &edge, accesses);
            continue;
        }
        let own = key.process == edge.process || edge.births.contains(key.process);
        let over_past = !cone.past.contains(edge.process) && !cone.past.intersects(&edge.births) && !cone.trail.conflicts(accesses);
        let over_last = !own && !footprints.conflict(key.footprint, edge.footprint);
        if over_past && over_last {
            cones.add(&mut frame.cones, id);
            continue;
        }
        if over_past && !own {
            // A race: without the step, the last one is pending after the same past.
            let possible = if cone.past.is_empty() {
                frame.enabled.contains(key.process)
            } else {
                let enabled = frame.enabled.contains(key.process);
                match key.guard {
                    GuardId::NONE => key.process == UNBORN || cone.past.contains(key.process) || enabled,
                    guard => lens.holds(program, run, guard, enabled),
                }
            };
            if possible {
                frame.request(&cone.initials);
            }
            cones.add(&mut frame.cones, id);
        }
        let longer = extend(cones, id, key, &edge, footprints, (lens, &mut frame.gaze));
        cones.add(&mut frame.cones, longer);
    }
    frame.edge = edge;
}

/// The cone with the step put before everything else.
fn extend<P: Program, L: Lens<P>>(
    cones: &mut Cones,
    id: ConeId,
    key: Key,
    edge: &Edge,
    footprints: &Footprints,
    (lens, gaze): (&mut L, &mut Gaze),
) -> ConeId {
    let accesses = footprints.accesses(edge.footprint);
    let born = edge.births.contains(key.process);
    let guard = match key.guard {
        GuardId::NONE => GuardId::NONE,
        guard => {
            let touches = born || key.process == edge.process || footprints.writes_guard(edge.footprint, key.footprint);
            lens.extended(guard, &edge.changes, touches, gaze)
        }
    };
    let process = if born { UNBORN } else { key.process };
    let new_key = if (process, guard) == (key.process, key.guard) {
        cones.cone(id).key
    } else {
        cones.intern_key(Key { process, guard, ..key })
    };
    let mut cone: Cone = cones.cone(id).clone();
    cone.key = new_key;
    cone.trail.add(accesses);
    grow_past(&mut cone.past, edge);
    cone.initials.intersect(&edge.independent);
    cone.initials.insert(edge.process);
    cones.intern(cone)
}

/// A cone that stands for many: it passes if all of them do; otherwise any of them may race, and any may grow.
fn absorb_collapsed(frame: &mut Frame, cones: &mut Cones, id: ConeId, key: Key, edge: &Edge, accesses: &[Access]) {
    let cone = cones.cone(id);
    let born = edge.births.contains(key.process);
    let own = born || key.process == edge.process;
    let passes = !own && !cone.past.contains(edge.process) && !cone.past.intersects(&edge.births) && !cone.trail.conflicts(accesses);
    if passes {
        cones.add(&mut frame.cones, id);
        return;
    }
    let mut cone = cone.clone();
    if !own {
        // Whatever starts one of them is enabled here and takes part in it.
        let mut starts = cone.past.clone();
        if key.process != UNBORN {
            starts.insert(key.process);
        }
        starts.intersect(&frame.enabled);
        for start in starts.iter().filter(|&i| i != edge.process) {
            frame.request(&Bits::only(start));
        }
    }
    cone.trail.add(accesses);
    grow_past(&mut cone.past, edge);
    if born {
        cone.key = cones.intern_key(Key { process: UNBORN, ..key });
    }
    let new = cones.intern(cone);
    cones.add(&mut frame.cones, new);
}

fn grow_past(past: &mut Bits, edge: &Edge) {
    // Who is born by the step does not exist before it, and cannot be met there.
    past.subtract(&edge.births);
    past.insert(edge.process);
}
