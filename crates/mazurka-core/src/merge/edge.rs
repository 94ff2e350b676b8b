//! What the cones after a step say about the state before it: which of them pass, which race with the step, which grow by it.

use super::bits::Bits;
use super::cone::{Cone, Key, UNBORN};
use super::cone_set::{ConeId, Cones, Gather, SetId};
use super::frame::{Edge, Frame};
use super::guard::{Changes, GuardId};
use super::intern::Interner;
use super::lens::Lens;
use crate::footprint::Access;
use crate::footprints::{FootprintId, Footprints};
use crate::program::Program;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What a race demands of the node before the step: one of these processes beside it.
struct Demand {
    initials: Bits,
    when: When,
}

/// When a demand is made.
enum When {
    Always,
    /// If that process is enabled.
    Enabled(u32),
    /// If the guard holds after the past of the cone; the process is that of the last step.
    Holds(GuardId, u32),
    /// Each of them that is enabled is demanded for itself.
    Each,
}

/// What the cones after a step become before it.
#[derive(Default)]
struct Image {
    cones: SetId,
    demands: Vec<Demand>,
    /// The locations whose values were looked at on the way.
    values: Bits,
}

/// What an image depends on: the cones after the step, and what matters of the step itself.
#[derive(Default)]
struct Signature {
    after: SetId,
    process: u32,
    footprint: FootprintId,
    births: Bits,
    independent: Bits,
    changes: Changes,
}

impl Signature {
    fn of(after: SetId, edge: &Edge, changes: Changes) -> Self {
        Signature {
            after,
            process: edge.process,
            footprint: edge.footprint,
            births: edge.births.clone(),
            independent: edge.independent.clone(),
            changes,
        }
    }

    #[inline]
    fn is_of(&self, after: SetId, edge: &Edge, changes: &Changes) -> bool {
        self.after == after
            && self.process == edge.process
            && self.footprint == edge.footprint
            && self.independent == edge.independent
            && self.births == edge.births
            && (self.changes.is_empty() && changes.is_empty() || self.changes == *changes)
    }

    #[inline]
    fn hash_of(after: SetId, edge: &Edge, changes: &Changes) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u64(u64::from(after) << 32 | u64::from(edge.process));
        edge.footprint.hash(&mut hasher);
        edge.independent.hash(&mut hasher);
        if !edge.births.is_empty() {
            edge.births.hash(&mut hasher);
        }
        changes.iter().for_each(|c| c.hash(&mut hasher));
        hasher.finish()
    }
}

/// Images that were computed before: the same steps lead to the same cones over and over.
#[derive(Default)]
pub(crate) struct Images {
    known: Interner<(Signature, Image)>,
    gather: Gather,
}

/// Images are forgotten when there are so many.
const MOST_IMAGES: usize = 1 << 16;

impl Images {
    /// Forgets everything: numbers of sets are about to be used again.
    pub fn clear(&mut self) {
        self.known = Interner::default();
    }

    /// Brings the cones `after` of the state after `frame.edge` into the frame, and notes what its races demand.
    pub fn absorb<P: Program, L: Lens<P>>(
        &mut self,
        frame: &mut Frame,
        cones: &mut Cones,
        after: SetId,
        lens: &mut L,
        footprints: &Footprints,
        (program, run): (&P, &P::Run),
    ) {
        let edge = &frame.edge;
        // Without guards, nothing that the step changes matters.
        let changes = if !edge.changes.is_empty() && cones.is_guarded(after) {
            lens.of_guards(&edge.changes)
        } else {
            Changes::new()
        };
        let hash = Signature::hash_of(after, edge, &changes);
        let id = match self.known.find(hash, |(s, _)| s.is_of(after, edge, &changes)) {
            Some(id) => id,
            None => {
                if self.known.bound() >= MOST_IMAGES {
                    self.clear();
                }
                let image = self.image(edge, cones, after, lens, footprints);
                self.known.insert(hash, (Signature::of(after, edge, changes), image))
            }
        };
        let (_, image) = self.known.get(id);
        frame.gaze.values.unite(&image.values);
        demand(frame, &image.demands, lens, (program, run));
        frame.cones = cones.unite(frame.cones, image.cones);
    }

    fn image<P: Program, L: Lens<P>>(
        &mut self,
        edge: &Edge,
        cones: &mut Cones,
        after: SetId,
        lens: &mut L,
        footprints: &Footprints,
    ) -> Image {
        let mut values = Bits::default();
        let gather = &mut self.gather;
        gather.clear();
        cones.resume(gather);
        let mut demands = Vec::new();
        let accesses = footprints.accesses(edge.footprint);
        for at in 0..cones.set(after).len() {
            let id = cones.set(after)[at];
            let cone = cones.cone(id);
            let key = cones.key(cone);
            let own = key.process == edge.process || edge.births.contains(key.process);
            let over_past = !cone.past.contains(edge.process) && !cone.past.intersects(&edge.births) && !cone.trail.conflicts(accesses);
            if key.is_collapsed() {
                lens.collapsed(&cone.initials, &edge.changes, &mut values);
                if over_past && !own {
                    cones.add(gather, id);
                } else {
                    let new = grown_collapsed(cones, id, key, edge, accesses, &mut demands);
                    cones.add(gather, new);
                }
                continue;
            }
            if over_past && !own && !footprints.conflict(key.footprint, edge.footprint) {
                cones.add(gather, id);
                continue;
            }
            if over_past && !own {
                // A race: without the step, the last one is pending after the same past.
                let when = match key.guard {
                    _ if cone.past.is_empty() => When::Enabled(key.process),
                    GuardId::NONE if key.process == UNBORN || cone.past.contains(key.process) => When::Always,
                    GuardId::NONE => When::Enabled(key.process),
                    guard => When::Holds(guard, key.process),
                };
                demands.push(Demand {
                    initials: cone.initials.clone(),
                    when,
                });
                cones.add(gather, id);
            }
            let longer = extend(cones, id, key, edge, footprints, (lens, &mut values));
            cones.add(gather, longer);
        }
        Image {
            cones: cones.intern_set(gather),
            demands,
            values,
        }
    }
}

/// Makes the demands that apply at the node of the frame.
fn demand<P: Program, L: Lens<P>>(frame: &mut Frame, demands: &[Demand], lens: &mut L, (program, run): (&P, &P::Run)) {
    let mover = frame.edge.process;
    for demand in demands {
        let applies = match demand.when {
            When::Always => true,
            When::Enabled(process) => frame.enabled.contains(process),
            When::Holds(guard, process) => lens.holds(program, run, guard, frame.enabled.contains(process)),
            When::Each => {
                let mut starts = demand.initials.clone();
                starts.intersect(&frame.enabled);
                starts.iter().filter(|&i| i != mover).for_each(|i| frame.request(&Bits::only(i)));
                false
            }
        };
        if applies {
            frame.request(&demand.initials);
        }
    }
}

/// The cone with the step put before everything else.
fn extend<P: Program, L: Lens<P>>(
    cones: &mut Cones,
    id: ConeId,
    key: Key,
    edge: &Edge,
    footprints: &Footprints,
    (lens, values): (&mut L, &mut Bits),
) -> ConeId {
    let accesses = footprints.accesses(edge.footprint);
    let born = edge.births.contains(key.process);
    let guard = match key.guard {
        GuardId::NONE => GuardId::NONE,
        guard => {
            let touches = born || key.process == edge.process || footprints.writes_guard(edge.footprint, key.footprint);
            lens.extended(guard, &edge.changes, touches, values)
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

/// A cone that stands for many and does not pass: any of them may race, and any may grow.
fn grown_collapsed(cones: &mut Cones, id: ConeId, key: Key, edge: &Edge, accesses: &[Access], demands: &mut Vec<Demand>) -> ConeId {
    let mut cone = cones.cone(id).clone();
    let born = edge.births.contains(key.process);
    if !born && key.process != edge.process {
        // Whatever starts one of them is enabled before the step and takes part in it.
        let mut initials = cone.past.clone();
        if key.process != UNBORN {
            initials.insert(key.process);
        }
        demands.push(Demand {
            initials,
            when: When::Each,
        });
    }
    cone.trail.add(accesses);
    grow_past(&mut cone.past, edge);
    if born {
        cone.key = cones.intern_key(Key { process: UNBORN, ..key });
    }
    cones.intern(cone)
}

fn grow_past(past: &mut Bits, edge: &Edge) {
    // Who is born by the step does not exist before it, and cannot be met there.
    past.subtract(&edge.births);
    past.insert(edge.process);
}
