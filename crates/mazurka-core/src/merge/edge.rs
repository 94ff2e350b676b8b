//! What the cones after a step say about the state before it: which of them pass, which race with the step, which grow by it.

use super::bits::Bits;
use super::cone::{Key, UNBORN};
use super::cone_set::{Cones, SetId};
use super::cone_table::{ConeId, Masks};
use super::fate::{ExtraId, Fates, NO_EXTRA, Relation};
use super::frame::{Edge, Frame};
use super::guard::{Changes, GuardId};
use super::intern::Interner;
use super::lens::Lens;
use super::passage::{Passage, Passages};
use crate::footprints::{FootprintId, Footprints};
use crate::world::Situation;
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
    /// They and those that were known before.
    cones: SetId,
    demands: Box<[Demand]>,
    /// The locations whose values were looked at on the way.
    values: Bits,
}

/// What an image depends on: the cones before and after the step, and what matters of the step itself.
#[derive(PartialEq, Eq, Default)]
struct Signature {
    before: SetId,
    after: SetId,
    process: u32,
    footprint: FootprintId,
    extra: ExtraId,
    independent: Bits,
}

impl Signature {
    #[inline]
    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u64(u64::from(self.before) << 32 | u64::from(self.after));
        hasher.write_u64(u64::from(self.process) << 32 | u64::from(self.extra));
        self.footprint.hash(&mut hasher);
        self.independent.hash(&mut hasher);
        hasher.finish()
    }
}

/// Images that were computed before: the same steps lead to the same cones over and over.
#[derive(Default)]
pub(crate) struct Images {
    known: Interner<(Signature, Image)>,
    fates: Fates,
    passages: Passages,
    masks: Masks,
    members: Vec<ConeId>,
    demands: Vec<Demand>,
}

/// Images are forgotten when there are so many.
const MOST_IMAGES: usize = 1 << 16;

impl Images {
    /// Forgets everything: numbers of sets are about to be used again.
    pub fn clear(&mut self) {
        self.known = Interner::default();
        self.passages.clear();
    }

    /// Brings the cones `after` of the state after `frame.edge` into the frame, and notes what its races demand.
    #[inline]
    pub fn absorb<L: Lens>(
        &mut self,
        frame: &mut Frame,
        cones: &mut Cones,
        after: SetId,
        lens: &mut L,
        footprints: &Footprints,
        state: &dyn Situation,
    ) {
        if self.fates.is_large() {
            self.fates = Fates::default();
            self.clear();
        }
        let edge = &frame.edge;
        // Without guards, nothing that the step changes matters.
        let matters = !edge.changes.is_empty() && cones.is_guarded(after);
        let extra = if !matters && edge.births.is_empty() {
            NO_EXTRA
        } else {
            let changes = if matters { lens.of_guards(&edge.changes) } else { Changes::new() };
            self.fates.extra(&edge.births, changes)
        };
        let signature = Signature {
            before: frame.cones,
            after,
            process: edge.process,
            footprint: edge.footprint,
            extra,
            independent: edge.independent.clone(),
        };
        let hash = signature.hash();
        let id = match self.known.find(hash, |(s, _)| *s == signature) {
            Some(id) => id,
            None => self.image(hash, signature, edge, cones, lens, footprints),
        };
        let (_, image) = self.known.get(id);
        frame.cones = image.cones;
        frame.gaze.values.unite(&image.values);
        demand(frame, &image.demands, lens, state);
    }

    /// Computes an image that is not known, and remembers it under the hash of its signature.
    #[inline(never)]
    fn image<L: Lens>(
        &mut self,
        hash: u64,
        signature: Signature,
        edge: &Edge,
        cones: &mut Cones,
        lens: &mut L,
        footprints: &Footprints,
    ) -> u32 {
        let Signature { before, after, extra, .. } = signature;
        let mut values = Bits::default();
        let step = self.fates.step(edge, extra);
        self.passages.prepare();
        self.masks.prepare(&mut cones.table, edge, footprints.accesses(edge.footprint));
        // Collapsed cones of the image are first taken together, and then with those that were known before.
        let apart = cones.is_collapsed(before) || cones.is_collapsed(after);
        cones.gather((!apart).then_some(before));
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend_from_slice(cones.set(after));
        for &id in &members {
            if let Some(&Passage {
                stays,
                grows,
                longer,
                kept,
            }) = self.passages.get(step, id)
                && (!grows || cones.table.kept(id, &self.masks) == Some(kept))
            {
                if stays {
                    cones.add(id);
                }
                if grows {
                    if stays {
                        self.demands.push(race(cones, id));
                    }
                    cones.add(longer);
                }
                continue;
            }
            let number = cones.table.key(id);
            let Relation { own, conflict } = self.fates.relation(step, number, cones, edge, footprints);
            let over_past = cones.table.lets_pass(id, &self.masks);
            if apart && cones.key(number).is_collapsed() {
                lens.collapsed(&cones.table.initials(id), &edge.changes, &mut values);
                let seen = if over_past && !own {
                    id
                } else {
                    grown_collapsed(cones, id, edge, &self.masks, &mut self.demands)
                };
                cones.add(seen);
                continue;
            }
            let stays = over_past && !own;
            if stays {
                cones.add(id);
            }
            let grows = !stays || conflict;
            let (mut longer, mut blind) = (id, true);
            if grows {
                if stays {
                    self.demands.push(race(cones, id));
                }
                let key;
                (key, blind) = self.fates.grown((step, number), cones, edge, footprints, (lens, &mut values));
                longer = cones.table.extended(id, key, &self.masks);
                cones.add(longer);
            }
            // What passes keeps nothing that depends on anything else.
            if blind && let Some(kept) = cones.table.kept(id, &self.masks).or((!grows).then_some(0)) {
                let passage = Passage {
                    stays,
                    grows,
                    longer,
                    kept,
                };
                self.passages.put(step, id, passage);
            }
        }
        self.members = members;
        let gathered = cones.gathered((!apart).then_some(before));
        let image = Image {
            cones: if apart { cones.unite(before, gathered) } else { gathered },
            demands: self.demands.drain(..).collect(),
            values,
        };
        if self.known.bound() >= MOST_IMAGES {
            self.clear();
        }
        self.known.insert(hash, (signature, image))
    }
}

/// A race: without the step, the last step of the cone is pending after the same past.
fn race(cones: &Cones, id: ConeId) -> Demand {
    let table = &cones.table;
    let key = cones.key(table.key(id));
    let when = match key.guard {
        _ if table.is_first(id) => When::Enabled(key.process),
        GuardId::NONE if key.process == UNBORN || table.involves(id, key.process) => When::Always,
        GuardId::NONE => When::Enabled(key.process),
        guard => When::Holds(guard, key.process),
    };
    Demand {
        initials: table.initials(id),
        when,
    }
}

/// Makes the demands that apply at the node of the frame.
fn demand<L: Lens>(frame: &mut Frame, demands: &[Demand], lens: &mut L, state: &dyn Situation) {
    let mover = frame.edge.process;
    for demand in demands {
        let applies = match demand.when {
            When::Always => true,
            When::Enabled(process) => frame.enabled.contains(process),
            When::Holds(guard, process) => lens.holds(state, guard, frame.enabled.contains(process)),
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

/// A cone that stands for many and does not pass: any of them may race, and any may grow.
fn grown_collapsed(cones: &mut Cones, id: ConeId, edge: &Edge, masks: &Masks, demands: &mut Vec<Demand>) -> ConeId {
    let key = cones.key(cones.table.key(id));
    let born = edge.births.contains(key.process);
    if !born && key.process != edge.process {
        // Whatever starts one of them is enabled before the step and takes part in it.
        let mut initials = cones.table.past(id);
        if key.process != UNBORN {
            initials.insert(key.process);
        }
        demands.push(Demand {
            initials,
            when: When::Each,
        });
    }
    let number = if born {
        cones.intern_key(Key { process: UNBORN, ..key })
    } else {
        cones.table.key(id)
    };
    cones.table.grown(id, number, masks)
}
